"""English words: normal forms, inflection, word lists, WordNet, and which names and attributes agree."""
