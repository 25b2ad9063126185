"""The hard negatives of productivity captions: exchanged, swapped and negated atoms."""
