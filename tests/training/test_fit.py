"""Tests of the training loop: spawns, frozen codes, resumed runs, and a loss that is not a number."""

import copy
import json
import math
import shutil
import sys
from functools import cache
from itertools import pairwise
from types import SimpleNamespace

import pytest
import torch
from safetensors.torch import load_file, save_file

from stages.contract.errors import CrepeError, InputError, ParameterError
from stages.parameters.sections import Models
from stages.training import agents, checkpoints, fit, loading, processes
from stages.training.agents import agent_of
from stages.training.fit import Training
from stages.training.losses import contrastive
from tests.models import tiny_transformers
from tests.training import made

pytestmark = pytest.mark.usefixtures("one_thread")


def run(folder, training=None, **changes):
    training = training or made.training(folder, **changes)
    keys = [f"{a}-{b}" for a, b in made.PAIRS]
    figures = fit.fit(made.material(), made.pictures(training), keys, training, folder, 1)
    return training, figures


def weights(training):
    return {name: tensor.clone() for name, tensor in training.agents.state_dict().items()}


def changed(before, after):
    return {name for name in before if not torch.equal(before[name], after[name])}


@pytest.fixture
def watched(monkeypatch):
    """Return a list that collects the weights before the first step and after each."""
    seen = []
    advance = Training.advance

    def watching(self, loaded):
        if not seen:
            seen.append(weights(self))
        loss = advance(self, loaded)
        seen.append(weights(self))
        return loss

    monkeypatch.setattr(Training, "advance", watching)
    return seen


def test_a_gpu_that_is_not_there_is_told_as_the_parameter(tmp_path, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ParameterError, match=r"train\.device: is cuda, and torch finds no GPU"):
        made.training(tmp_path, device="cuda")


@pytest.mark.parametrize("method", ["clip", "negclip", "codebook", "iterated"])
def test_every_method_learns_the_same_twice(method, tmp_path):
    changes = {"method": method, "steps": 20, "batch": 8, "learning_rate": 0.02, "checkpoint": 1000}
    if method == "iterated":
        changes["iterated"] = {"warm_up": 5, "distil": 2, "interact": 4, "last": 9}
    one, figures = run(tmp_path / "a", **changes)
    other, _ = run(tmp_path / "b", **changes)
    assert one.losses == other.losses and not changed(weights(one), weights(other))
    assert one.losses[-1] < 0.7 * one.losses[0] and len(one.losses) == 20
    assert 0 <= figures.waiting <= 1


def test_a_spawn_makes_the_text_agent_wholly_new_and_leaves_the_vision_agent(tmp_path):
    training = made.training(tmp_path, method="iterated")
    for p in training.agents.parameters():
        p.grad = torch.ones_like(p)
    training.optimizer.step()
    before = weights(training)
    agents.spawn(training.agents, "text", training.optimizer, tmp_path, training.settings, 1, training.tokens.used)
    after = weights(training)
    names = dict(training.agents.named_parameters())
    text = {name for name in names if agent_of(name) == "text"}
    drawn_at_random = {name for name in text if names[name].ndim > 1 or "position" in name}
    assert drawn_at_random <= changed(before, after) <= text
    assert any("token_embedding" in name for name in text) and any("in_proj" in name for name in drawn_at_random)
    assert any(name.startswith("codebook.text_query") for name in drawn_at_random)
    known = {name for name, p in names.items() if any(p in part.state for part in training.optimizer.parts)}
    assert known == names.keys() - text, "what the optimiser knew of the old agent is forgotten"


def test_all_of_the_text_agent_is_told_by_its_names(tmp_path):
    training = made.training(tmp_path, method="iterated")
    of = {name: agent_of(name) for name, _ in training.agents.named_parameters()}
    assert {name for name, agent in of.items() if agent is None} == {"clip.logit_scale", "codebook.codes"}
    assert {name for name, agent in of.items() if agent == "vision"} == {
        name for name in of if name.startswith(("clip.visual.", "codebook.image_query."))
    }


