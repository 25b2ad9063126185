"""Seen compounds, unseen compounds, unseen atoms: the compositional splits of regions by training set."""
