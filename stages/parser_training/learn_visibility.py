"""Learn which atoms of web captions a picture shows.

``python -m stages.parser_training.learn_visibility CAPTIONS.csv REGIONS.csv VECTORS.txt``: ``CAPTIONS.csv`` has the format of
:mod:`stages.parser_training.web`; its half ``reporting`` is left out. Every atom that the parser finds in a caption is an
example, right if the caption's graph may have it. ``REGIONS.csv`` has descriptions of regions (FACTUAL's training set), whose atoms
are all shown. ``VECTORS.txt`` has vectors of words, the most frequent first (GloVe's ``glove.6B.100d.txt``, in the public domain):
a word's weight depends on its meaning and, if captions have it, on the word itself. Prints the number of fully right graphs by
cross-validated weights, and how many descriptions of other regions lose an atom; two minutes.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.sparse import hstack, lil_array
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold

from stages.contract.errors import run
from stages.parameters import params
from stages.parameters.sections import Language
from stages.parser_training import write_gzip
from stages.parser_training.web import WebCaption, accepts, comparable, facts_of_graph, read, resolved
from stages.parsing.draft import Attribute, Draft, Relation
from stages.parsing.factual_gold import read_gold
from stages.parsing.parser import Parser, named
from stages.parsing.signs import Features
from stages.parsing.surface import Surface
from stages.parsing.visibility import PARTS, WEIGHTS, Shown

STRENGTH = 0.3
"""Inverse strength of the penalty on squared weights."""
MIN_WEIGHT = 0.01
"""Minimum weight of a feature; smaller ones are dropped."""
WORDS = 20_000
"""Number of words with vectors whose weights are shipped."""
LENGTH = 2.0
"""Length of the words' vectors, where a feature counts 1: the longer, the more they matter."""
FOLDS = 5
REGIONS = 8000
"""Number of region descriptions to learn from."""
JOINED = 1000
"""Number of pairs of these that are also used as one caption of two sentences."""
OTHER_REGIONS = 5000
"""Number of other descriptions, which show what is wrongly dropped."""

Atoms = list[tuple[dict[str, float], bool]]
"""Each atom's features with their values, and whether it is right."""
Vectors = dict[str, np.ndarray]
"""Word vectors of one length."""


class Example(NamedTuple):
    """A caption with its draft graph; for each atom its features, and whether the caption's graph may have it.

    Attributes and relations of a wrong object are no examples: they are dropped with the object.
    """

    caption: WebCaption
    draft: Draft
    surface: Surface
    atoms: Atoms


def examples(parser: Parser, captions: list[WebCaption]) -> list[Example]:
    """Return the captions parsed, with people's answers."""
    parsed = parser.map((one.caption for one in captions), lambda _, tree, surface: (parser.draft(tree, surface), surface))
    return [Example(one, *drafted, _atoms(one, *drafted)) for one, drafted in zip(captions, parsed, strict=True)]


def descriptions(parser: Parser, captions: Iterable[str]) -> list[Example]:
    """Return region descriptions parsed, all of whose atoms are right."""
    return examples(parser, [WebCaption("region", "", one, [], [("*", "*", "*")]) for one in captions])


def _atoms(caption: WebCaption, draft: Draft, surface: Surface) -> Atoms:
    features = Features(draft, surface)

    def atom(kind: str, names: Iterable[str], right: bool) -> tuple[dict[str, float], bool]:
        others = Counter(features.of_caption(kind))
        return {feature: n / others.total() for feature, n in others.items()} | dict.fromkeys(names, 1.0), right

    def right(size: int, *heads: int, attributes: Iterable[Attribute] = (), relations: Iterable[Relation] = ()) -> bool:
        objects = {head: draft.objects[head] for head in heads if head in draft.objects}
        graph, _ = named(replace(draft, objects=objects, attributes=list(attributes), relations=list(relations)))
        facts = [fact for fact in facts_of_graph(graph) if len(fact) == size]
        return bool(facts) and accepts(caption, facts)

    objects = {head: right(1, head) for head in draft.objects}
    said = [a for a in draft.attributes if objects.get(a.owner)]
    related = [r for r in draft.relations if objects.get(r.subject) and objects.get(r.object)]
    return [
        *(atom("o", [*chain(*features.object_parts(head))], answer) for head, answer in objects.items()),
        *(atom("a", [*chain(*features.attribute_parts(a))], right(3, a.owner, attributes=[a])) for a in said),
        *(atom("r", [*chain(*features.relation_parts(r))], right(3, r.subject, r.object, relations=[r])) for r in related),
    ]


class Weights(NamedTuple):
    """The contents of :class:`Shown`: weights of features, and of words in each of the ``PARTS`` in hundredths."""

    features: dict[str, float]
    words: dict[str, list[int]]


