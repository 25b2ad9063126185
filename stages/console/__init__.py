"""What a person types to start a stage, and sees while it works; nothing of it changes what a stage writes."""
