"""Analyses of iterated learning: a model's codebook, its smoothness, and how easily it is taught."""
