"""The report's section on the results of iterated learning (Zheng et al., CVPR 2024, section 4.4)."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from stages.images.crops import Crop, ImageFolder
from stages.page.drawings import SIDE, Drawing, course, sheet
from stages.page.gallery import thumbnail
from stages.page.page import Section
from stages.page.table import Cell, Table

SHEETS, A_SHEET = 3, 4
"""Number of sheets of codes, and of codes on each."""
Pictures = Mapping[Crop, bytes]
"""JPEGs of crops."""
LEAD = (
    "Both towers of this model share one codebook: a feature is the weighted sum of a few codes. Iterated learning "
    "replaces one of the towers at the beginning of each generation (vertical lines), so that hard-to-learn structure gets lost."
)


def crops_of(analysis: Mapping[str, Any], images: Path, workers: int) -> dict[Crop, bytes]:
    """Return the crops that the section shows."""
    book = analysis.get("codebook", {"top": ()})
    shown = [Crop(*crop) for code in _pictured(book) for crop in code["crops"]]
    return dict(ImageFolder(images).crops(shown, lambda image: thumbnail(image, SIDE), workers))


def section(analysis: Mapping[str, Any], pictures: Pictures) -> Section | None:
    """Return the results of ``analyse``; ``None`` for a model trained in another way."""
    if not analysis:
        return None
    tables = [_generations(analysis["generations"])]
    drawings = [*_courses(analysis)]
    if book := analysis.get("codebook"):
        tables += [_used(book), _purity(book), _codes(book)]
        drawings += _sheets(book, pictures)
    return Section("iterated", "Codebook and generations", LEAD, tables, drawings)


def _courses(analysis: Mapping[str, Any]) -> Iterator[Drawing]:
    loss, every = analysis["loss"], analysis["generations"]
    while_taught = "Loss over the training. During distillation it is the distance to the old agent's features."
    yield course("loss", while_taught, {"": (loss["steps"], loss["loss"])}, "step", "loss", loss["spawns"])
    if len(every) > 1 and every[0]["lipschitz"]:
        numbers = range(len(every))
        towers = {f"{tower} tower": (numbers, [measured["lipschitz"][tower] for measured in every]) for tower in ("image", "text")}
        smooth = "Upper bound of each tower's Lipschitz constant: the lower, the less a feature changes with its input."
        yield course("lipschitz", smooth, towers, "generation", "upper bound (log10)")
    easy = "How easily a generation is learnt from: accuracy of a new text agent, always from the same start, within its batches."
    lessons = {f"generation {i}": (measured["lesson"]["steps"], measured["lesson"]["accuracy"]) for i, measured in enumerate(every)}
    yield course("teaching", easy, lessons, "step", "accuracy (%)")


def _sheets(book: Mapping[str, Any], pictures: Pictures) -> Iterator[Drawing]:
    rows = [
        (f"code {shown_code['code']}", *_said(shown_code), [pictures[Crop(*crop)] for crop in shown_code["crops"]])
        for shown_code in _pictured(book)
    ]
    caption = "The most used codes, each with its top words and crops, and the labels that it agrees with."
    for number, first in enumerate(range(0, len(rows), A_SHEET), start=1):
        yield sheet(f"codes_{number}", caption, rows[first : first + A_SHEET])


def _pictured(book: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return book["top"][: SHEETS * A_SHEET]


def _generations(every: Sequence[Mapping[str, Any]]) -> Table:
    head = ["Generation", "Lipschitz bound, image (log10)", "text (log10)", "accuracy over the lesson (%)", "at its end (%)"]
    rows: list[list[Cell]] = []
    for i, generation in enumerate(every):
        accuracies, bounds = generation["lesson"]["accuracy"], generation["lipschitz"] or {}
        figures = bounds.get("image"), bounds.get("text"), sum(accuracies) / len(accuracies), accuracies[-1]
        rows.append([f"{i}", *("–" if figure is None else f"{figure:.1f}" for figure in figures)])
    return Table("Each generation's smoothness, and how easily a new text agent learns from it", head, rows)


def _used(book: Mapping[str, Any]) -> Table:
    used = book["used"]
    head = ["Codes", "used by crops", "used by words", "used by both", "codes a crop"]
    row: list[Cell] = [f"{book['codes']:,}", *(used[key] for key in ("by_crops", "by_words", "by_both")), f"{used['each']:.1f}"]
    return Table(f"How many codes are used, over {book['crops']:,} crops", head, [row])


def _purity(book: Mapping[str, Any]) -> Table:
    head = ["Aspect", "of all weight (%)", "with labels shuffled (%)", "of the five best crops (%)", "with labels shuffled (%)"]
    rows: list[list[Cell]] = [
        [name, *(f"{100 * purity[over][what]:.1f}" for over in ("all", "best") for what in ("mean", "shuffled"))]
        for name, purity in book["purity"].items()
    ]
    return Table("Purity: mean fraction of a code's weight on crops with one label", head, rows)


def _codes(book: Mapping[str, Any]) -> Table:
    rows: list[list[Cell]] = [[f"{top_code['code']}", *_said(top_code), f"{top_code['share']:.2f}"] for top_code in book["top"]]
    return Table("The most used codes", ["Code", "words", "agrees with", "share of all weight (%)"], rows, folded=True)


def _said(code: Mapping[str, Any]) -> tuple[str, str]:
    """Return a code's words, and the annotations that it agrees with."""
    agrees = (f"{value} {100 * share:.0f} %" for value, share in code["agrees"].values())
    return ", ".join(code["words"]) or "–", ", ".join(agrees) or "–"
