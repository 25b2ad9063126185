"""What the model can and cannot do, in sentences with numbers and intervals; the page opens with them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from stages.page.asked import swapped
from stages.page.figure import Figure, curve, points, tells
from stages.page.names import AUDITED, SUITES, every_set, set_name
from stages.page.page import Finding
from stages.retrieval.cleared import ADVERSARY

Metrics = Mapping[str, Any]

NOTICED = {
    ("sys", "atom"): "a wrong atom in a short caption",
    # Who notices that an atom is not there need bind nothing: a bag of words can tell nearly all of them.
    ("sys", "comp"): "compounds with wrong atoms",
    ("prod", "atom"): "a wrong atom in a long caption",
    ("prod", "swap"): "swapped atoms in a long caption",
}
ABILITIES = {of: (f"notices {what}", f"often misses {what}", f"does not notice {what}") for of, what in NOTICED.items()} | {
    ("prod", "neg"): ("understands negation", "often trips over negation", "does not understand negation")
}
"""What each kind of negative asks of a model: can; can better than by guessing, but mostly does not; cannot."""
BINDING = ("knows what belongs to what", "often confuses what belongs to what", "does not see what belongs to what")
"""The same of HN-Swap's pairs whose negative has the atoms of the truth: where another one comes in, nothing needs to be bound."""
NEAR = 5.0
"""Points above chance below which a scorer's whole interval must lie to be called near it."""
MOSTLY = 50
"""Recall@1 in per cent from which a model does what is asked, and below which it does so seldom."""
MOSTLY_OF_PAIRS = 75
"""The same of pairs, half of which are right by chance."""
FAULTS = 3
"""What does not hold of the sets by the audit is told of so many groups or differences."""
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
    names = {headline for three in (*ABILITIES.values(), BINDING) for headline in (*three, UNPROVEN.format(three[0]))}
    parts = [finding.headline[0].lower() + finding.headline[1:] for finding in every]
    clauses = [part for part in parts if part in names]
    if not any(_own(metrics)):
        return f"CREPE's own sets were not asked of the model {metrics['model']['name']}: what other suites ask stands below."
    if not clauses:
        return "There were too few hard negatives to judge the model by."
    return f"The model {metrics['model']['name']} {_and(clauses)}."


def ability(suite: str, name: str, figures: Metrics, spread: float = 0.0) -> Finding | None:
    """Whether the model tells the truth from one kind of negative, better than by guessing and better than without looking."""
    right = Figure.of(figures.get("all"))
    if right is None or right.tells_little or (suite, name) not in ABILITIES:
        return None
    blind, sorts = figures.get("blind") or {}, swapped({name: figures})
    own = Figure.of_pairs(sorts["own_words"]) if "own_words" in sorts else None
    kind = set_name(suite, name)
    sentence = f"Among {kind} negatives it puts the truth first in {right} of {right.n:,} queries; chance is {right.chance:.1f} %."
    if own is None or own.tells_little:
        tone, headline = _verdict(right, blind, ABILITIES[suite, name], MOSTLY, spread)
        sentence += _blindly(blind)
        if (ceiling := figures.get("bag", {}).get("ceiling", 100)) < 100:
            sentence += f" Who knows the words but not their order can at best reach {ceiling:.1f} %."
    else:
        blind = sorts["own_words"].get("blind", {})
        tone, headline = _verdict(own, blind, BINDING, MOSTLY_OF_PAIRS, spread)
        told = f"Of {sorts['own_words']['n']:,} negatives in which atoms that the truth names change places "
        told += f"{own} score below it; chance is 50 %."
        sentence = f"{told}{_blindly(blind)} {sentence}"
    if "exchanged" in sorts:
        sentence += (
            f" In {sorts['exchanged']['negatives']:.1f} % of the negatives an atom comes in that the truth does not name, and "
            "noticing what is there is enough"
        )
        exchanged = Figure.of_pairs(sorts["exchanged"])
        sentence += "." if exchanged.tells_little else f": {exchanged} of these score below the truth."
    answer = "right" if tone == "good" else "wrong"
    return Finding(tone, headline.capitalize(), sentence, f"suite={SUITES[suite]}&type={kind}&answer={answer}")


