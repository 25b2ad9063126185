"""Export the queries in others' formats: ``python -m stages.suites.export FORMAT --out FOLDER --atom … --comp … --prod …``.

- ``official``: the official release's CSV files, as its evaluation script reads them (needs ``--regions``);
- ``sugarcrepe``: SugarCrepe's JSON, a file for each kind of negative; with ``--images`` the crops as pictures next to them;
- ``huggingface``: a data set with its card for ``datasets``, and tasks for lmms-eval; ``--aro`` and ``--order`` add the queries of
  ARO's sets, ``--order-images`` is the folder of the latter's images, ``gen_order.images_in`` (needs ``--images``);
- ``columns``: the same sets with one column a caption, as mteb reads them (needs ``--images``);
- ``webdataset``: a crop, its caption and its negatives, for training with hard negatives in the batch (needs ``--images``).

``--protocol`` selects the cleared sets, the default, or the paper's. ``python -m stages.page.show --json FILE`` writes the sets of
both as text. A model that trains on some queries must be tested on others: use different images for the two.
"""

from __future__ import annotations

import argparse
import io
import json
import tarfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from stages.console.progress import progress
from stages.contract import tables
from stages.contract.errors import InputError, ParameterError, run
from stages.contract.files import complete, component, write_json
from stages.contract.schemas import CLEARED, PROTOCOLS
from stages.evaluation.sets import RetrievalSet
from stages.graphs.graph import SceneGraph
from stages.images.crops import Crop, ImageFolder
from stages.suites import aro, crepe, hub
from stages.suites import official as release
from stages.suites.hub import to_png
from stages.suites.suite_files import write_csv

TOGETHER = {"both", "all"}
SPLITS = {split: name for name, split in release.SPLITS.items()}
TRAINING_SETS = {name: short for short, name in release.TRAINING_SETS.items()}
KINDS = {name: kind for kind, name in release.SETS.items()}
IN_A_SHARD = 1000
ASKS = {
    "atom": {("region", "HN-Atom")},
    "comp": {("region", "HN-Comp")},
    "prod": {("walk", name) for name in ("HN-Atom", "HN-Swap", "HN-Neg")},
    "aro": {("aro", name) for name in ("VG-Relation", "VG-Attribution")},
    "order": {("order", "Order")},
}
"""By option: the prefix of its table's query ids, and their types."""


def productivity(out: Path, queries: Path, protocol: str) -> int:
    """Write the official files of productivity, a folder a type, a file a complexity, and return the number of rows."""
    files: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for row in tables.read("queries", queries):
        if row["protocol"] == protocol:
            kind = KINDS[crepe.SETS[row["type"]]]
            files.setdefault((kind, row["n"]), []).append(_productivity_row(row))
    for (kind, n), rows in files.items():
        write_csv(out / kind / f"prod_vg_hard_negs_{kind}_complexity_{n}.csv", release.PRODUCTIVITY_COLUMNS, rows)
    return sum(map(len, files.values()))


def _productivity_row(row: Mapping[str, Any]) -> dict[str, Any]:
    graph = SceneGraph.from_columns(row)
    # A denied thing is not in the truth's graph, and does not count in the complexity of its file.
    counts = (row["n"], len(graph.objects), len(graph.relations), len(graph.attributes), len(graph.components()))
    return {
        "image_id": row["image_id"],
        "caption": row["truth"],
        **dict(zip(release.COUNTS, counts, strict=True)),
        "hard_negs": [negative["caption"] for negative in row["negatives"]],
        **{side: float(row[side]) for side in release.BOX},
    }


