"""Hard negatives: how each type is made, which candidates are refused and why, and how probable it is that one is true."""
