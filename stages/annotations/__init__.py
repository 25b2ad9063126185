"""Visual Genome's annotations as people typed them, with faults, converted to captions and scene graphs in the normal form."""
