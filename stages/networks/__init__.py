"""Common settings of pretrained networks: the device, and safe loading."""