def test_codes_and_vision_are_bit_equal_through_distillation(tmp_path, watched):
    """The schedule has a warm-up of 2, distil 2, interact 2 and 2 more, so an agent is spawned at step 2."""
    run(tmp_path, method="iterated", steps=8)
    own = [changed(one, other) for one, other in pairwise(watched)]
    for step in (2, 3):
        assert all(agent_of(name) == "text" for name in own[step]), "only the new agent learns from the old one"
        assert "clip.token_embedding.weight" in own[step]
    for step in (0, 4):
        assert "codebook.codes" in own[step] and "clip.visual.conv1.weight" in own[step]


def test_contrastive_distillation_freezes_the_codes_only(tmp_path, watched):
    run(tmp_path, method="iterated", steps=8, iterated={"distillation": "contrastive"})
    own = changed(watched[3], watched[4])
    assert "codebook.codes" not in own and "clip.visual.conv1.weight" in own and "clip.token_embedding.weight" in own
    assert "codebook.codes" in changed(watched[4], watched[5])


@pytest.mark.parametrize("distillation", ["contrastive", "teacher"])
def test_codes_that_are_not_frozen_learn_on(tmp_path, watched, distillation):
    run(tmp_path, method="iterated", steps=8, iterated={"distillation": distillation, "freeze_codebook": False})
    assert "codebook.codes" in changed(watched[3], watched[4])


@pytest.mark.parametrize("spawn", ["vision", "alternately"])
def test_other_spawns_and_no_codebook_run(spawn, tmp_path):
    training, _ = run(tmp_path, method="iterated", steps=12, iterated={"spawn": spawn, "codebook": False})
    assert training.agents.codebook is None and len(training.losses) == 12
    assert training.course()["spawns"] == [2, 6]


def test_spectral_norm_holds_and_is_written_as_plain_weights(tmp_path):
    training, _ = run(tmp_path, method="clip", spectral_norm=True, steps=6)
    training.agents.train()
    agents.write(training.agents, tmp_path, training.settings, Models({}))
    written = load_file(tmp_path / "open_clip_model.safetensors")
    assert written.keys() == agents.drawn(tmp_path, 0).state_dict().keys()
    assert torch.linalg.matrix_norm(written["visual.transformer.resblocks.0.mlp.c_fc.weight"], 2) < 1.2


def test_agents_of_a_spectral_norm_are_spawned_and_go_on(tmp_path):
    """Generations are written from copies, which must not take the norms off the learning agents."""
    training, _ = run(tmp_path, method="iterated", spectral_norm=True, steps=12)
    assert len(training.losses) == 12 and len(training.course()["spawns"]) > 1
    block = training.agents.clip.visual.transformer.resblocks[0]
    assert torch.linalg.matrix_norm(block.mlp.c_fc.weight, 2) < 1.2


def bounds(module):
    """Return the largest singular values of the linear layers' effective weights."""
    linear = (part for part in module.modules() if isinstance(part, torch.nn.Linear))
    return [float(torch.linalg.matrix_norm(part.weight.detach(), 2)) for part in linear]


def test_a_spawned_agent_is_bounded_by_its_own_matrices(tmp_path):
    """It is not divided by the old agent's norms."""
    training = made.training(tmp_path, method="iterated", spectral_norm=True)
    agents.spawn(training.agents, "text", training.optimizer, tmp_path, training.settings, 1, training.tokens.used)
    assert max(bounds(training.agents.eval().clip.transformer)) < 1.1


@pytest.mark.parametrize("start", [{"architecture": "ViT-B-32", "pretrained": "mine.pt"}, {"architecture": "hf-hub:mine/clip"}])
def test_training_goes_on_with_the_starts_own_preprocessing(start, monkeypatch):
    own = {"size": 32, "mode": "RGB", "mean": [0.5] * 3, "std": [0.25] * 3, "interpolation": "bilinear", "resize_mode": "squash"}
    loaded = SimpleNamespace(visual=SimpleNamespace(preprocess_cfg=own))
    monkeypatch.setattr(agents.openclip, "load", lambda *_: (loaded, None))
    monkeypatch.setattr(agents.open_clip, "get_model_config", lambda _: {"embed_dim": 8})
    models = Models.model_validate({"ours": {"family": "open_clip", **start}})
    described = agents.configuration(made.settings(start="ours"), models)["preprocess_cfg"]
    assert described == {key: own[key] for key in ("mean", "std", "interpolation", "resize_mode")}


