"""A checkpoint trained with the other activation is noticed before its figures are believed."""

import open_clip
import pytest
import torch

from stages.images.crops import Crop, ImageFolder
from stages.models import activation, openclip
from stages.models.openclip import OpenClip
from stages.parameters.sections import Evaluate, Models
from tests.models.made import CONFIG, write_images
from tests.running import section

SETTINGS = section(Evaluate, device="cpu", precision="auto", threads=1, batch=8, text_batch_tokens=64)


@pytest.fixture
def presets(tmp_path, monkeypatch):
    for name, quick in (("tiny", False), ("tiny-quickgelu", True)):
        monkeypatch.setitem(open_clip.factory._MODEL_CONFIGS, name, CONFIG["model_cfg"] | {"quick_gelu": quick})
    monkeypatch.setattr(open_clip, "list_models", lambda: ["tiny", "tiny-quickgelu", "alone"])
    torch.manual_seed(0)
    torch.save(open_clip.create_model("tiny", load_weights=False).state_dict(), tmp_path / "mine.pt")
    return section(Models, mine={"family": "open_clip", "architecture": "tiny", "pretrained": str(tmp_path / "mine.pt")})


def test_the_other_form_of_a_file(presets, tmp_path):
    mine = presets.root["mine"]
    assert activation.other_form(mine) == "tiny-quickgelu"
    assert activation.other_form(mine.model_copy(update={"architecture": "tiny-quickgelu"})) == "tiny"
    assert activation.other_form(mine.model_copy(update={"architecture": "alone"})) is None
    assert activation.other_form(mine.model_copy(update={"pretrained": "openai"})) is None, "a tag says its activation"


@pytest.mark.parametrize("quick", [True, False])
def test_a_form_that_knows_clearly_more_is_named(presets, tmp_path, monkeypatch, capsys, quick):
    images = ImageFolder(write_images(tmp_path / "images", list(range(1, 21))))
    captioned = [(Crop.whole(i), f"picture {i}") for i in range(1, 21)]
    right = "tiny-quickgelu" if quick else "tiny"

    class Knowing(OpenClip):
        def __init__(self, architecture, *how):
            super().__init__(architecture, *how)
            self.knows = architecture == right

        def encode_text(self, texts):  # in the right form, captions have their crops' features
            if len(texts) == 1:
                return super().encode_text(texts)
            prepared = dict(images.crops((crop for crop, _ in captioned), self.prepare))
            features = self.encode_image([prepared[crop] for crop, _ in captioned])
            return features if self.knows else features[::-1].copy()

    monkeypatch.setattr(openclip, "OpenClip", Knowing)
    found = activation.compared("mine", presets, SETTINGS, captioned, images, 1)
    of = {"tiny": 0, "tiny-quickgelu": 0} | {right: 20}
    assert found == {"asked": 20, "right": of, "other_is_better": quick}
    said = capsys.readouterr().err
    assert ("name the architecture tiny-quickgelu in params.yaml, models.mine" in said) == quick
