"""Measures the negatives: whether they are false, whether they can be told without looking, whether they are English.

Reads the retrieval sets, the ledgers of the stages that made them and the figures of ``evaluate``; where there is one, the truth of
the sample world. Writes ``metrics/audit.json``:

- ``truly_false.SET``: the ``share`` of negatives that are false of their crop, its 95 % interval (``low``, ``high``) and ``n``; the
  same by what was changed (``by_edit``) and by complexity (``by_n``). What is not surely false counts as true; ``doubtful`` is how
  many of these the truth does not decide. Negatives whose own truth does not hold, because its graph was misread, are ``left_out``
  of these shares, though not of what ``evaluate`` scores. ``calibration`` there compares the probabilities of being true that
  negatives were kept with and what is (``error``, ``least_error`` and ``curve``, by edit; 0.01 is a point). ``truths.SET``: the
  share of truths that hold.
- ``blind.SET``: R@1 by ``chance`` and by the ``best`` blind ``scorer``, in per cent.
- ``groups.SET.TRAINING_SET.SPLIT`` and ``groups.SET.n.COMPLEXITY``: the same within what is compared, with the group's ``n`` and
  the adversary that was ``trained`` on the sets; ``trained.SET`` is its ``r1`` over all.
- ``gaps.SET.TRAINING_SET.SCORER`` and ``slopes.SET.SCORER``: each blind scorer's own SC − UC and its change with each further
  atom, ``d`` in points with the 95 % interval ``low`` to ``high`` and its degrees of freedom, ``df``. ``faults`` says in words what
  of all this does not hold.
- ``unseen.SET.TRAINING_SET``: the ``share`` of negatives with a foil that the training set has not seen, and their ``n``; but for
  the queries whose truths themselves name what it has not seen (UA).
- ``kept.SET``: the share of eligible queries that have a full set.
- ``grammar.SET``: the shares of ``truths`` and ``negatives`` that pass the grammar check, and how many broke each rule.

SET is ``atom`` and ``comp`` (systematicity), ``atom_prod``, ``swap`` and ``neg`` (productivity), ``aro_relation`` and
``aro_attribution``, whose edits are sorted into spatial relations, verbs and attributes.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from stages.console import command
from stages.console.progress import progress
from stages.contract import tables
from stages.contract.errors import run
from stages.contract.files import scratch, write_json
from stages.json_files.reading import read_json
from stages.parameters import params, sections
from stages.parsing.parser import Parser
from stages.retrieval import cleared
from stages.splits.unseen import unseen
from stages.wording.inflection import is_verbal
from stages.world.oracle import Query, falsity
from stages.writing import grammar


class Paths(NamedTuple):
    """The command line."""

    atom: Path
    comp: Path
    prod: Path
    atom_ledger: Path
    comp_ledger: Path
    prod_ledger: Path
    evaluation: Path
    ranks: Path
    seen: Path
    metrics: command.Output
    sample: Path | None = None
    aro: Path | None = None


AGAIN = "delete it and run dvc repro, which makes it"
SETS = {
    "atom": ("sys", "atom"),
    "comp": ("sys", "comp"),
    "atom_prod": ("prod", "atom"),
    "swap": ("prod", "swap"),
    "neg": ("prod", "neg"),
    "aro_relation": ("aro", "relation"),
    "aro_attribution": ("aro", "attribution"),
}
"""Each SET's suite and set in ``evaluate``'s figures."""
PRODUCTIVITY = {"HN-Atom": "atom_prod", "HN-Swap": "swap", "HN-Neg": "neg"}
ARO = {"VG-Relation": "aro_relation", "VG-Attribution": "aro_attribution"}


def blind(figures: Mapping[str, Any]) -> dict[str, Any]:
    """The best blind scorer of each SET that ``evaluate`` has."""
    found = {}
    for name, (suite, kind) in SETS.items():
        of = figures.get(suite, {}).get(kind, {})
        if "best" in of.get("blind", {}):
            best = of["blind"]["best"]
            found[name] = {"chance": of["all"]["r1_chance"], "best": of["blind"][best], "scorer": best}
    return found


def kept(atom: Mapping[str, Any], comp: Mapping[str, Any], prod: Mapping[str, Any]) -> dict[str, float]:
    """The share of eligible queries with a full set, from the ledgers of the three stages."""
    shares = {PRODUCTIVITY[kind]: value for kind, value in prod["kept_share"].items()}
    return {"atom": round(atom["kept_share"], 4), "comp": round(comp["kept_share"], 4), **shares}


def read_sets(atom: Path, comp: Path, prod: Path, aro: Path | None) -> dict[str, list[Query]]:
    """The retrieval sets of each SET."""
    sets: dict[str, list[Query]] = {name: [] for name in SETS}
    sets["atom"] += tables.read("queries", atom)
    sets["comp"] += tables.read("queries", comp)
    for query in tables.read("queries", prod):
        sets[PRODUCTIVITY[query["type"]]].append(query)
    for query in tables.read("queries", aro) if aro else ():
        sets[ARO[query["type"]]].append(query | {"negatives": [_sorted_edit(query, negative) for negative in query["negatives"]]})
    return sets


def _sorted_edit(query: Query, negative: Mapping[str, Any]) -> dict[str, Any]:
    """A negative of ARO by its sort: its edit names one of dozens of relations or of hundreds of pairs of attributes."""
    if query["type"] == "VG-Attribution":
        return {**negative, "edit": "attribute"}
    return {**negative, "edit": "verb" if is_verbal(negative["edit"]) else "spatial"}


def measured(sets: Mapping[str, list[Query]], truth: Path | None, settings: sections.Audit, parser: Parser) -> Iterator[tuple]:
    """``(figure, SET, value)`` of what is measured on the captions themselves."""
    truths = {row["image_id"]: row for row in tables.read("truth", truth)} if truth else None
    for name, queries in progress(sets.items(), "audit", "sets", len(sets)):
        if truths is not None and queries:
            false, true = falsity(queries, truths)
            yield from (("truly_false", name, false), ("truths", name, true))
        if queries:
            yield "grammar", name, grammar.passed(queries, parser, settings.grammar_queries, settings.seed)


def main() -> None:
    paths = command.parse(Paths, __doc__)
    settings, language = params.load(sections.Audit), params.load(sections.Language)
    truth = paths.sample / "truth.parquet" if paths.sample and (paths.sample / "truth.parquet").is_file() else None
    sets = read_sets(paths.atom, paths.comp, paths.prod, paths.aro)
    figures: dict[str, dict[str, Any]] = {}
    seen = params.load(sections.TrainingSets).folders(paths.seen)
    # An edit of HN-Neg names what is denied, and not what is replaced.
    replaced = {name: own for name, own in sets.items() if name != "neg"}
    with scratch(paths.metrics) as folder:
        figures["unseen"] = unseen(replaced, seen, params.load(sections.Split).min_count, params.load(sections.Run), folder)
    figures["blind"] = blind(read_json(paths.evaluation, AGAIN))
    figures["kept"] = kept(*(read_json(path, AGAIN) for path in (paths.atom_ledger, paths.comp_ledger, paths.prod_ledger)))
    clear, said = cleared.of_ranks(paths.ranks, SETS)
    figures |= clear | {"faults": {f"{i:02d}": sentence for i, sentence in enumerate(said, start=1)}}
    # What takes long comes last, when every input is known to be whole.
    for figure, name, value in measured(sets, truth, settings, Parser(language)):
        figures.setdefault(figure, {})[name] = value
    write_json(paths.metrics, figures)
    print("\n".join(cleared.lines(clear["groups"])))
    print("\n".join(f"audit: does not hold: {sentence}" for sentence in said) or "audit: no blind scorer stands out in any group")
    shares = figures.get("truly_false", {})
    false = ", ".join(
        f"{name} {of['share']:.1%} of {of['n']:,} ({of['left_out']:,} left out)" for name, of in shares.items() if of["n"]
    )
    print(f"audit: truly false {false or 'not known, for want of the truth'}; kept {figures['kept']}")


if __name__ == "__main__":
    run(main)
