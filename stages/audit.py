"""Measure the negatives: whether they are false, whether a text-only shortcut solves them, whether they are English.

Reads the retrieval sets, the captions of productivity, the table of ranks, the metrics of ``evaluate``, and if there is one, the
truth of the sample world. Writes ``metrics/audit.json``. Its parts are by SET, and for CREPE's by PROTOCOL
(``truly_false.cleared.swap``); ARO's sets have no protocol (``truly_false.aro_relation``).

- ``truly_false``: the ``share`` of negatives that are false of their crop, its 95 % interval (``low``, ``high``) and ``n``; the
  same by what was changed (``by_edit``) and by complexity (``by_n``). A negative counts as true unless it is clearly false;
  ``doubtful`` is the number that the truth does not decide. Negatives whose own truth does not hold are ``left_out`` here, but not
  in ``evaluate``'s scores. ``calibration`` compares predicted probabilities that negatives are true with outcomes (``error``,
  ``least_error`` and ``curve``, by edit; 0.01 is a point). ``truths``: the fraction of truths that hold.
- ``shortcuts``: R@1 by ``chance`` and by the ``best`` text-only ``scorer``, in per cent.
- ``groups.….TRAINING_SET.SPLIT`` and ``groups.….n.COMPLEXITY``: the same within each compared group, where another scorer may be
  the best one, with its ``n``, the adversary ``trained`` on the sets, and the best scorer ``held_out`` from selection; ``trained``
  is its ``r1`` over all.
- ``gaps.….TRAINING_SET.SCORER`` and ``slopes.….SCORER``: each text-only scorer's own SC − UC and its change with each further atom,
  ``d`` in points with the 95 % interval ``low`` to ``high`` and its degrees of freedom, ``df``.
- ``cells.….GROUP.SCORER``: a scorer's distance from chance in each group of enough queries, with its interval and ``p``;
  ``tests.PROTOCOL`` counts them, and those of scorers held out. ``faults.PROTOCOL`` describes what chance does not explain.
- ``unseen.….TRAINING_SET``: the ``share`` of negatives with a foil that the training set has not seen, and their ``n``, without
  queries whose truths themselves have something unseen (UA).
- ``yields.….COMPLEXITY``: sets, captions and sets per caption (``share``) of productivity, next to the ``paper``'s (Table 5).
- ``grammar``: the fractions of ``truths`` and ``negatives`` that pass the grammar check, and how many broke each rule.

SET is ``atom`` and ``comp`` (systematicity), ``atom_prod``, ``swap`` and ``neg`` (productivity), ``aro_relation`` and
``aro_attribution``, whose edits are grouped into spatial relations, verbs and attributes.
"""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from stages.console import command
from stages.console.progress import progress
from stages.contract import tables
from stages.contract.errors import AGAIN, run
from stages.contract.files import scratch, write_json
from stages.contract.schemas import CLEARED, PROTOCOLS
from stages.evaluation import cleared, metrics, yields
from stages.evaluation.figures import nested
from stages.negatives.unseen import unseen
from stages.parameters import params, sections
from stages.parsing.parser import Parser
from stages.world.truth import Query, by_category, falsity
from stages.writing import grammar


class Paths(NamedTuple):
    """The command line."""

    atom: Path
    comp: Path
    prod: Path
    captions: Path
    evaluation: Path
    ranks: Path
    seen: Path
    metrics: command.Output
    sample: Path | None = None
    aro: Path | None = None


SETS = {
    "atom": ("sys", "atom"),
    "comp": ("sys", "comp"),
    "atom_prod": ("prod", "atom"),
    "swap": ("prod", "swap"),
    "neg": ("prod", "neg"),
    "aro_relation": ("aro", "relation"),
    "aro_attribution": ("aro", "attribution"),
}
"""Each SET's suite and set in ``evaluate``'s metrics."""
SYSTEMATICITY = {"HN-Atom": "atom", "HN-Comp": "comp"}
PRODUCTIVITY = {"HN-Atom": "atom_prod", "HN-Swap": "swap", "HN-Neg": "neg"}
ARO = {"VG-Relation": "aro_relation", "VG-Attribution": "aro_attribution"}
Key = tuple[str | None, str]
"""A protocol, or ``None``, and a SET."""


