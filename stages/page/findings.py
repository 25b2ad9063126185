"""What the model can and cannot do, in sentences with numbers and intervals; the page opens with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from stages.page.figure import Figure, curve, points
from stages.page.names import AUDITED, SUITES, every_set, set_name
from stages.page.page import Finding
from stages.retrieval.figures import too_few

Metrics = Mapping[str, Any]

# What each kind of negative asks of a model: can; can better than by guessing, but mostly does not; cannot.
ABILITIES = {
    ("sys", "atom"): (
        "notices a wrong atom in a short caption",
        "often misses a wrong atom in a short caption",
        "does not notice a wrong atom in a short caption",
    ),
    ("sys", "comp"): ("binds atoms into the right compounds", "often binds atoms wrongly", "does not bind atoms into compounds"),
    ("prod", "atom"): (
        "notices a wrong atom in a long caption",
        "often misses a wrong atom in a long caption",
        "does not notice a wrong atom in a long caption",
    ),
    ("prod", "swap"): ("knows what belongs to what", "often confuses what belongs to what", "does not see what belongs to what"),
    ("prod", "neg"): ("understands negation", "often trips over negation", "does not understand negation"),
}
MOSTLY = 50
"""Recall@1 in per cent from which a model does what is asked, and below which it does so seldom."""
TELLING = 5
"""Points above chance at which the blind scorers' knowledge of a benchmark is to be known."""
HARDER = "Compounds it has not seen are harder"
UNLIKE = "Unseen compounds look harder, but like items do not show it"
BLIND_TOO = "Unseen compounds look harder, but a scorer that sees no image may lose as much"
UNPROVEN = "has not shown that it {}"


def findings(metrics: Metrics, audit: Mapping[str, Any] | None = None, spread: float = 0.0) -> list[Finding]:
    """The findings of an evaluation, abilities first.

    Args:
        spread: by how many points a figure may differ when the model is made anew on another machine; no smaller difference is
            taken for the model's.
    """
    abilities = filter(None, (ability(*one, spread) for one in _own(metrics)))
    return [*abilities, *seen_and_unseen(metrics, spread), *complexity(metrics, spread), *the_test_itself(metrics, audit)]


def in_short(every: Sequence[Finding], metrics: Metrics) -> str:
    """The abilities of ``every`` in one sentence."""
    names = {headline for three in ABILITIES.values() for headline in (*three, UNPROVEN.format(three[0]))}
    parts = [finding.headline[0].lower() + finding.headline[1:] for finding in every]
    clauses = [part for part in parts if part in names]
    if not clauses:
        return "There were too few hard negatives to judge the model by."
    return f"The model {metrics['model']['name']} {_and(clauses)}."


def ability(suite: str, name: str, figures: Metrics, spread: float = 0.0) -> Finding | None:
    """Whether the model tells the truth from one kind of negative, better than by guessing and better than without looking."""
    right = Figure.of(figures.get("all"))
    if right is None or right.tells_little or (suite, name) not in ABILITIES:
        return None
    can, seldom, cannot = ABILITIES[suite, name]
    gain = figures["blind"]["gain"] if figures.get("blind") else None
    if right.above_chance and right.value <= (right.chance or 0) + spread:
        tone, headline = "plain", UNPROVEN.format(can)
    elif not right.above_chance:
        tone, headline = "bad", cannot
    elif gain is not None and (gain["low"] is None or gain["low"] <= 0 or gain["d"] <= spread):
        # What a scorer does as well that never sees the image is no sign of sight.
        tone, headline = "plain", UNPROVEN.format(can)
    else:
        tone, headline = ("good", can) if right.value >= MOSTLY else ("plain", seldom)
    kind = set_name(suite, name)
    sentence = f"Among {kind} negatives it puts the truth first in {right} of {right.n:,} queries; chance is {right.chance:.1f} %."
    if gain is not None:
        best = figures["blind"]["best"]
        blindly = figures["blind"][best]
        sentence += (
            f" The best untrained scorer that never sees the image ({best}) reaches {blindly:.1f} %: looking gains {points(gain)}."
        )
    answer = "right" if tone == "good" else "wrong"
    return Finding(tone, headline.capitalize(), sentence, f"suite={SUITES[suite]}&type={kind}&answer={answer}")


def seen_and_unseen(metrics: Metrics, spread: float = 0.0) -> Iterator[Finding]:
    """What seen compounds are worth, raw and on like items."""
    gaps = {name: figures["gap"] for suite, name, figures in _own(metrics) if suite == "sys" and figures.get("gap")}
    gaps = {set_name("sys", name): gap for name, gap in gaps.items() if _tells(gap["raw"])}
    if not gaps:
        return
    sentences: list[str] = []
    verdicts: dict[str, list[str]] = {HARDER: [], UNLIKE: [], BLIND_TOO: []}
    for name, gap in gaps.items():
        raw, matched = gap["raw"], gap["matched"] if _tells(gap["matched"]) else None
        alike = f"{points(_negated(matched))} between like items" if matched else "with no like items to compare"
        sentences.append(f"{name}: {points(_negated(raw))} from seen to unseen, {alike}.")
        if gap.get("over_blind"):
            sentences.append(_beside(gap))
        if raw["low"] > 0 and raw["d"] > spread:
            like_items, left = ([matched] if matched else []), _left(gap, bool(matched))
            surely = [all(of["low"] > 0 and of["d"] > spread for of in each) for each in (like_items, left)]
            verdicts[HARDER if all(surely) else UNLIKE if surely[1] else BLIND_TOO].append(name)
    told = (f"{verdict} ({_and(names)})" for verdict, names in verdicts.items() if names)
    headline = next(told, "No loss on compounds it has not seen could be told")
    sentences.append("Like items are equal in length, kind of compound and frequency.")
    tone = "bad" if verdicts[HARDER] else "plain"
    yield Finding(tone, headline, " ".join(sentences), "suite=Systematicity&split=UC&answer=wrong")


