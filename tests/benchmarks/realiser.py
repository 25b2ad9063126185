"""Compare the realiser with people: ``python -m tests.benchmarks.realiser GOLD.csv [--captions MORE.csv] [--show K]``.

``GOLD.csv`` has captions with scene graphs that people wrote, in FACTUAL's format. For each graph a sentence is written and
compared with the human one. The last line is one JSON object:

- ``n``: the number of graphs;
- ``faithful``: the fraction whose sentence, when parsed, has exactly the atoms of its graph (``faithful_people``: of the human
  sentences, which shows how many of the errors are the parser's);
- ``perplexity_ratio``: the perplexity of our sentences divided by that of the human ones, by a trigram model of held-out human
  captions: those of ``MORE.csv``, or else of the other half of ``GOLD.csv``;
- ``broken``: the fraction with a fault by the grammar check (``broken_people``: of the human sentences);
- ``not_said``: the fraction of graphs that the realiser declines to write.
"""

import argparse
import csv
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

import numpy as np

from stages.contract.errors import run
from stages.graphs.graph import SceneGraph
from stages.parameters import params
from stages.parameters.sections import Language
from stages.parsing.parser import CaptionParser, Parser
from stages.shortcuts.ngram import NGramModel, part
from stages.text import normal
from stages.text.inflection import number_of
from stages.text.tokens import words
from stages.writing import grammar
from stages.writing.agreement import Failure, agree
from stages.writing.realiser import realise


def graph_of_text(text: str) -> tuple[SceneGraph, frozenset[int]]:
    """Return the graph that FACTUAL writes as facts, in normal form, and the indices of its plural objects.

    >>> graph_of_text("( dogs:1 , v:sit on , mat ) , ( mat , is , red )")
    (SceneGraph(objects=('dog', 'mat'), attributes=((1, 'red'),), relations=((0, 'sit on', 1),)), frozenset({0}))
    """
    place: dict[str, int] = {}
    attributes: dict[tuple[int, str], None] = {}
    relations: dict[tuple[int, str, int], None] = {}
    for fact in re.split(r"\)\s*,\s*\(", text.strip().strip("() ")):
        subject, *rest = (part.strip() for part in fact.split(","))
        here = place.setdefault(subject, len(place))
        if len(rest) == 2 and rest[0] == "is":
            attributes[here, normal.attribute(rest[1])] = None
        elif len(rest) == 2:
            there = place.setdefault(rest[1], len(place))
            relations[here, normal.relation(re.sub(r"\bp?v:", "", rest[0])), there] = None
    names = [re.sub(r":\d+$", "", name) for name in place]
    graph = SceneGraph(tuple(map(normal.object_name, names)), tuple(attributes), tuple(relations))
    return graph, frozenset(i for i, name in enumerate(names) if number_of(name) == "plural")


def faithful(parser: CaptionParser, graphs: Sequence[SceneGraph], captions: Sequence[str]) -> list[bool]:
    """Return whether each caption, when parsed, says its graph and nothing else."""
    return [not isinstance(agree(graph, parsed), Failure) for graph, parsed in zip(graphs, parser.parse(captions), strict=True)]


def perplexity(captions: Sequence[str], sides: Sequence[int], models: Sequence[NGramModel]) -> float:
    """Return the perplexity of a word or an end, over all captions; ``sides`` gives the model that scores each caption."""
    total, tokens = 0.0, 0
    for side, model in enumerate(models):
        mine = [caption for caption, of in zip(captions, sides, strict=True) if of == side]
        total += float(model.score(mine).sum()) if mine else 0.0
        tokens += sum(len(words(caption)) + 1 for caption in mine)
    return float(np.exp(-total / max(tokens, 1)))


def rows(path: Path) -> list[tuple[str, str]]:
    """Return the captions with their graphs' text."""
    with path.open(encoding="utf-8", newline="") as file:
        return [(row["caption"], row["scene_graph"]) for row in csv.DictReader(file)]


def broken(captions: Iterable[str], parser: Parser) -> float:
    """Return the fraction of captions that break a rule of grammar."""
    codes = list(grammar.check(captions, parser))
    return round(sum(map(bool, codes)) / max(len(codes), 1), 4)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("gold", type=Path)
    arguments.add_argument("--captions", type=Path, help="held-out human captions, in FACTUAL's format")
    arguments.add_argument("--show", type=int, default=0, help="how many sentences to print next to the human ones")
    asked = arguments.parse_args()
    gold = rows(asked.gold)
    people, graphs, ours = [], [], []
    for caption, text in gold:
        graph, plurals = graph_of_text(text)
        written = realise(graph, f"0:{caption}", plurals)
        if not isinstance(written, Failure):
            people.append(re.sub(r"\s*\.\s*$", "", caption))
            graphs.append(graph)
            ours.append(written.caption)
    parser = Parser(params.load(Language))
    if asked.captions:
        models = [NGramModel.estimate((caption for caption, _ in rows(asked.captions)))] * 2
    else:
        models = [NGramModel.estimate((c for c, _ in gold if not part(c, (side,)))) for side in (0, 1)]
    sides = [int(part(caption, (1,))) for caption in people]
    said, said_by_people = (faithful(parser, graphs, captions) for captions in (ours, people))
    order = Random(0).sample(range(len(ours)), min(asked.show, len(ours)))
    for i in order:
        print(f"{people[i]}\n    {ours[i]}{'' if said[i] else '    (not faithful by the parser)'}")
    figures = {
        "n": len(gold),
        "not_said": round(1 - len(ours) / len(gold), 4),
        "faithful": round(float(np.mean(said)), 4),
        "faithful_people": round(float(np.mean(said_by_people)), 4),
        "perplexity_ratio": round(perplexity(ours, sides, models) / perplexity(people, sides, models), 3),
        "broken": broken(ours, parser),
        "broken_people": broken(people, parser),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    run(main)
