"""Learn the layer from FACTUAL's training captions: ``python -m stages.parser_training.learn TRAIN.csv``.

The annotators' graph shows their answer to each decision, where the two can be aligned. Logistic regression learns
these answers. Run time: two minutes on an idle core.
"""

import argparse
import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from stages.annotations.spelling import correct
from stages.contract.errors import run
from stages.parser_training import write_gzip
from stages.parsing import factual_layer, pipeline
from stages.parsing.draft import Attribute, Draft, Relation
from stages.parsing.extraction import extract
from stages.parsing.factual_decisions import Decision, alternatives, decisions, features
from stages.parsing.factual_gold import Fact, read_gold
from stages.parsing.words import repair, tidy
from stages.text import normal, phrases

ROUNDS = 6
RATE = 0.3
DECAY = 0.02
MIN_WEIGHT = 0.05  # smaller weights are dropped
RARE = 0.002  # answers with a smaller fraction of a key are not learned
CERTAIN = 0.005  # smaller errors count as none
Table = dict[str, dict[str, float]]
# Answers that any word may get, even one that the training captions lack.
OPEN = {"modifier": ["keep", "attr", "have", "drop"], "attribute": ["same", "keep", "drop"]}
OPEN["relation"] = ["same", "drop", "prep", "verb", "member", "~have", "up", "down"]
OPEN["object"] = ["same"]


class Alignment:
    """A draft compared with the annotators' facts."""

    def __init__(self, draft: Draft, facts: list[Fact], names: dict[str, str]):
        self.draft, self.names = draft, names
        self.triples = [f for f in facts if len(f) == 3 and f[1] != "is"]
        self.described = {(f[0], f[2]) for f in facts if len(f) == 3 and f[1] == "is"}
        self.objects = {f[0] for f in facts} | {f[2] for f in self.triples}
        self.object = {head: self._object(head) for head in draft.objects}

    def _object(self, head: int) -> str | None:
        """Return the annotators' name for the object at ``head``: the longest that ends with this word."""
        word = self.draft.words.low[head]
        same = [o for o in self.objects if o.split()[-1] == word or normal.singular(o.split()[-1]) == normal.singular(word)]
        low = self.draft.words.low
        return max(same, key=lambda o: (o.split()[-1] == word, sum(p in low for p in o.split()), o), default=None)

    def answer(self, decision: Decision) -> str | None:
        """Return the annotators' answer; None where it is unclear."""
        target = decision.target
        if isinstance(target, Attribute):
            return self._attribute(target)
        if isinstance(target, Relation):
            return self._relation(target)
        if isinstance(target, int):
            return self._rename(target)
        return self._modifier(*target)

    def _rename(self, head: int) -> str | None:
        """Return another name, where one name of each side has no partner."""
        if self.object[head] is not None:
            return "same"
        ours = [h for h, name in self.object.items() if name is None]
        theirs = self.objects - set(self.object.values())
        return f"={min(theirs)}" if len(ours) == 1 and len(theirs) == 1 else None

    def _modifier(self, head: int, m: int) -> str | None:
        word, name = self.draft.words.low[m], self.object[head]
        if name is None:
            return None
        if word in name.split()[:-1]:
            return "keep"
        attributes = {a for o, a in self.described if o == name}
        if word in attributes:
            return "attr"
        if f"{word}en" in attributes:
            return f"attr {word}en"
        if any(normal.singular(s.split()[-1]) == normal.singular(word) and o == name and r == "have" for s, r, o in self.triples):
            return "have"
        return "drop"

    def _attribute(self, a: Attribute) -> str | None:
        w, name = self.draft.words, self.object.get(a.owner)
        if name is None:
            return None
        words = [w.low[i] for i in a.words]
        text = " ".join(words)
        attributes = {x for o, x in self.described if o == name}
        if factual_layer.DIGITS.get(text, text) in attributes:
            return "same"
        if set(words) <= set(name.split()[:-1]):
            return "keep"
        close = [x for x in attributes if x not in w.low and x[:3] == text[:3]]
        return f"={close[0]}" if len(close) == 1 and a.source != "participle" else "drop"

    def _relation(self, r: Relation) -> str | None:
        s, o = self.object.get(r.subject), self.object.get(r.object)
        if o is not None and s is None and r.source == "of":
            return "member"
        if s is None or o is None or s == o:
            return None
        forward = [f[1] for f in self.triples if f[0] == s and f[2] == o]
        for answer in ("same", "prep", "verb"):
            if self._named(r, answer) in forward:
                return answer
        for way, i in alternatives(self.draft, r).items():
            if not forward and (self.object[i], self._named(r, way), o) in self.triples:
                return way
        if forward:
            return f"={forward[0]}"
        backward = [f[1] for f in self.triples if f[0] == o and f[2] == s]
        return f"~{backward[0]}" if backward else "drop"

    def _named(self, r: Relation, answer: str) -> str | None:
        """Return the layer's name for the relation after this answer."""
        return factual_layer.changed_relation(self.draft, r, answer, self.names).text