def _left(gap: Mapping[str, Any], like_items: bool) -> list[Mapping[str, Any]]:
    """What is left of a gap beside the blind scorer that has most of it: raw and, where there are ``like_items``, on these."""
    left = gap.get("over_blind") or {}
    return [of for key in ("raw", *(("matched",) if like_items else ())) if (of := left.get(key)) and of["low"] is not None]


def _beside(gap: Mapping[str, Any]) -> str:
    """A sentence on what a blind scorer shows of a gap."""
    own, left = (_negated(gap[key]["raw"]) for key in ("blind", "over_blind"))
    return f"Of the scorers that see no image {gap['blind']['scorer']} shows most of it, {points(own)}; {points(left)} are left."


def complexity(metrics: Metrics, spread: float = 0.0) -> Iterator[Finding]:
    """Whether the model keeps up as captions grow."""
    sentences: list[str] = []
    harder: list[str] = []
    last = 0
    for suite, name, figures in _own(metrics):
        kind, slope = set_name(suite, name), (figures.get("slope") or {}).get("raw")
        levels = curve(figures)
        if suite != "prod" or not slope or slope["low"] is None or len(levels) < 2:
            continue
        first, last = min(levels), max(levels)
        ends = f"{levels[first].text} % to {levels[last].text} % from {first} to {last} atoms"
        sentences.append(f"{kind}: {points(slope)} with each further atom, {ends}.")
        rise, left = abs(slope["d"]) * (last - first), figures["slope"].get("against_blind") or slope
        if left is not slope:
            own = points(figures["slope"]["blind"])
            sentences.append(
                f"Of the scorers that see no image {figures['slope']['scorer']} loses most, {own}; {points(left)} are left."
            )
        if slope["high"] < 0 and left["high"] is not None and left["high"] < 0 and rise > spread:
            harder.append(kind)
    if not sentences:
        return
    headline = f"Longer captions are harder ({_and(harder)})" if harder else "No loss with longer captions could be told"
    yield Finding("bad" if harder else "plain", headline, " ".join(sentences), f"suite=Productivity&n={last}&answer=wrong")


def the_test_itself(metrics: Metrics, audit: Mapping[str, Any] | None) -> Iterator[Finding]:
    """What to know of the benchmark before believing the figures."""
    solved = []
    for suite, name, figures in _own(metrics):
        if figures.get("blind"):
            blindly, chance = figures["blind"][figures["blind"]["best"]], figures["all"]["r1_chance"]
            if blindly > chance + TELLING:
                solved.append(f"{set_name(suite, name)} ({suite}) {blindly:.1f} % against {chance:.1f} % by chance")
    if solved:
        above = f"The best scorer that never sees the image comes more than {TELLING} points above chance"
        sentence = f"{above}: {'; '.join(solved)}."
        yield Finding("plain", "Some negatives can be told without looking", sentence)
    cut = metrics.get("captions", {})
    if cut.get("cut"):
        share = 100 * cut["cut"] / cut["n"]
        sentence = f"{cut['cut']:,} of {cut['n']:,} captions ({share:.1f} %) are longer than the model reads, and were cut."
        yield Finding("plain", "Some captions were cut", sentence)
    shares = {name: Figure.of_share(found) for name, found in (audit or {}).get("truly_false", {}).items()}
    judged = [f"{share} of {share.n:,} {AUDITED[name]}" for name, share in shares.items() if share and name in AUDITED]
    if judged:
        sentence = "Held against the complete truth of the sample world: " + "; ".join(judged) + "."
        yield Finding("plain", "How many negatives are really false", sentence)


def _own(metrics: Metrics) -> Iterator[tuple[str, str, Metrics]]:
    """Suite, name and figures of our own retrieval sets, each type of negatives by itself."""
    return (one for one in every_set(metrics, combined=False) if one[0] in SUITES)


def _tells(difference: Mapping[str, Any] | None) -> bool:
    """Whether a difference is of enough queries on both sides, and its interval narrow enough, to be spoken of."""
    if not difference or difference.get("low") is None:
        return False
    sides = [difference[key] for key in ("n_first", "n_second", "n") if difference.get(key) is not None]
    return not too_few(min(sides, default=None), difference["low"], difference["high"])


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _negated(difference: Mapping[str, Any]) -> dict[str, Any]:
    return {"d": -difference["d"], "low": -difference["high"], "high": -difference["low"]}
