"""Scene graphs and boxes."""
