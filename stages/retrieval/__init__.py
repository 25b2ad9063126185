"""Ranks, the metrics computed from them, and their statistics."""
