"""Measure the quality and speed of the parser: ``python -m tests.benchmarks.parser [GOLD.csv] [--web]``.

``GOLD.csv`` is a file in FACTUAL's format (columns ``caption`` and ``scene_graph``); FACTUAL's conventions are enabled, and
spelling is corrected as in ``filter_vg``. ``--web`` measures the web captions of ``web_captions.csv``, parsed as in
``parse_train``: ``right`` is the percentage of entirely right graphs. ``--wrong SET`` prints the wrong ones outside the reporting
half, with extra (+) and missing (-) facts. The last line is one JSON object.
"""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from stages.annotations.spelling import correct
from stages.captions.clean import clean
from stages.contract.errors import run
from stages.parameters import params
from stages.parameters.sections import Language
from stages.parser_training import web
from stages.parser_training.web import comparable, facts_of_graph
from stages.parsing.factual_gold import read_gold
from stages.parsing.parser import CaptionParser, Parser, make
from tests.benchmarks import bare
from tests.benchmarks.graph_measures import KINDS, Agreement, Fact

LINE = "{:<22}" + "{:>11}" * 3
REPEATS = 5
WEB = Path(__file__).with_name("web_captions.csv")
FIRST = ["a black dog on a mat"]
"""Parsed before timing, so that the parser loads what it loads on first use."""


def agreement(parser: CaptionParser, gold: list[tuple[str, list[Fact]]]) -> Agreement:
    """Return the agreement of the parser's graphs with the annotated facts."""
    counted = Agreement()
    for parsed, (_, facts) in zip(parser.parse(correct(caption) for caption, _ in gold), gold, strict=True):
        counted.add(facts_of_graph(parsed.graph), facts)
    return counted


def speed(settings: Language, captions: list[str]) -> dict[str, float]:
    """Return captions per second of processor time, of the parser and of spaCy's own ``nlp.pipe``.

    Every run parses every caption once with a new parser, because a parser caches its answers.
    """
    name = settings.pipeline
    runs: dict[str, Callable[[], float]] = {
        "captions_per_s": lambda: _parsing(settings, captions),
        "bare_captions_per_s": lambda: bare.seconds(name, captions),
    }
    taken: dict[str, list[float]] = {key: [] for key in runs}
    for _ in range(REPEATS):
        for key, run_once in runs.items():
            taken[key].append(run_once())
    return {key: round(len(captions) / min(several), 1) for key, several in taken.items()}


def _parsing(settings: Language, captions: list[str]) -> float:
    parser = make(settings)
    threadpool_limits(1)
    list(parser.parse(FIRST))
    started = time.process_time()
    for _ in parser.parse(captions):
        pass
    return time.process_time() - started


def show(title: str, counted: Agreement) -> dict[str, float]:
    """Print a table of the figures, and return them."""
    figures = counted.figures()
    print(f"\n{title}: {figures['n']} captions, set match {figures['set_match']:.2f}, SPICE {figures['spice']:.2f}")
    print(LINE.format("", "precision", "recall", "F1"))
    for kind in KINDS:
        print(LINE.format(f"{kind}s", *(f"{figures[f'{kind}_{what}']:.2f}" for what in ("precision", "recall", "f1"))))
    print("errors: " + ", ".join(f"{n} {what}" for what, n in counted.errors.most_common()))
    return figures


def right_graphs(parser: CaptionParser, wrong: str | None) -> dict[str, dict[str, float]]:
    """Return the figures of web captions, by training set and half, and print the wrong graphs of the set ``wrong``."""
    captions = web.read(WEB)
    counted: dict[str, Agreement] = {}
    for one, parsed in zip(captions, parser.parse(clean(one.caption) for one in captions), strict=True):
        facts = facts_of_graph(parsed.graph)
        annotated = web.resolved(facts, one)
        counted.setdefault(f"{one.style} {one.half}", Agreement()).add(facts, annotated)
        if one.style == wrong and one.half != "reporting":
            _show_wrong(one.caption, facts, annotated)
    print(LINE.format("\nright graphs", "captions", "right", "%"))
    for name, agreement_of_set in counted.items():
        print(LINE.format(name, len(agreement_of_set.equal), sum(agreement_of_set.equal), f"{_right(agreement_of_set):.1f}"))
    return {name: {"right": _right(counts)} | counts.figures() for name, counts in counted.items()}


def _right(counts: Agreement) -> float:
    return round(100 * sum(counts.equal) / len(counts.equal), 2)


def _show_wrong(caption: str, predicted: list[Fact], annotated: list[Fact]) -> None:
    mine, theirs = comparable(predicted), comparable(annotated)
    if mine != theirs:
        marks = [f"+ {' , '.join(fact)}" for fact in sorted(mine - theirs)] + [
            f"- {' , '.join(fact)}" for fact in sorted(theirs - mine)
        ]
        print("\n    ".join([caption, *marks]))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("gold", nargs="?", help="captions with scene graphs, in FACTUAL's format")
    arguments.add_argument("--web", action="store_true", help="the web captions of the paper's Table 3")
    arguments.add_argument("--wrong", help="the set, cc3m or laion, whose wrong graphs are printed")
    arguments.add_argument("--conventions", default="factual", help="'factual', or 'none' for the core rules alone")
    arguments.add_argument("--parser", help="the class path of another parser")
    asked = arguments.parse_args()
    settings = params.load(Language).model_copy(update={"parser": asked.parser} if asked.parser else {})
    out: dict[str, Any] = {}
    if asked.web or not asked.gold:
        out["web"] = right_graphs(make(settings), asked.wrong)
    if asked.gold:
        gold = list(read_gold(asked.gold))
        parser = make(settings.model_copy(update={"conventions": asked.conventions}))
        figures = show(asked.gold, agreement(parser, gold))
        keys = ("n", "object_f1", "attribute_f1", "relation_f1", "triple_f1", "set_match", "spice")
        out |= {key: figures[key] for key in keys}
        if isinstance(parser, Parser):
            found = speed(settings.model_copy(update={"conventions": asked.conventions}), [caption for caption, _ in gold])
            for key, value in found.items():
                print(f"{key}: {value:,.0f}")
            out |= found
    print(json.dumps(out))


if __name__ == "__main__":
    run(main)
