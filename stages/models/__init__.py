"""One contract for every model family, and the features kept of them."""
