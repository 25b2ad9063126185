"""The parts of the pages that other files decide: the stages and their graph (``dvc.yaml``), and every figure (``metrics/``, and
what the benchmarks wrote into ``tests/benchmarks/results/``).

``python -m tests.readme`` writes them anew; a test holds the pages to them.
"""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
STAGES = ROOT / "stages" / "README.md"
TRAINING = ROOT / "stages" / "training" / "README.md"
RESULTS = ROOT / "tests" / "benchmarks" / "results"

SETS = {
    "atom": "HN-Atom, systematicity",
    "comp": "HN-Comp",
    "atom_prod": "HN-Atom, productivity",
    "swap": "HN-Swap",
    "neg": "HN-Neg",
}


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def rows(head: list[str], body: list[list[str]]) -> str:
    return "\n".join(["| " + " | ".join(head) + " |", "|---" * len(head) + "|", *("| " + " | ".join(row) + " |" for row in body)])


# --- dvc.yaml ----


def stages() -> dict[str, dict]:
    """The stages of ``dvc.yaml`` in its order, one for all of a ``foreach``."""
    pipeline = YAML(typ="safe", pure=True).load(ROOT / "dvc.yaml")["stages"]
    return {name: stage.get("do", stage) for name, stage in pipeline.items()}


def paths(stage: dict, key: str) -> list[str]:
    entries = [next(iter(entry)) if isinstance(entry, dict) else entry for entry in stage.get(key, [])]
    return [entry for entry in entries if not entry.startswith("stages/")]


def table() -> str:
    body = []
    for name, stage in stages().items():
        each = " (for each training set)" if "${key}" in str(stage) else ""
        outs = "<br>".join(f"`{out.replace('${key}', '*')}`" for out in paths(stage, "outs"))
        body.append([f"`{name}`{each}", stage["desc"], outs])
    return rows(["stage", "what it does", "writes"], body)


