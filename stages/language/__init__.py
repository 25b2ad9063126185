"""English words: normal forms, word lists, lemmas, and usage counts."""
