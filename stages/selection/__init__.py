"""Which valid candidates become a query's negatives, by the rules of the paper or cleared of shortcuts."""