def systematicity(out: Path, sets: Sequence[RetrievalSet], regions: Path) -> int:
    """Write the official files of systematicity, by training set and split, and return the number of rows.

    Queries with one truth for both types are in one file, as in the release. A truth with only one type is in the folder
    ``atom`` or ``comp``: a row without negatives of the type that the script reads would count as right.
    """
    position = {row["region_id"]: row["position"] for row in tables.read("regions", regions, ["region_id", "position"])}
    asked: dict[tuple[str, str], dict[str, RetrievalSet]] = {}
    for s in sets:
        asked.setdefault((s.query.query_id, s.truth), {})[s.name] = s
    files: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for (query_id, truth), by_name in asked.items():
        single = [name for name in ("atom", "comp") if name in by_name]
        if not single:
            continue
        query = by_name[single[0]].query
        negatives = [list(by_name[name].negatives) if name in by_name else [] for name in ("atom", "comp", "both")]
        row = {"region_id": position[int(query_id.removeprefix("region-"))], "caption": truth, **query.crop._asdict()}
        row |= zip(release.NEGATIVES, negatives, strict=True)
        folder = single[0] if len(single) == 1 else ""
        for training_set, split in query.splits.items():
            if training_set in release.TRAINING_SETS.keys() - TRAINING_SETS.keys():
                wrong = f"is what the release calls {release.TRAINING_SETS[training_set]}"
                raise ParameterError(f"training_sets.{training_set}", wrong, "give the set another name")
            files.setdefault((folder, SPLITS[split.name], TRAINING_SETS.get(training_set, training_set)), []).append(row)
    for (types, of_split, of_set), rows in files.items():
        name = component("the queries", f"syst_vg_hard_negs_{of_split}_in_{of_set}.csv")
        write_csv(out / types / name, release.SYSTEMATICITY_COLUMNS, rows)
    return sum(map(len, files.values()))


def official(paths: Paths, _workers: int) -> int:
    """Write both, and return the number of rows."""
    with complete(paths.out, folder=True) as out:
        count = systematicity(out, paths.systematicity(), paths.regions) if paths.regions and paths.atom and paths.comp else 0
        return count + (productivity(out, paths.prod, paths.protocol) if paths.prod else 0)


def sugarcrepe(paths: Paths, workers: int) -> int:
    """Write a JSON file for each suite and type, an entry for each negative, and return the number of entries.

    With images the crops are written to ``images/``.
    """
    files: dict[str, list[dict[str, str]]] = {}
    crops: dict[Crop, str] = {}
    for s in paths.single():
        name = crops.setdefault(s.query.crop, "-".join(map(str, s.query.crop)) + ".png")
        entry = {"filename": name, "caption": s.truth}
        files.setdefault(f"{s.suite}_{s.name}", []).extend({**entry, "negative_caption": text} for text in s.negatives)
    # All or nothing: a file that another export left would be read as well.
    with complete(paths.out, folder=True) as out:
        if paths.images:
            (out / "images").mkdir()
            for crop, png in progress(paths.folder().crops(crops, to_png, workers), "crops", "crop", len(crops)):
                (out / "images" / crops[crop]).write_bytes(png)
        for name, entries in sorted(files.items()):
            write_json(out / f"{name}.json", {str(i): entry for i, entry in enumerate(entries)})
    return sum(map(len, files.values()))


def training_rows(paths: Paths, workers: int) -> Iterator[dict[str, Any]]:
    """Yield each query and truth with its crop (as PNG) and its negatives of all types, by image."""
    by_crop: dict[Crop, dict[tuple[str, str], list[RetrievalSet]]] = {}
    for s in paths.single():
        by_crop.setdefault(s.query.crop, {}).setdefault((s.query.query_id, s.truth), []).append(s)
    for crop, png in progress(paths.folder().crops(by_crop, to_png, workers), "crops", "crop", len(by_crop)):
        for (query_id, truth), group in sorted(by_crop[crop].items()):
            yield {
                "query_id": query_id,
                "image": png,
                "caption": truth,
                "negatives": [text for s in group for text in s.negatives],
                "types": [s.name for s in group for _ in s.negatives],
            }


