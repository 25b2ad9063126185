"""Visual Genome's files as they are, and the official release's."""
