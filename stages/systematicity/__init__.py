"""The hard negatives of systematicity: of one-compound captions, and of two compounds joined."""
