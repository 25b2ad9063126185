"""A database for tables larger than memory: sums, joins and sorting."""
