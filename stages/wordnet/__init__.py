"""Fast access to WordNet."""
