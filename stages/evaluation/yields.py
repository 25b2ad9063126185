"""Number of sets that a caption yields, by complexity and type of negative, and the paper's (arXiv appendix A.5, Table 5)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from stages.evaluation.sets import complexity

NEGATIVES = 5
"""Negatives of a set of productivity (Table 6)."""
CAPTIONS = dict(zip(range(4, 13), (1508, 1734, 1905, 2171, 2247, 1969, 2246, 1895, 1878), strict=True))
"""The paper's captions by complexity, column "Ground Truth"."""
PAPER = {
    "atom_prod": (6290, 7270, 9025, 10410, 11205, 9485, 11325, 8620, 10005),
    "swap": (135, 180, 1310, 2525, 4955, 4420, 6465, 5380, 7890),
    "neg": (2510, 3425, 6565, 7845, 10210, 8310, 10460, 7925, 9710),
}
"""The paper's negatives by type, in the order of :data:`CAPTIONS`."""


def papers(name: str, n: int) -> float | None:
    """Return the paper's number of sets per caption; ``None`` where it has no captions of that complexity.

    >>> papers("swap", 4), papers("atom_prod", 12), papers("swap", 3)
    (0.0179, 1.0655, None)
    """
    place = list(CAPTIONS).index(n) if n in CAPTIONS else None
    return None if place is None else round(PAPER[name][place] / NEGATIVES / CAPTIONS[n], 4)


def of(
    captions: Iterable[Mapping[str, Any]], sets: Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]
) -> dict[str, dict[str, dict[str, dict[str, Any]]]]:
    """Return ``PROTOCOL.SET.COMPLEXITY``: ``sets``, ``captions``, the ``share`` of captions that have a set, and the ``paper``'s.

    Args:
        captions: rows of the table of captions that negatives are made for.
        sets: rows of ``queries`` by SET and protocol.
    """
    eligible = Counter(row["n"] for row in captions)
    found: dict[str, Any] = {}
    for name, by_protocol in sets.items():
        for protocol, queries in by_protocol.items():
            kept = Counter(query["n"] for query in queries)
            found.setdefault(protocol, {})[name] = {
                complexity(n): {"sets": kept[n], "captions": of_n, "share": round(kept[n] / of_n, 4), "paper": papers(name, n)}
                for n, of_n in sorted(eligible.items())
            }
    return found


def lines(yields: Mapping[str, Mapping[str, Mapping[str, Mapping[str, Any]]]]) -> Iterator[str]:
    """Yield the printed lines: sets per 100 captions of each protocol, and the paper's own."""
    names = list(PAPER)
    protocols = list(yields)
    yield f"sets per 100 captions; {', '.join(protocols)} / the paper's Table 5"
    yield "n   " + "".join(f"{name:>22}" for name in names)
    for group in next(iter(next(iter(yields.values())).values())) if yields else ():
        cells = []
        for name in names:
            yields_here = [yields[protocol][name][group] for protocol in protocols]
            theirs = yields_here[0]["paper"]
            shares = " ".join(f"{100 * one['share']:.0f}" for one in yields_here)
            cells.append(f"{shares} / {'–' if theirs is None else f'{100 * theirs:.0f}'}")
        yield f"{group:<4}" + "".join(f"{cell:>22}" for cell in cells)
