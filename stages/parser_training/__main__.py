"""Train the bundled English pipeline: ``python -m stages.parser_training``.

    python -m stages.parser_training treebank --train en_ewt-ud-train.conllu --out BASE
    python -m stages.parser_training silver --captions TRAIN.csv --teachers BASE bundled --out silver.spacy
    python -m stages.parser_training captions --base BASE --train en_ewt-ud-train.conllu --silver silver.spacy --out MODEL
    python -m stages.parser_training measure --pipeline MODEL --test en_ewt-ud-test.conllu
    python -m stages.parser_training.learn TRAIN.csv --pipeline MODEL

``treebank`` makes a pipeline from nothing in 10 minutes on one core; ``silver`` (one minute) has it, and any forerunner, parse
captions whose scene graphs people wrote, and keeps the trees that give these graphs; ``captions`` goes on with both (10 minutes)
and adds what makes it a whole pipeline. ``learn`` then learns the annotators' conventions anew on its trees. ``silver`` and
``captions`` may be repeated with the better pipeline (a second round: ``--base`` the first round's result, ``--steps 1000 --rate
0.0006``). Seeds are fixed: the same files give the same weights on the same machine. The pipeline that is bundled was made by these
functions in one round, its teachers being a first pipeline of the same recipe and its forerunner, whose lemma tables it keeps. The
treebank is UD English EWT (CC BY-SA 4.0), the captions FACTUAL's training set.
"""

from __future__ import annotations

import argparse

import spacy
from spacy.tokens import DocBin

from stages.contract.errors import run
from stages.contract.files import complete
from stages.english import pipeline
from stages.parser_training import captions, finish, silver, train
from stages.parsing.factual.gold import read_gold
from stages.parsing.factual.layer import Learned

KEPT = ["TAG", "HEAD", "DEP", "SPACY", "ORTH"]


def treebank(asked: argparse.Namespace) -> None:
    """A tagger and a parser from the treebank alone."""
    trees = list(captions.treebank_docs(spacy.blank("en"), asked.train))
    nlp = train.untrained(trees, asked.seed)
    train.train(nlp, trees, asked.steps or 4500, 0.0015, asked.seed, 1000)
    with complete(asked.out, folder=True) as folder:
        nlp.to_disk(folder)


def silver_trees(asked: argparse.Namespace) -> None:
    """Trees of captions that give the annotated graphs."""
    gold = list(read_gold(asked.captions))
    teachers = [pipeline.load(name) for name in asked.teachers]
    kept = DocBin(attrs=KEPT, docs=silver.silver(teachers, gold, Learned.load().phrases))
    print(f"{len(gold):,} captions, {len(kept):,} trees that give their graphs")
    with complete(asked.out) as partial:
        kept.to_disk(partial)


def on_captions(asked: argparse.Namespace) -> None:
    """The pipeline of ``treebank``, trained on with silver trees, and finished."""
    nlp = spacy.load(asked.base, exclude=["attribute_ruler", "lemmatizer"])
    trees = list(captions.treebank_docs(nlp, asked.train))
    trees += captions.with_vocabulary(DocBin().from_disk(asked.silver).get_docs(nlp.vocab), nlp)
    train.train(nlp, trees, asked.steps or 2400, asked.rate, asked.seed, 1500)
    with complete(asked.out, folder=True) as folder:
        finish.finish(nlp).to_disk(folder)
        finish.forget_strings(folder)


def measure(asked: argparse.Namespace) -> None:
    """Accuracy on a treebank: tags, unlabelled and labelled attachment."""
    nlp = pipeline.load(asked.pipeline)
    scores = nlp.evaluate([captions.as_it_stands(nlp, tree) for tree in captions.treebank_docs(nlp, asked.test)])
    print(", ".join(f"{key} {100 * scores[key]:.2f}" for key in ("tag_acc", "dep_uas", "dep_las")))


def main() -> None:
    """Read the command line and do what it asks."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = arguments.add_subparsers(required=True)
    for name, work in (("treebank", treebank), ("silver", silver_trees), ("captions", on_captions), ("measure", measure)):
        command = commands.add_parser(name, help=work.__doc__)
        command.set_defaults(work=work)
        if name in ("treebank", "captions"):
            command.add_argument("--train", nargs="+", required=True, help="CoNLL-U files")
            command.add_argument("--steps", type=int, help="batches; fewer for a trial")
            command.add_argument("--seed", type=int, default=1)
        if name != "measure":
            command.add_argument("--out", required=True)
        if name == "silver":
            command.add_argument("--captions", required=True, help="captions with scene graphs, CSV in FACTUAL's format")
            command.add_argument("--teachers", nargs="+", required=True, help="pipelines by name or path, the best first")
        if name == "captions":
            command.add_argument("--base", required=True, help="what `treebank` made, or `captions` the time before")
            command.add_argument("--rate", type=float, default=0.001, help="highest learning rate")
            command.add_argument("--silver", required=True, help="what `silver` made")
        if name == "measure":
            command.add_argument("--pipeline", default="bundled")
            command.add_argument("--test", nargs="+", required=True, help="CoNLL-U files")
    asked = arguments.parse_args()
    asked.work(asked)


if __name__ == "__main__":
    run(main)
