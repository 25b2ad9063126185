"""A stage's command line and its progress bar; nothing here changes what a stage writes."""
