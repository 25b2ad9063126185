"""Training of models: losses, batches, and the training loop."""
