"""Valid but unusual annotations and captions: each is read as what it says, or stops with one line that names the file and field.

Key names, units, nestings, list shapes, separators and name styles are drawn at random; the content of each case is known and
compared with what is read. ``python -m tests.test_unusual_input [N]`` draws N cases of each kind (500 by default).
"""

import csv
import io
import json
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from stages.captions.clean import clean
from stages.captions.corpus import Column, read
from stages.contract.errors import CrepeError
from tests.bad_input.captions import parquet, tar
from tests.bad_input.visual_genome import regions, scenes, write

IN_CI = 20
WIDTH, HEIGHT = 800, 600
NAMES = ["bus", "gas station", "traffic light", "man"]
BOXES = ["xywh", "xyxy", "relative_xywh", "relative_xyxy"]


def styled(draw: random.Random, name: str) -> str:
    """Return a name in a random style."""
    return draw.choice([str, str.upper, str.title, lambda text: text.replace(" ", "_"), lambda text: f" {text} "])(name)


def numbered(draw: random.Random, number: int) -> Any:
    """Return a number in a random notation."""
    return draw.choice([number, float(number), str(number), f"{number}.0"])


def boxed(draw: random.Random, box: tuple[int, int, int, int], how: str, sides: tuple[str, str]) -> dict[str, Any]:
    x, y, w, h = box
    values: list[Any] = [x, y, *((w, h) if how.endswith("xywh") else (x + w, y + h))]
    if how.startswith("relative_"):
        values = [value / of for value, of in zip(values, (WIDTH, HEIGHT) * 2, strict=True)]
    elif draw.random() < 0.3:
        values = [str(value) for value in values]
    return {"bbox": values} if draw.random() < 0.5 else dict(zip(("x", "y", *sides), values, strict=True))


def annotations(draw: random.Random, folder: Path, how: str) -> dict[str, Any]:
    """Write an image's annotations in a random shape and return what they say."""
    places = [
        (draw.randrange(410, 600), draw.randrange(310, 400), draw.randrange(90, 190), draw.randrange(90, 190)) for _ in range(6)
    ]
    says: dict[str, Any] = {"boxes": places, "names": [draw.choice(NAMES) for _ in places], "relations": []}
    objects: list[dict[str, Any]] = []
    for number, (box, name) in enumerate(zip(places, says["names"], strict=True)):
        row = {
            draw.choice(["object_id", "id"]): numbered(draw, number),
            **boxed(draw, box, how, draw.choice([("w", "h"), ("width", "height")])),
        }
        row |= draw.choice([{"names": [styled(draw, name)]}, {"name": styled(draw, name)}, {"names": styled(draw, name)}])
        row |= draw.choice([{}, {"attributes": ["red"]}, {"attributes": [{"attribute": "red"}]}, {"attributes": "red"}])
        objects.append(row)
    relations = []
    for _ in range(3):
        subject, object_ = draw.sample(range(6), 2)
        ends = draw.choice(
            [
                lambda s, o: {"subject_id": numbered(draw, s), "object_id": numbered(draw, o)},
                lambda s, o: {"subject": {"object_id": s}, "object": {"id": o}},
                lambda s, o: {"subject": s, "object": objects[o]},
            ]
        )
        relations.append(ends(subject, object_) | {draw.choice(["predicate", "name", "relation"]): styled(draw, "in front of")})
        says["relations"].append((subject, object_))
    records = [
        {
            draw.choice(["region_id", "id"]): numbered(draw, number),
            **boxed(draw, box, how, draw.choice([("w", "h"), ("width", "height")])),
            draw.choice(["phrase", "caption"]): f"a red {name}",
        }
        for number, (box, name) in enumerate(zip(places, says["names"], strict=True))
    ]
    image = {"image_id": numbered(draw, 1), "width": numbered(draw, WIDTH), "height": numbered(draw, HEIGHT)}
    image |= draw.choice([{}, {"file_name": "1.jpg"}, {"file_name": "photos/sa_1.PNG"}])
    key = draw.choice(["image_id", "id"])
    write(
        folder,
        image_data=[image],
        scene_graphs=[{key: numbered(draw, 1), "objects": objects, "relationships": relations}],
        region_descriptions=[{key: numbered(draw, 1), "regions": records}],
    )
    return says