@pytest.mark.parametrize("said", [None, "[1, 2", "{}"])
def test_a_folder_that_describes_no_model_is_told(tmp_path, said):
    if said:
        (tmp_path / "open_clip_config.json").write_text(said)
    settings = made.settings(architecture=f"local-dir:{tmp_path}")
    with pytest.raises(InputError, match=r"its open_clip_config\.json cannot be loaded"):
        agents.describe(tmp_path, settings, Models({}))


def test_pictures_are_looked_at_by_pieces(tmp_path, monkeypatch):
    """Each picture that waits for a thread takes two kilobytes, and there are millions."""
    told = []

    class Pool(loading.ThreadPoolExecutor):
        def map(self, look, some, **how):
            told.append(len(some))
            return super().map(look, some, **how)

    monkeypatch.setattr(loading, "BATCH", 3)
    monkeypatch.setattr(loading, "ThreadPoolExecutor", Pool)
    preprocessing = {
        "size": 24,
        "mode": "RGB",
        "mean": (0, 0, 0),
        "std": (1, 1, 1),
        "interpolation": "bicubic",
        "resize_mode": "squash",
    }
    pictures = loading.Pictures([made.jpeg((9, 9, 9), (200, 9, 9)), b"broken"] * 4, preprocessing, 0)
    assert pictures.bad(2) == [1, 3, 5, 7] and told == [3, 3, 2]


@pytest.mark.parametrize("left_out", ["preprocess_cfg", "image_size", "nothing"])
def test_pictures_are_prepared_as_open_clip_reads_the_description(tmp_path, left_out):
    """open_clip's own default replaces what the description leaves out."""
    made.describe(tmp_path)
    described = json.loads((tmp_path / "open_clip_config.json").read_text())
    described["model_cfg"]["vision_cfg"]["patch_size"] = 32
    for part in (described, described["model_cfg"]["vision_cfg"]):
        part.pop(left_out, None)
    (tmp_path / "open_clip_config.json").write_text(json.dumps(described))
    own = agents.drawn(tmp_path, 0).visual.preprocess_cfg
    assert agents.preprocessing(tmp_path) == own | {"size": own["size"][0]}


