"""Scene graphs to captions: the paper's template, a realiser, a language model, and checks of their captions."""
