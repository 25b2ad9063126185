"""Pictures, found by their id and cut to boxes, and which crops are fit to look at."""
