"""Web captions with the scene graphs that a reader wrote for them, and whether a parsed graph is right.

``web_captions.csv`` has 60 captions written in the style of the paper's training sets (half ``written``) and 200 drawn at random,
without replacement, from the distinct cleaned English captions of Conceptual Captions (``cc3m``) and of a sample of LAION
(``laion``): every second one for ``tuning`` rules, the others for ``reporting``, whose errors nobody looks at who writes rules.

``scene_graph`` holds the facts that a right graph must have, ``acceptable`` those that it may have besides, such as "photo". Of
``a|b`` either will do; ``*`` stands for anything. A fact of one part asks for an object, whatever is said of it. Names, titles,
slogans and opinions have no facts, so ``scene_graph`` may be empty.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from stages.parsing.factual.gold import Fact, facts_of_text
from tests.benchmarks.graph_measures import comparable

FILE = Path(__file__).with_name("web_captions.csv")


class WebCaption(NamedTuple):
    """A caption, the training set whose style it has, its half, and its facts."""

    style: str
    half: str
    caption: str
    required: list[Fact]
    acceptable: list[Fact]


def read(path: Path = FILE) -> list[WebCaption]:
    """Every annotated web caption."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            WebCaption(
                row["style"], row["half"], row["caption"], facts_of_text(row["scene_graph"]), facts_of_text(row["acceptable"])
            )
            for row in csv.DictReader(file)
        ]


def resolved(predicted: Iterable[Fact], caption: WebCaption) -> list[Fact]:
    """The annotated facts, spelled as the ``predicted`` ones where these agree: all equal, if the graph is right."""
    facts = comparable(predicted)
    required, acceptable = (
        [[pattern.split("|") for pattern in fact] for fact in several] for several in (caption.required, caption.acceptable)
    )
    agreed = [fact for fact in facts if any(_is(fact, annotated) for annotated in required + acceptable)]
    return agreed + [tuple(names[0] for names in fact) for fact in required if not any(_says(other, fact) for other in facts)]


def _is(fact: Fact, annotated: list[list[str]]) -> bool:
    """Whether ``fact`` is the ``annotated`` one, or one of its objects alone."""
    if len(fact) == 1:
        objects = annotated[:1] if ["is"] in annotated else annotated[::2]
        return any(_agree(fact[0], names) for names in objects)
    return len(fact) == len(annotated) and all(map(_agree, fact, annotated))


def _says(fact: Fact, required: list[list[str]]) -> bool:
    """Whether ``fact`` is the ``required`` one, or speaks of the object that is asked for."""
    if len(required) == 1:
        return any(_agree(name, required[0]) for name in (fact[:1] if fact[1:2] == ("is",) else fact[::2]))
    return _is(fact, required) and len(fact) > 1


def _agree(name: str, patterns: list[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
