"""Training of models: losses, batches, and what comes of them."""
