"""Run one training of the benchmark ``photographs`` in a separate process, with the code of the checkout it runs in.

Reads the job as JSON from standard input, and prints the results as JSON.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import open_clip
import torch
from torch.utils.data import DataLoader, Dataset


class Watch:
    """Wall and processor time of each step from the second on, because the first one is a warm-up."""

    def __init__(self) -> None:
        self.begun, self.steps = time.perf_counter(), list[tuple[float, float]]()

    def step(self) -> None:
        self.steps.append((time.perf_counter(), time.process_time()))

    def figures(self, pictures: int) -> dict[str, float]:
        (first, first_cpu), (last, last_cpu), n = self.steps[0], self.steps[-1], len(self.steps) - 1
        return {
            "to_first_step": first - self.begun,
            "pictures_a_second": n * pictures / (last - first),
            "cpu_ms_a_step": 1000 * (last_cpu - first_cpu) / n,
        }


def by_the_stage(asked: dict[str, Any]) -> dict[str, Any]:
    """Train as the stage ``train`` does."""
    from stages.pairs.pairs import Place
    from stages.parameters import params
    from stages.parameters.sections import Models, Train
    from stages.training import agents
    from stages.training.batches import Material
    from stages.training.fit import Training, fit
    from stages.training.loading import Pictures

    settings, presets = params.load(Train).model_copy(update=asked["settings"]), params.load(Models)
    settings = settings.model_copy(update={"iterated": settings.iterated.model_copy(update=asked["iterated"])})
    watch = Watch()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        agents.describe(work, settings, presets)
        pictures = Pictures([Place(Path(path)) for path in asked["pictures"]], agents.preprocessing(work), 10**9)
        if bad := pictures.bad(settings.threads):
            raise SystemExit(f"{len(bad)} pictures cannot be read, {asked['pictures'][bad[0]]} the first")
        material = Material(asked["captions"], asked["negatives"], asked["neighbours"])
        training = Training(settings, presets, work, material.texts())
        advance: Callable[..., float] = training.advance

        def watched(loaded: Any) -> float:
            loss = advance(loaded)
            watch.step()
            return loss

        training.advance = watched  # type: ignore[method-assign]
        figures = fit(material, pictures, asked["pictures"], training, work, settings.threads)
        tested = of_held_out(asked["held_out"], training, work / "model") if asked["held_out"] else {}
    return watch.figures(settings.batch) | {"waiting": figures.waiting, "losses": training.losses} | tested


def of_held_out(held: dict[str, Any], training: Any, folder: Path) -> dict[str, float]:
    """Return the trained model's results on held-out photographs, in per cent: ARO's order, and retrieval both ways."""
    from stages.evaluation.ranks import rank
    from stages.evaluation.raw import both_ways
    from stages.images.crops import decode
    from stages.models.contract import cosine
    from stages.models.load import load
    from stages.parameters import params
    from stages.parameters.sections import Evaluate, Models

    folder.mkdir()
    training.write(folder)
    preset = {"family": "open_clip", "architecture": f"local-dir:{folder}", "trained_on": "photographs"}
    settings = params.load(Evaluate).model_copy(update={"device": "cpu", "precision": "fp32", "threads": training.settings.threads})
    model: Any = load("trained", Models.model_validate({"trained": preset}), settings)
    images = model.encode_image([model.prepare(decode(Path(path))) for path in held["pictures"]])
    owner = np.repeat(np.arange(len(images)), [len(of_image) for of_image in held["captions"]])
    recalls = both_ways(images, model.encode_text([text for of_image in held["captions"] for text in of_image]), owner)
    size = np.array([len(texts) for _, *texts in held["orders"]])
    seen = images[np.repeat([image for image, *_ in held["orders"]], size)]
    scores = cosine(seen, model.encode_text([text for _, *texts in held["orders"] for text in texts]))
    figures = {
        "order_r1": rank(scores, size).recall(1).mean(),
        **{key: recalls[key] for key in ("i2t_r1", "t2i_r1", "i2t_r5", "t2i_r5")},
    }
    return {key: 100 * float(value) for key, value in figures.items()}


class Captioned(Dataset[tuple[Any, Any]]):
    def __init__(self, asked: dict[str, Any], transform: Any, tokenizer: Any):
        self.asked, self.transform, self.tokenizer = asked, transform, tokenizer

    def __len__(self) -> int:
        return len(self.asked["pictures"])

    def __getitem__(self, number: int) -> tuple[Any, Any]:
        from PIL import Image

        with Image.open(self.asked["pictures"][number]) as image:
            return self.transform(image), self.tokenizer([self.asked["captions"][number][0]])[0]


def plainly(asked: dict[str, Any]) -> dict[str, Any]:
    """Train the same towers as open_clip's own loop does: with a DataLoader, its loss and AdamW."""
    settings, watch, waited = asked["settings"], Watch(), 0.0
    torch.manual_seed(settings["seed"])
    clip, _, transform = open_clip.create_model_and_transforms(f"local-dir:{asked['folder']}", load_weights=False)
    data = Captioned(asked, transform, open_clip.get_tokenizer(f"local-dir:{asked['folder']}"))
    optimizer = torch.optim.AdamW(clip.parameters(), lr=5e-4, betas=(0.9, 0.98), eps=1e-6)
    contrastive, losses, clip = open_clip.ClipLoss(), list[float](), clip.train()
    while len(losses) < settings["steps"]:
        rows = iter(DataLoader(data, settings["batch"], shuffle=True, drop_last=True, num_workers=1))
        for _ in range(min(len(data) // settings["batch"], settings["steps"] - len(losses))):
            begun = time.perf_counter()
            images, tokens = next(rows)
            waited += time.perf_counter() - begun
            loss = contrastive(*clip(images, tokens)[:3])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            watch.step()
    return watch.figures(settings["batch"]) | {"waiting": waited / (time.perf_counter() - watch.begun), "losses": losses}


if __name__ == "__main__":
    wanted = json.load(sys.stdin)
    torch.set_num_threads(wanted["settings"]["threads"])
    torch.use_deterministic_algorithms(not wanted["plain"])
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]  # missing in its stubs
    print(json.dumps((plainly if wanted["plain"] else by_the_stage)(wanted)))