def read_sets(paths: Paths) -> dict[Key, list[Query]]:
    """Return the retrieval sets of each protocol and SET."""
    names = {paths.atom: SYSTEMATICITY, paths.comp: SYSTEMATICITY, paths.prod: PRODUCTIVITY}
    sets: dict[Key, list[Query]] = {(protocol, name): [] for protocol in PROTOCOLS for name in SETS if name not in ARO.values()}
    for path, by_type in names.items():
        for query in tables.read("queries", path):
            sets[query["protocol"], by_type[query["type"]]].append(query)
    for query in tables.read("queries", paths.aro) if paths.aro else ():
        negatives = [by_category(query, negative) for negative in query["negatives"]]
        sets.setdefault((None, ARO[query["type"]]), []).append(query | {"negatives": negatives})
    return sets


def measured(
    sets: Mapping[Key, list[Query]], truth: Path | None, settings: sections.Audit, parser: Parser
) -> Iterator[tuple[str, Key, Any]]:
    """Yield ``(figure, SET, value)`` for measurements of the captions themselves."""
    truths = {row["image_id"]: row for row in tables.read("truth", truth)} if truth else None
    for name, queries in progress(sets.items(), "audit", "sets", len(sets)):
        if truths is not None and queries:
            false, true = falsity(queries, truths)
            yield from (("truly_false", name, false), ("truths", name, true))
        if queries:
            yield "grammar", name, grammar.passed(queries, parser, settings.grammar_queries, settings.seed)


def unseen_foils(sets: Mapping[Key, list[Query]], paths: Paths) -> dict[str, Any]:
    """Return the fractions of negatives with a foil that a training set has not seen; HN-Neg and HN-Swap have no foils."""
    replaced = {".".join(filter(None, key)): queries for key, queries in sets.items() if key[1] not in ("neg", "swap")}
    seen, least = params.load(sections.TrainingSets).folders(paths.seen), params.load(sections.Split).min_count
    with scratch(paths.metrics) as folder:
        found = unseen(replaced, seen, least, params.load(sections.Run), folder)
    return nested((key, found[name]) for key in sets if (name := ".".join(filter(None, key))) in found)


def shortcuts_in_groups(ranks: Path, held_out: Collection[str]) -> tuple[dict[str, Any], list[str]]:
    """Return text-only scorers' results in the compared groups, ``held_out`` ones too, and violations in words; print them."""
    found: dict[str, Any] = {}
    sentences: dict[str, list[str]] = {}
    for protocol in PROTOCOLS:
        figures, sentences[protocol] = cleared.of_ranks(ranks, SETS, protocol, held_out)
        for key, by_set in figures.items():
            found.setdefault(key, {})[protocol] = by_set
        print(f"\n{protocol}", *cleared.lines(figures["groups"]), sep="\n")
    # The paper's sets are known to be solvable by shortcuts: the table shows that, and it is no fault of this run.
    found["faults"] = {name: {f"{i:02d}": text for i, text in enumerate(texts, start=1)} for name, texts in sentences.items()}
    return found, sentences[CLEARED]


def main() -> None:
    paths = command.parse(Paths, __doc__)
    settings, language = params.load(sections.Audit), params.load(sections.Language)
    truth = paths.sample / "truth.parquet" if paths.sample and (paths.sample / "truth.parquet").is_file() else None
    sets = read_sets(paths)
    evaluated = metrics.read(paths.evaluation, AGAIN)
    figures: dict[str, Any] = {"unseen": unseen_foils(sets, paths), "shortcuts": cleared.best(evaluated, SETS)}
    found, faults = shortcuts_in_groups(paths.ranks, evaluated.get("held_out", ()))
    figures |= found
    by_set = {name: {protocol: sets[protocol, name] for protocol in PROTOCOLS} for name in PRODUCTIVITY.values()}
    figures["yields"] = yields.of(tables.read("captions", paths.captions, ["n"]), by_set)
    # Slow steps come last, when every input is known to be complete.
    by_figure: dict[str, list[tuple[Key, Any]]] = {}
    for figure, key, value in measured(sets, truth, settings, Parser(language)):
        by_figure.setdefault(figure, []).append((key, value))
    figures |= {figure: nested(values) for figure, values in by_figure.items()}
    write_json(paths.metrics, figures)
    print(
        "\n".join(f"audit: violation: {text}" for text in faults)
        or f"audit: in {CLEARED} {cleared.standing(figures['tests'][CLEARED])}"
    )
    print("\n".join(yields.lines(figures["yields"])))
    shares = [(".".join(filter(None, key)), values) for key, values in by_figure.get("truly_false", ()) if values["n"]]
    false = ", ".join(f"{name} {one['share']:.1%} of {one['n']:,} ({one['left_out']:,} left out)" for name, one in shares)
    print(f"audit: truly false {false or 'not known: there is no complete truth'}")


if __name__ == "__main__":
    run(main)
