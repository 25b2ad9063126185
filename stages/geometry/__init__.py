"""Boxes: the places of things in an image."""
