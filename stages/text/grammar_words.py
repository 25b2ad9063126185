"""Words whose grammar in captions libraries lack: without a plural, passive, lasting.

``grammar_words.txt`` explains each table.
"""

from pathlib import Path

from stages.text.lexicon import sections, words

# The minimum number of things that words without a number mean: "several dogs" are three or more.
AT_LEAST = {"several": 3, "many": 3, "few": 3, "numerous": 3, "some": 2, "multiple": 2, "both": 2, "various": 2}

TABLES = sections(Path(__file__).with_suffix(".txt"))
INITIALISMS = words(TABLES["initialisms"])
MASS = words(TABLES["mass"])
NOT_VERBS = words(TABLES["not verbs"])
PASSIVE = words(TABLES["passive"])
PREPOSITIONS = words(TABLES["prepositions"])
SAME_IN_PLURAL = words(TABLES["same in the plural"])
STATIVE = words(TABLES["stative"])
