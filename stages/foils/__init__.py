"""Hard negatives: candidate foils, edits of a span, validity, plausibility and choosing."""
