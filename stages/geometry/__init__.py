"""Boxes: where things of an image lie."""