def graph() -> str:
    """Which stage reads what which other stage writes, as Mermaid draws it."""
    inputs = {
        "${item.path}": "data/sample/x",
        "${visual_genome.annotations}": "data/sample",
        "${visual_genome.images}": "data/sample",
        "${gen_order.captions}": "data/sample/x",
        "${gen_order.images_in}": "data/sample",
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


# --- figures ----


def blind_suites() -> str:
    """Which sets are solved blind, as ``python -m tests.benchmarks.blind_suites`` and, of our ARO, ``evaluate`` found."""
    asked = read(ROOT / "metrics" / "evaluate.json")
    own = {name: of for suite in ("aro_order", "aro") for name, of in sorted(asked[suite].items())}
    made = {
        name: {"n": of["all"]["n"], "chance": of["all"]["r1_chance"], "best": of["all"]["blind_r1"]}
        | {"scorer": of["blind"]["best"], "trained": of["blind"]["trained"]}
        for name, of in own.items()
    }
    body = [
        [name, subset, f"{of['n']:,}", f"{of['chance']:.1f}", f"**{of['best']:.1f}**", f"`{of['scorer']}`", f"{of['trained']:.1f}"]
        for name, suite in [*sorted(read(RESULTS / "blind_suites.json").items()), ("ARO, as made on the sample", made)]
        for subset, of in suite.items()
    ]
    return rows(["suite", "set", "cases", "chance", "best blind scorer", "which", "trained adversary"], body)


def sets() -> str:
    """How many queries keep a full set: on the sample in the way of ``params.yaml``, and on real annotations both ways."""
    ledgers = {name: read(ROOT / "metrics" / f"{name}.json") for name in ("gen_hn_atom", "gen_hn_comp", "gen_hn_prod")}
    prod = ledgers["gen_hn_prod"]["kept_share"]
    sample = {"atom": ledgers["gen_hn_atom"]["kept_share"], "comp": ledgers["gen_hn_comp"]["kept_share"]}
    sample |= {"atom_prod": prod["HN-Atom"], "swap": prod["HN-Swap"], "neg": prod["HN-Neg"]}
    real = read(RESULTS / "real.json")

    def kept(of: Mapping[str, int]) -> str:
        return f"{of['kept']} of {of['eligible']} ({100 * of['kept'] / max(of['eligible'], 1):.0f} %)"

    body = [
        [title, f"{100 * sample[key]:.0f} %", kept(real["balanced"][key]), kept(real["paper"][key])] for key, title in SETS.items()
    ]
    return rows(["queries with a full set", "sample, `balanced`", "real, `balanced`", "real, `paper`"], body)


def ours() -> str:
    """What is known of the sample's own negatives, what tells them without looking, and what the sample's model reaches."""
    audited, asked = read(ROOT / "metrics" / "audit.json"), read(ROOT / "metrics" / "evaluate.json")
    model = {"atom": asked["sys"]["atom"], "comp": asked["sys"]["comp"]}
    model |= {name: asked["prod"][name.partition("_")[0]] for name in ("atom_prod", "swap", "neg")}
    body = []
    for name, title in SETS.items():
        false, blind = audited["truly_false"][name], audited["blind"][name]
        figures = [blind["chance"], blind["best"], audited["trained"][name]["r1"], model[name]["all"]["r1"]]
        body.append([title, f"{100 * false['share']:.1f} % of {false['n']:,}", *(f"{figure:.1f}" for figure in figures)])
    return rows(
        ["sample, `balanced`", "negatives truly false", "chance", "best blind scorer", "trained adversary", "the sample's model"],
        body,
    )


TRAINED = {
    "sys atom": SETS["atom"],
    "sys comp": SETS["comp"],
    "prod atom": SETS["atom_prod"],
    "prod swap": SETS["swap"],
    "prod neg": SETS["neg"],
    "aro relation": "ARO, relations",
    "aro attribution": "ARO, attributes",
    "aro_order order": "ARO, order",
}
"""Titles of the sets that ``python -m tests.benchmarks.training`` asks; its other figures have theirs already."""


def training() -> str:
    """What each way of training buys on the sample: what ``python -m tests.benchmarks.training`` found."""
    found = read(RESULTS / "training.json")
    methods = found["methods"]

    def cell(of: Mapping[str, float]) -> str:
        return f"{of['mean']:.1f}" + (f" ± {of['sd']:.1f}" if found["seeds"] > 1 else "")

    names = [*TRAINED, *(name for name in next(iter(methods.values())) if name not in TRAINED)]
    body = [
        [TRAINED.get(name, name), *(cell(of[name]) for of in methods.values()), f"{found['blind'].get(name, float('nan')):.1f}"]
        for name in names
    ]
    head = [f"R@1; {found['steps']} steps, seeds: {found['seeds']}", *(f"`{method}`" for method in methods), "best blind scorer"]
    figures = rows(head, [[cell.replace("nan", "–") for cell in row] for row in body])
    # Of one training of each, a difference says nothing of the methods.
    return f"{figures}\n\n{differences(found['differences'])}" if found["seeds"] > 1 else figures


def differences(found: Mapping[str, Mapping[str, Any]]) -> str:
    """Paired differences of methods, with the 95 % interval over the queries and the least and greatest of a seed."""

    def cell(of: Mapping[str, Any]) -> str:
        interval = "" if of["low"] is None else f" [{of['low']:+.1f}, {of['high']:+.1f}]"
        return f"{of['d']:+.1f}{interval}<br>{min(of['seeds']):+.1f} to {max(of['seeds']):+.1f}"

    body = [[title, *(cell(sets[name]) for sets in found.values())] for name, title in TRAINED.items()]
    return rows(["points [95 % over queries]<br>least to greatest of a seed", *found], body)


PAGES: dict[Path, dict[str, Callable[[], str]]] = {
    README: {"official": blind_suites, "sets": sets, "ours": ours},
    STAGES: {"stages": table, "graph": graph},
    TRAINING: {"training": training},
}
"""By page, the parts between its markers."""


def with_generated_parts(page: Path) -> str:
    """The page with what stands between its markers written anew."""
    text = page.read_text(encoding="utf-8")
    for marker, part in PAGES[page].items():
        pattern = re.compile(rf"(<!-- {marker} -->\n).*?(<!-- end of {marker} -->)", re.DOTALL)
        if not pattern.search(text):
            raise ValueError(f"{page.relative_to(ROOT)} has no place marked {marker}")
        text = pattern.sub(lambda match, part=part: f"{match[1]}{part()}\n{match[2]}", text)
    return text


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(with_generated_parts(page), encoding="utf-8")
