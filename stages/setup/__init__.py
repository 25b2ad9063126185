"""Installation of data before the first run."""
