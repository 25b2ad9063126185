"""Comparison of names and attributes: which mean the same, which contradict each other, and which people use."""
