"""Make the bundled English pipeline again, in half an hour on one core.

    python -m stages.parser_training make --train en_ewt-ud-train.conllu --dev en_ewt-ud-dev.conllu --captions TRAIN.csv --out MODEL

A first pipeline is trained on the treebank; it and the bundled one parse captions with scene graphs by people, and the trees that
give these graphs are kept; with both, and with hand-corrected trees of web captions (``web_trees.conllu``), the first one is
trained further (``config.cfg``, spaCy's own training loop). ``go_on`` instead of ``make`` trains the bundled pipeline further (ten
minutes; the weights are averaged with the previous ones), which is enough after a change of the web's trees. The shipped weights
were made this way, with ``--teachers en_core_web_sm`` and a shorter ``go_on``: the trees of other pipelines are kept where they
give the graphs. The treebank is UD English EWT (CC BY-SA 4.0), the captions FACTUAL's training set. The same files give the same
weights on the same machine. Both print the accuracy on the web's held-out trees; spaCy measures the rest, and the annotators'
conventions and the filter of visible atoms are learned again for the new pipeline:

    python -m stages.parser_training trees --train en_ewt-ud-test.conllu --out test.spacy
    python -m spacy benchmark accuracy MODEL test.spacy --gold-preproc
    python -m stages.parser_training.learn TRAIN.csv --pipeline MODEL
    python -m stages.parser_training.learn_visibility tests/benchmarks/web_captions.csv TRAIN.csv glove.6B.100d.txt
"""

import argparse
import json
import sys
from collections.abc import Iterable
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.training.initialize import init_nlp
from spacy.training.loop import train as train_loop
from spacy.util import load_config
from spacy.vocab import Vocab

from stages.contract.errors import run
from stages.contract.files import complete, scratch
from stages.parser_training import silver
from stages.parser_training.captions import treebank_docs, web_docs
from stages.parsing import pipeline
from stages.parsing.factual_gold import read_gold
from stages.parsing.factual_layer import Learned

CONFIG = Path(__file__).with_name("config.cfg")
KEPT = ["TAG", "HEAD", "DEP", "SPACY", "ORTH"]


class Course(NamedTuple):
    """The number of batches of about ``words`` words, and the highest learning rate."""

    steps: int
    rate: float
    words: int


TREEBANK, WITH_CAPTIONS, FURTHER = Course(4500, 0.0015, 1000), Course(2400, 0.001, 1500), Course(1500, 0.0008, 1000)
REPEATED = 4
"""How often each of the web's trees is repeated among the others, because they are few."""

BEFORE = 0.25
"""The fraction of the previous weights in those of ``go_on``."""


def write(trees: Iterable[Doc], path: Path) -> Path:
    """Return the trees as a file in spaCy's format."""
    DocBin(attrs=KEPT, docs=trees).to_disk(path)
    return path


def trees(asked: argparse.Namespace) -> None:
    """Convert a treebank to spaCy's format, with the labels of en_core_web_*."""
    with complete(asked.out) as partial:
        write(treebank_docs(Vocab(), asked.train), partial)


def make(asked: argparse.Namespace, further: bool = False) -> None:
    """Make a whole pipeline, from a treebank and from captions with their scene graphs, or train the bundled one ``further``."""
    gold = list(read_gold(asked.captions))
    web, held_out = web_docs(Vocab())
    bundled = pipeline.load()
    _measure("bundled", bundled, held_out)
    with complete(asked.out, folder=True) as made, scratch(asked.out) as folder:
        dev = write(treebank_docs(Vocab(), asked.dev), folder / "dev.spacy")
        treebank = list(treebank_docs(Vocab(), asked.train))

        def trained(name: str, trees: list[Doc], course: Course, base: Path | None = None) -> Language:
            course = course._replace(steps=asked.steps or course.steps)
            return train(folder / name, write(trees, folder / f"{name}.spacy"), dev, course, asked.seed, base)

        if further:
            base, teachers, course = pipeline.BUNDLED, [bundled, *map(pipeline.load, asked.teachers)], FURTHER
        else:
            first = trained("first", treebank, TREEBANK)
            pipeline.keep_words_whole(first)
            base, teachers, course = folder / "first" / "model-last", [first, bundled], WITH_CAPTIONS
        found = list(silver.silver(teachers, gold, Learned.load().phrases))
        print(f"{len(gold):,} captions, {len(found):,} trees that give their graphs")
        second = trained("second", [*treebank, *_labelled_as(treebank, [*found, *web * REPEATED])], course, base)
        if further:
            _average(second, spacy.load(pipeline.BUNDLED))
        save(second, made)
        _measure("made", second, held_out)


