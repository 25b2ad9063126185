"""Captions to scene graphs: the rules over the English pipeline, FACTUAL's conventions, and user-supplied parsers."""
