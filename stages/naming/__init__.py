"""Names and attributes beside each other: which say the same of one thing, and which contradict each other."""
