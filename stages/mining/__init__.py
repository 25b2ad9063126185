"""NegCLIP's hard negatives of a training set: exchanged captions, and similar images."""
