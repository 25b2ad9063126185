"""Captions with their words in another order."""
