"""Score every case of our exports with a harness, in an environment that has it; ``tests.benchmarks.harnesses`` calls this.

``python harness_drivers.py HARNESS OUT`` writes ``OUT/HARNESS.json``: which cases the harness scores as right.
"""

import json
import sys
from pathlib import Path
from typing import Any

import open_clip


def clip_benchmark(out: Path) -> dict[str, bool]:
    """Use its data set and its metric one case at a time, as with ``--no_amp``; files are named as on the suites' page."""
    import torch
    from clip_benchmark.datasets.builder import build_dataset
    from clip_benchmark.metrics.image_caption_selection import evaluate

    model, _, transform = open_clip.create_model_and_transforms(f"local-dir:{out / 'model'}")
    model.eval()
    tokenizer = open_clip.get_tokenizer(f"local-dir:{out / 'model'}")
    found = {}
    for path in sorted((out / "sugarcrepe").glob("*.json")):
        root = out / "clip_benchmark" / path.stem
        root.mkdir(parents=True)
        (root / "swap_obj.json").write_bytes(path.read_bytes())
        (root / "val2017").symlink_to(out / "sugarcrepe" / "images")
        how = {"root": str(root), "transform": transform, "task": "image_caption_selection"}
        dataset: Any = build_dataset("sugar_crepe/swap_obj", **how)
        for i, entry in enumerate(json.loads(path.read_text(encoding="utf-8")).values()):
            image, texts = dataset[i]
            metrics = evaluate(model, [(torch.stack([image]), [texts])], tokenizer, "cpu", amp=False)
            key = "/".join((path.stem, *(entry[column] for column in ("filename", "caption", "negative_caption"))))
            found[key] = metrics["text_acc"] == 1
    return found


class Encoder:
    """The tiny model with mteb's interface: batches of texts or of images to features."""

    def __init__(self, folder: Path):
        self.model, _, self.transform = open_clip.create_model_and_transforms(f"local-dir:{folder}")
        self.model.eval()
        self.tokenizer = open_clip.get_tokenizer(f"local-dir:{folder}")

    def encode(self, inputs: Any, **_: Any) -> Any:
        import torch

        features = []
        with torch.no_grad():
            for batch in inputs:
                if "image" in batch:
                    features.append(self.model.encode_image(torch.stack([self.transform(image) for image in batch["image"]])))
                else:
                    features.append(self.model.encode_text(self.tokenizer(list(batch["text"]))))
        return torch.cat(features)


def mteb(out: Path) -> dict[str, bool]:
    """Use its evaluator and its metric on each configuration, with one text column per caption."""
    import datasets
    from mteb._evaluators import ImageTextPairClassificationEvaluator
    from mteb.abstasks.image.image_text_pair_classification import AbsTaskImageTextPairClassification
    from mteb.timing import TimingStack

    found = {}
    model = Encoder(out / "model")
    for name in datasets.get_dataset_config_names(str(out / "columns")):
        rows = datasets.load_dataset(str(out / "columns"), name, split="test")
        texts = [column for column in rows.column_names if column not in ("query_id", "image")]
        evaluator = ImageTextPairClassificationEvaluator(
            rows.select_columns(["image", *texts]),
            images_column_names="image",
            texts_column_names=texts,
            num_images_per_sample=1,
            num_texts_per_sample=len(texts),
            task_metadata=None,
            hf_split="test",
            hf_subset=name,
            timer=TimingStack(),
        )
        for query_id, scores in zip(rows["query_id"], evaluator(model, encode_kwargs={"batch_size": 64}), strict=True):
            metrics = AbsTaskImageTextPairClassification._compute_metrics(None, [scores], 1, len(texts))
            found[f"{name.partition('_of_')[0]}/{query_id}"] = metrics["text_acc"] == 1
    return found


def lmms_eval(out: Path) -> dict[str, bool]:
    """Use its reader for our tasks, and their verdict on the letter that a model with our scores would answer."""
    from lmms_eval.tasks import TaskManager, get_task_dict

    ours = json.loads((out / "ours.json").read_text())
    folder = out / "huggingface" / "lmms_eval"
    names = sorted(path.stem for path in folder.glob("*.yaml") if path.stem != "crepe")
    found = {}
    for task in get_task_dict([f"crepe_{name}" for name in names], TaskManager(include_path=str(folder))).values():
        name = task.config.task.removeprefix("crepe_")
        for doc in task.test_docs():
            key = f"{name}/{doc['query_id']}"
            best = max(range(len(doc["captions"])), key=[ours[key][text] for text in doc["captions"]].__getitem__)
            assert f"{'ABCDEFGH'[best]}. {doc['captions'][best]}" in task.doc_to_text(doc)
            assert task.doc_to_visual(doc)[0].mode == "RGB"
            found[key] = task.process_results(doc, ["ABCDEFGH"[best]])["accuracy"] == 1
    return found


DRIVERS = {"clip_benchmark": clip_benchmark, "mteb": mteb, "lmms_eval": lmms_eval}

if __name__ == "__main__":
    name, folder = sys.argv[1], Path(sys.argv[2])
    (folder / f"{name}.json").write_text(json.dumps(DRIVERS[name](folder)))
