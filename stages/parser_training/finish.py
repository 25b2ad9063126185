"""What makes a trained tagger and parser a whole pipeline: parts of speech, lemmas, and a small size."""

from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language

from stages.english import pipeline
from stages.language.lexicon import lines, sections

TABLES = sections(Path(__file__).with_suffix(".txt"))
PARTS = {part: tags.split() for part, tags in lines(TABLES["parts of speech"])}
FEATURES = dict(lines(TABLES["features"]))
LEMMAS = {lemma: forms.split() for lemma, forms in lines(TABLES["lemmas"])}


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
        for tag in tags:
            ruler.add([[{"TAG": tag}]], {"POS": part} | ({"MORPH": FEATURES[tag]} if tag in FEATURES else {}))
    verb = {"TAG": {"IN": PARTS["VERB"]}}
    for pattern, values in (
        (verb | {"DEP": {"IN": ["aux", "auxpass"]}}, {"POS": "AUX"}),
        (verb | {"LOWER": {"IN": LEMMAS["be"]}}, {"POS": "AUX", "LEMMA": "be"}),
        (verb | {"LOWER": {"IN": LEMMAS["have"]}}, {"LEMMA": "have"}),
        (verb | {"LOWER": {"IN": LEMMAS["do"]}}, {"LEMMA": "do"}),
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
