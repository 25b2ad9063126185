"""Make annotation files of Visual Genome's size and shape, and web-like captions, without any pictures.

Words are drawn in proportion to their counts in captions, so few are common and many rare, as in the real files (Zipf).
"""

import json
import math
import random
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import pyarrow as pa

from stages.contract import tables
from stages.contract.duck import database, stream
from stages.contract.files import complete
from stages.parsing.caption_words import caption_words
from stages.text.wordnet import wordnet

IMAGES = 108_077
REGIONS = 50
"""Regions per image: 5.4 million in all."""
OBJECTS = 35
"""Objects per image: 3.8 million in all, and with six relations for ten objects, 2.3 million relations."""

RELATIONS = (
    *("on", "ON", "in", "has", "wearing", "near", "behind", "of", "with", "holding", "next to", "under", "above", "WEARING", "by"),
    *("IN", "sitting on", "standing on", "in front of", "at", "on top of", "along", "riding", "against", "parked on", "carrying"),
    *("attached to", "inside", "hanging from", "over", "looking at"),
)
SIZES = ((800, 600), (500, 375), (500, 333), (375, 500), (640, 480), (1024, 768))


class Words:
    """Draws words in proportion to their frequency in captions."""

    def __init__(self, words: dict[str, int]):
        self.words = list(words)
        self.weights = list(accumulate(words.values()))

    def draw(self, rng: random.Random, n: int) -> list[str]:
        return rng.choices(self.words, cum_weights=self.weights, k=n)


@cache
def vocabulary() -> dict[str, Words]:
    """Return the nouns, adjectives and relations."""
    found: dict[str, dict[str, int]] = {"n": {}, "a": {}}
    for word, count in caption_words().items():
        senses = {kind: len(wordnet().synsets(word, kind)) for kind in found}
        if len(word) > 2 and any(senses.values()):
            found[max(senses, key=lambda kind: senses[kind])][word] = int(count)
    relations = {relation: 1000 // rank for rank, relation in enumerate(RELATIONS, 1)}
    return {"noun": Words(found["n"]), "adjective": Words(found["a"]), "relation": Words(relations)}


def phrases(rng: random.Random) -> Iterator[str]:
    """Yield endless descriptions of two to nine words, some in capitals and some with stray spaces."""
    words = vocabulary()
    while True:
        nouns, adjectives = words["noun"].draw(rng, 3000), words["adjective"].draw(rng, 3000)
        relations = words["relation"].draw(rng, 3000)
        for i in range(0, 3000, 3):
            kind = rng.random()
            if kind < 0.3:
                text = f"{adjectives[i]} {nouns[i]}"
            elif kind < 0.6:
                text = f"{nouns[i]} {relations[i]} the {nouns[i + 1]}"
            elif kind < 0.8:
                text = f"the {nouns[i]} is {adjectives[i]}"
            else:
                text = f"A {adjectives[i]} {nouns[i]} {relations[i]} a {adjectives[i + 1]} {nouns[i + 1]}."
            yield text.upper() if kind * 100 % 1 < 0.02 else text + " " if kind * 100 % 1 < 0.1 else text


def boxes(rng: random.Random, width: int, height: int, n: int) -> list[dict[str, int]]:
    """Return boxes: most are small, some are as large as the image, and a few leave it."""
    made = []
    for _ in range(n):
        w, h = (max(1, int(side * min(1.0, rng.lognormvariate(-1.4, 0.7)))) for side in (width, height))
        made.append({"x": rng.randint(-1, max(0, width - w)), "y": rng.randint(-1, max(0, height - h)), "w": w, "h": h})
    return made


def annotations(folder: Path, images: int, files: tuple[str, ...] = ("region_descriptions", "scene_graphs"), seed: int = 0) -> None:
    """Write ``image_data.json`` with ``images`` images, and the other ``files``, to ``folder``."""
    rng = random.Random(seed)
    sizes = [rng.choice(SIZES) for _ in range(images)]
    words = phrases(rng)
    records = {
        "region_descriptions": lambda *image: _regions(rng, words, *image),
        "scene_graphs": lambda *image: _scene_graph(rng, *image),
    }
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "image_data.json", ({"image_id": i, "width": w, "height": h, "url": ""} for i, (w, h) in enumerate(sizes, 1)))
    for name in files:
        _write(folder / f"{name}.json", (records[name](i, *size) for i, size in enumerate(sizes, 1)))


def _regions(rng: random.Random, words: Iterator[str], image_id: int, width: int, height: int) -> dict[str, Any]:
    regions = [
        {
            "region_id": image_id * 100 + i,
            "width": box["w"],
            "height": box["h"],
            "image_id": image_id,
            "phrase": next(words),
            "y": box["y"],
            "x": box["x"],
        }
        for i, box in enumerate(boxes(rng, width, height, REGIONS))
    ]
    return {"regions": regions, "id": image_id}


