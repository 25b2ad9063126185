"""What everyone asks about English words: normal forms, word lists, what captions say how often, and WordNet."""
