"""What everyone asks about English words: normal forms, inflection, spelling, and WordNet."""
