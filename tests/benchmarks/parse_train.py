"""Measure parse_train: ``python -m tests.benchmarks.parse_train [--captions N] [--file FILE [--column COLUMN]]``.

Parses the same distinct captions in turns with spaCy alone (``nlp.pipe``, one thread), with the whole stage in one process, and
with two workers. Captions are made from caption words, or come from a training set's file (txt, tsv without a header, parquet)
and are cleaned. On a busy machine, trust the figures in CPU seconds: ``speedup_cpu`` is the speedup of two workers if each had its
own processor. For memory, and corpora of any length, use ``scale parse_train``. Last line: JSON.
"""

import argparse
import json
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from stages import parse_train, read_captions
from stages.captions import corpus
from stages.captions.clean import clean, unusable
from stages.parameters import params
from stages.parameters.sections import Language, ParseTrain, ReadCaptions, Run, TrainingSet
from stages.parsing.caption_words import caption_words
from stages.text.wordnet import wordnet
from tests.benchmarks import bare
from tests.running import section

READING, PARSING = section(ReadCaptions, rejects_per_reason=10), section(ParseTrain)


class Cost(NamedTuple):
    """Wall seconds, processor seconds of all processes, and those of this process and an average worker."""

    wall: float
    cpu: float
    critical: float


def made(n: int) -> Iterator[str]:
    """Yield ``n`` captions of 10 to 14 words like those of COCO."""
    drawn = random.Random(0)
    words = [word for word in caption_words() if len(word) > 2]
    nouns = [word for word in words if wordnet().synsets(word, "n")][:1500]
    adjectives = [word for word in words if wordnet().synsets(word, "a") and not wordnet().synsets(word, "v")][:200]
    weights = list(accumulate(1 / rank for rank in range(10, 10 + len(nouns))))
    relations = ("on", "near", "in front of", "holding", "next to", "standing by", "with", "looking at", "under", "on top of")

    def noun() -> str:
        return drawn.choices(nouns, cum_weights=weights)[0]

    for _ in range(n):
        first, second, third = noun(), noun(), noun()
        a, b = drawn.choice(relations), drawn.choice(relations)
        yield f"a {drawn.choice(adjectives)} {first} {a} the {drawn.choice(adjectives)} {second} {b} a {third}"


def real(file: Path, column: str | None) -> Iterator[str]:
    """Yield the captions of a training set's file, cleaned as in ``read_captions``."""
    for row in corpus.read(file, file.suffix[1:], corpus.Column(column or 0, header=False)):
        caption = clean(row.caption or "")
        if unusable(caption) is None:
            yield caption


def stage(language: Language, captions: Iterable[str], workers: int) -> Cost:
    """Return the cost of both stages: reading, cleaning, sorting, parsing, counting and writing."""
    running = section(Run, workers=workers, memory="1GB")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "captions.txt"
        with source.open("w", encoding="utf-8") as lines:
            lines.writelines(f"{caption}\n" for caption in captions)
        read, parsed = Path(folder) / "read", Path(folder) / "parsed"
        reading = read_captions.Paths("web", *(read / name for name in ("captions", "rejects", "metrics", "work")))
        parsing = parse_train.Paths(read / "captions", *(parsed / name for name in ("occurrences", "graphs", "metrics", "work")))
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall, cpu = time.perf_counter(), time.process_time()
        read_captions.read_captions(TrainingSet(path=str(source), format="txt"), READING, running, reading)
        parse_train.parse_train(language, PARSING, running, parsing)
        own, wall = time.process_time() - cpu, time.perf_counter() - wall
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        theirs = after.ru_utime + after.ru_stime - children.ru_utime - children.ru_stime
    return Cost(wall, own + theirs, own + theirs / workers)


def speed(language: Language, captions: list[str], rounds: int) -> dict[str, float]:
    """Return captions per second, bare and whole, measured in turns so that other work on the machine affects both."""
    stage(language, captions[:500], 1)
    name = language.pipeline
    costs = []
    for _ in range(rounds):
        costs.append((bare.seconds(name, captions), stage(language, captions, 1), stage(language, captions, 2)))

    def middle(values: Iterable[float]) -> float:
        return round(statistics.median(values), 3)

    n = len(captions)
    return {
        "captions": n,
        "bare_captions_per_s": round(n / middle(spacy for spacy, *_ in costs)),
        "captions_per_s": round(n / middle(one.cpu for _, one, _ in costs)),
        "of_bare": middle(spacy / one.cpu for spacy, one, _ in costs),
        "speedup": middle(one.wall / two.wall for _, one, two in costs),
        "speedup_cpu": middle(one.cpu / two.critical for _, one, two in costs),
    }


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--captions", type=int, default=40_000)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--file", type=Path)
    arguments.add_argument("--column", help="of a parquet file; of a tsv file it is the first")
    options = arguments.parse_args()
    captions = real(options.file, options.column) if options.file else made(options.captions)
    print(json.dumps(speed(params.load(Language), list(dict.fromkeys(captions))[: options.captions], options.rounds)))


if __name__ == "__main__":
    main()
