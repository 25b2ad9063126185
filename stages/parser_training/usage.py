"""Count how people write atoms in captions: ``python -m stages.parser_training.usage TRAIN.csv`` makes ``text/usage.json.gz``.

``TRAIN.csv`` is in FACTUAL's format; only its captions are read, with the project's parser. Single occurrences are left out.
"""

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from stages.console.progress import progress
from stages.contract.errors import run
from stages.parameters import params
from stages.parameters.sections import Language
from stages.parser_training import write_gzip
from stages.parsing.factual_gold import read_gold
from stages.parsing.parser import Parsed, make
from stages.text.inflection import is_verbal, number_of, verb_form
from stages.text.normal import verb_base
from stages.text.usage import DATA
from stages.text.wordnet import wordnet

MIN_COUNT = 2
DETERMINERS = {"a": "a", "an": "a", "the": "the", "his": "own", "her": "own", "its": "own", "their": "own"}


class Counting:
    """Counts that are updated caption by caption."""

    def __init__(self) -> None:
        self.nouns: dict[str, Counter[str]] = defaultdict(Counter)
        self.attributes: dict[str, Counter[str]] = defaultdict(Counter)
        self.relations: dict[str, Counter[str]] = defaultdict(Counter)
        self.modifiers: Counter[str] = Counter()
        self.pairs: Counter[str] = Counter()

    def add(self, parsed: Parsed) -> None:
        """Count the atoms of one caption."""
        graph, spans, caption = parsed.graph, parsed.spans, parsed.caption.lower()
        for (s, relation, o), span in zip(graph.relations, spans.relations, strict=True):
            self.pairs.update((f"{graph.objects[s]}|{relation}|", f"|{relation}|{graph.objects[o]}"))
            if span:
                self.relations[relation][caption[slice(*span)]] += 1
        for (o, attribute), span in zip(graph.attributes, spans.attributes, strict=True):
            noun = spans.objects[o]
            if span and noun:
                self.attributes[attribute]["before" if span < noun else "after"] += 1
            if not wordnet().synsets(attribute.replace(" ", "_"), "a"):
                self.modifiers[f"{attribute} {graph.objects[o]}"] += 1
        first = min((span for span in spans.objects if span), default=None)
        for o, (name, span) in enumerate(zip(graph.objects, spans.objects, strict=True)):
            if span:
                self.nouns[name]["plural" if number_of(caption[slice(*span)]) == "plural" else "singular"] += 1
                if span != first:
                    before = [
                        a for (owner, _), a in zip(graph.attributes, spans.attributes, strict=True) if owner == o and a and a < span
                    ]
                    self.nouns[name][_determiner(caption[: min([span, *before])[0]])] += 1

    def table(self) -> dict[str, Any]:
        """Return the counts to keep."""
        relations = {name: (_after_noun(name, forms), sum(forms.values())) for name, forms in self.relations.items()}
        return {
            "nouns": {n: [c[kind] for kind in ("a", "the", "own", "bare", "plural")] for n, c in _often(self.nouns)},
            "attributes": {name: [c["before"], c["after"]] for name, c in _often(self.attributes)},
            "relations": {name: uses for name, uses in sorted(relations.items()) if uses[0] and uses[1] >= MIN_COUNT},
            "modifiers": {pair: n for pair, n in sorted(self.modifiers.items()) if n >= MIN_COUNT},
            "pairs": {pair: n for pair, n in sorted(self.pairs.items()) if n >= MIN_COUNT},
        }


def _often(counts: dict[str, Counter[str]]) -> Iterable[tuple[str, Counter[str]]]:
    return ((name, count) for name, count in sorted(counts.items()) if count.total() >= MIN_COUNT)


def _determiner(before: str) -> str:
    word = re.search(r"(\S+) $", before)
    return "own" if word and word[1].endswith("'s") else DETERMINERS.get(word[1] if word else "", "bare")


def _after_noun(relation: str, forms: Counter[str]) -> str:
    """Return the most frequent words after a noun that are not finite or misspelt: a participle, or the relation's name."""
    if not is_verbal(relation):
        return relation
    first, *rest = relation.split()
    participles = {verb_form(first, "ing"), verb_form(first, "done")}
    fit = [(n, words) for words, n in forms.items() if verb_base(words.split()[0]) == first and words.split()[0] in participles]
    return " ".join([max(fit)[1].split()[0], *rest]) if fit else ""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("captions", type=Path)
    captions = [re.sub(r"\s*\.\s*$", "", caption).replace(" 's", "'s") for caption, _ in read_gold(arguments.parse_args().captions)]
    counting = Counting()
    for parsed in progress(make(params.load(Language)).parse(captions), "captions", "captions", total=len(captions)):
        counting.add(parsed)
    write_gzip(DATA, json.dumps(counting.table(), separators=(",", ":")))
    print(f"usage: {len(captions):,} captions, {DATA.stat().st_size:,} bytes")


if __name__ == "__main__":
    run(main)