def _scene_graph(rng: random.Random, image_id: int, width: int, height: int) -> dict[str, Any]:
    words = vocabulary()
    names, first = words["noun"].draw(rng, OBJECTS), image_id * 100
    objects: list[dict[str, Any]] = [
        {"object_id": first + i, "names": [name], "synsets": [f"{name}.n.01"], **box}
        for i, (name, box) in enumerate(zip(names, boxes(rng, width, height, OBJECTS), strict=True))
    ]
    for o in objects:
        if rng.random() < 0.6:
            o["attributes"] = words["adjective"].draw(rng, rng.randint(1, 2))
    relations = [
        {
            "relationship_id": first + i,
            "predicate": predicate,
            "subject_id": first + rng.randrange(OBJECTS),
            "object_id": first + rng.randrange(OBJECTS),
            "synsets": ["along.r.01"],
        }
        for i, predicate in enumerate(words["relation"].draw(rng, OBJECTS * 6 // 10))
    ]
    return {"image_id": image_id, "objects": objects, "relationships": relations}


def captions(path: Path, n: int, seed: int = 0) -> None:
    """Write a text file of ``n`` web-like captions: one or two phrases, and sometimes a name that no dictionary has."""
    rng = random.Random(f"captions {seed}")
    words = phrases(rng)
    with complete(path) as partial, partial.open("w", encoding="utf-8") as file:
        for _ in range(n):
            text = next(words).strip()
            text = f"{text} and {next(words).strip().lower()}" if rng.random() < 0.4 else text
            file.write(f"{text} {_name(rng)}\n" if rng.random() < 0.1 else f"{text}\n")


def _name(rng: random.Random) -> str:
    """Return a made-up name, one of very many."""
    return "".join(rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(rng.randint(2, 4))).capitalize()


def regions_table(path: Path, n: int, seed: int = 0) -> None:
    """Write the table ``regions`` with ``n`` rows, without a parser."""
    rng, words = random.Random(f"regions {seed}"), vocabulary()

    def rows() -> Iterator[dict[str, Any]]:
        for i in range(n):
            (subject, object_), (relation,), (adjective,) = (
                words[kind].draw(rng, k) for kind, k in (("noun", 2), ("relation", 1), ("adjective", 1))
            )
            yield {
                **{"region_id": i, "position": i, "image_id": i // 4, "x": 0, "y": 0, "width": 300, "height": 300},
                **{"image_width": 800, "image_height": 600, "phrase": "", "caption": f"{adjective} {subject} {relation} {object_}"},
                "objects": [subject, object_],
                "attributes": [{"object": 0, "attribute": adjective}],
                "relations": [{"subject": 0, "relation": relation, "object": 1}],
                **{f"{kind}_spans": [] for kind in ("object", "attribute", "relation")},
            }

    tables.write("regions", path, rows())


SEEN_ATOMS = """
    SELECT kind, atom, count FROM (
        SELECT 'object' AS kind, noun AS atom, 10 AS count FROM nouns WHERE place % 50 > 0
        UNION ALL SELECT 'attribute', adjective, 10 FROM adjectives UNION ALL SELECT 'relation', relation, 10 FROM relations
        UNION ALL SELECT 'object', 'name ' || i, 1 FROM range($names) AS r(i)
    ) ORDER BY ALL
"""
SEEN_COMPOUNDS = """
    SELECT kind, first, second, third, 1 + (place % 100) AS count FROM (
        SELECT 'attribute_object' AS kind, adjective AS first, noun AS second, '' AS third, n.place
        FROM nouns AS n, adjectives WHERE n.place < $most
        UNION ALL
        SELECT 'object_relation_object', n.noun, relation, o.noun, n.place + o.place
        FROM nouns AS n, relations AS r, nouns AS o WHERE n.place < $most AND o.place < $most
    ) ORDER BY ALL
"""


def seen_tables(atoms: Path, compounds: Path, n: int) -> None:
    """Write the tables ``seen_atoms`` and ``seen_compounds`` of a training set, with about ``n`` compounds, all of common nouns."""
    words = vocabulary()
    with database("4GB", 2, atoms.parent / "spill") as db:
        for column, name in (("noun", "nouns"), ("adjective", "adjectives"), ("relation", "relations")):
            drawn = words[column].words
            db.register(name, pa.table({column: drawn, "place": range(len(drawn))}))
        for table, path, query, values in (
            ("seen_atoms", atoms, SEEN_ATOMS, {"names": n // 10}),
            ("seen_compounds", compounds, SEEN_COMPOUNDS, {"most": math.isqrt(n // len(RELATIONS))}),
        ):
            with tables.writer(table, path) as write:
                for piece in stream(db, query, values):
                    write(piece)


def _write(path: Path, records: Iterator[dict[str, Any]]) -> None:
    with complete(path) as partial, partial.open("w", encoding="utf-8") as file:
        file.write("[")
        for i, record in enumerate(records):
            file.write((", " if i else "") + json.dumps(record))
        file.write("]")
