"""Subgraphs with captions written by hand, the examples in a language model's prompt (paper, appendix A.3).

The paper has five for each complexity, from random subgraphs. Here a prompt has the five nearest to its complexity of sixteen: two
of each from 5 to 12 atoms, chosen to show what random ones rarely do (several things of one name, attributes after a
noun). ``examples.txt`` has them in the form of the prompt: objects, relations, caption.
"""

from pathlib import Path
from typing import NamedTuple

PER_PROMPT = 5


class Example(NamedTuple):
    """The two lines that describe a subgraph, in which objects and attributes have one word each, and its caption."""

    described: str
    caption: str

    @property
    def n(self) -> int:
        """Return the complexity."""
        objects, relations = self.described.split("\n")
        return len(objects.split()) + relations.count(",")


TEXT = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
EXAMPLES = [Example(*block.rsplit("\n", 1)) for block in TEXT.strip().split("\n\n")]


def nearest(n: int) -> list[Example]:
    """Return the five examples whose complexity is nearest to ``n``, simplest first."""
    chosen = sorted(EXAMPLES, key=lambda example: (abs(example.n - n), example.n))[:PER_PROMPT]
    return sorted(chosen, key=lambda example: example.n)