def test_a_start_from_weights_is_bounded_as_it_learns(tmp_path):
    made.describe(tmp_path)
    save_file(agents.drawn(tmp_path, 0).state_dict(), tmp_path / "open_clip_model.safetensors")
    model = {"family": "open_clip", "architecture": f"local-dir:{tmp_path}", "trained_on": "cc3m"}
    found = agents.make(made.settings(start="ours", spectral_norm=True), Models.model_validate({"ours": model}), tmp_path)
    with torch.no_grad():
        for matrix in (p for name, p in found.named_parameters() if name.endswith(".original")):
            matrix += torch.randn_like(matrix)
    for _ in range(30):
        now = bounds(found.clip)
    assert max(now) < 1.1


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return a function that gives an uninterrupted run for a method."""
    return cache(lambda method: run(tmp_path_factory.mktemp(method), method=method, steps=8)[0])


def killed_at(step):
    """Return a training step that is killed at ``step``."""
    advance = Training.advance

    def killed(self, loaded):
        if self.step == step:
            raise KeyboardInterrupt
        return advance(self, loaded)

    return killed


@pytest.mark.parametrize(("method", "step"), [("negclip", 1), ("negclip", 5), ("iterated", 3), ("iterated", 5), ("iterated", 6)])
def test_a_killed_run_ends_with_the_same_weights(method, step, tmp_path, monkeypatch, whole):
    """There is a checkpoint every second step; the kill comes in the middle of a step, which may be a distillation."""
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Training, "advance", killed_at(step))
        run(tmp_path / "cut", method=method, steps=8)
    again = made.training(tmp_path / "cut", method=method, steps=8)
    if state := checkpoints.load(tmp_path / "cut"):
        assert state.step == step // 2 * 2
    run(tmp_path / "cut", again)
    assert again.losses == whole(method).losses and not changed(weights(again), weights(whole(method)))


def test_a_run_killed_in_a_distillation_goes_on_with_its_teacher(tmp_path, monkeypatch, whole):
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Training, "advance", killed_at(3))
        run(tmp_path / "cut", method="iterated", steps=8, checkpoint=1)
    assert checkpoints.load(tmp_path / "cut").teacher
    again, _ = run(tmp_path / "cut", method="iterated", steps=8, checkpoint=1)
    assert again.losses == whole("iterated").losses and not changed(weights(again), weights(whole("iterated")))


def flipped(data):
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


@pytest.fixture(scope="module")
def cut(tmp_path_factory):
    """Return the folder of a killed run."""
    folder = tmp_path_factory.mktemp("cut")
    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Training, "advance", killed_at(5))
        run(folder, method="negclip", steps=8)
    return folder


@pytest.mark.parametrize("harm", [lambda data: data[:99], lambda data: b"", flipped])
def test_a_damaged_checkpoint_is_told_and_begins_anew(tmp_path, cut, whole, capsys, harm):
    shutil.copytree(cut, tmp_path / "cut")
    path = tmp_path / "cut" / checkpoints.NAME
    path.write_bytes(harm(path.read_bytes()))
    again, _ = run(tmp_path / "cut", method="negclip", steps=8)
    assert "is damaged" in capsys.readouterr().err and again.losses == whole("negclip").losses


def test_norms_of_batches_are_not_learnt_in_parts(tmp_path, monkeypatch):
    """Each process would see only its own part's mean, and the model would differ."""
    vision = made.TINY["vision_cfg"] | {"image_size": 32, "width": 8, "layers": [1, 1, 1, 1], "patch_size": None}
    monkeypatch.setattr(made, "TINY", made.TINY | {"vision_cfg": {key: vision[key] for key in ("image_size", "width", "layers")}})
    training = made.training(tmp_path, method="clip")
    monkeypatch.setattr(processes, "count", lambda: 2)
    with pytest.raises(ParameterError, match=r"train\.architecture: normalises over a batch"):
        run(tmp_path, training)


def test_towers_of_transformers_are_drawn_like_any_other(tmp_path, monkeypatch):
    """open_clip once downloaded the pretrained text tower where weights should be initialised at random."""
    text, _ = tiny_transformers.text_tower()
    text.save_pretrained(tmp_path / "text")
    tiny_transformers.tokenizer(16).save_pretrained(tmp_path / "text")
    described = {"hf_model_name": str(tmp_path / "text"), "hf_tokenizer_name": str(tmp_path / "text"), "context_length": 16}
    monkeypatch.setattr(made, "TINY", made.TINY | {"text_cfg": described | {"hf_pooler_type": "mean_pooler"}})
    made.describe(tmp_path / "towers")
    drawn = [agents.drawn(tmp_path / "towers", seed).text.transformer.state_dict() for seed in (0, 0, 1)]
    name = "embeddings.word_embeddings.weight"
    assert torch.equal(drawn[0][name], drawn[1][name]) and not torch.equal(drawn[0][name], drawn[2][name])
    assert not torch.equal(drawn[0][name], text.state_dict()[name])


def test_a_killed_run_drops_what_it_would_have_dropped(tmp_path, monkeypatch):
    """Such towers draw at random in each step, as do convnext's and ViTamin's in open_clip, and those of transformers."""
    vision = made.TINY["vision_cfg"] | {"patch_dropout": 0.5}
    monkeypatch.setattr(made, "TINY", made.TINY | {"vision_cfg": vision})
    whole, _ = run(tmp_path / "whole", method="clip", steps=8)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Training, "advance", killed_at(5))
        run(tmp_path / "cut", method="clip", steps=8)
    again, _ = run(tmp_path / "cut", method="clip", steps=8)
    assert again.losses == whole.losses


def test_a_loss_that_is_not_a_number_names_the_step_and_the_batch(tmp_path, monkeypatch):
    calls = []

    def broken(*arguments):
        calls.append(1)
        return contrastive(*arguments) * (float("nan") if len(calls) == 3 else 1)

    monkeypatch.setattr(sys.modules["stages.training.fit"], "contrastive", broken)
    with pytest.raises(CrepeError, match=r"the loss of step 2 is not a number; its batch has \w+-\w+, .*Remedy"):
        run(tmp_path, method="clip")


