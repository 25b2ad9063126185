"""From captions to scene graphs: the bundled tagger and parser, and the rules that read its trees."""
