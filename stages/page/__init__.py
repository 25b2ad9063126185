"""What people look at: the report, the plots, comparisons of runs."""
