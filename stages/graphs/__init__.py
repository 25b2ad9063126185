"""Scene graphs, their atoms and compounds, and the boxes of what they name."""
