"""What FACTUAL's annotators make of a caption: a layer over the graph, learned from their training captions."""
