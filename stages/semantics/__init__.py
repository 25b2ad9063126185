"""Relations between words: which exclude, imply or mean each other, by lists and by WordNet."""
