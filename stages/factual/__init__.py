"""What FACTUAL's authors made: captions with scene graphs that people wrote, and a parser that learned from them."""
