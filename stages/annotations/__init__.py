"""What annotators of Visual Genome typed, with its faults, brought to captions and scene graphs in the normal form."""
