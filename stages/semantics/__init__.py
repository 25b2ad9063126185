"""What one word says of another: which exclude, include or mean each other, by lists and by WordNet."""
