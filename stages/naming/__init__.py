"""Names and attributes compared: which say the same of one thing, which contradict each other, and which people say."""
