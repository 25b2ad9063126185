"""Scorers that never see the image, and the scores kept of them."""
