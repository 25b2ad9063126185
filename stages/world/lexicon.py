"""The words that the world says, and those that it knows beside them; ``lexicon.txt`` says of each table what its words are."""

from __future__ import annotations

from pathlib import Path

from stages.language.lexicon import NUMBERS, sections, words
from stages.world.kinds import KINDS, STUFF
from stages.world.tables import meanings, single, table

TABLES = sections(Path(__file__).with_suffix(".txt"))

# What the world says
NAMES = {kind: (kind,) for kind in (*KINDS, *STUFF)} | table(TABLES["names"])
PLURALS = single(TABLES["plurals"])
MASS = words(TABLES["mass nouns"])
UNIQUE = words(TABLES["unique"])
SAID_NUMBERS = {number: word for word, number in NUMBERS.items() if 2 <= number <= 5}
SIZE_WORDS = table(TABLES["size words"])
HEIGHT_WORDS = table(TABLES["height words"])
PHRASES = table(TABLES["phrases"])
FINITE_VERBS = single(TABLES["finite verbs"])
PASSIVES = single(TABLES["passives"])

# Names
SENSES = single(TABLES["senses"])
SAME = table(TABLES["same"])
ARGUABLE = table(TABLES["arguable"])
GROUPS = table(TABLES["groups"])
LOOSE_GROUP_NAMES = words(TABLES["loose group names"])
ANYTHING = words(TABLES["anything"])
PARTS = table(TABLES["parts"])

# Attributes
COUNTS = NUMBERS | {"single": 1, "a pair of": 2, "pair of": 2}
SHADES = table(TABLES["shades"])
ALSO = table(TABLES["also"])
PATTERNS = meanings(TABLES["patterns"])
SIZES = meanings(TABLES["sizes"])
SEXES = table(TABLES["sexes"])
STANCES = meanings(TABLES["stances"])
DOING = meanings(TABLES["doing"])
DONE = meanings(TABLES["done"])

# Relations
PREPOSITIONS = meanings(TABLES["prepositions"])
VERBS = meanings(TABLES["verbs"])
OPPOSITES = meanings(TABLES["opposites"])
POSTURE_VERBS = meanings(TABLES["posture verbs"])
LOOSE_VERBS = words(TABLES["loose verbs"])
VAGUE = words(TABLES["vague"])
