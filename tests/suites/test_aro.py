"""ARO's released files and our own tables, and what is counted of them."""

import doctest
import json

import pytest

from stages.contract.errors import InputError
from stages.images.crops import Crop
from stages.suites import aro

RELATION = {
    **{"image_id": 1, "image_path": "2353.jpg", "bbox_x": 3, "bbox_y": 4, "bbox_w": 50, "bbox_h": 60},
    **{"relation_name": "behind", "true_caption": "the dog is behind the tree", "false_caption": "the tree is behind the dog"},
}
ATTRIBUTION = {
    **{"image_path": "2353.jpg", "bbox_x": 3, "bbox_y": 4, "bbox_w": 50, "bbox_h": 60, "attributes": ["white", "open"]},
    **{"true_caption": "the white cat and the open door", "false_caption": "the open cat and the white door"},
}


def test_examples():
    assert doctest.testmod(aro).failed == 0


def test_the_released_files(tmp_path):
    (tmp_path / "visual_genome_relation.json").write_text(json.dumps([RELATION]))
    (tmp_path / "visual_genome_attribution.json").write_text(
        json.dumps([ATTRIBUTION, ATTRIBUTION | {"attributes": ["open", "white"]}])
    )
    relation, *attributions = aro.sets(tmp_path)
    assert (
        relation.query.crop == Crop(2353, 3, 4, 50, 60) and relation.query.compound == "spatial" and relation.edits == ("behind",)
    )
    assert relation.texts == ("the dog is behind the tree", "the tree is behind the dog")
    assert {s.edits for s in attributions} == {("open vs white",)} and {s.name for s in attributions} == {"attribution"}


@pytest.mark.parametrize(
    "case", [7, {}, RELATION | {"image_path": "dog.jpg"}, RELATION | {"bbox_x": None}, RELATION | {"false_caption": None}]
)
def test_another_form_is_an_error(tmp_path, case):
    with pytest.raises(InputError, match="neither"):
        list(aro.sets(tmp_path))
    (tmp_path / "visual_genome_relation.json").write_text(json.dumps([case]))
    with pytest.raises(InputError, match="no case of ARO"):
        list(aro.sets(tmp_path))
    (tmp_path / "visual_genome_relation.json").write_text("[" * 100_000)
    with pytest.raises(InputError, match="no JSON"):
        list(aro.sets(tmp_path))
