"""Quality and speed of the parser: ``python -m tests.benchmarks.parser [GOLD.csv] [--web]``.

``GOLD.csv`` is a file in FACTUAL's format (columns ``caption`` and ``scene_graph``); its conventions are switched on. ``--web``
measures the 60 web captions in ``web_captions.csv``, 20 for each of the three kinds of training set (the paper's Table 3), with
the core rules alone, as the pipeline uses them. Captions are spelled as ``filter_vg`` spells them. The last line is one JSON
object.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from stages.contract import params
from stages.contract.errors import run
from stages.contract.param_schema import Language
from stages.language.spelling import Speller
from stages.parsing.factual.gold import read_gold
from stages.parsing.parser import CaptionParser, Parser, make
from tests.benchmarks import bare
from tests.benchmarks.graph_measures import KINDS, Agreement, Fact, facts_of_graph

WEB = Path(__file__).with_name("web_captions.csv")
LINE = "{:<22}" + "{:>11}" * 3
REPEATS = 5
FIRST = ["a black dog on a mat"]
"""What a parser reads before it is timed, to load what it loads on first use."""


def agreement(parser: CaptionParser, gold: list[tuple[str, list[Fact]]]) -> Agreement:
    """How well the parser's graphs agree with the annotated facts."""
    speller = Speller()
    counted = Agreement()
    for parsed, (_, facts) in zip(parser.parse(speller.correct(caption) for caption, _ in gold), gold, strict=True):
        counted.add(facts_of_graph(parsed.graph), facts)
    return counted


def speed(settings: Language, captions: list[str]) -> dict[str, float]:
    """Captions a second of processor time: of the parser, of spaCy's own ``nlp.pipe``, and of that with our matrix product.

    Every run parses every caption once, with a parser that has seen none of them, for it keeps answers.
    """
    name = settings.pipeline
    runs: dict[str, Callable[[], float]] = {
        "captions_per_s": lambda: _parsing(settings, captions),
        "bare_captions_per_s": lambda: bare.seconds(name, captions),
        "bare_with_our_product_per_s": lambda: bare.seconds(name, captions, our_product=True),
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
    """Print a table of the figures; give them back."""
    figures = counted.figures()
    print(f"\n{title}: {figures['n']} captions, set match {figures['set_match']:.2f}, SPICE {figures['spice']:.2f}")
    print(LINE.format("", "precision", "recall", "F1"))
    for kind in KINDS:
        print(LINE.format(f"{kind}s", *(f"{figures[f'{kind}_{what}']:.2f}" for what in ("precision", "recall", "f1"))))
    print("errors: " + ", ".join(f"{n} {what}" for what, n in counted.errors.most_common()))
    return figures


def web_captions() -> dict[str, list[tuple[str, list[Fact]]]]:
    """Our own annotated captions by the training set whose style they have."""
    with WEB.open(encoding="utf-8", newline="") as file:
        styles = [row["style"] for row in csv.DictReader(file)]
    gold: dict[str, list[tuple[str, list[Fact]]]] = {}
    for style, item in zip(styles, read_gold(WEB), strict=True):
        gold.setdefault(style, []).append(item)
    return gold


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("gold", nargs="?", help="captions with scene graphs, in FACTUAL's format")
    arguments.add_argument("--web", action="store_true", help="the web captions of the paper's Table 3")
    arguments.add_argument("--conventions", default="factual", help="'factual', or 'none' for the core rules alone")
    arguments.add_argument("--parser", help="the class path of another parser")
    asked = arguments.parse_args()
    settings = params.load(Language).model_copy(update={"parser": asked.parser} if asked.parser else {})
    out: dict[str, Any] = {}
    if asked.web or not asked.gold:
        parser = make(settings)
        for style, gold in web_captions().items():
            figures = show(style, agreement(parser, gold))
            out[style] = {f"{kind}_{what}": figures[f"{kind}_{what}"] for kind in KINDS for what in ("precision", "recall", "f1")}
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
