"""Training of the tagger and the parser by spaCy's own loop, with ``config.cfg`` next to this file."""

import sys
from pathlib import Path
from typing import NamedTuple

import spacy
from spacy.language import Language
from spacy.training.initialize import init_nlp
from spacy.training.loop import train as train_loop
from spacy.util import load_config

from stages.parser_training import captions  # noqa: F401 - registers the augmenter that the configuration names

CONFIG = Path(__file__).with_name("config.cfg")


class Course(NamedTuple):
    """The number of batches of about ``words`` words, and the highest learning rate."""

    steps: int
    rate: float
    words: int


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