def annotations_are_read(seed: int, folder: Path) -> None:
    draw = random.Random(f"annotations {seed}")
    how = draw.choice(BOXES)
    said = how if draw.random() < 0.7 else draw.choice(BOXES)
    says = annotations(draw, folder, how)
    for read_file, file in ((scenes, "scene_graphs.json"), (regions, "region_descriptions.json")):
        try:
            found = read_file(folder, said)
        except CrepeError as error:
            message = str(error)
            assert said != how and file in message and "visual_genome.boxes" in message and "\n" not in message, message
            continue
        if said != how:
            assert not how.endswith("_xyxy") or said.endswith("xyxy"), f"{how} was read as {said}"
            continue
        if read_file is regions:
            assert all(row["fault"] is None for row in found)
            assert [(row["x"], row["y"], row["width"], row["height"]) for row in found] == says["boxes"]
            assert [row["phrase"] for row in found] == [f"a red {name}" for name in says["names"]]
        else:
            (scene,) = found
            assert not scene.faults and [tuple(o.box) for o in scene.objects] == says["boxes"]
            names = [o.names[0].replace("_", " ").strip().lower() for o in scene.objects]
            assert names == says["names"]
            assert [(r.subject_id, r.object_id) for r in scene.relations] == says["relations"]


# --- Captions ----


WORDS = ["a red bus", "two dogs, wet", 'a "Cubs" shirt', "café at night", "the man's hat", "rain; and wind", "a tab|pipe sign"]
PARTS = ["train", "val", "test", "restval", "Validation"]


def table(draw: random.Random, kind: str, rows: list[dict[str, Any]]) -> bytes:
    """Return the rows as a file of one format, in one of its styles."""
    if kind == "parquet":
        return parquet(**{key: [row[key] for row in rows] for key in rows[0]})
    if kind == "json":
        form = draw.choice([lambda every: every, lambda every: {"info": {"year": 2014}, "annotations": every}])
        return json.dumps(form(rows), indent=draw.choice([None, 1])).encode(draw.choice(["utf-8", "utf-8-sig"]))
    if kind == "jsonl":
        return "".join(json.dumps(row, ensure_ascii=draw.random() < 0.5) + draw.choice(["\n", "\r\n"]) for row in rows).encode()
    if kind == "webdataset":
        return tar({f"{i:05}.{end}": data for i, row in enumerate(rows) for end, data in (("jpg", "?"), ("json", json.dumps(row)))})
    out = io.StringIO(newline="")
    how: dict[str, Any] = {"lineterminator": draw.choice(["\n", "\r\n"])}
    if kind == "tsv":
        how |= {"delimiter": "\t", "quoting": csv.QUOTE_NONE, "quotechar": None}
    elif draw.random() < 0.3:
        how |= {"quoting": csv.QUOTE_ALL, "doublequote": False, "escapechar": "\\"}  # Spark's style
    writer = csv.DictWriter(out, rows[0], **how)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def captions_are_read(seed: int, folder: Path) -> None:
    draw = random.Random(f"captions {seed}")
    kind = draw.choice(["csv", "tsv", "json", "jsonl", "parquet", "webdataset"])
    key, lists, parted = draw.choice(["caption", "text", "TEXT", "raw"]), draw.random() < 0.4, draw.random() < 0.4
    rows, expected = [], []
    for number in range(draw.randrange(1, 8)):
        texts = draw.sample(WORDS, draw.randrange(1, 4)) if lists else [draw.choice(WORDS)]
        row: dict[str, Any] = {"image": f"{number}.jpg", key: texts if lists else texts[0]}
        if lists and kind in ("csv", "tsv"):
            row[key] = draw.choice([json.dumps, lambda of: json.dumps(of, ensure_ascii=False), repr])(texts)
        if parted:
            row["split"] = draw.choice(PARTS)
        rows.append(row)
        expected += [None if row.get("split", "train") not in ("train", "restval") else text for text in texts]
    path = folder / f"captions.{kind}"
    path.write_bytes(table(draw, kind, rows))
    found = list(read(path, kind, Column(key)))
    assert [row.caption and clean(row.caption) for row in found] == [text and clean(text) for text in expected], (kind, rows)
    assert {row.fault for row in found if row.caption is None} <= {"held_out"}


KINDS = {"annotations": annotations_are_read, "captions": captions_are_read}


@pytest.mark.parametrize("kind", KINDS)
def test_unusual_input_is_read_or_stops_with_one_line(kind, tmp_path):
    for seed in range(IN_CI):
        (folder := tmp_path / str(seed)).mkdir()
        KINDS[kind](seed, folder)


def main() -> None:
    """Draw as many cases of each kind as the command line says, or 500."""
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    for kind, read_case in KINDS.items():
        for seed in range(cases):
            with tempfile.TemporaryDirectory() as folder:
                read_case(seed, Path(folder))
        print(f"{kind}: {cases} cases")


if __name__ == "__main__":
    main()
