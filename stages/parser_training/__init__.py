"""How the bundled English pipeline is made: treebank, silver trees, training."""
