"""Shortcut scorers: they see no image, and what they can pick out is language. Selection, evaluation and audit share them."""
