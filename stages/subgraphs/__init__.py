"""Random walks on scene graphs, and the subgraphs that they find."""
