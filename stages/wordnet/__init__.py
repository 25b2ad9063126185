"""WordNet, read in a moment."""
