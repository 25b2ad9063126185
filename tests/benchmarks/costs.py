"""Estimate the cost of the whole pipeline: extrapolate the seconds that ``full_size --take`` measured at small shares.

A stage's seconds, minus those of a run on next to nothing, grow in proportion to its images or captions. If an image stage grew
faster between the two largest shares, its upper figure uses that exponent. Each caption is read and parsed independently.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from math import log
from pathlib import Path
from typing import Any, NamedTuple

from stages.contract.files import write_json
from stages.contract.json_files import read_json

RESULTS = Path(__file__).parent / "results" / "full_size.json"
CAPTIONS = "read_captions", "parse_train", "seen_index"
"""Stages whose cost depends on the training captions; the others depend on the images."""
NUMBERS = {"Visual Genome's images and negatives": 0, "with CC12M": 12_400_000, "with LAION-400M": 413_000_000}
"""Number of captions in each case (Changpinyo et al., CVPR 2021; Schuhmann et al., 2021)."""
WORKERS = 2, 16, 64
FEW = 0.2
"""Minimum processor hours of a listed stage."""
LEAST = 2.0
"""Up to this many seconds, a stage is all start-up."""
Costs = Mapping[str, Mapping[str, float]]
"""``cpu_s``, ``wall_s``, ``peak_mb`` and ``rows`` of each stage."""


def take(costs: Mapping[float, Costs], captions: int) -> None:
    """Write the costs of all shares; at full size, each of the three training sets has ``captions`` captions."""
    shares = {
        f"{share:g}": {stage: {key: round(value, 1) for key, value in of.items()} for stage, of in stages.items()}
        for share, stages in sorted(costs.items())
    }
    write_json(RESULTS, {"captions": 3 * captions, "shares": shares})


class Measured(NamedTuple):
    """A stage's peak memory at its largest share, and its seconds without start-up at the two largest, if there are two."""

    share: float
    peak_mb: float
    grown: list[tuple[float, float]]

    @classmethod
    def of(cls, at: Mapping[float, Mapping[str, float]]) -> Measured:
        """Return the cost from all shares; the smallest is next to nothing, so its cost is all start-up."""
        (_, begin), *others = sorted(at.items())
        grown = [(share, max(cost["cpu_s"] - begin["cpu_s"], 0.0)) for share, cost in others[-2:]]
        return cls(others[-1][0], others[-1][1]["peak_mb"], grown)

    def exponent(self) -> float | None:
        """Return the slope of log seconds over log share, or ``None`` for a single share or at most two seconds."""
        (less, few), (more, many) = self.grown[0], self.grown[-1]
        return log(many / few) / log(more / less) if more > less and min(few, many) > LEAST else None


class FullSize:
    """Extrapolates the costs in a results file."""

    def __init__(self, found: Mapping[str, Any]):
        self.captions = int(found["captions"])
        by_stage: dict[str, dict[float, Mapping[str, float]]] = {}
        for share, stages in found["shares"].items():
            for stage, cost in stages.items():
                by_stage.setdefault(stage, {})[float(share)] = cost
        self.stages = {stage: Measured.of(at) for stage, at in by_stage.items()}

    def hours(self, stage: str, captions: int) -> tuple[float, float]:
        """Return a stage's processor hours at full size: in proportion, and by its exponent if that gives more."""
        measured = self.stages[stage]
        hours = measured.grown[-1][1] / 3600
        if stage in CAPTIONS:
            return (hours * captions / (measured.share * self.captions),) * 2
        return hours / measured.share, hours / measured.share ** max(measured.exponent() or 1.0, 1.0)

    def total(self, captions: int) -> tuple[float, float]:
        """Return the processor hours of all stages."""
        of_each = [self.hours(stage, captions) for stage in self.stages if captions or stage not in CAPTIONS]
        return sum(least for least, _ in of_each), sum(most for _, most in of_each)


def ranged(least: float, most: float) -> str:
    """Return two figures as a range, or as one figure if they print alike."""
    one, other = f"{least:,.0f}", f"{most:,.0f}"
    return one if one == other else f"{one} to {other}"


def table() -> str:
    """Return a Markdown table of the costs of three cases, and a list of the most expensive stages."""
    full = FullSize(read_json(RESULTS, "run python -m tests.benchmarks.full_size --take"))
    lines = [f"| | processor hours | {' | '.join(f'minutes, {n} workers' for n in WORKERS)} |", "|---|---|---|---|---|"]
    for name, captions in NUMBERS.items():
        both = full.total(captions)
        minutes = (ranged(*(60 * hours / n for hours in both)) for n in WORKERS)
        lines.append(f"| {name} | {ranged(*both)} | {' | '.join(minutes)} |")
    hours = {stage: full.hours(stage, NUMBERS["with CC12M"])[0] for stage in full.stages}
    largest = []
    for stage in sorted((stage for stage in hours if hours[stage] >= FEW), key=lambda stage: -hours[stage]):
        exponent, measured = full.stages[stage].exponent(), full.stages[stage]
        grows = f", exponent {abs(exponent):.2f}" if exponent and exponent > -0.005 else ""
        largest.append(f"`{stage}` {hours[stage]:.1f} h{grows}, {measured.peak_mb / 1000:.1f} GB")
    greatest = max(measured.share for measured in full.stages.values())
    less = [f"`{stage}`" for stage, measured in sorted(full.stages.items()) if measured.share < greatest]
    where = f"{greatest:.1%}" + (f" ({', '.join(less)}: at a smaller share)" if less else "")
    listed = "; ".join([*largest, f"others below {FEW} h"])
    what = f"Processor hours with CC12M, growth, and peak memory of two workers at {where}: {listed}."
    return "\n".join([*lines, "", textwrap.fill(what, 120, break_on_hyphens=False)])
