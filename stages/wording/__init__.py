"""Word forms: number, verb forms and articles, and the place of a word in a noun phrase."""
