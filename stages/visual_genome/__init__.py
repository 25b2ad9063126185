"""Readers of Visual Genome's files."""
