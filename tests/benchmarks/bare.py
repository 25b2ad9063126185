"""Measure spaCy alone on captions: ``nlp.pipe``, one thread, in a separate process, so our code does not affect it."""

import time
from collections.abc import Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection

import spacy
from threadpoolctl import threadpool_limits

from stages.parsing import pipeline


def seconds(name: str, captions: Sequence[str], repeats: int = 1) -> float:
    """Return the processor seconds of the fastest of ``repeats`` runs over ``captions``.

    Args:
        name: the pipeline, as in the parameter ``language.pipeline``.
    """
    ours, theirs = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=_measured, args=(name, captions, repeats, theirs))
    process.start()
    theirs.close()
    found: float = ours.recv()
    process.join()
    return found


def _measured(name: str, captions: Sequence[str], repeats: int, answer: Connection) -> None:
    nlp = spacy.load(pipeline.chosen(name))
    threadpool_limits(1)
    list(nlp.pipe(captions[:200]))
    taken = []
    for _ in range(repeats):
        started = time.process_time()
        for _ in nlp.pipe(captions):
            pass
        taken.append(time.process_time() - started)
    answer.send(min(taken))