def _verdict(right: Figure, blind: Mapping[str, Any], three: tuple[str, str, str], mostly: float, spread: float) -> tuple[str, str]:
    """Tone and headline of an ability, in the words of ``three``: can, mostly does not, cannot."""
    can, seldom, cannot = three
    chance = right.chance or 0
    gains = [of for of in (blind.get("gain"), _over_trained(blind)) if of is not None]
    # Surely no further from chance than who sees no image may be. What is not told from it need not be chance: of few queries the
    # interval reaches far above.
    if not right.above_chance and right.high < chance + NEAR:
        return "bad", cannot
    # What a scorer does as well that never sees the image is no sign of sight.
    sees = all(tells(of) and of["low"] > 0 and of["d"] > spread for of in gains)
    if not right.above_chance or right.value <= chance + spread or not sees:
        return "plain", UNPROVEN.format(can)
    return ("good", can) if right.value >= mostly else ("plain", seldom)


def _blindly(blind: Mapping[str, Any]) -> str:
    """A sentence on what is reached without looking; empty where that is not known."""
    if not blind:
        return ""
    best, over_trained = blind["best"], _over_trained(blind)
    reached = f" The best untrained scorer that never sees the image ({best}) reaches {blind[best]:.1f} %"
    gains = {"it": blind["gain"]}
    if over_trained is not None:
        reached += f", one that was trained on these very sets {blind[ADVERSARY]:.1f} %"
        gains = {"the first": blind["gain"], "the second": over_trained}
    if not all(map(tells, gains.values())):
        return f"{reached}; what looking gains cannot be told."
    return f"{reached}: looking gains {', '.join(f'{points(of)} over {scorer}' for scorer, of in gains.items())}."