def phrase_names(drafts: Iterable[tuple[Draft, list[Fact]]]) -> dict[str, str]:
    """Return the annotators' most frequent name for each phrasal preposition, without its articles."""
    counts: dict[str, Counter] = defaultdict(Counter)
    for draft, facts in drafts:
        aligned = Alignment(draft, facts, {})
        for r in draft.relations:
            phrase = " ".join(draft.words.low[i] for i in r.words)
            if phrases.name(phrase) == phrase and phrase not in [p.name for p in phrases.PHRASES]:
                continue
            short = " ".join(word for word in phrase.split(" ") if word not in normal.ARTICLES)
            for s, name, o in aligned.triples:
                if s == aligned.object.get(r.subject) and o == aligned.object.get(r.object):
                    counts[short][name] += 1
    return {short: max(c, key=lambda name: (c[name], name)) for short, c in sorted(counts.items()) if c.total() > 1}


def examples(drafts: Iterable[tuple[Draft, list[Fact]]], names: dict[str, str]) -> list[tuple[Decision, str]]:
    """Return the decisions that can be aligned, with the annotators' answers."""
    aligned = ((draft, Alignment(draft, facts, names)) for draft, facts in drafts)
    return [(d, a) for draft, one in aligned for d in decisions(draft) if (a := one.answer(d)) is not None]


def regression(training: list[tuple[Decision, str]], names: dict[str, str]) -> factual_layer.Learned:
    """Fit logistic regression over the features of each decision; very rare answers to a key are not learned."""
    model = factual_layer.Learned(_answers(training), {}, names)
    choices = [(d, a, model.allowed(d.kind, d.key)) for d, a in training]
    usable = [(features(d.kind, d.key, d.circumstances()), a, may) for d, a, may in choices if a in may and len(may) > 1]
    print(f"{len(usable):,} of {len(training):,} decisions have a choice")
    rng = random.Random(1)
    weights: Table = defaultdict(lambda: defaultdict(float))
    squares: Table = defaultdict(lambda: defaultdict(lambda: 1.0))
    for _ in range(ROUNDS):
        rng.shuffle(usable)
        for seen, answer, allowed in usable:
            _step(weights, squares, seen, answer, allowed)
    rows = ((key, {n: round(w, 2) for n, w in sorted(row.items()) if abs(w) >= MIN_WEIGHT}) for key, row in sorted(weights.items()))
    model.weights = {key: row for key, row in rows if row}
    return model


def _answers(training: list[tuple[Decision, str]]) -> dict[str, list[str]]:
    """Return the answers that each key allows: those open to any, and those given at least twice and not too rarely."""
    given: dict[tuple[str, str], Counter] = defaultdict(Counter)
    for d, answer in training:
        given[d.kind, d.key][answer] += 1
    answers = {kind: sorted(several) for kind, several in OPEN.items()}
    for (kind, key), counts in sorted(given.items()):
        frequent = {a for a, n in counts.items() if a not in OPEN[kind] and n >= max(2, RARE * counts.total())}
        if frequent:
            answers[f"{kind} {key}"] = sorted({*OPEN[kind], *frequent})
    return answers


def _step(weights: Table, squares: Table, features: list[str], answer: str, allowed: list[str]) -> None:
    """Make one step of logistic regression, each weight with its own rate (AdaGrad), drawn towards zero."""
    score = dict.fromkeys(allowed, 0.0)
    for key in features:
        for name, weight in weights[key].items():
            if name in score:
                score[name] += weight
    top = max(score.values())
    odds = {name: math.exp(value - top) for name, value in score.items()}
    total = sum(odds.values())
    for name in allowed:
        error = (name == answer) - odds[name] / total
        if abs(error) > CERTAIN:
            for key in features:
                gradient = error - DECAY * weights[key][name]
                squares[key][name] += gradient * gradient
                weights[key][name] += RATE * gradient / math.sqrt(squares[key][name])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("captions", help="FACTUAL's training captions, CSV")
    parser.add_argument("--pipeline", default="bundled")
    parser.add_argument("--out", type=Path, default=factual_layer.LEARNED)
    arguments = parser.parse_args()
    gold = [(correct(tidy(caption)), facts) for caption, facts in read_gold(arguments.captions)]
    nlp = pipeline.load(arguments.pipeline)
    docs = nlp.pipe(caption for caption, _ in gold)
    drafts = [(extract(repair(doc), pronouns=True), facts) for doc, (_, facts) in zip(docs, gold, strict=True)]
    names = phrase_names(drafts)
    model = regression(examples(drafts, names), names)
    write_gzip(arguments.out, json.dumps(asdict(model), ensure_ascii=False, sort_keys=True, separators=(",", ":")))


if __name__ == "__main__":
    run(main)