def train(out: Path, trees: Path, dev: Path, course: Course, seed: int = 1, base: Path | None = None) -> Language:
    """Return the pipeline with the weights of the last step; training starts from ``base`` if given.

    The same trees, course and seed give the same weights on the same machine.

    Args:
        trees, dev: the trees to train on, and those that measure progress, in spaCy's format.
    """
    asked = {
        "paths.trees": str(trees),
        "paths.dev": str(dev),
        "system.seed": seed,
        "training.max_steps": course.steps,
        "training.batcher.size": course.words,
        "training.optimizer.learn_rate.initial_rate": course.rate,
        "training.optimizer.learn_rate.warmup_steps": max(1, course.steps // 20),
    }
    config = load_config(CONFIG, overrides=asked)
    if base is not None:
        config["components"] = {name: {"source": str(base)} for name in config["nlp"]["pipeline"]}
    out.mkdir()
    # Set here, because the default is what it was when spaCy was imported.
    train_loop(init_nlp(config), out, stdout=sys.stdout, stderr=sys.stderr)
    return spacy.load(out / "model-last")


def _average(trained: Language, before: Language) -> None:
    """Set the weights to an average of the trained ones and :data:`BEFORE` of the previous ones, which forgets less.

    Both as spaCy loads them: the faster loader of :func:`stages.parsing.pipeline.load` has other arrays.
    """
    for name in ("tok2vec", "tagger", "parser"):
        models: list[Any] = [nlp.get_pipe(name).model for nlp in (trained, before)]  # type: ignore[attr-defined]
        for new, old in zip(*(model.walk() for model in models), strict=True):
            for weight in new.param_names:
                if new.has_param(weight) and old.has_param(weight):
                    new.set_param(weight, (1 - BEFORE) * new.get_param(weight) + BEFORE * old.get_param(weight))


def _labelled_as(treebank: list[Doc], trees: list[Doc]) -> list[Doc]:
    """Return the trees that have only labels of the treebank: a parser trained on it knows no others."""
    tags, deps = ({label(t) for tree in treebank for t in tree} for label in (attrgetter("tag_"), attrgetter("dep_")))
    return [tree for tree in trees if all(t.tag_ in tags and t.dep_ in deps for t in tree)]


def _measure(name: str, nlp: Language, trees: list[Doc]) -> None:
    scores = nlp.evaluate([Example(Doc(nlp.vocab, words=[t.text for t in tree]), tree) for tree in trees])
    figures = (f"{key} {100 * scores[key]:.2f}" for key in ("tag_acc", "dep_uas", "dep_las"))
    print(f"{name}: {len(trees)} trees of web captions held out, {', '.join(figures)}")


def save(trained: Language, folder: Path) -> None:
    """Write the trained components to ``folder``, without their training settings and paths.

    Only the tags stay among the strings: the others are most of a pipeline's size, and spaCy adds them as it needs them.
    """
    nlp = spacy.blank("en", vocab=trained.vocab)
    pipeline.keep_words_whole(nlp)
    for name in trained.pipe_names:
        nlp.add_pipe(name, source=trained)
    nlp.meta |= {"name": "captions", "license": "CC BY-SA 4.0", "description": "English for captions", "performance": {}}
    nlp.to_disk(folder)
    tagger: Any = nlp.get_pipe("tagger")
    (folder / "vocab" / "strings.json").write_text(json.dumps(tagger.labels) + "\n", encoding="utf-8")


def main() -> None:
    """Run the subcommand of the command line."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = arguments.add_subparsers(required=True)
    for name, work in (("make", make), ("go_on", partial(make, further=True)), ("trees", trees)):
        command = commands.add_parser(name)
        command.set_defaults(work=work)
        command.add_argument("--train", nargs="+", required=True, help="CoNLL-U files")
        command.add_argument("--out", required=True)
        if name != "trees":
            command.add_argument("--dev", nargs="+", required=True, help="CoNLL-U files, to measure progress")
            command.add_argument("--captions", required=True, help="captions with scene graphs, CSV in FACTUAL's format")
            command.add_argument("--steps", type=int, help="batches of each training; fewer for a trial")
            command.add_argument("--seed", type=int, default=1)
        if name == "go_on":
            command.add_argument("--teachers", nargs="*", default=[], help="other pipelines, by name or path")
    asked = arguments.parse_args()
    asked.work(asked)


if __name__ == "__main__":
    run(main)
