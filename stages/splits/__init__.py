"""Seen compounds, unseen compounds, unseen atoms: what a training set has seen of a region."""
