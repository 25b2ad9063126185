"""Training of the bundled English pipeline: treebank, silver trees, training."""
