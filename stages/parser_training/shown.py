"""Learn which atoms of web captions a picture shows: ``python -m stages.parser_training.shown CAPTIONS.csv REGIONS.csv``.

``CAPTIONS.csv`` is as :mod:`stages.parser_training.web` says; its half ``reporting`` is left out. Every atom that the parser finds
in a caption is an example, right if the caption's graph may have it. ``REGIONS.csv`` has descriptions of regions (FACTUAL's
training set), whose atoms are all shown. Prints how many graphs are wholly right by weights that were learned without their
captions, and how many descriptions of other regions lose an atom; five minutes.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from stages.contract.errors import run
from stages.contract.files import complete
from stages.factual.gold import read_gold
from stages.parameters import params
from stages.parameters.sections import Language
from stages.parser_training.web import WebCaption, accepts, comparable, facts_of_graph, read, resolved
from stages.parsing.draft import Attribute, Draft, Relation
from stages.parsing.parser import Parser, named
from stages.parsing.shown import WEIGHTS, Shown, Signs
from stages.parsing.surface import Surface

STRENGTH = 0.1
"""How far weights may go from zero: the inverse of the penalty on their squares."""
LEAST = 0.002
"""Smaller weights are forgotten."""
FOLDS = 5
REGIONS = 5000
"""Descriptions of regions that are learned from; as many, of others, show what is lost of them."""

Atoms = list[tuple[list[str], bool]]
"""The signs of each atom, and whether it is right."""


class Example(NamedTuple):
    """A caption with everything that its tree says; of each atom its signs, and whether the caption's graph may have it.

    What is said of a wrong object is no example: it goes with the object.
    """

    caption: WebCaption
    draft: Draft
    surface: Surface
    atoms: Atoms


class Description(NamedTuple):
    """A description of a region with everything that its tree says, all of which is shown."""

    draft: Draft
    surface: Surface
    atoms: Atoms


def examples(parser: Parser, captions: list[WebCaption]) -> list[Example]:
    """The captions parsed, with the answers that people gave."""
    drafts = _drafts(parser, (one.caption for one in captions))
    return [Example(one, *drafted, _atoms(one, *drafted)) for one, drafted in zip(captions, drafts, strict=True)]


def descriptions(parser: Parser, captions: Iterable[str]) -> list[Description]:
    """The descriptions parsed."""
    return [Description(*drafted, [(atom, True) for atom in _signs(*drafted)]) for drafted in _drafts(parser, captions)]


def _drafts(parser: Parser, captions: Iterable[str]) -> Iterator[tuple[Draft, Surface]]:
    return parser.map(captions, lambda _, doc, one: (parser.draft(doc, one), one))


def _signs(draft: Draft, surface: Surface) -> Iterator[list[str]]:
    signs = Signs(draft, surface)
    yield from map(list, map(signs.of_object, draft.objects))
    yield from map(list, map(signs.of_attribute, draft.attributes))
    yield from map(list, map(signs.of_relation, draft.relations))


def _atoms(caption: WebCaption, draft: Draft, surface: Surface) -> Atoms:
    signs = Signs(draft, surface)

    def answer(size: int, *heads: int, attributes: list[Attribute] | None = None, relations: list[Relation] | None = None) -> bool:
        graph, _ = named(_part(draft, heads, attributes or [], relations or []))
        facts = [fact for fact in facts_of_graph(graph) if len(fact) == size]
        return bool(facts) and accepts(caption, facts)

    right = {head: answer(1, head) for head in draft.objects}
    said = [a for a in draft.attributes if right.get(a.owner)]
    related = [r for r in draft.relations if right.get(r.subject) and right.get(r.object)]
    return [
        *((list(signs.of_object(head)), right[head]) for head in draft.objects),
        *((list(signs.of_attribute(a)), answer(3, a.owner, attributes=[a])) for a in said),
        *((list(signs.of_relation(r)), answer(3, r.subject, r.object, relations=[r])) for r in related),
    ]


def _part(draft: Draft, heads: Iterable[int], attributes: list[Attribute], relations: list[Relation]) -> Draft:
    objects = {head: draft.objects[head] for head in heads if head in draft.objects}
    return Draft(draft.words, objects, attributes, relations, draft.names, draft.another)


def learned(captions: Iterable[Example | Description]) -> dict[str, float]:
    """The weights of all signs, by logistic regression."""
    atoms = [atom for caption in captions for atom in caption.atoms]
    signs = DictVectorizer()
    found = signs.fit_transform([dict.fromkeys(names, 1.0) for names, _ in atoms])
    model = LogisticRegression(C=STRENGTH, max_iter=1000, fit_intercept=False).fit(found, [right for _, right in atoms])
    weights = zip(signs.get_feature_names_out(), model.coef_[0], strict=True)
    return {name: round(float(weight), 3) for name, weight in weights if abs(weight) > LEAST}


def is_right(example: Example, weights: dict[str, float] | None) -> bool:
    """Whether the graph is wholly right: that of the atoms which the weights keep, or of all."""
    draft = _copy(example.draft)
    graph, _ = named(draft if weights is None else Shown(weights).only(draft, example.surface))
    facts = facts_of_graph(graph)
    return comparable(facts) == comparable(resolved(facts, example.caption))


def _copy(draft: Draft) -> Draft:
    return _part(draft, list(draft.objects), list(draft.attributes), list(draft.relations))


def loses_an_atom(description: Description, weights: dict[str, float]) -> bool:
    """Whether the weights leave out an atom of a description, or more."""
    left = Shown(weights).only(_copy(description.draft), description.surface)
    return len(left.objects) + len(left.attributes) + len(left.relations) < len(description.atoms)


def cross_validated(every: list[Example], regions: list[Description]) -> dict[str, tuple[int, int, int]]:
    """Captions, graphs wholly right with every atom, and with those that weights learned of other captions keep, by style."""
    order = list(range(len(every)))
    random.Random(0).shuffle(order)  # noqa: S311 - an order, not a secret
    counts: dict[str, tuple[int, int, int]] = {}
    for fold in range(FOLDS):
        tested = set(order[fold::FOLDS])
        weights = learned([*(example for i, example in enumerate(every) if i not in tested), *regions])
        for i in tested:
            n, before, after = counts.get(every[i].caption.style, (0, 0, 0))
            counts[every[i].caption.style] = (n + 1, before + is_right(every[i], None), after + is_right(every[i], weights))
    return counts


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("captions", type=Path)
    arguments.add_argument("regions", type=Path)
    asked, parser = arguments.parse_args(), Parser(params.load(Language))
    every = examples(parser, [one for one in read(asked.captions) if one.half != "reporting"])
    drawn = random.Random(0).sample([caption for caption, _ in read_gold(asked.regions)], 2 * REGIONS)  # noqa: S311 - no secret
    regions, others = descriptions(parser, drawn[:REGIONS]), descriptions(parser, drawn[REGIONS:])
    for style, (n, before, after) in cross_validated(every, regions).items():
        print(f"{style}: {n} captions, right {before} with every atom, {after} with those that are shown")
    weights = learned([*every, *regions])
    print(f"regions: {sum(loses_an_atom(one, weights) for one in others)} of {len(others)} descriptions lose an atom")
    with complete(WEIGHTS) as partial:
        partial.write_bytes(gzip.compress(json.dumps(weights, separators=(",", ":")).encode(), mtime=0))
    print(f"{len(weights):,} weights, {WEIGHTS.stat().st_size:,} bytes")


if __name__ == "__main__":
    run(main)
