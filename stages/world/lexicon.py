"""The words of the world's captions, and further words that it knows; ``lexicon.txt`` explains each table."""

from pathlib import Path

from stages.text.lexicon import NUMBERS, heads, lines, sections, table, words
from stages.world.kinds import KINDS, STUFF

TABLES = sections(Path(__file__).with_suffix(".txt"))

# What the world says
NAMES = {kind: (kind,) for kind in (*KINDS, *STUFF)} | table(TABLES["names"])
MASS = words(TABLES["mass nouns"])
UNIQUE = words(TABLES["unique"])
SAID_NUMBERS = {number: word for word, number in NUMBERS.items() if 2 <= number <= 5}
SIZE_WORDS = table(TABLES["size words"])
HEIGHT_WORDS = table(TABLES["height words"])
PHRASES = table(TABLES["phrases"])

# Names
SENSES = dict(lines(TABLES["senses"]))
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
PATTERNS = heads(TABLES["patterns"])
SIZES = heads(TABLES["sizes"])
SEXES = table(TABLES["sexes"])
OPENINGS = heads(TABLES["openings"])
STANCES = heads(TABLES["stances"])
DOING = heads(TABLES["doing"])
DONE = heads(TABLES["done"])

# Relations
PREPOSITIONS = heads(TABLES["prepositions"])
VERBS = heads(TABLES["verbs"])
OPPOSITES = heads(TABLES["opposites"])
POSTURE_VERBS = heads(TABLES["posture verbs"])
LOOSE_VERBS = words(TABLES["loose verbs"])
VAGUE = words(TABLES["vague"])
