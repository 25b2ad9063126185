"""Image-caption pairs of any format."""
