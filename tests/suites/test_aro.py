"""Tests of ARO's released files, our own tables, and what is counted of them."""

import json

import numpy as np
import pytest

from stages.contract.errors import InputError
from stages.evaluation.ranks import rank
from stages.evaluation.summary import Ranked, summarise
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


def test_macro_is_over_the_relations_that_the_paper_counts(tmp_path):
    # Ten of a rare relation are all right, thirty of a common one all wrong; the paper leaves out the thirty of a symmetric one.
    asked = {"beneath": (10, 1.0), "on": (30, 0.0), "near": (30, 0.0)}
    cases = [RELATION | {"relation_name": name} for name, (n, _) in asked.items() for _ in range(n)]
    (tmp_path / "visual_genome_relation.json").write_text(json.dumps(cases))
    sets = list(aro.sets(tmp_path))
    right = np.repeat([right for _, right in asked.values()], [n for n, _ in asked.values()])
    scores = [np.array([one, 0.5]) for one in right]
    ranked = Ranked(sets, scores, rank(np.concatenate(scores), np.full(70, 2)), None, {}, np.zeros(70))
    figures = summarise(ranked, None, 5)["aro_released"]["relation"]
    assert figures["all"]["n"] == 70 and figures["all"]["r1"] == pytest.approx(100 / 7, abs=1e-3)
    assert figures["macro"]["all"].items() >= {"groups": 2, "n": 40, "left_out": 0, "r1": 50.0}.items()
    assert set(figures["kinds"]) == {"beneath", "on"}
    none = summarise(ranked.take(np.arange(40, 70)), None, 5)["aro_released"]["relation"]
    assert none["macro"]["all"] == {"groups": 0, "n": 0, "left_out": 0, "r1": None, **dict.fromkeys(("r1_se", "r1_low", "r1_high"))}


@pytest.mark.parametrize(
    "case", [7, {}, RELATION | {"image_path": "dog.jpg"}, RELATION | {"bbox_x": None}, RELATION | {"false_caption": None}]
)
def test_another_form_is_an_error(tmp_path, case):
    with pytest.raises(InputError, match="holds no visual_genome_relation"):
        list(aro.sets(tmp_path))
    (tmp_path / "visual_genome_relation.json").write_text(json.dumps([case]))
    with pytest.raises(InputError, match="not a case of ARO"):
        list(aro.sets(tmp_path))
    (tmp_path / "visual_genome_relation.json").write_text("[" * 100_000)
    with pytest.raises(InputError, match="is not JSON"):
        list(aro.sets(tmp_path))
