"""The report's sections: tables with intervals and drawings, of ``metrics/evaluate.json`` and what stands beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from stages.page import aro, reliability
from stages.page.drawings import Drawing, by_complexity, by_group, histogram
from stages.page.figure import Figure, points
from stages.page.names import (
    AUDITED,
    CASES,
    COMBINED,
    SPLITS,
    SUITES,
    atoms,
    every_set,
    full_name,
    is_complexity,
    set_name,
    sets,
    suite_name,
    suites,
)
from stages.page.page import Cell, Section, Table

Metrics = Mapping[str, Any]


def systematicity(
    metrics: Metrics,
    atom_counts: Mapping[str, Sequence[tuple[int, int]]],
    seen: Mapping[str, Mapping[str, Mapping[str, int]]],
) -> Section:
    """Recall by split, and what of the difference is due to having seen."""
    found = sets(metrics, "sys")
    splits = [split for split in SPLITS if any(split in figures for figures in found.values())]
    drawings = [
        by_group(
            "seen_against_unseen",
            "Recall@1 on seen compounds (SC), unseen compounds (UC) and unseen atoms (UA), with 95 % intervals and chance.",
            {
                set_name("sys", name): _present({split: Figure.of(figures.get(split)) for split in splits})
                for name, figures in found.items()
            },
        )
    ]
    if atom_counts:
        drawings.append(_atom_counts("atom_counts", atom_counts))
    tables = [
        Table(f"{title} (%) by split", ["Negatives", *splits, "all"], _by_group(found, [*splits, "all"], key), folded=key != "r1")
        for key, title in (("r1", "Recall@1"), ("r3", "Recall@3"), ("avg", "Mean of Recall@1 and Recall@3"))
    ]
    if any(figures.get("queries") for figures in found.values()):
        tables.append(_queries(found))
    if any(seen.values()):
        tables.append(_seen(seen))
    tables += _asked(found)
    gaps = {name: figures["gap"] for name, figures in found.items() if "gap" in figures}
    if gaps:
        head = ["Negatives", "SC − UC", "on like items", "left of it", *(f"against {other}" for other in _others(gaps))]
        tables.append(Table("Seen less unseen compounds, in points of Recall@1", head, [_gap(name, gaps) for name in gaps]))
        head = ["Negatives", "difference", "compared", "the model", "a blind scorer", "which", "left of the model's"]
        rows = [row for name, of in gaps.items() for row in _beside_blind(name, of)]
        tables.append(Table("The same beside the blind scorer that shows most of it, in points of Recall@1", head, rows))
    lead = (
        "Does the model understand new combinations of what it knows? SC: its training set has every compound of the caption; "
        "UC: every atom, but not every compound; UA: not every atom. Unseen compounds may also be harder: like items are equal in "
        "length, kind of compound and frequency, and “against” compares with queries that another training set saw the other way."
    )
    return Section("systematicity", "Systematicity", lead, tables, drawings)


def productivity(metrics: Metrics) -> Section:
    """Recall by complexity and type."""
    found = sets(metrics, "prod")
    complexities = sorted({group for figures in found.values() for group in figures if is_complexity(group)})
    drawing = by_complexity(
        "by_complexity",
        "Recall@1 by complexity and type of negative, with 95 % bands and chance.",
        {set_name("prod", name): _curve(figures) for name, figures in found.items()},
    )
    names = [set_name("prod", name) for name in found]
    rows = [[atoms(group), *(Figure.of(figures.get(group)) for figures in found.values())] for group in [*complexities, "all"]]
    tables = [Table("Recall@1 (%) by complexity", ["Atoms", *names], rows)]
    tables += _asked(found)
    slopes = {name: figures["slope"] for name, figures in found.items() if figures.get("slope")}
    if slopes:
        kinds = {
            "raw": "the model",
            "blind": "the blind scorer that changes most like it",
            "against_blind": "what is left of the model's",
        }
        rows = [[text, *(_points(slopes.get(name, {}).get(kind)) for name in found)] for kind, text in kinds.items()]
        tables.append(Table("Change of Recall@1 with each further atom, in points", ["Slope of", *names], rows))
    lead = "Does it keep up as captions grow? Complexity n is the number of objects, attributes and relations that a caption names."
    return Section("productivity", "Productivity", lead, tables, [drawing])


def further(metrics: Metrics) -> Section | None:
    """Recall on the suites beside ours; ``None`` without any."""
    tables = []
    for suite in suites(metrics):
        if suite not in (*SUITES, *aro.SUITES):
            found = sets(metrics, suite)
            parts = {group for figures in found.values() for group in figures if group in SPLITS or is_complexity(group)}
            groups = [*(split for split in SPLITS if split in parts), *sorted(filter(is_complexity, parts)), "all"]
            cases = [key for key in CASES if any(key in figures.get("cases", {}) for figures in found.values())]
            rows = [
                [
                    set_name(suite, name),
                    *(Figure.of(figures.get(group)) for group in groups),
                    *(Figure.of(figures.get("cases"), key) for key in cases),
                ]
                for name, figures in found.items()
            ]
            head = ["Negatives", *map(atoms, groups), *(CASES[key] for key in cases)]
            tables.append(Table(f"{suite_name(suite)}: Recall@1 (%)", head, rows))
    lead = (
        "The same model on benchmarks of others; numbers over the columns are complexities. A case is right as a whole: each image "
        "prefers its captions (text), each caption its image (image), or both (group). Text to text asks no image: are the "
        "two true captions nearer to each other than to the negative?"
    )
    return Section("further", "Further suites", lead, tables) if tables else None


def blind(metrics: Metrics) -> Section:
    """The model beside what can be told without looking."""
    every = [(suite, name, figures) for suite, name, figures in every_set(metrics) if figures.get("blind")]
    groups, rows = {}, []
    for suite, name, figures in every:
        best = figures["blind"]["best"]
        seeing = Figure.of(figures["all"])
        blindly, shuffled = (
            Figure.of({**figures["all"], f"{key}_chance": figures["all"]["r1_chance"]}, key) for key in ("blind_r1", "shuffled_r1")
        )
        if suite in SUITES and name not in COMBINED:
            groups[f"{set_name(suite, name)}\n({suite})"] = _present({"model": seeing, "best blind scorer": blindly})
        rows.append([full_name(suite, name), seeing, blindly, best, _points(figures["blind"]["gain"]), shuffled])
    head = ["Negatives", "model", "best blind", "which", "gain over it", "another image"]
    tables = [Table("Recall@1 (%) of the model and of scorers that never see the image", head, rows)]
    tables += [_every_scorer(suite, [one for one in every if one[0] == suite]) for suite in dict.fromkeys(one[0] for one in every)]
    drawing = by_group("blind_against_model", "Recall@1 of the model and of the best blind scorer, with chance.", groups)
    lead = (
        "What can be picked out without the image measures how captions were made, not vision. Beside the model stand the best of "
        "the blind scorers and the model itself when it is shown another query's crop."
    )
    return Section("blind", "Without looking", lead, tables, [drawing])


def _every_scorer(suite: str, every: Sequence[tuple[str, str, Metrics]]) -> Table:
    """A row for each scorer, for there are more of them than of retrieval sets."""
    scorers = sorted({scorer for _, _, figures in every for scorer in figures["blind"]} - {"best", "gain"})
    rows: list[list[Cell]] = [[scorer, *(_blind_cell(figures, scorer) for _, _, figures in every)] for scorer in scorers]
    head = ["Scorer", *(set_name(suite, name) for _, name, _ in every)]
    return Table(f"{suite_name(suite)}: Recall@1 (%) of every scorer that never sees the image", head, rows, folded=True)


def changes(metrics: Metrics) -> Section:
    """What the negatives change: by kind, and whether the words stay the same. ARO's kinds stand in its own section."""
    rows: list[list[Cell]] = [
        [full_name(suite, name), _change(kind), Figure(found["above"], found.get("above_se"), found["n"], 50.0)]
        for suite, name, figures in every_set(metrics, combined=False)
        if suite not in aro.SUITES
        for kind, found in figures.get("kinds", {}).items()
    ]
    bags: list[list[Cell]] = [
        [full_name(suite, name), Figure(figures["bag"]["same"]), Figure(figures["bag"]["ceiling"])]
        for suite, name, figures in every_set(metrics)
        if figures.get("bag")
    ]
    tables = [
        Table(
            "Share of negatives that score below the truth (%), by what they change",
            ["Negatives", "changed", "below the truth"],
            rows,
        ),
        Table("Word order", ["Negatives", "same words as the truth (%)", "ceiling without order (%)"], bags),
    ]
    lead = (
        "A pair of truth and negative at a time, so that chance is 50 %. "
        "A model that knows words but no order can at best reach the ceiling."
    )
    return Section("changes", "What was changed", lead, tables)


