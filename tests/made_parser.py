"""A parser for tests: every word is an object with the word before it as its attribute. It can be slow, keep a log, or die."""

import os
import signal
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from stages.graphs.graph import SceneGraph, Spans
from stages.parameters.sections import Language
from stages.parsing.parser import Parsed


class MadeParser:
    def __init__(self, settings: Language):
        options = settings.parser_options
        self.delay = options.get("delay", 0)
        self.log = Path(options["log"]) if "log" in options else None
        self.dies = Path(options["dies"]) if "dies" in options else None

    def parse(self, captions: Iterable[str]) -> Iterator[Parsed]:
        captions = list(captions)
        if self.log:
            with self.log.open("a") as stream:
                stream.write(f"{len(captions)} {captions[0]}\n")
        for caption in captions:
            time.sleep(self.delay)
            if self.dies and "fatal" in caption and self.dies.exists():
                self.dies.unlink()
                os.kill(os.getpid(), signal.SIGKILL)
            words = caption.split()
            graph = SceneGraph(tuple(words), tuple((i, word) for i, word in enumerate(words[:-1], 1)), ())
            yield Parsed(caption, graph, Spans())


class QuickParser:
    """A fast parser, to measure the rest of the stage: the last word is the object, the one before it its attribute."""

    def __init__(self, settings: Language): ...

    def parse(self, captions: Iterable[str]) -> Iterator[Parsed]:
        for caption in captions:
            words = caption.rsplit(maxsplit=2)
            attributes = ((0, words[-2]),) if len(words) > 1 else ()
            yield Parsed(caption, SceneGraph((words[-1],), attributes, ()), Spans())
