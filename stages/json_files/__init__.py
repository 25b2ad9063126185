"""JSON that was written elsewhere."""
