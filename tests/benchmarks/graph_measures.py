"""Compare predicted with annotated scene graphs: FACTUAL's set match, SPICE, and precision and recall by kind of atom.

Both sides are normalised as in FACTUAL's comparison: its marks for verbs (``v:``, ``pv:``) and for repeated objects (``:1``)
are removed, and every word is lemmatised as a noun by WordNet.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from stages.parser_training.web import comparable
from stages.parsing.factual_gold import Fact
from stages.text.wordnet import wordnet

KINDS = ("object", "attribute", "relation", "triple")


def items(facts: frozenset[Fact]) -> dict[str, set[Fact]]:
    """Return the counted items of each kind: objects, object-attribute pairs, relation names and triples."""
    triples = {f for f in facts if len(f) == 3 and f[1] != "is"}
    described = {f for f in facts if len(f) == 3 and f[1] == "is"}
    lone = {f for f in facts if len(f) == 1}
    return {
        "object": lone | {(f[0],) for f in described} | {(f[i],) for f in triples for i in (0, 2)},
        "attribute": {(f[0], f[2]) for f in described},
        "relation": {(f[1],) for f in triples},
        "triple": triples,
    }


def spice(predicted: frozenset[Fact], gold: frozenset[Fact]) -> float:
    """Return SPICE (Anderson et al., 2016): the F1 of objects, object-attribute pairs and triples together.

    A tuple matches at most one of the other side: an equal one if there is one, else one whose parts each share a WordNet synset.
    """
    mine, theirs = ({t for kind in ("object", "attribute", "triple") for t in items(facts)[kind]} for facts in (predicted, gold))
    equal = mine & theirs
    left = sorted(theirs - equal)
    matched = len(equal)
    for candidate in sorted(mine - equal):
        found = next((t for t in left if _synonymous(candidate, t)), None)
        if found is not None:
            left.remove(found)
            matched += 1
    return f1(matched, len(mine), len(theirs))


def _synonymous(a: Fact, b: Fact) -> bool:
    return len(a) == len(b) and all(x == y or _synsets(x) & _synsets(y) for x, y in zip(a, b, strict=True))


@cache
def _synsets(words: str) -> frozenset[str]:
    return frozenset(synset.name() for synset in wordnet().synsets(words.replace(" ", "_")))


def f1(matched: float, predicted: float, gold: float) -> float:
    """Return the harmonic mean of precision and recall, or 1 if both sides are empty."""
    return 2 * matched / (predicted + gold) if predicted + gold else 1.0


def errors(predicted: frozenset[Fact], gold: frozenset[Fact]) -> Iterator[str]:
    """Yield the error in each fact that only one side has, by its nearest fact on the other."""
    mine, theirs = items(predicted), items(gold)
    for kind in ("object", "attribute", "triple"):
        extra, missing = sorted(mine[kind] - theirs[kind]), sorted(theirs[kind] - mine[kind])
        for fact in extra:
            near = max(missing, key=lambda other: sum(a == b for a, b in zip(fact, other, strict=True)), default=None)
            if near is None or not any(a == b or _overlap(a, b) for a, b in zip(fact, near, strict=True)):
                yield f"{kind}: too many"
                continue
            missing.remove(near)
            parts = {1: ("name",), 2: ("object", "name"), 3: ("subject", "name", "object")}[len(fact)]
            other = [part for part, a, b in zip(parts, fact, near, strict=True) if a != b]
            yield f"{kind}: another {' and '.join(other)}"
        for _ in missing:
            yield f"{kind}: missing"


def _overlap(a: str, b: str) -> bool:
    return bool(set(a.split()) & set(b.split()))


@dataclass
class Agreement:
    """Counts over captions: matched, predicted and gold items of each kind (micro averages), SPICE and set match by caption."""

    counts: dict[str, list[int]] = field(default_factory=lambda: {kind: [0, 0, 0] for kind in KINDS})
    spice: list[float] = field(default_factory=list)
    equal: list[bool] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)

    def add(self, predicted: Iterable[Fact], gold: Iterable[Fact]) -> None:
        """Count one caption."""
        mine, theirs = comparable(predicted), comparable(gold)
        self.equal.append(mine == theirs)
        self.spice.append(spice(mine, theirs))
        for kind, found in items(mine).items():
            true = items(theirs)[kind]
            for i, n in enumerate((len(found & true), len(found), len(true))):
                self.counts[kind][i] += n
        self.errors.update(errors(mine, theirs))

    def figures(self) -> dict[str, float]:
        """Return every figure in per cent, and the number ``n`` of captions."""
        n = len(self.equal)
        out: dict[str, float] = {"n": n, "set_match": 100 * sum(self.equal) / max(n, 1), "spice": 100 * sum(self.spice) / max(n, 1)}
        for kind, (matched, predicted, gold) in self.counts.items():
            out[f"{kind}_precision"] = 100 * matched / predicted if predicted else 100.0
            out[f"{kind}_recall"] = 100 * matched / gold if gold else 100.0
            out[f"{kind}_f1"] = 100 * f1(matched, predicted, gold)
        return {key: value if key == "n" else round(value, 2) for key, value in out.items()}