def _over_trained(blind: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What the model has more than the scorer trained on the very sets; ``None`` where that one is no better than the untrained."""
    if blind.get(ADVERSARY) is None or blind[ADVERSARY] <= blind[blind["best"]]:
        return None
    gain: Mapping[str, Any] = blind["gain_trained"]
    return gain


def seen_and_unseen(metrics: Metrics, spread: float = 0.0) -> Iterator[Finding]:
    """What seen compounds are worth, raw and on like items."""
    gaps = {name: figures["gap"] for suite, name, figures in _own(metrics) if suite == "sys" and figures.get("gap")}
    gaps = {set_name("sys", name): gap for name, gap in gaps.items() if tells(gap["raw"])}
    if not gaps:
        return
    sentences: list[str] = []
    verdicts: dict[str, list[str]] = {HARDER: [], UNLIKE: [], BLIND_TOO: []}
    for name, gap in gaps.items():
        raw, matched = gap["raw"], gap["matched"] if tells(gap["matched"]) else None
        alike = f"{points(_negated(matched))} between like items" if matched else "with no like items to compare"
        sentences.append(f"{name}: {points(_negated(raw))} from seen to unseen, {alike}.")
        if gap.get("over_blind"):
            sentences.append(_beside(gap, matched is not None))
        if raw["low"] > 0 and raw["d"] > spread:
            like_items, left = ([matched] if matched else []), _left(gap, bool(matched))
            surely = [all(tells(of) and of["low"] > 0 and of["d"] > spread for of in each) for each in (like_items, left)]
            verdicts[HARDER if all(surely) else UNLIKE if surely[1] else BLIND_TOO].append(name)
    told = (f"{verdict} ({_and(names)})" for verdict, names in verdicts.items() if names)
    headline = next(told, "No loss on compounds it has not seen could be told")
    sentences.append("Like items are equal in length, kind of compound and frequency.")
    tone = "bad" if verdicts[HARDER] else "plain"
    yield Finding(tone, headline, " ".join(sentences), "suite=Systematicity&split=UC&answer=wrong")


def _left(gap: Mapping[str, Any], like_items: bool) -> list[Mapping[str, Any]]:
    """What is left of a gap beside the blind scorer that has most of it: raw and, where there are ``like_items``, on these."""
    left = gap.get("over_blind") or {}
    return [of for key in ("raw", *(("matched",) if like_items else ())) if (of := left.get(key))]


def _beside(gap: Mapping[str, Any], like_items: bool) -> str:
    """A sentence on what a blind scorer shows of a gap, and on all that is left: the verdict goes by the least of it."""
    left, blind = _left(gap, like_items), gap["blind"]
    scorer, alike = (of["scorer"] if (of := blind.get(key)) else "" for key in ("raw", "matched"))
    if not all(map(tells, left)):
        return f"What is left of it beside {scorer}, which sees no image, cannot be told."
    raw, *matched = (points(_negated(of)) for of in left)
    own = f"Of the scorers that see no image {scorer} shows most of it, {points(_negated(blind['raw']))}"
    beside = f" beside {alike}" if alike != scorer else ""
    return f"{own}; {raw} are left{''.join(f', {of} between like items{beside}' for of in matched)}."


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
            scorer = figures["slope"]["scorer"]
            sentences.append(f"Of the scorers that see no image {scorer} changes most like it, {own}; {points(left)} are left.")
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
        best, blind = Figure.beside(figures["all"], "blind_r1"), figures.get("blind") or {}
        if best is None or best.tells_little:
            continue
        chance, reach = figures["all"]["r1_chance"], best.value - best.low
        # Who was trained on the sets has no interval: that of the best of the others, on the same queries, stands for it.
        by = [scorer for scorer in (blind.get("best"), ADVERSARY) if scorer in blind]
        solved += [
            f"{set_name(suite, name)} ({suite}) {blind[scorer]:.1f} % ({scorer}) against {chance:.1f} % by chance"
            for scorer in by
            if blind[scorer] - reach > chance
        ]
    if solved:
        sentence = f"A scorer that never sees the image stands above chance: {'; '.join(solved)}."
        yield Finding("plain", "Some negatives can be told without looking", sentence)
    if faults := list((audit or {}).get("faults", {}).values()):
        told = "; ".join(re.sub(r"^\w+", lambda name: AUDITED.get(name[0], name[0]), fault) for fault in faults[:FAULTS])
        more = f"; and {len(faults) - FAULTS:,} more, in metrics/audit.json" if len(faults) > FAULTS else ""
        yield Finding("plain", "In groups that are compared, scorers that see no image stand out", f"{told}{more}.")
    cut = metrics.get("captions", {})
    if cut.get("cut"):
        share = 100 * cut["cut"] / cut["n"]
        sentence = f"{cut['cut']:,} of {cut['n']:,} captions ({share:.1f} %) are longer than the model reads, and were cut."
        yield Finding("plain", "Some captions were cut", sentence)
    false = (audit or {}).get("truly_false", {})
    shares = {name: Figure.of_share(false[name]) for name in AUDITED if name in false}
    judged = {name: share for name, share in shares.items() if share and not share.tells_little}
    if judged:
        told = "; ".join(f"{share} of {share.n:,} {AUDITED[name]}" for name, share in judged.items())
        sentence = f"Held against the complete truth of the sample world: {told}. {left_out(false[name] for name in judged)}"
        yield Finding("plain", "How many negatives are really false", sentence.strip())


def left_out(false: Iterable[Mapping[str, Any]]) -> str:
    """A sentence on the negatives that are no part of the shares ``false`` and yet of the figures; none where there are none."""
    counts = [(of.get("left_out", 0), of["n"]) for of in false]
    out = sum(left for left, _ in counts)
    every = out + sum(n for _, n in counts)
    asked = f"{out:,} of {every:,} negatives are left out, because their query's own truth does not surely hold"
    return f"{asked}; the model's figures have them." if out else ""


def _own(metrics: Metrics) -> Iterator[tuple[str, str, Metrics]]:
    """Suite, name and figures of our own retrieval sets, each type of negatives by itself."""
    return (one for one in every_set(metrics, combined=False) if one[0] in SUITES)


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _negated(difference: Mapping[str, Any]) -> dict[str, Any]:
    return {"d": -difference["d"], "low": -difference["high"], "high": -difference["low"]}
