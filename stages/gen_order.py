"""Shuffle the words of captions, as in COCO- and Flickr30k-Order and ARO's perturbed retrieval (sections 2.2 and 3.1).

Reads a file of captions with the numbers of their images. Writes ``queries`` (a caption against four other orders, in one draw or
several), the table ``perturbed_captions`` (every caption of the retrieval sets after every perturbation, by seed) and ``rejects``.
All orders are drawn by the seed and the caption, so that everybody gets the same ones.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from stages.console import command
from stages.console.progress import progress
from stages.contract import tables
from stages.contract.errors import run
from stages.contract.ledger import Ledger
from stages.images.crops import Crop
from stages.parameters import params
from stages.parameters.sections import GenOrder, Language
from stages.parsing import pipeline
from stages.suites import karpathy
from stages.suites.word_order import RETRIEVAL, alternatives, order_id, penn_tags, shuffled, words_of


class Paths(NamedTuple):
    """The command line."""

    captions: Path
    queries: command.Output
    perturbed: command.Output
    rejects: command.Output
    metrics: command.Output


class Caption(NamedTuple):
    """A caption of an image, with its words and their tags."""

    image_id: int
    number: int
    words: list[str]
    tags: list[str]

    @property
    def key(self) -> str:
        return f"{self.image_id}-{self.number}"


def tagged(images: Iterable[karpathy.Captioned], max_words: int, language: str) -> Iterator[Caption]:
    """Yield every caption, tagged word by word."""
    rows = [(image.image_id, i, words_of(text, max_words)) for image in images for i, text in enumerate(image.captions)]
    tags = penn_tags(pipeline.load(language), (words for *_, words in rows))
    yield from (Caption(*row, penn) for row, penn in zip(progress(rows, "tagging", "captions"), tags, strict=True))


def query(caption: Caption, first: int, number: int) -> dict[str, Any] | str:
    """Return the caption against four shuffles, a row of ``queries``; or the reason why there are none.

    Args:
        first: the seed of the first draw of shuffles.
        number: that of the draw, from 0.
    """
    shuffles = alternatives(caption.words, caption.tags, f"{first + number}:{caption.key}")
    if lacking := [name for name, text in shuffles.items() if text is None]:
        return f"no_other_order_{lacking[0]}"
    graph: dict[str, Any] = {"objects": [], "attributes": [], "relations": []}
    edit = {"atom": "", "spans": [], **graph}
    return {
        **{"protocol": None, "query_id": order_id(caption.key, number), "type": "Order", **Crop.whole(caption.image_id)._asdict()},
        **{"n": None, "truth": " ".join(caption.words), "denied": None, **graph, "splits": []},
        "negatives": [{"caption": text, "edit": name, **edit} for name, text in shuffles.items()],
    }


def perturbed(caption: Caption, first: int, seeds: int) -> Iterator[dict[str, Any]]:
    """Yield rows of ``perturbed_captions``: the unchanged caption, and every perturbation with ``seeds`` seeds from ``first``."""
    row = {"image_id": caption.image_id, "number": caption.number}
    yield {**row, "perturbation": "none", "seed": 0, "caption": " ".join(caption.words)}
    for name in RETRIEVAL:
        for seed in range(seeds):
            text = shuffled(name, caption.words, caption.tags, f"{first + seed}:{caption.key}")
            yield {**row, "perturbation": name, "seed": seed, "caption": text}


def chosen(images: Iterable[karpathy.Captioned], most: int, seed: int) -> set[int]:
    """Return the numbers of at most ``most`` images, drawn by the seed; 0 takes all."""
    numbers = sorted((image.image_id for image in images), key=lambda i: Random(f"{seed}:{i}").random())
    return set(numbers[: most or None])


def main() -> None:
    paths = command.parse(Paths, __doc__)
    settings, language = params.load(GenOrder), params.load(Language)
    images = karpathy.read(paths.captions, settings.split or None)
    asked = chosen(images, settings.images, settings.seed)
    searched = chosen(images, settings.retrieval_images, settings.seed)
    ledger, retrieval = Ledger("captions"), 0
    with (
        tables.writer("queries", paths.queries) as write,
        tables.writer("perturbed_captions", paths.perturbed) as keep,
        tables.writer("rejects", paths.rejects) as reject,
    ):
        some = [image for image in images if image.image_id in asked | searched]
        for caption in tagged(some, settings.max_words, language.pipeline):
            if caption.image_id in searched and caption.words:
                retrieval += 1
                keep(perturbed(caption, settings.seed, settings.retrieval_seeds))
            if caption.image_id not in asked:
                continue
            for number in range(settings.order_seeds):
                ledger.read()
                row = query(caption, settings.seed, number)
                if isinstance(row, dict):
                    ledger.keep()
                    write([row])
                    continue
                ledger.drop(row)
                about = {"item": order_id(caption.key, number), "text": " ".join(caption.words), "reason": row, "detail": ""}
                reject([{"image_id": caption.image_id, **about}])
    ledger.write(paths.metrics, images=len(asked), retrieval_images=len(searched), retrieval_captions=retrieval)
    print(f"gen_order: {ledger}; retrieval: {len(searched):,} images with {retrieval:,} captions")


if __name__ == "__main__":
    run(main)
