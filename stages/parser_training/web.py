"""Web captions with scene graphs by a reader, and the comparison of parsed graphs with them.

``tests/benchmarks/web_captions.csv`` has 60 captions written in the style of the paper's training sets (half ``written``) and 8,580
drawn at random, without replacement, from the distinct cleaned English captions of Conceptual Captions (``cc3m``) and of a sample
of LAION (``laion``): 100 of each for ``reporting``, whose errors authors of rules do not see, the others for ``tuning``.

``scene_graph`` has the facts that a right graph must have, ``acceptable`` those that it may have in addition, such as "photo". Of
``a|b`` either is right; ``*`` matches anything. A fact of one part requires an object, with any attributes. Names, titles,
slogans and opinions have no facts, so ``scene_graph`` may be empty. Nouns before a thing are in its name: "football player".
"""

import csv
import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import NamedTuple

from nltk.stem import WordNetLemmatizer

from stages.graphs.graph import SceneGraph
from stages.parsing.factual_gold import Fact, facts_of_text
from stages.text.wordnet import wordnet


class WebCaption(NamedTuple):
    """A caption, the training set with its style, its half, and its facts."""

    style: str
    half: str
    caption: str
    required: list[Fact]
    acceptable: list[Fact]


def read(path: Path) -> list[WebCaption]:
    """Return every annotated web caption."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            WebCaption(
                row["style"], row["half"], row["caption"], facts_of_text(row["scene_graph"]), facts_of_text(row["acceptable"])
            )
            for row in csv.DictReader(file)
        ]


def resolved(predicted: Iterable[Fact], caption: WebCaption) -> list[Fact]:
    """Return the annotated facts, spelled like the ``predicted`` ones where they match: all equal, if the graph is right."""
    facts = comparable(predicted)
    required, acceptable = ([_patterns(fact) for fact in several] for several in (caption.required, caption.acceptable))
    agreed = [fact for fact in facts if any(_is(fact, annotated) for annotated in required + acceptable)]
    return agreed + [tuple(names[0] for names in fact) for fact in required if not any(_says(other, fact) for other in facts)]


def _is(fact: Fact, annotated: list[list[str]]) -> bool:
    """Return whether ``fact`` matches the ``annotated`` one, or is one of its objects alone."""
    if len(fact) == 1:
        objects = annotated[:1] if ["is"] in annotated else annotated[::2]
        return any(_agree(fact[0], names) for names in objects)
    return len(fact) == len(annotated) and all(map(_agree, fact, annotated))


def _says(fact: Fact, required: list[list[str]]) -> bool:
    """Return whether ``fact`` matches the ``required`` one, or contains the required object."""
    if len(required) == 1:
        return any(_agree(name, required[0]) for name in (fact[:1] if fact[1:2] == ("is",) else fact[::2]))
    return _is(fact, required) and len(fact) > 1


def accepts(caption: WebCaption, predicted: Iterable[Fact]) -> bool:
    """Return whether each of the ``predicted`` facts is one that the caption's graph may have."""
    annotated = [_patterns(fact) for fact in caption.required + caption.acceptable]
    return all(any(_is(fact, one) for one in annotated) for fact in comparable(predicted))


def _patterns(annotated: Fact) -> list[list[str]]:
    """Return the possible names of each part of a fact, in the form of comparisons: a reader's "jeans" is the parser's."""
    return [part.split("|") for fact in comparable([annotated]) for part in fact]


def _agree(name: str, patterns: list[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def facts_of_graph(graph: SceneGraph) -> list[Fact]:
    """Return the facts of a parsed graph; an object without others stands alone."""
    facts: list[Fact] = [(graph.objects[o], "is", attribute) for o, attribute in graph.attributes]
    facts += [(graph.objects[s], relation, graph.objects[o]) for s, relation, o in graph.relations]
    named = {o for o, _ in graph.attributes} | {i for s, _, o in graph.relations for i in (s, o)}
    return facts + [(name,) for i, name in enumerate(graph.objects) if i not in named]


def comparable(facts: Iterable[Fact]) -> frozenset[Fact]:
    """Return the facts in the form of comparisons: lower case, each word lemmatised as a noun."""
    return frozenset(
        tuple("is" if len(fact) == 3 and i == 1 and part == "is" else _lemmatised(part.lower()) for i, part in enumerate(fact))
        for fact in facts
    )


def _lemmatised(words: str) -> str:
    return " ".join(re.sub(r"[^\s*|]+", lambda word: _lemma(word[0]), words).split())


@cache
def _lemma(word: str) -> str:
    """Return WordNet's lemma, repeated until it is stable: "pass" becomes "pas", and that "pa"."""
    wordnet()
    lemma = WordNetLemmatizer().lemmatize(word)
    return lemma if lemma == word else _lemma(lemma)