def raw(metrics: Metrics) -> Section | None:
    """Retrieval among all captions, both ways; ``None`` where it was not measured."""
    rows = [
        [f"{SUITES.get(suite, suite)}, {f'n = {atoms(group)}' if is_complexity(group) else group}", *_raw_cells(found)]
        for suite, groups in sorted((metrics.get("raw") or {}).items(), reverse=True)
        for group, found in sorted(groups.items(), key=lambda item: ([*SPLITS, item[0]].index(item[0]), item[0]))
    ]
    head = ["Captions", "image to text", "text to image", "chance", "captions a fold", "folds"]
    lead = (
        "The truth among the captions of other crops, without hard negatives; mean and standard deviation over folds of one size."
    )
    return Section("raw", "All captions", lead, [Table("Recall@1 (%), RAW sets", head, rows)]) if rows else None


def audit(found: Mapping[str, Any] | None) -> Section | None:
    """Whether the negatives are false and English, and what was left out to have them so; ``None`` without an audit."""
    if not found:
        return None
    false, truths, kept, grammar = (found.get(key, {}) for key in ("truly_false", "truths", "kept", "grammar"))
    tables = []
    if any(Figure.of_share(share) for share in false.values()):
        rows = [
            [AUDITED[name], Figure.of_share(false[name]), false[name].get("doubtful"), Figure.of_share(truths.get(name))]
            for name in _audited(false)
        ]
        tables.append(
            Table("Really false (%), and truths that hold (%)", ["Negatives", "really false", "doubtful", "truths that hold"], rows)
        )
        parts = [(name, _change(edit), share) for name in _audited(false) for edit, share in false[name].get("by_edit", {}).items()]
        parts += [
            (name, f"n = {atoms(n)}", share)
            for name in _audited(false)
            if name in ("atom_prod", "swap", "neg")
            for n, share in false[name].get("by_n", {}).items()
        ]
        rows = [[AUDITED[name], part, Figure.of_share(share)] for name, part, share in parts]
        tables.append(
            Table(
                "Really false (%), by what was changed and by complexity", ["Negatives", "part", "really false"], rows, folded=True
            )
        )
    if grammar or kept:
        rows = [
            [
                AUDITED[name],
                *(Figure.of_share(grammar.get(name, {}).get(side)) for side in ("truths", "negatives")),
                _percent(kept.get(name)),
            ]
            for name in _audited({**kept, **grammar})
        ]
        head = ["Negatives", "truths in good English", "negatives in good English", "queries with a full set"]
        tables.append(Table("Grammar check, and eligible queries kept (%)", head, rows))
    calibration, drawings = reliability.shown(false)
    tables += calibration
    lead = (
        "Where the complete truth is known, as it is of the sample world, every negative was held against it; "
        "what cannot be decided counts as true. No stage that makes negatives sees that truth."
    )
    return Section("audit", "The negatives themselves", lead, tables, drawings) if tables else None


