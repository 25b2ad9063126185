"""The generated parts of the pages: ``python -m tests.readme`` writes them, and a test compares the pages with what it writes.

Figures come from files in git under ``tests/benchmarks/results/`` and never from ``metrics/``, which every run rewrites.
``python -m tests.readme --take [FOLDER …]`` copies what the pages quote from ``metrics/`` into ``sample.json``, and writes the
pages. With the metrics of several runs, such as one per seed, the pages give means with the least and the greatest.
"""

import argparse
import json
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from stages.contract.schemas import CLEARED, PAPER
from stages.page.answer import HEADS, own_sets, strongest
from tests.benchmarks import costs

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
STAGES = ROOT / "stages" / "README.md"
SUITES = ROOT / "stages" / "suites" / "README.md"
TRAINING = ROOT / "stages" / "training" / "README.md"
BENCHMARKS = ROOT / "tests" / "benchmarks" / "README.md"
RESULTS = ROOT / "tests" / "benchmarks" / "results"
SAMPLE = RESULTS / "sample.json"
"""The sample's figures that pages quote: ``runs``, a list of what :func:`taken` returns for each run."""

TYPES = {
    "sys_atom": "HN-Atom, systematicity",
    "sys_comp": "HN-Comp, systematicity",
    "prod_atom": "HN-Atom, productivity",
    "prod_swap": "HN-Swap, productivity",
    "prod_neg": "HN-Neg, productivity",
}
AUDITED = dict(zip(TYPES, ("atom", "comp", "atom_prod", "swap", "neg"), strict=True))
"""The audit's names for the types."""
MIN_QUERIES = 30
"""Number of queries below which a figure is in brackets; the report's threshold is the same."""
SPREAD = 2.5
"""Points by which figures of the sample's model differ between processors (``report.machine_spread``)."""


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def rows(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    return "\n".join(["| " + " | ".join(head) + " |", "|---" * len(head) + "|", *("| " + " | ".join(row) + " |" for row in body)])


# --- dvc.yaml ----


def stages() -> dict[str, dict]:
    """Return the stages of ``dvc.yaml`` in its order, one for each ``foreach``."""
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
        packages = sorted(dep.removeprefix("stages/") for dep in stage["deps"] if re.fullmatch(r"stages/\w+", dep))
        body.append([f"`{name}`{each}", stage["desc"], outs, ", ".join(packages)])
    return rows(["stage", "what it does", "writes", "depends on the packages"], body)


# --- figures of the sample ----


def taken(metrics: Path) -> dict[str, Any]:
    """Return what the pages quote from a run's folder ``metrics``: ``types``, ``truly_false`` and ``aro``."""
    asked, audited = read(metrics / "evaluate.json"), read(metrics / "audit.json")
    types = {
        f"{suite}_{name}": {protocol: group(of) for protocol in HEADS if (of := asked.get(protocol, {}).get(suite, {}).get(name))}
        for suite, name in own_sets(asked)
    }
    shares = {protocol: audited.get("truly_false", {}).get(protocol, {}) for protocol in (PAPER, CLEARED)}
    false = {
        protocol: {name: {key: of[key] for key in ("share", "n")} for name, of in own.items()} for protocol, own in shares.items()
    }
    aro = {name: group(of) for suite in ("aro_order", "aro") for name, of in sorted(asked.get(suite, {}).items())}
    return {"types": types, "truly_false": false, "aro": aro}


def group(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return the quoted figures of a set: of the model, and of the strongest scorer that sees no image."""
    every, shortcuts = figures["all"], figures.get("shortcuts") or {}
    text, scorer = strongest(figures)
    return {
        "n": every["n"],
        "chance": every.get("r1_chance"),
        "r1": every.get("r1"),
        "text": text.value if text else None,
        "scorer": scorer,
        "untrained": every.get("shortcut_r1"),
        "untrained_scorer": shortcuts.get("best"),
        "trained": every.get("trained_r1"),
    }


def runs() -> list[dict[str, Any]]:
    return read(SAMPLE)["runs"]


def values(name: str, protocol: str, key: str) -> list[float]:
    """Return a figure of a type, once for each run that has it."""
    found = (run["types"].get(name, {}).get(protocol, {}).get(key) for run in runs())
    return [value for value in found if value is not None]


def mean(of: Sequence[float]) -> float:
    return sum(of) / len(of)


def ranged(of: Sequence[float], form: str = ".1f") -> str:
    """Return the mean of some runs' figures, with the least and the greatest if there are several."""
    if not of:
        return "–"
    spread = f" ({min(of):{form}}–{max(of):{form}})" if len(of) > 1 else ""
    return f"{mean(of):{form}}{spread}"


def ours() -> str:
    """Return a table of both protocols: per type the model and the strongest scorer that sees no image, on each kind of set."""
    body = []
    for name, title in TYPES.items():
        cells = []
        for protocol in HEADS:
            few = mean(values(name, protocol, "n") or [0]) < MIN_QUERIES
            both = [ranged(values(name, protocol, "r1")), f"*{ranged(values(name, protocol, 'text'))}*"]
            cells.append(" / ".join(f"[{cell}]" if few else cell for cell in both))
        sets = " / ".join(ranged(values(name, protocol, "n"), ",.0f") for protocol in (PAPER, CLEARED))
        body.append([title, *cells, ranged([mean(values(name, PAPER, "chance"))]), sets])
    head = ["R@1 in %: model / *best text-only*", "`paper`", "`paper`, queries that `cleared` kept", "`cleared`", "chance"]
    return rows([*head, "sets: `paper` / `cleared`"], body)


def finding() -> str:
    """Return the finding in three sentences."""

    def reached(protocol: str, key: str) -> str:
        enough = [name for name in TYPES if mean(values(name, protocol, "n") or [0]) >= MIN_QUERIES]
        found = [mean(of) for name in enough if (of := values(name, protocol, key))]
        return f"{min(found):.0f} to {max(found):.0f} %"

    def above(name: str) -> bool:
        return mean(values(name, CLEARED, "r1")) - mean(values(name, CLEARED, "text")) > SPREAD

    chance = [mean(values(name, PAPER, "chance")) for name in TYPES]
    better = [
        "{} ({})".format(*title.split(", ")) for name, title in TYPES.items() if values(name, CLEARED, "text") and above(name)
    ]
    others = ", and on no other type" if 0 < len(better) < len(TYPES) else ""
    sentences = (
        "Hard negatives made by the paper's rules can be solved without the image: the best text-only scorer is right",
        f"in {reached(PAPER, 'text')} of the sample's sets, by type, where chance is {min(chance):.0f} to {max(chance):.0f} %.",
        f"In sets of the same types, chosen against shortcuts (`cleared`), such scorers reach {reached(CLEARED, 'untrained')},",
        "and the best of all text-only scorers, including an adversary trained on the sets and a language model of a kind that",
        f"selection never used, {reached(CLEARED, 'text')}. There the sample's small model beats text alone on",
        f"{', '.join(better) or 'no type'}{others}.",
    )
    return textwrap.fill(" ".join(sentences), 120, break_on_hyphens=False)


def false() -> str:
    """Return a table of how many of the sample's negatives are false according to its complete truth."""
    body = []
    for name, title in TYPES.items():
        cells = []
        for protocol in (PAPER, CLEARED):
            found = (run["truly_false"][protocol].get(AUDITED[name]) for run in runs())
            every = [of for of in found if of and of["share"] is not None]
            shares, numbers = [100 * of["share"] for of in every], [of["n"] for of in every]
            cells.append(f"{ranged(shares)} % of {mean(numbers):,.0f}" if every else "–")
        body.append([title, *cells])
    return rows(["negatives truly false", "`paper`", "`cleared`"], body)


# --- figures of benchmarks ----


def solved() -> Iterator[list[str]]:
    """Yield what scorers without an image solve: in suites, by ``python -m tests.benchmarks.blind_suites``, and in our ARO."""
    published = sorted(read(RESULTS / "blind_suites.json").items())
    every = [(name, subset, of) for name, suite in published for subset, of in suite.items()]
    own = next(iter(runs()))["aro"]
    made = {"chance": "chance", "best": "untrained", "scorer": "untrained_scorer", "trained": "trained", "n": "n"}
    every += [
        ("ARO, as made on the sample", subset, {key: of[name] for key, name in made.items()})
        for subset, of in own.items()
        if of["untrained"] is not None and of["trained"] is not None
    ]
    for name, subset, of in every:
        figures = [f"{of['n']:,}", f"{of['chance']:.1f}", f"**{of['best']:.1f}**", f"`{of['scorer']}`", f"{of['trained']:.1f}"]
        yield [name, subset, *figures]


SOLVED = ["suite", "set", "cases", "chance", "best shortcut", "which", "trained adversary"]
FIRST = 5


def suites() -> str:
    """Return a table with one row per suite: for each set the best shortcut, its name and the adversary."""
    by_suite: dict[str, list[list[str]]] = {}
    for name, *cells in solved():
        by_suite.setdefault(name, []).append(cells)
    body = []
    for name, sets in by_suite.items():
        each = [f"{subset} ({n}): {best} {scorer}, {trained}" for subset, n, _, best, scorer, trained in sets]
        body.append([name, sets[0][2], "; ".join(each)])
    return rows(["suite", "chance", "set (cases): **best shortcut** which, trained adversary"], body)


def first_suites() -> str:
    return rows(SOLVED, list(solved())[:FIRST])


def measured() -> str:
    """Return what the benchmarks measured, one per row: ``results/figures.json``, a list of {what, on, figure, command}."""
    body = [[row["what"], row["on"], row["figure"], f"`{row['command']}`"] for row in read(RESULTS / "figures.json")]
    return rows(["what", "on what", "figure", "command: `python -m tests.benchmarks.` …"], body)


TRAINED = {
    "sys atom": TYPES["sys_atom"],
    "sys comp": TYPES["sys_comp"],
    "prod atom": TYPES["prod_atom"],
    "prod swap": TYPES["prod_swap"],
    "prod neg": TYPES["prod_neg"],
    "aro relation": "ARO, relations",
    "aro attribution": "ARO, attributes",
    "aro_order order": "ARO, order",
}
"""Titles of the sets that ``python -m tests.benchmarks.training`` evaluates; its other figures already have titles."""


def training() -> str:
    """Return what each training method gains on the sample, as measured by ``python -m tests.benchmarks.training``."""
    found = read(RESULTS / "training.json")
    methods = found["methods"]

    def cell(of: Mapping[str, float]) -> str:
        return f"{of['mean']:.1f}" + (f" ± {of['sd']:.1f}" if found["seeds"] > 1 else "")

    names = [*TRAINED, *(name for name in next(iter(methods.values())) if name not in TRAINED)]
    body = [
        [TRAINED.get(name, name), *(cell(of[name]) for of in methods.values()), f"{found['shortcut'].get(name, float('nan')):.1f}"]
        for name in names
    ]
    head = [f"R@1; {found['steps']} steps, seeds: {found['seeds']}", *(f"`{method}`" for method in methods), "best shortcut"]
    return rows(head, [[cell.replace("nan", "–") for cell in row] for row in body])


PAGES: dict[Path, dict[str, Callable[[], str]]] = {
    README: {"finding": finding, "ours": ours, "suites": first_suites},
    STAGES: {"stages": table},
    SUITES: {"suites": suites},
    TRAINING: {"training": training},
    BENCHMARKS: {"false": false, "results": measured, "costs": costs.table},
}
"""The generated parts of each page, by their markers."""


def with_generated_parts(page: Path) -> str:
    """Return the page with the parts between its markers regenerated.

    Raises:
        ValueError: a marker is missing.
    """
    text = page.read_text(encoding="utf-8")
    for marker, part in PAGES[page].items():
        pattern = re.compile(rf"(<!-- {marker} -->\n).*?(<!-- end of {marker} -->)", re.DOTALL)
        if not pattern.search(text):
            raise ValueError(f"{page.relative_to(ROOT)} has no place marked {marker}")
        text = pattern.sub(lambda match, part=part: f"{match[1]}{part()}\n{match[2]}", text)
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--take", type=Path, nargs="*", metavar="FOLDER", help="folders of metrics; without one, metrics/")
    wanted = parser.parse_args()
    if wanted.take is not None:
        found = {"runs": [taken(folder) for folder in wanted.take or [ROOT / "metrics"]]}
        SAMPLE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    for page in PAGES:
        page.write_text(with_generated_parts(page), encoding="utf-8")


if __name__ == "__main__":
    main()
