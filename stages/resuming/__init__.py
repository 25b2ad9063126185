"""Work that takes long goes on where a killed run stopped."""
