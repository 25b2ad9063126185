"""How words are put: number, verb forms and articles, and in which place of a noun phrase a word stands."""
