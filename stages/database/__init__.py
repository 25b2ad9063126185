"""A database for what is larger than memory: sums, joins and orders of whole tables."""
