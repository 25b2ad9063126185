"""Scene graphs to captions: the paper's template, a realiser, a language model, and the checks of what they wrote."""
