"""What iterated learning made of a model: its codebook to look at, its smoothness, and how easily it is taught."""