def vectors(lines: Iterable[str]) -> Vectors:
    """Return the vectors of the first words, scaled to equal length, from lines with a word and its numbers."""
    rows = [line.split() for line in islice(lines, WORDS)]
    numbers = np.array([row[1:] for row in rows], np.float32)
    return dict(zip([row[0] for row in rows], LENGTH * numbers / np.linalg.norm(numbers, axis=1, keepdims=True), strict=True))


def learned(captions: Iterable[Example], known: Vectors) -> Weights:
    """Return the weights of all features, by logistic regression over them and over the vectors of ``known`` words in each part."""
    atoms = [atom for caption in captions for atom in caption.atoms]
    features = DictVectorizer()
    found = features.fit_transform([counts for counts, _ in atoms])
    names = features.get_feature_names_out()
    meant = _meant(names, known).tocsr()
    model = LogisticRegression(C=STRENGTH, max_iter=1000, fit_intercept=False)
    weights = model.fit(hstack([found, found @ meant], "csr"), [right for _, right in atoms]).coef_[0]
    of_features, by_part = weights[: len(names)], weights[len(names) :].reshape(len(PARTS), -1)
    of_all_features = zip(names, of_features, of_features + meant @ by_part.ravel(), strict=True)
    of_words = zip(known, np.rint(100 * np.array(list(known.values())) @ by_part.T).astype(int).tolist(), strict=True)
    return Weights({name: round(float(n), 2) for name, added, n in of_all_features if abs(added) > MIN_WEIGHT}, dict(of_words))


def _meant(names: Sequence[str], known: Vectors) -> lil_array:
    """Return for each feature the vector of its word, if it is one of the ``PARTS``, at that part's place; zeros elsewhere."""
    size = len(next(iter(known.values())))
    meant = lil_array((len(names), len(PARTS) * size), dtype=np.float32)
    for i, name in enumerate(names):
        part, _, word = name.partition("=")
        if part in PARTS and word in known:
            first = PARTS.index(part) * size
            meant[[i], first : first + size] = known[word]
    return meant


def is_right(example: Example, shown: Shown | None) -> bool:
    """Return whether the graph is fully right: of the atoms that are shown, or of all."""
    graph, _ = named(shown.only(copy(example.draft), example.surface) if shown else example.draft)
    facts = facts_of_graph(graph)
    return comparable(facts) == comparable(resolved(facts, example.caption))


def loses_an_atom(description: Example, shown: Shown) -> bool:
    """Return whether a description loses any atom."""
    left = shown.only(copy(description.draft), description.surface)
    return len(left.objects) + len(left.attributes) + len(left.relations) < len(description.atoms)


def cross_validated(every: list[Example], regions: list[Example], known: Vectors) -> dict[str, tuple[int, int, int]]:
    """Return captions, fully right graphs with every atom, and those by weights learned from other captions, by style."""
    counts: dict[str, tuple[int, int, int]] = {}
    for rest, tested in KFold(FOLDS, shuffle=True, random_state=0).split(every):
        shown = Shown.of(*learned([*(every[i] for i in rest), *regions], known))
        for example in (every[i] for i in tested):
            n, before, after = counts.get(example.caption.style, (0, 0, 0))
            counts[example.caption.style] = (n + 1, before + is_right(example, None), after + is_right(example, shown))
    return counts


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("captions", type=Path)
    arguments.add_argument("regions", type=Path)
    arguments.add_argument("vectors", type=Path)
    asked, parser = arguments.parse_args(), Parser(params.load(Language))
    every = examples(parser, [one for one in read(asked.captions) if one.half != "reporting"])
    captions = [caption for caption, _ in read_gold(asked.regions)]
    drawn = random.Random(0).sample(captions, REGIONS + OTHER_REGIONS)
    joined = [f"{one.rstrip(' .')}. {other}" for one, other in zip(drawn[:JOINED], drawn[JOINED : 2 * JOINED], strict=True)]
    regions, others = descriptions(parser, [*drawn[:REGIONS], *joined]), descriptions(parser, drawn[REGIONS:])
    with asked.vectors.open(encoding="utf-8") as lines:
        known = vectors(lines)
    for style, (n, before, after) in cross_validated(every, regions, known).items():
        print(f"{style}: {n} captions, right {before} with every atom, {after} with those that are shown")
    weights = learned([*every, *regions], known)
    shown = Shown.of(*weights)
    lost = sum(loses_an_atom(one, shown) for one in others)
    print(f"regions: {lost} of {len(others)} descriptions lose an atom")
    write_gzip(WEIGHTS, json.dumps(weights._asdict(), separators=(",", ":")))
    print(f"{len(weights.features):,} features, {len(weights.words):,} words, {WEIGHTS.stat().st_size:,} bytes")


if __name__ == "__main__":
    run(main)
