"""The parts of the README that ``dvc.yaml`` decides: the table of stages and their graph.

``python -m tests.readme`` writes them anew; a test holds the README to them.
"""

from __future__ import annotations

import re
from pathlib import Path

from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"


def stages() -> dict[str, dict]:
    """The stages of ``dvc.yaml`` in its order, one for all of a ``foreach``."""
    pipeline = YAML(typ="safe", pure=True).load(ROOT / "dvc.yaml")["stages"]
    return {name: stage.get("do", stage) for name, stage in pipeline.items()}


def paths(stage: dict, key: str) -> list[str]:
    entries = [next(iter(entry)) if isinstance(entry, dict) else entry for entry in stage.get(key, [])]
    return [entry for entry in entries if not entry.startswith("stages/")]


def table() -> str:
    rows = ["| stage | what it does | writes |", "|---|---|---|"]
    for name, stage in stages().items():
        each = " (for each training set)" if "${key}" in str(stage) else ""
        outs = "<br>".join(f"`{out.replace('${key}', '*')}`" for out in paths(stage, "outs"))
        rows.append(f"| `{name}`{each} | {stage['desc']} | {outs} |")
    return "\n".join(rows)


def graph() -> str:
    """Which stage reads what which other stage writes, as Mermaid draws it."""
    inputs = {
        "${item.path}": "data/sample/x",
        "${visual_genome.annotations}": "data/sample",
        "${visual_genome.images}": "data/sample",
    }
    inputs["${evaluate.checkpoints}"] = "data/train/model"
    outs = {out: name for name, stage in stages().items() for key in ("outs", "metrics", "plots") for out in paths(stage, key)}
    edges = []
    for name, stage in stages().items():
        for dep in paths(stage, "deps"):
            for variable, path in inputs.items():
                dep = dep.replace(variable, path)
            for out, maker in outs.items():
                related = dep == out or dep.startswith(f"{out}/") or out.startswith(f"{dep}/")
                if related and maker != name and (maker, name) not in edges:
                    edges.append((maker, name))
    return "\n".join(["```mermaid", "flowchart TD", *(f"    {a} --> {b}" for a, b in edges), "```"])


def with_generated_parts(text: str) -> str:
    """``text`` with what stands between its markers written anew."""
    for marker, part in (("stages", table()), ("graph", graph())):
        pattern = re.compile(rf"(<!-- {marker} -->\n).*?(<!-- end of {marker} -->)", re.DOTALL)
        if not pattern.search(text):
            raise ValueError(f"README.md has no place marked {marker}")
        text = pattern.sub(lambda match, part=part: f"{match[1]}{part}\n{match[2]}", text)
    return text


if __name__ == "__main__":
    README.write_text(with_generated_parts(README.read_text(encoding="utf-8")), encoding="utf-8")
