"""FACTUAL's annotation conventions: a layer over the graph, learned from the annotators' training captions."""
