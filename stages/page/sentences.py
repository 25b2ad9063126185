"""The three sentences of the report: against text, on unseen compounds, and as captions grow."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from stages.contract.schemas import CLEARED, PAPER
from stages.page.answer import beaten, own_sets
from stages.page.display_names import AUDITED, all_sets, set_name, sets
from stages.page.figure import Figure, points, tells

Metrics = Mapping[str, Any]
ONE_COLOUR = 0.03
"""Fraction of crops of one colour above which the report mentions them."""
VERDICTS = {
    "yes": "the model beats every text-only guess on",
    "worse": "a text-only guess does better than the model on",
    "no": "a text-only guess does as well as the model on",
    "unclear": "which of the two is better is unclear on",
    "few": "there are too few queries or images to tell on",
    "none": "there are no queries of",
}
FAULTS = 3
"""Maximum number of violations by text-only scorers that are named; the others are in ``metrics/audit.json``."""


def three(metrics: Metrics, spread: float = 0.0) -> list[str]:
    """Return the sentences that the results allow.

    Args:
        spread: the difference in points between machines; smaller differences are not attributed to the model.
    """
    protocol = CLEARED if metrics.get(CLEARED) else PAPER
    shown = metrics.get(protocol) or {}
    if not any(own_sets(metrics)):
        return [f"The model {metrics['model']['name']} was not evaluated on CREPE's own sets: other suites are below."]
    return [against_text(metrics, shown, protocol, spread), *unseen(shown, spread), *longer(shown, spread)]


def against_text(metrics: Metrics, shown: Metrics, protocol: str, spread: float) -> str:
    """Return a sentence on which types the model beats every text-only scorer."""
    verdicts: dict[str, list[str]] = {}
    for suite, name in own_sets(metrics):
        figures = shown.get(suite, {}).get(name)
        cell = beaten(figures, spread) if figures else None
        verdicts.setdefault(cell.verdict if cell else "none", []).append(f"{set_name(suite, name)} ({suite})")
    where = "sets that are cleared of text-only shortcuts" if protocol == CLEARED else "the paper's sets"
    parts = [f"{text} {_and(verdicts[verdict])}" for verdict, text in VERDICTS.items() if verdict in verdicts]
    return f"On {where}, {'; '.join(parts)}."


def unseen(shown: Metrics, spread: float) -> Iterator[str]:
    """Yield a sentence on whether unseen compounds are harder, on similar items and beyond text alone."""
    gaps = {
        name: figures["gap"] for name, figures in sets(shown, "sys").items() if figures.get("gap") and tells(figures["gap"]["raw"])
    }
    if not gaps:
        return
    harder = [name for name, gap in gaps.items() if all(_surely(figures, spread) for figures in _of_gap(gap))]
    raw = [name for name, gap in gaps.items() if _surely(gap["raw"], spread)]
    if harder:
        harder_for = _each("sys", harder, gaps)
        yield f"Compounds unseen in training are harder for the model: {harder_for}, also between similar captions."
    elif raw:
        reason = "similar captions, or scorers that see no image, may differ as much"
        yield f"Compounds unseen in training look harder ({_each('sys', raw, gaps)}), but {reason}."
    else:
        yield f"These sets show no clear loss on compounds unseen in training: {_each('sys', [*gaps], gaps)}."


def _of_gap(gap: Metrics) -> list[Metrics]:
    """Return the differences that must be above 0 for unseen compounds to be harder: raw, matched, and over the shortcuts."""
    left = gap.get("over_shortcut") or {}
    return [difference for difference in (gap["raw"], gap["matched"], left.get("raw"), left.get("matched")) if difference]


def longer(shown: Metrics, spread: float) -> Iterator[str]:
    """Yield a sentence on whether longer captions are harder, beyond text alone."""
    slopes = {name: figures["slope"] for name, figures in sets(shown, "prod").items() if (figures.get("slope") or {}).get("raw")}
    slopes = {name: figures for name, figures in slopes.items() if figures["raw"]["low"] is not None}
    if not slopes:
        return
    numbers = [int(group[1:]) for figures in sets(shown, "prod").values() for group in figures if re.fullmatch(r"n\d+", group)]
    atoms = max(numbers) - min(numbers)

    def falls(slope: Metrics) -> bool:
        return slope["high"] is not None and slope["high"] < 0

    def listed(names: Sequence[str]) -> str:
        each = [f"{set_name('prod', name)} {points(slopes[name]['raw'])}" for name in names]
        return f"{_and(each)} with each further atom"

    raw = [name for name, figures in slopes.items() if falls(figures["raw"]) and -figures["raw"]["d"] * atoms > spread]
    if harder := [name for name in raw if falls(slopes[name].get("over_shortcut") or slopes[name]["raw"])]:
        yield f"Longer captions are harder for the model: {listed(harder)}."
    elif raw:
        yield f"Longer captions look harder ({listed(raw)}), but scorers that see no image may fall as much."
    else:
        yield f"These sets show no clear loss as captions grow: {listed([*slopes])}."


def _surely(difference: Metrics, spread: float) -> bool:
    return tells(difference) and difference["low"] > 0 and difference["d"] > spread


def _each(suite: str, names: Sequence[str], gaps: Metrics) -> str:
    return _and([f"{set_name(suite, name)} {points(_negated(gaps[name]['raw']))}" for name in names])


def _negated(difference: Metrics) -> dict[str, Any]:
    return {"d": -difference["d"], "low": -difference["high"], "high": -difference["low"]}


def cautions(metrics: Metrics, audit: Metrics | None) -> Iterator[str]:
    """Yield warnings about the benchmark, in sentences."""
    faults = list((audit or {}).get("faults", {}).get(CLEARED, {}).values())
    if faults:
        named = "; ".join(re.sub(r"^\w+", lambda name: AUDITED.get(name[0], name[0]), fault) for fault in faults[:FAULTS])
        more = f"; and {len(faults) - FAULTS:,} more, in metrics/audit.json" if len(faults) > FAULTS else ""
        yield f"Text-only scorers stand out in some groups of the cleared sets: {named}{more}."
    if (cut := metrics.get("captions", {})).get("cut"):
        yield f"{cut['cut']:,} of {cut['n']:,} captions exceed the model's maximum length and were cut."
    crops = metrics.get("crops") or {"n": 0, "one_colour": 0}
    if crops["one_colour"] > ONE_COLOUR * crops["n"]:
        share = f"({100 * crops['one_colour'] / crops['n']:.1f} %)"
        looked = f"{crops['one_colour']:,} of {crops['n']:,} crops that were looked at {share}"
        yield f"{looked} are of one colour and show nothing: the folder of images may be the wrong one."
    false = (audit or {}).get("truly_false", {}).get(CLEARED, {})
    shares = {name: Figure.of_share(false[name]) for name in AUDITED if name in false}
    if known := {name: share for name, share in shares.items() if share and not share.tells_little}:
        fractions = "; ".join(f"{share} of {share.n:,} {AUDITED[name]}" for name, share in known.items())
        without = left_out(false[name] for name in known)
        yield f"Negatives that are false by the sample world's complete truth: {fractions}. {without}".strip()


def left_out(false: Iterable[Metrics]) -> str:
    """Return a sentence on negatives that the fractions ``false`` leave out and the model's figures include; empty without any."""
    counts = [(figures.get("left_out", 0), figures["n"]) for figures in false]
    out = sum(left for left, _ in counts)
    every = out + sum(n for _, n in counts)
    asked = f"{out:,} of {every:,} negatives are left out, because their query's own truth is doubtful"
    return f"{asked}; the model's figures include them." if out else ""


def queries(metrics: Metrics) -> int:
    """Return the number of retrieval sets in a view of the metrics, without those that repeat others' negatives."""
    return sum(one.figures["all"]["n"] for one in all_sets(metrics) if not one.combined)


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
