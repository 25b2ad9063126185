"""Hard negatives: what each type is, which candidates are refused and why, and how probable it is that one is true."""
