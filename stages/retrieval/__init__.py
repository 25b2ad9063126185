"""Ranks, the figures made of them, and their statistics."""
