"""What makes a trained tagger and parser a whole pipeline: parts of speech, lemmas, and a small size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language

from stages.english import pipeline

BE = ["be", "is", "are", "was", "were", "am", "'s", "’s", "'re", "’re", "'m", "’m", "been", "being"]
HAVE = ["have", "has", "had", "having", "'ve", "’ve"]
DO = ["do", "does", "did", "doing", "done"]
VERBS = ["VB", "VBD", "VBG", "VBN", "VBP", "VBZ"]

# The part of speech that a tag stands for, and its features.
PARTS: dict[str, str] = {
    "PUNCT": ". , -LRB- -RRB- `` '' : HYPH NFP",
    "SYM": "$ # SYM",
    "CCONJ": "CC",
    "NUM": "CD",
    "DET": "DT PDT WDT WP$",
    "PRON": "EX PRP PRP$ WP",
    "X": "FW LS ADD GW XX",
    "ADJ": "AFX JJ JJR JJS",
    "ADP": "IN RP",
    "AUX": "MD",
    "NOUN": "NN NNS",
    "PROPN": "NNP NNPS",
    "PART": "POS TO",
    "ADV": "RB RBR RBS WRB",
    "INTJ": "UH",
    "VERB": " ".join(VERBS),
    "SPACE": "_SP",
}
FEATURES = {
    "NN": "Number=Sing",
    "NNS": "Number=Plur",
    "NNP": "Number=Sing",
    "NNPS": "Number=Plur",
    "JJ": "Degree=Pos",
    "JJR": "Degree=Cmp",
    "JJS": "Degree=Sup",
    "RBR": "Degree=Cmp",
    "RBS": "Degree=Sup",
    "VB": "VerbForm=Inf",
    "VBD": "Tense=Past|VerbForm=Fin",
    "VBG": "Aspect=Prog|Tense=Pres|VerbForm=Part",
    "VBN": "Aspect=Perf|Tense=Past|VerbForm=Part",
    "VBP": "Tense=Pres|VerbForm=Fin",
    "VBZ": "Number=Sing|Person=3|Tense=Pres|VerbForm=Fin",
    "CD": "NumType=Card",
}


def finish(trained: Language) -> Language:
    """The trained components with an attribute ruler (parts of speech and features from tags) and the rule lemmatizer of the
    pipeline before; of how they were trained, paths among it, nothing stays.
    """
    nlp = spacy.blank("en", vocab=trained.vocab)
    pipeline.keep_hyphens(nlp)
    for name in trained.pipe_names:
        nlp.add_pipe(name, source=trained)
    ruler: Any = nlp.add_pipe("attribute_ruler")
    for part, tags in PARTS.items():
        for tag in tags.split():
            ruler.add([[{"TAG": tag}]], {"POS": part} | ({"MORPH": FEATURES[tag]} if tag in FEATURES else {}))
    for pattern, values in (
        ({"TAG": {"IN": VERBS}, "DEP": {"IN": ["aux", "auxpass"]}}, {"POS": "AUX"}),
        ({"TAG": {"IN": VERBS}, "LOWER": {"IN": BE}}, {"POS": "AUX", "LEMMA": "be"}),
        ({"TAG": {"IN": VERBS}, "LOWER": {"IN": HAVE}}, {"LEMMA": "have"}),
        ({"TAG": {"IN": VERBS}, "LOWER": {"IN": DO}}, {"LEMMA": "do"}),
        ({"TAG": "IN", "DEP": "mark"}, {"POS": "SCONJ"}),
        ({"TAG": {"IN": ["DT", "WDT"]}, "DEP": {"IN": ["nsubj", "nsubjpass", "dobj", "pobj", "attr", "ROOT"]}}, {"POS": "PRON"}),
        ({"LOWER": {"IN": ["not", "n't", "n’t"]}}, {"POS": "PART"}),
    ):
        ruler.add([[pattern]], values)
    # The tables of spacy-lookups-data, less those verbs that shadow another: "rid" of "riding", "star" of "staring".
    nlp.add_pipe("lemmatizer", source=spacy.load(pipeline.BUNDLED, exclude=["tok2vec", "tagger", "parser"]))
    nlp.meta |= {"name": "captions", "license": "CC BY-SA 4.0", "description": "English for captions", "performance": {}}
    return nlp


def forget_strings(folder: Path) -> None:
    """Empty the list of strings of a saved pipeline: it is most of its size and spaCy does without."""
    (folder / "vocab" / "strings.json").write_text("[]\n", encoding="utf-8")
