"""FACTUAL's data and parser: captions with scene graphs by people, and a model that learned from them."""
