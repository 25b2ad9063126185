"""Reading ``params.yaml``: its sections with the kinds and bounds of their keys, and what a person is told of what is wrong."""
