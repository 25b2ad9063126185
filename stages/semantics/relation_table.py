"""The table of relations: what is data of :mod:`stages.semantics.relations`.

``relation_table.txt`` says of each table what its rows mean.
"""

from __future__ import annotations

from pathlib import Path

from stages.language.lexicon import sections, words
from stages.semantics.lexicon import table

TABLES = sections(Path(__file__).with_suffix(".txt"))
PLACES = table(TABLES["places"])
EXCLUDED_PLACES = table(TABLES["excluded places"])
SETTLED_PLACES = table(TABLES["settled places"])
IMPLIED_PLACES = table(TABLES["implied places"])
SAME_VERBS = table(TABLES["same verbs"])
EXCLUSIVE_VERBS = table(TABLES["exclusive verbs"])
IMPLIED_BY_VERBS = table(TABLES["implied by verbs"])
ONE_WAY_VERBS = words(TABLES["one way verbs"])
SYMMETRIC_PLACES = words(TABLES["symmetric places"])
SYMMETRIC_VERBS = words(TABLES["symmetric verbs"])
FIRM = words(TABLES["firm"])
LOOSE_VERBS = words(TABLES["loose verbs"])
POSTURES = words(TABLES["postures"])
# Where in the picture a thing stands: the axis (0 across, 1 down) and the sign of its centre's difference from the other's.
DIRECTIONS = {"left": (0, -1), "right": (0, 1), "above": (1, -1), "under": (1, 1)}
STANDING_PLACES = words(TABLES["standing places"]) | frozenset(DIRECTIONS)
CLOSE_PLACES = words(TABLES["close places"])
# What holds of everything, whatever the picture: (relation's place, the other thing).
ALWAYS = frozenset({("under", "sky"), ("under", "sun"), ("under", "cloud"), ("above", "ground"), ("near", "air")})
TOUCHING_PLACES = words(TABLES["touching places"])
TOUCHING_VERBS = words(TABLES["touching verbs"])
SPREAD_OUT = words(TABLES["spread out"])
