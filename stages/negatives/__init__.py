"""Hard negatives: their types, checks and evidence, and the splits SC, UC and UA."""
