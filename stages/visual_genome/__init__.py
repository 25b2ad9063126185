"""Visual Genome's files, boxes and crops."""
