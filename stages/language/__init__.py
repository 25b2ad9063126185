"""English: captions to scene graphs, scene graphs to captions, and one normal form for both."""
