"""Output for people: the report, the plots, and comparisons of runs."""