@pytest.mark.parametrize("method", ["clip", "negclip", "codebook", "iterated"])
def test_a_training_that_diverges_names_what_to_lower_and_keeps_its_last_checkpoint(method, tmp_path):
    phases = {"warm_up": 3, "distil": 3, "interact": 3, "last": 2}
    training = made.training(tmp_path, method=method, steps=14, checkpoint=1, grad_clip_norm=0, iterated=phases)
    training.optimizer.rates = [1e3, 1e3]  # above the parameter's limit, so that few steps suffice
    with pytest.raises(CrepeError, match=r"step \d+ is not a number; .*Remedy: lower train\.learning_rate, which is 0\.\d+, or"):
        run(tmp_path, training)
    state = checkpoints.load(tmp_path)
    assert state is not None and all(value.isfinite().all() for value in state.agents.values())


@pytest.mark.parametrize("checkpoint", [1, 100])
def test_weights_that_the_last_step_ruined_are_not_saved(checkpoint, tmp_path, monkeypatch):
    training = made.training(tmp_path, method="clip", steps=2, checkpoint=checkpoint)
    advance = training.advance

    def ruin(loaded):
        loss = advance(loaded)
        if training.step == 2:
            next(training.agents.parameters()).data.fill_(math.inf)
        return loss

    monkeypatch.setattr(training, "advance", ruin)
    with pytest.raises(CrepeError, match="a weight after step 1 is not a number"):
        run(tmp_path, training)
    assert (state.step if (state := checkpoints.load(tmp_path)) else None) == (1 if checkpoint == 1 else None)


def test_the_teacher_is_the_agent_as_it_was(tmp_path):
    training = made.training(tmp_path, method="iterated", steps=8)
    training.step = 2
    before = copy.deepcopy(training.agents.state_dict())
    training.begin(training.phase(2))
    assert all(torch.equal(before[name], tensor) for name, tensor in training.teacher.state_dict().items())
    assert not any(p.requires_grad for p in training.teacher.parameters())


@pytest.mark.parametrize("method", ["clip", "codebook"])
def test_captions_sorted_by_length_say_what_they_say_together(method, tmp_path):
    training = made.training(tmp_path, method=method)
    end = len(training.tokens.used) - 1
    rows = torch.zeros(6, 9, dtype=torch.long)
    for row, length in zip(rows, (3, 9, 1, 5, 5, 2), strict=True):
        row[:length] = torch.arange(1, length + 1)
        row[length - 1] = end
    assert torch.allclose(fit.encode_texts(training.agents, rows), training.agents.encode_text(rows), atol=1e-6)


def test_muon_learns_the_matrices_of_the_blocks_alone(tmp_path):
    def shared(**changes):
        training = made.training(tmp_path, **changes)
        adamw, *muon = training.optimizer.parts
        learnt = [{id(p) for group in part.param_groups for p in group["params"]} for part in (adamw, *muon)]
        return {name: [i for i, ids in enumerate(learnt) if id(p) in ids] for name, p in training.agents.named_parameters()}

    assert set(map(tuple, shared(muon=0.0).values())) == {(0,)}
    both = shared(muon=0.02)
    assert {name for name, parts in both.items() if parts == [1]} == {
        name for name in both if ".resblocks." in name and "weight" in name and ".ln_" not in name
    }
    assert set(map(tuple, both.values())) == {(0,), (1,)}


@pytest.mark.parametrize("method", ["negclip", "codebook"])
def test_half_precision_keeps_whole_weights_and_begins_with_nearly_the_same_loss(method, tmp_path):
    """As on a GPU: bf16 while a step is computed; weights and their moments in fp32."""
    whole, _ = run(tmp_path / "fp32", method=method)
    half, _ = run(tmp_path / "bf16", method=method, precision="bf16")
    assert half.half and not whole.half
    assert all(tensor.dtype == torch.float32 for tensor in half.agents.state_dict().values() if tensor.is_floating_point())
    assert half.losses != whole.losses
    assert half.losses[0] == pytest.approx(whole.losses[0], rel=0.02) and all(map(math.isfinite, half.losses))
