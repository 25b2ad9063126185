"""How words are put: number, verb forms and articles, what may be said of a noun and in which place."""