def webdataset(paths: Paths, workers: int) -> int:
    """Write tar files ``00000.tar`` … of ``.png``, ``.txt`` and ``.json`` (negatives, types), and return the number of rows."""
    count = 0
    with complete(paths.out, folder=True) as partial:
        for shard, numbered in groupby(enumerate(training_rows(paths, workers)), key=lambda pair: pair[0] // IN_A_SHARD):
            with tarfile.open(partial / f"{shard:05d}.tar", "w") as tar:
                for number, row in numbered:
                    about = json.dumps({"negatives": row["negatives"], "types": row["types"]}, ensure_ascii=False)
                    for suffix, data in (("png", row["image"]), ("txt", row["caption"].encode()), ("json", about.encode())):
                        # No owner and no time, so that the same rows give the same bytes.
                        member = tarfile.TarInfo(component("the queries", f"{number:08d}-{row['query_id']}.{suffix}"))
                        member.size = len(data)
                        tar.addfile(member, io.BytesIO(data))
                    count = number + 1
    return count


class Paths(NamedTuple):
    """The command line: the tables to export, and the destination."""

    out: Path
    atom: Path | None
    comp: Path | None
    prod: Path | None
    regions: Path | None
    images: Path | None
    aro: Path | None
    order: Path | None
    order_images: Path | None
    protocol: str

    def systematicity(self) -> list[RetrievalSet]:
        return self._own(crepe.systematicity(self.atom, self.comp)) if self.atom and self.comp else []

    def sets(self) -> list[RetrievalSet]:
        """Return CREPE's own sets."""
        return [*self.systematicity(), *(self._own(crepe.productivity(self.prod)) if self.prod else ())]

    def _own(self, sets: Iterable[RetrievalSet]) -> list[RetrievalSet]:
        return [s for s in sets if s.protocol == self.protocol]

    def single(self) -> list[RetrievalSet]:
        """Return CREPE's sets without those that repeat others' negatives."""
        return [s for s in self.sets() if s.name not in TOGETHER]

    def folder(self) -> ImageFolder:
        return ImageFolder(self.images or "")

    def made(self) -> Iterator[tuple[Iterable[RetrievalSet], ImageFolder]]:
        """Return CREPE's sets and ARO's, with their images."""
        yield self.sets(), self.folder()
        if self.aro:
            yield aro.made(self.aro), self.folder()
        if self.order:
            yield aro.made(self.order), ImageFolder(self.order_images or "")


FORMATS: dict[str, tuple[str | None, Callable[[Paths, int], int]]] = {
    "official": ("regions", official),
    "sugarcrepe": (None, sugarcrepe),
    "huggingface": ("images", lambda paths, workers: hub.in_lists(paths.out, paths.made(), workers)),
    "columns": ("images", lambda paths, workers: hub.in_columns(paths.out, paths.made(), workers)),
    "webdataset": ("images", webdataset),
}
"""By name: the option that the format needs, and the function that writes it and returns the number of rows."""


def _has_sets(queries: Path, name: str, protocol: str) -> bool:
    """Return whether a table has sets of the protocol, or of none, as ARO's; refuse another option's, which files would misname.

    Raises:
        InputError: it has queries of another option, whose files would have the wrong names.
    """
    found = False
    for row in tables.read("queries", queries, ["query_id", "type", "protocol"]):
        found |= row["protocol"] in (protocol, None)
        if (row["query_id"].partition("-")[0], row["type"]) not in ASKS[name]:
            wrong = f"has {row['type']} of {row['query_id']}, which --{name} does not take"
            raise InputError(queries, wrong, "name the table it asks for")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("format", choices=FORMATS)
    for name in Paths._fields[:-1]:
        parser.add_argument(f"--{name.replace('_', '-')}", type=Path, required=name == "out")
    parser.add_argument("--protocol", choices=PROTOCOLS, default=CLEARED)
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args()
    paths = Paths(*(getattr(asked, name) for name in Paths._fields))
    needed, write = FORMATS[asked.format]
    if needed and getattr(paths, needed) is None and (paths.atom or needed != "regions"):
        parser.error(f"the format {asked.format} needs --{needed}")
    if (paths.atom is None) != (paths.comp is None):
        parser.error("--atom and --comp are the two tables of systematicity: name both, or neither")
    if asked.format not in ("huggingface", "columns") and (paths.aro or paths.order):
        parser.error(f"the format {asked.format} cannot hold --aro and --order: use huggingface or columns")
    if paths.order and paths.order_images is None:
        parser.error("--order needs --order-images, the folder of gen_order.images_in: its numbers mean other images elsewhere")
    if not any((paths.atom, paths.prod, paths.aro, paths.order)):
        parser.error("name tables of queries: --atom and --comp, --prod, --aro or --order")
    if asked.format in ("huggingface", "columns") and set(str(paths.out.resolve())) & set("*?["):
        raise InputError(paths.out, "has a sign (* ? [) in its path that datasets takes for a pattern", "name another place")
    named = {name: queries for name in ASKS if (queries := getattr(paths, name))}
    without = [queries for name, queries in named.items() if not _has_sets(queries, name, paths.protocol)]
    if len(without) == len(named):
        raise InputError(without[0], f"has no set of the protocol {paths.protocol}", "name the other --protocol, or other tables")
    for queries in without:
        print(f"note: {queries} has no set of the protocol {paths.protocol}")
    print(f"export: {write(paths, asked.workers):,} rows of {asked.format} in {paths.out}")


if __name__ == "__main__":
    run(main)
