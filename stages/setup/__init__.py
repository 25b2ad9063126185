"""What a machine gets before the first run."""
