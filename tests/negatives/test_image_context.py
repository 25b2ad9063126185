"""Tests of merging the sorted tables of an image."""

import pytest

from stages.contract import tables
from stages.contract.errors import InputError
from stages.negatives import image_context

GRAPH = {"objects": ["dog"], "attributes": [], "relations": []}


def write(folder, graphs, facts):
    size = {"image_width": 9, "image_height": 9}
    rows = [
        {"image_id": i, **size, **GRAPH, "object_ids": [1], "boxes": [None], "aliases": [[]], "plurals": [], "unsayable": []}
        for i in graphs
    ]
    tables.write("scene_graphs", folder / "graphs.parquet", rows)
    box = {"x": 0, "y": 0, "width": 1, "height": 1}
    tables.write("region_facts", folder / "facts.parquet", [{"image_id": i, "region_id": n, "box": box, **GRAPH} for n, i in enumerate(facts)])  # fmt: skip  # noqa: E501
    return folder / "graphs.parquet", folder / "facts.parquet"


def test_each_image_meets_its_own_rows(tmp_path):
    paths = write(tmp_path, [1, 2, 5], [1, 1, 3, 5])
    found = list(image_context.images([{"image_id": i} for i in (1, 3, 3, 5, 6)], *paths))
    assert [(image.image_id, len(image.rows), image.scene_graph is not None, len(image.facts)) for image in found] == [
        (1, 1, True, 2),
        (3, 2, False, 1),
        (5, 1, True, 1),
        (6, 1, False, 0),
    ]


def test_a_table_that_is_not_sorted_is_an_error(tmp_path):
    paths = write(tmp_path, [2, 1], [])
    with pytest.raises(InputError, match="image 1 comes after image 2"):
        list(image_context.images([{"image_id": 3}], *paths))


def test_pieces_hold_whole_images():
    images = [image_context.Image(i, [{}] * n, None, []) for i, n in enumerate((3, 1, 5, 1))]
    assert [[image.image_id for image in piece] for piece in image_context.pieces(images, 4)] == [[0, 1], [2], [3]]
