"""Names and attributes beside each other: which say the same of one thing, which contradict each other, and which people say."""