def _audited(found: Mapping[str, Any]) -> list[str]:
    return [name for name in AUDITED if name in found]


def _change(edit: str) -> str:
    return edit.replace("_", " ").replace("+", " + ")


def _percent(share: float | None) -> str | None:
    return None if share is None else f"{100 * share:.1f}"


def atom_count_drawings(counts: Mapping[str, Mapping[str, Sequence[tuple[int, int]]]]) -> list[Drawing]:
    """Figure 12 for every training set."""
    return [_atom_counts(f"atom_counts_{name}", splits, f" ({name})") for name, splits in sorted(counts.items())]


def _atom_counts(name: str, splits: Mapping[str, Sequence[tuple[int, int]]], of: str = "") -> Drawing:
    caption = f"How often the training set{of} names the atoms of HN-Atom's queries, by split."
    return histogram(name, caption, splits, "times that training captions name the atom")


def _queries(found: Mapping[str, Metrics]) -> Table:
    """Queries by split for each training set (paper, Table 5)."""
    rows: list[list[Cell]] = [
        [set_name("sys", name), training_set, *(counts.get(split, 0) for split in SPLITS)]
        for name, figures in found.items()
        for training_set, counts in figures.get("queries", {}).items()
    ]
    return Table("Queries by split, for each training set", ["Negatives", "Training set", *SPLITS], rows, folded=True)


def _seen(seen: Mapping[str, Mapping[str, Mapping[str, int]]]) -> Table:
    """What the queries name, and how much of it each training set has seen (paper, Table 8)."""
    columns = {"queries": "queries", "images": "images", "atoms": "atoms", "atoms_seen": "seen"}
    columns |= {"compounds": "compounds", "compounds_seen": "seen"}
    rows: list[list[Cell]] = [
        [training_set, split, *(counts[column] for column in columns)]
        for training_set, splits in seen.items()
        for split, counts in splits.items()
    ]
    caption = "What HN-Atom's queries name, each once, and how much of it each training set has seen"
    return Table(caption, ["Training set", "Split", *columns.values()], rows, folded=True)


