"""Pictures, found by id and cut to boxes, and the rule for usable crops."""
