"""Visual Genome's files, read as they are."""