ASKED: Mapping[str, Mapping[str, str]] = {
    "kind": {"object": "objects", "attribute": "attributes", "relation": "relations", "several": "of several kinds"},
    "place": {place: f"{place} third of the words" for place in ("first", "middle", "last")} | {"several": "in several thirds"},
}
NEARNESS = {
    "antonym": "an antonym",
    "sibling": "under the same hypernym, or of the same class",
    "grand_hypernym": "under the same grand-hypernym",
    "lexical_file": "in the same lexical file",
    "further": "further",
}


def _asked(found: Mapping[str, Metrics]) -> Iterator[Table]:
    """Recall of HN-Atom by what the negatives replace, and by how near they are to it; nothing where that is not known."""
    groups = found.get("atom", {}).get("asked", {})
    rows: list[list[Cell]] = [
        [text, *_beside_best(of), _one_decimal(of["asked"]), _one_decimal(of.get("named"))]
        for group, texts in ASKED.items()
        for name, text in texts.items()
        if (of := groups.get(group, {}).get(name))
    ]
    head = ["Atom that is asked", "Recall@1 (%)", "best blind", "share of the queries (%)", "of the captions' atoms (%)"]
    if rows:
        yield Table("HN-Atom by kind and place of the atom that the negatives replace", head, rows)
    rows = [
        [text, *_beside_best(of), _one_decimal(of["asked"]), _one_decimal(of["negatives"])]
        for name, text in NEARNESS.items()
        if (of := groups.get("nearness", {}).get(name))
    ]
    head = ["Furthest foil", "Recall@1 (%)", "best blind", "share of the queries (%)", "of the negatives (%)"]
    if rows:
        yield Table("HN-Atom by nearness of the foils to what they replace", head, rows)


def _beside_best(group: Metrics) -> list[Cell]:
    return [Figure.of(group), Figure.of(group, "blind_r1")]


def _one_decimal(share: float | None) -> str | None:
    return None if share is None else f"{share:.1f}"


def _by_group(found: Mapping[str, Metrics], groups: Sequence[str], key: str) -> list[list[Cell]]:
    return [[set_name("sys", name), *(Figure.of(figures.get(group), key) for group in groups)] for name, figures in found.items()]


def _gap(name: str, gaps: Mapping[str, Metrics]) -> list[Cell]:
    gap = gaps[name]
    left = "" if gap["remains"] is None else f"{gap['remains']:.0f} %"
    return [
        set_name("sys", name),
        *map(_points, (gap["raw"], gap["matched"])),
        left or None,
        *(_points(gap["other_way"].get(o)) for o in _others(gaps)),
    ]


def _beside_blind(name: str, gap: Metrics) -> Iterator[list[Cell]]:
    """Rows on what the model and the blind scorer that goes furthest its way show: SC − UC and UA − SC, raw and on like items."""
    for difference, found in (("SC − UC", gap), ("UA − SC", gap.get("unseen_atoms"))):
        if found and found.get("blind"):
            for key, compared in (("raw", "all"), ("matched", "like items")):
                blind, left = found["blind"], found["over_blind"]
                model, own, rest = (_points(of[key]) for of in (found, blind, left))
                yield [set_name("sys", name), difference, compared, model, own, blind["scorer"], rest]


def _others(gaps: Mapping[str, Metrics]) -> list[str]:
    return sorted({name for gap in gaps.values() for name, found in gap["other_way"].items() if found})


def _points(found: Mapping[str, Any] | None) -> str | None:
    return points(found).replace(" points", "") if found and found.get("d") is not None else None


def _blind_cell(figures: Metrics, scorer: str) -> Figure | None:
    value = figures["blind"].get(scorer)
    return None if value is None else Figure(value, None, figures["all"]["n"], figures["all"]["r1_chance"])


def _raw_cells(found: Metrics) -> list[Cell]:
    spread = found["folds"] > 1
    ways = [f"{found[way]['r1']:.1f}" + (f" ± {found[way]['r1_sd']:.1f}" if spread else "") for way in ("i2t", "t2i")]
    return [*ways, f"{found['chance']:.1f}", found["n"], found["folds"]]


def _present(figures: Mapping[str, Figure | None]) -> dict[str, Figure]:
    return {name: figure for name, figure in figures.items() if figure is not None}


def _curve(figures: Metrics) -> dict[int, Figure]:
    shown = {int(group[1:]): Figure.of(figures[group]) for group in figures if is_complexity(group)}
    return {n: figure for n, figure in shown.items() if figure and not figure.tells_little}
