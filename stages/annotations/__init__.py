"""Annotated images: Visual Genome's files and other formats, brought to the normal form."""
