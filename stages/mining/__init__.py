"""NegCLIP's hard negatives of a training set: exchanged captions, and images that look alike."""
