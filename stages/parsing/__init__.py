"""Captions to scene graphs: the English pipeline, the rules over it, FACTUAL's conventions, and parsers that are plugged in."""
