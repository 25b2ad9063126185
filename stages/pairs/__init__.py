"""Image–caption pairs to train on, and the hard negatives that are mined of them."""
