"""Bad input that the pipeline itself made or a user wrote for it: tables, figures, parameters."""

import io
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from stages.contract import schemas, tables
from stages.contract.json_files import read_json
from stages.models.load import load, training_set_of
from stages.parameters import params
from stages.parameters.sections import SECTIONS, Evaluate, Language, Models
from stages.parsing import parser
from tests.bad_input.form import Becomes, Case, Gets, Reader, Stops
from tests.running import section

ATOMS = [{"kind": "object", "atom": f"thing {i}", "count": i} for i in range(2000)]


def table(rows: list[dict[str, Any]] | None = None, **columns: pa.Array) -> bytes:
    """Return a table of seen atoms as the pipeline writes it, or one with other ``columns``."""
    out = io.BytesIO()
    if columns:
        pq.write_table(pa.table(columns), out)
        return out.getvalue()
    whole = pa.Table.from_pylist(ATOMS if rows is None else rows, schema=schemas.TABLES["seen_atoms"].schema)
    with pq.ParquetWriter(out, whole.schema, **tables.HOW) as writer:
        writer.write_table(whole)
    return out.getvalue()


def flipped(data: bytes, place: int) -> bytes:
    """Return ``data`` with one bit of one byte flipped."""
    changed = bytearray(data)
    changed[place] ^= 16
    return bytes(changed)


def _table(data: bytes | None, folder: Path) -> Gets:
    path = folder / "atoms.parquet"
    if data is not None:
        path.write_bytes(data)
    return Becomes(f"{len(list(tables.read('seen_atoms', path)))} rows")


_TEXTS, _COUNTS = pa.array(["object"]), pa.array([1])
_OLD = "does not have the columns of a table of seen_atoms"
_TABLES = [
    Case("missing", None, Stops("there is no such file")),
    Case("empty file", b"", Stops("is not a complete Parquet file")),
    Case("text", b"kind,atom,count\n", Stops("is not a complete Parquet file")),
    Case("cut short", table()[:-100], Stops("is not a complete Parquet file")),
    Case("its first half", table()[:2000], Stops("is not a complete Parquet file")),
    Case("a flipped bit in a page", flipped(table(), 1000), Stops("is damaged")),
    Case("a flipped bit in the footer's length", flipped(table(), -6), Stops("is not a complete Parquet file")),
    Case("a column fewer, as an older version had it", table(kind=_TEXTS, atom=_TEXTS), Stops(_OLD)),
    Case("a column more", table(kind=_TEXTS, atom=_TEXTS, count=_COUNTS, zipf=_COUNTS), Stops(_OLD)),
    Case("a column of another type", table(kind=_TEXTS, atom=_TEXTS, count=_COUNTS.cast(pa.int32())), Stops(_OLD)),
    Case("columns in another order", table(atom=_TEXTS, kind=_TEXTS, count=_COUNTS), Stops(_OLD)),
    Case("no rows", table([]), Becomes("0 rows")),
]


def _figures(text: str | None, folder: Path) -> Gets:
    path = folder / "figures.json"
    if text is not None:
        path.write_text(text)
    read_json(path, "run dvc repro")
    return Becomes(
        training_set_of("mine", section(Models, mine={"family": "dual", "checkpoint": "x", "trained_on": str(path)})) or ""
    )


_FIGURES = [
    Case("missing", None, Stops("o such file")),
    Case("cut short", '{"training_set": "cc1', Stops("JSON")),
    Case("a list", "[]", Stops("does not say what mine was trained on")),
    Case("without the key", "{}", Stops("does not say what mine was trained on")),
    Case("whole", '{"training_set": "cc12m"}', Becomes("cc12m")),
]


def _parameters(given: tuple[str | None, Any], folder: Path) -> Gets:
    """Return the section loaded from this text of ``params.yaml``, or what a function makes of the file's path."""
    text, asked = given
    path = folder / "params.yaml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    return Becomes(str(params.load(SECTIONS[asked], path) if isinstance(asked, str) else asked(path)))


_NO_PARSER = section(Language, parser="no.Parser")
_ON = "workers=2 memory='2GB' runner='on'"
_SAME = "scene_graphs: {{same_object: {}, rejects_per_reason: 1, piece: 10}}\n"
_RUN = "run: {{workers: {}, memory: {}, runner: local, most_dropped: 0.1}}\n".format
_PARAMETERS = [
    Case("missing file", (None, "run"), Stops("there is no params.yaml here")),
    Case("empty file", ("", "run"), Stops("run: is missing")),
    Case("a list", ("- run\n", "run"), Stops("run: is missing")),
    Case("no such section", ("sample: {seed: 1}\n", "run"), Stops("run: is missing")),
    Case("a section without keys", ("run:\nsample: {seed: 1}\n", "run"), Stops("run: is None and not a section of keys")),
    Case("no YAML: a bracket that nothing closes", ("run: {workers: 2\nsample:\n", "run"), Stops("is not YAML")),
    Case("no YAML: tabs", ("run:\n\tworkers: 2\n", "run"), Stops("row 2: is not YAML")),
    Case("the same key twice", ("run: {workers: 2, workers: 3}\n", "run"), Stops("is not YAML")),
    Case("YAML that would run code", ("run: !!python/object/apply:os.getcwd []\n", "run"), Stops("is not YAML")),
    Case("no such key", ("gen_hn_atom: {}\n", "gen_hn_atom"), Stops("gen_hn_atom.negatives: is missing")),
    Case("a word for a number", (_RUN("two", "2GB"), "run"), Stops("run.workers: is 'two'")),
    Case("a fraction for a whole number", (_RUN(1.5, "2GB"), "run"), Stops("run.workers: is 1.5")),
    Case("none of what needs one", (_RUN(0, "2GB"), "run"), Stops("run.workers: is 0")),
    Case("true for a number", (_RUN("true", "2GB"), "run"), Stops("run.workers: is True")),
    Case("a size without its unit", (_RUN(2, 2000), "run"), Stops("run.memory: is 2000")),
    Case("a share above one", ("crop: {min_share: 10}\n", "crop"), Stops("crop.min_share: is 10")),
    Case("no number", ("crop: {max_ratio: .nan}\n", "crop"), Stops("crop.max_ratio: is nan")),
    Case("a number for a list", ("walk_subgraphs: {complexities: 4}\n", "walk_subgraphs"), Stops("complexities: is 4")),
    Case("an unknown runner", (_RUN(2, "2GB").replace("local", "slurm"), "run"), Stops("run.runner: is 'slurm'")),
    Case(
        "an unknown parser", ("{}", lambda _: parser.make(section(Language, parser="no.Parser"))), Stops("no.Parser cannot be used")
    ),
    Case("an unknown model", ("{}", lambda _: load("clap", section(Models), section(Evaluate))), Stops("there is no model clap")),
    Case(
        "prepositions, which are words",
        ("visual_genome: {annotations: on, format: psg, images: off, boxes: xywh}\n", "visual_genome"),
        Becomes("annotations='on' format='psg' images='off' boxes='xywh'"),
    ),
    Case(
        "a number as other programs write it",
        ("scene_graphs: {same_object: 1e-3, rejects_per_reason: 1, piece: 10}\n", "scene_graphs"),
        Becomes("same_object=0.001 piece=10 rejects_per_reason=1"),
    ),
]

READERS = [
    Reader("Tables between stages", "atoms.parquet", _table, _TABLES),
    Reader("Figures between stages", "figures.json", _figures, _FIGURES),
    Reader("Parameters", "params.yaml", _parameters, _PARAMETERS),
]
