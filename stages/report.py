"""Make the report page, and the drawings for ``dvc plots show``, all usable without a network.

Reads ``metrics/evaluate.json``, the table of ranks, the images, the queries of HN-Atom, the counts of their atoms in each training
set and, if there are any, the audit and the analysis of the training; writes ``metrics/report.html``, one file that
needs no other, a folder of SVG drawings, and ``metrics/summary.json``, the few figures that ``dvc metrics diff`` shows. The same
inputs give the same bytes.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from stages.console import command
from stages.contract.errors import AGAIN, run
from stages.contract.files import complete, write_json
from stages.contract.schemas import CLEARED, PAPER, PROTOCOLS
from stages.evaluation.metrics import read as read_metrics
from stages.evaluation.summary import OTHER_KEYS
from stages.page import answer, aro, crepe, inputs, iterated, named, sections, sentences
from stages.page import audit as audits
from stages.page.display_names import DRAWN, VIEWS, drawn_suites, suite_name
from stages.page.drawings import Drawing
from stages.page.gallery import Gallery, gallery
from stages.page.named import AtomCounts
from stages.page.overview import overview
from stages.page.page import NOTES, SPREAD, Section, examples, page
from stages.parameters import params
from stages.parameters.sections import AnyPreset, Models, OpenClip, Report, Run, Split, TrainingSets


class Paths(NamedTuple):
    """The command line."""

    evaluated: Path
    ranks: Path
    images: Path
    queries: Path
    atom_counts: Path
    out: command.Output
    plots: command.OutputFolder
    summary: command.Output
    audit: Path | None = None
    analysis: Path | None = None
    trained: Path | None = None


EXAMPLES = 6
"""Number of queries with pictures at the top of the page."""
Seen = Mapping[str, Mapping[str, int]]


def report(
    metrics: Mapping[str, Any],
    audit: Mapping[str, Any] | None,
    atom_counts: Mapping[str, Mapping[str, AtomCounts]],
    shown: Gallery,
    spread: float = 0.0,
    seen: Mapping[str, Mapping[str, Seen]] | None = None,
    training: Section | None = None,
) -> tuple[str, list[Drawing]]:
    """Return the page, and all drawings: those of the page, and the atom counts of every training set.

    Args:
        audit: the results of ``audit``; ``None`` where the truth is unknown.
        atom_counts: by protocol, training set and split, each atom's numbers of training captions and of queries.
        spread: the difference of figures in points between machines.
        seen: by protocol, training set and split, the counts of :func:`stages.page.named.table`.
        training: the section on the model's training, if there is one.
    """
    parts: list[Section | None] = [answer.section(metrics)]
    for protocol in (CLEARED, PAPER):
        named_often = atom_counts.get(protocol, {}).get(metrics["judged_by"], {})
        parts.append(crepe.systematicity(metrics, protocol, named_often, (seen or {}).get(protocol, {})))
        parts.append(crepe.productivity(metrics, protocol))
    parts += [aro.section(metrics), sections.further(metrics), sections.text_only(metrics), sections.changes(metrics)]
    parts += [sections.raw(metrics), training, audits.section(audit)]
    there = [part for part in parts if part is not None]
    drawings = {drawing.name: drawing for part in there for drawing in part.drawings}
    pictures = [drawings[name] for name in (f"seen_against_unseen_{CLEARED}", f"by_complexity_{CLEARED}") if name in drawings]
    rows = answer.rows(metrics, spread)
    html = page(
        shown,
        name=metrics["model"]["name"],
        about=about(metrics),
        answer=rows,
        heads=list(answer.HEADS.values()),
        legend=answer.legend(rows),
        sentences=sentences.three(metrics, spread),
        pictures=pictures,
        examples=examples(shown, CLEARED, EXAMPLES),
        sections=[replace(part, drawings=[one for one in part.drawings if one not in pictures]) for part in there],
        notes=[*sentences.cautions(metrics, audit), *NOTES, *([SPREAD.format(spread)] if spread else [])],
    )
    drawings.pop("atom_counts", None)
    return html, [*drawings.values(), *crepe.atom_count_drawings(atom_counts.get(CLEARED, {}))]


def about(metrics: Mapping[str, Any]) -> str:
    """Return a short description of the page: the model, the number of queries, and the pictures."""
    model, judged_by = metrics["model"], metrics["judged_by"]
    drawn = drawn_suites(metrics)
    counts = {protocol: sentences.queries(metrics.get(protocol) or {}) for protocol in (PAPER, CLEARED)}
    counted = ", ".join(f"{count:,} of {VIEWS[protocol]}" for protocol, count in counts.items() if count)
    others = sentences.queries({suite: figures for suite, figures in metrics.items() if suite not in (*OTHER_KEYS, *drawn)})
    counted += f"{', ' if counted else ''}{others:,} of other suites" if others else ""
    text = f"{model['family']}, trained on {model['trained_on'] or 'an unknown set'}; {counted}."
    if (metrics.get("drawn") or {}).get("images"):
        text += " All pictures are the sample world's drawings."
    elif drawn:
        text += f" Not counted: {', '.join(suite_name(suite) for suite in drawn)}, which is {DRAWN}."
    if judged_by and judged_by != model["trained_on"]:
        text += f" Seen and unseen are by {judged_by}, not by its own training set."
    return text


def is_of(model: AnyPreset | None, trained: Path | None) -> bool:
    """Return whether the model is the one in the folder ``trained``, or one of its generations, which ``analyse`` describes."""
    architecture = model.architecture if isinstance(model, OpenClip) else ""
    folder = Path(architecture.removeprefix("local-dir:"))
    return trained is not None and architecture.startswith("local-dir:") and folder.resolve().is_relative_to(trained.resolve())


def main() -> None:
    paths = command.parse(Paths, __doc__)
    settings, workers = params.load(Report), params.load(Run).workers
    metrics = read_metrics(paths.evaluated, AGAIN)
    audit = inputs.read_audit(paths.audit) if paths.audit else None
    training_sets = sorted(params.load(TrainingSets).root)
    queries = named.read(paths.queries)
    files = {name: paths.atom_counts / f"atom_counts_{name}.csv" for name in training_sets}
    trained = {name: named.read_training_counts(path, queries) for name, path in files.items()}
    least, counts, seen = params.load(Split).min_count, dict[str, Any](), dict[str, Any]()
    for protocol in PROTOCOLS:
        asked_here = [query for query in queries if query.protocol == protocol]
        counts[protocol] = {name: named.atom_counts(asked_here, name, of_atoms) for name, of_atoms in trained.items()}
        seen[protocol] = {name: named.table(asked_here, name, of_atoms, least) for name, of_atoms in trained.items()}
    shown = gallery(paths.ranks, paths.images, settings.gallery, settings.seed, settings.crop_size, workers, drawn_suites(metrics))
    asked = params.load(Models).root.get(metrics["model"]["name"])
    analysis = inputs.read_analysis(paths.analysis) if paths.analysis and is_of(asked, paths.trained) else {}
    training = iterated.section(analysis, iterated.crops_of(analysis, paths.images, workers))
    html, drawings = report(metrics, audit, counts, shown, settings.machine_spread, seen, training)
    write_json(paths.summary, overview(metrics, audit))
    with complete(paths.plots, folder=True, alone=True) as folder:
        for drawing in drawings:
            (folder / drawing.file).write_text(drawing.svg, encoding="utf-8")
    with complete(paths.out, alone=True) as file:
        file.write_text(html, encoding="utf-8")
    missing = f" ({shown.without_picture:,} crops without a picture: their images are missing)" if shown.without_picture else ""
    print(f"report: {len(html) / 1e6:.1f} MB with {len(shown.rows):,} queries in the gallery{missing}, {len(drawings)} drawings")


if __name__ == "__main__":
    run(main)
