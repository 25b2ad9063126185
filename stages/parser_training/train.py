"""Training of the tagger and the parser, which share one convolutional network over the words."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import fix_random_seed, minibatch
from thinc.api import Adam, warmup_linear

from stages.english import pipeline
from stages.parser_training.captions import example

WIDTH = 96
TOK2VEC: dict[str, Any] = {
    "@architectures": "spacy.Tok2Vec.v2",
    "embed": {
        "@architectures": "spacy.MultiHashEmbed.v2",
        "width": WIDTH,
        "attrs": ["NORM", "PREFIX", "SUFFIX", "SHAPE"],
        "rows": [7000, 1000, 2500, 2500],
        "include_static_vectors": False,
    },
    "encode": {
        "@architectures": "spacy.MaxoutWindowEncoder.v2",
        "width": WIDTH,
        "depth": 4,
        "window_size": 1,
        "maxout_pieces": 3,
    },
}
LISTENER = {"@architectures": "spacy.Tok2VecListener.v1", "width": WIDTH, "upstream": "*"}
PARSER = {
    "@architectures": "spacy.TransitionBasedParser.v2",
    "state_type": "parser",
    "extra_state_tokens": False,
    "hidden_width": 64,
    "maxout_pieces": 2,
    "use_upper": True,
    "nO": None,
    "tok2vec": LISTENER,
}
DROPOUT = 0.1


def untrained(trees: list[Doc], seed: int) -> Language:
    """A pipeline with the labels of ``trees`` and random weights."""
    fix_random_seed(seed)
    nlp = spacy.blank("en")
    pipeline.keep_hyphens(nlp)
    nlp.add_pipe("tok2vec", config={"model": TOK2VEC})
    nlp.add_pipe(
        "tagger", config={"model": {"@architectures": "spacy.Tagger.v2", "nO": None, "normalize": False, "tok2vec": LISTENER}}
    )
    nlp.add_pipe("parser", config={"model": PARSER, "min_action_freq": 20})
    rng = random.Random(seed)  # noqa: S311 - an order, not a secret
    nlp.initialize(lambda: [example(nlp, tree, rng) for tree in trees])
    return nlp


def train(nlp: Language, trees: list[Doc], steps: int, rate: float, seed: int, words: int = 1500) -> None:
    """Change the weights of ``nlp`` by ``steps`` batches of about ``words`` words each.

    The learning rate rises over the first twentieth of the steps and falls in a line to zero. The same trees, seed and number of
    steps give the same weights on the same machine.
    """
    fix_random_seed(seed)
    schedule: Any = warmup_linear(rate, max(1, steps // 20), steps)
    optimizer = Adam(learn_rate=schedule, L2=0.01, L2_is_weight_decay=True, grad_clip=1.0)
    batches = _batches(nlp, trees, random.Random(seed), words)  # noqa: S311
    losses: dict[str, float] = {}
    started = time.monotonic()
    for step in range(1, steps + 1):
        optimizer.step_schedules()
        nlp.update(next(batches), sgd=optimizer, drop=DROPOUT, losses=losses)
        if step % 250 == 0 or step == steps:
            shown = ", ".join(f"{name} {loss:.0f}" for name, loss in sorted(losses.items()))
            print(f"step {step} of {steps}, {time.monotonic() - started:.0f} s: losses {shown}", flush=True)
            losses = {}


def _batches(nlp: Language, trees: list[Doc], rng: random.Random, words: int) -> Iterator[list[Example]]:
    """Examples without end, shuffled anew each time round, sorted within a window so that a batch's lengths are alike."""
    order = list(range(len(trees)))
    while True:
        rng.shuffle(order)
        for window in minibatch(order, 2000):
            ready = sorted((example(nlp, trees[i], rng) for i in window), key=lambda e: len(e.reference))
            batches, batch, size = [], [], 0
            for e in ready:
                batch.append(e)
                size += len(e.reference)
                if size >= words:
                    batches.append(batch)
                    batch, size = [], 0
            batches += [batch] if batch else []
            rng.shuffle(batches)
            yield from batches
