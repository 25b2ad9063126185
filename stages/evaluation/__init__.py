"""Retrieval sets, ranks, and the figures with their intervals."""
