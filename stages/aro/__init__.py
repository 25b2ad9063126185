"""ARO's cases of relation and attribution."""
