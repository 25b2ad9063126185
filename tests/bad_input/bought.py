"""Bad input from elsewhere: checkpoints, a language model server's answers, and the official release."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

from stages.graphs.graph import SceneGraph
from stages.models import huggingface
from stages.models.openclip import OpenClip
from stages.parameters.sections import LanguageModel
from stages.suites import official, sugarcrepe
from stages.suites.suite_files import Images
from stages.writing.agreement import Failure
from stages.writing.writer import Answers, Writer
from tests.bad_input.form import CREPE, Becomes, Case, Dropped, Gets, Reader, Stops
from tests.models import tiny_transformers as tiny
from tests.models.made import tiny_clip
from tests.writing.server import reply, serving

# --- Checkpoints ----


class _Code:
    def __reduce__(self) -> tuple:
        return print, ("this must never be printed",)


def _checkpoint(change: Callable[[Path], Any], folder: Path) -> Gets:
    """Return what becomes of a good model's folder after ``change``."""
    change(tiny_clip(folder / "model"))
    model = OpenClip(f"local-dir:{folder / 'model'}", None, "fp32", "cpu", batch=2, text_batch_tokens=64)
    return Becomes(f"a model of width {model.width}")


def _weights(change: Callable[[dict[str, torch.Tensor]], Any]) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        weights = load_file(folder / "open_clip_model.safetensors")
        change(weights)
        save_file(weights, folder / "open_clip_model.safetensors")

    return write


def _pickled(folder: Path) -> None:
    (folder / "open_clip_model.safetensors").unlink()
    torch.save({"state_dict": {"x": _Code()}}, folder / "open_clip_pytorch_model.bin")


def _bytes(name: str, change: Callable[[bytes], bytes]) -> Callable[[Path], Any]:
    return lambda folder: (folder / name).write_bytes(change((folder / name).read_bytes()))


_WEIGHTS = "open_clip_model.safetensors"
_CHECKPOINTS = [
    Case("whole", lambda folder: None, Becomes("a model of width 16")),
    Case("no folder", lambda folder: folder.rename(folder.with_name("other")), Stops("dvc repro")),
    Case("no weights", lambda folder: (folder / _WEIGHTS).unlink(), Stops("could not be loaded")),
    Case("weights, cut short", _bytes(_WEIGHTS, lambda data: data[:-500]), Stops("checkpoint")),
    Case("empty weights", _bytes(_WEIGHTS, lambda data: b""), Stops("checkpoint")),
    Case("a web page for weights", _bytes(_WEIGHTS, lambda data: b"<html>404 Not Found</html>"), Stops("checkpoint")),
    Case("a weight is missing", _weights(lambda w: w.pop("ln_final.weight")), Stops("does not fit")),
    Case("a weight too many", _weights(lambda w: w.update(extra=torch.zeros(1))), Stops("does not fit")),
    Case("a weight of another shape", _weights(lambda w: w.update({"ln_final.weight": torch.zeros(3)})), Stops("does not fit")),
    Case("a pickle that would run code", _pickled, Stops("run code")),
    Case("a configuration, cut short", _bytes("open_clip_config.json", lambda data: data[:40]), Stops("model")),
]

# --- Answers ----

SETTINGS = {
    **{"base_url": "", "model": "tiny", "key_variable": "TEST_KEY", "temperature": 0.0, "max_tokens": 50, "timeout": 5.0},
    **{"attempts": 2, "first_pause": 0.01, "parallel": 1, "max_requests": 0, "max_tokens_in_all": 0},
}


def _answer(given: Any, folder: Path) -> Gets:
    """Return what becomes of the server's first response ``given``; it answers later requests well."""
    return _asked(folder, lambda n: given if n == 1 else reply("fine"))


def _always(given: Any, folder: Path) -> Gets:
    """Return what becomes of a server that answers every request with ``given``."""
    return _asked(folder, lambda n: given)


def _asked(folder: Path, says: Callable[[int], Any]) -> Gets:
    with serving(lambda request, n: says(n)) as (address, requests):
        (found,) = Writer(LanguageModel(**SETTINGS | {"base_url": address}), Answers(folder)).write([SceneGraph(("dog",))])
        asked = len(requests)
    stored = len(list(folder.rglob("*.json")))
    if isinstance(found, Failure):
        assert stored == ('"length"' in str(says(1))), "only an answer that was cut is kept, so that nobody pays for it again"
        return Dropped(found.reason)
    assert stored == 1
    return Becomes("asked again" if asked > 1 else f"the caption {found!r}")


def _stored(damage: Callable[[bytes], bytes], folder: Path) -> Gets:
    """Return what becomes of a stored answer after ``damage``."""
    assert _always(reply("fine"), folder) == Becomes("the caption 'fine'")
    (file,) = folder.rglob("*.json")
    file.write_bytes(damage(file.read_bytes()))
    with serving(lambda request, n: reply("asked again")) as (address, _):
        (found,) = Writer(LanguageModel(**SETTINGS | {"base_url": address}), Answers(folder)).write([SceneGraph(("dog",))])
    return Becomes(str(found))


_AGAIN = Becomes("asked again")
_BOMB = gzip.compress(bytes(50 << 20))
_PASSING = [
    Case("too many requests (429)", (429, "slow down"), _AGAIN),
    Case("a fault of the server (500)", (500, "oops"), _AGAIN),
    Case("no JSON", (200, "{not json"), _AGAIN),
    Case("a list", (200, "[]"), _AGAIN),
    Case("no choices", (200, '{"choices": []}'), _AGAIN),
    Case("no message", (200, '{"choices": [{"message": null}]}'), _AGAIN),
    Case("an answer that was cut at its greatest length", reply("cut in the mid", finish="length"), _AGAIN),
    Case("an answer of white space", reply("   "), _AGAIN),
    Case("the line goes dead", None, _AGAIN),
    Case("quotation marks, and a second line", reply(' "a dog"\nHere is another:'), Becomes("the caption 'a dog'")),
]
_LASTING = [
    Case("a fault of the server (500)", (500, "oops"), Stops("gave no answer (status 500)")),
    Case("too slow a server (408)", (408, ""), Stops("gave no answer (status 408)")),
    Case("too many requests, and a pause that is no number", (429, "", {"Retry-After": "nan"}), Stops("status 429")),
    Case("the line goes dead", None, Stops("gave no answer")),
    Case("a web page", (200, "<html></html>"), Stops("the answer does not follow the API")),
    Case("a hundred thousand lists in one another", (200, "[" * 100_000), Stops("the answer does not follow the API")),
    Case("tokens without end", (200, reply("fine")[1].replace("10}", "1e999}")), Stops("the answer does not follow the API")),
    Case("broken gzip", (200, reply("fine")[1], {"Content-Encoding": "gzip"}), Stops("DecodingError")),
    Case("gzip that unpacks to 50 MB", (200, _BOMB, {"Content-Encoding": "gzip"}), Dropped("unfit answer")),
    Case("an answer of white space", reply(" "), Dropped("unfit answer")),
    Case("an answer that is cut each time", reply("cut", finish="length"), Dropped("unfit answer")),
    Case("half a character", reply("\ud83d"), Dropped("unfit answer")),
    Case("a prompt that a filter refuses (400)", (400, '{"error": {"code": "content_filter"}}'), Dropped("refused by the server")),
    Case("a prompt that a filter refuses (200)", reply("", finish="content_filter"), Dropped("refused by the server")),
    Case("no request that it knows (400)", (400, "no"), Stops("answered 400")),
    Case("a wrong key (401)", (401, "no"), Stops("answered 401")),
    Case("no credit left (402)", (402, "no"), Stops("answered 402")),
    Case("another address (301)", (301, "", {"Location": "/v2"}), Stops("answered 301")),
    Case("a wrong address (404)", (404, "no"), Stops("answered 404")),
]
_STORED = [
    Case("empty", lambda data: b"", _AGAIN),
    Case("cut short", lambda data: data[:-20], _AGAIN),
    Case("a flipped bit", lambda data: data.replace(b"fine", b"fink"), _AGAIN),
    Case("another file", lambda data: b"[1]", _AGAIN),
    Case("no UTF-8", lambda data: b"\xff\xfe", _AGAIN),
    Case("a hundred thousand lists in one another", lambda data: b"[" * 100_000, _AGAIN),
]

# --- The official release ----

_HEAD = "image_id,caption,n,n_objects,n_relations,n_attributes,n_connected_components,hard_negs,x,y,width,height\n"


def _official(row: str, folder: Path) -> Gets:
    head = "" if row.startswith("image_id") else _HEAD
    (folder / "prod_vg_hard_negs_atom_complexity_4.csv").write_text(f"{head}{row}\n", encoding="utf-8")
    (found,) = official.read(folder)
    return Becomes(f"{found.negatives['atom']} at {', '.join(map(str, found.query.crop[1:]))}")


_OFFICIAL = [
    Case("a list", "38,dog,4,2,1,0,1,\"['a', 'b']\",0,3,78,79", Becomes("['a', 'b'] at 0, 3, 78, 79"), CREPE),
    Case(
        "a set, whose order is its text's",
        "38,dog,4,2,1,0,1,\"{'b', 'a'}\",0,3,78,79",
        Becomes("['b', 'a'] at 0, 3, 78, 79"),
        CREPE,
    ),
    Case("boxes in fractions", "38,dog,4,2,1,0,1,['a'],0.0,3.0,78.0,79.0", Becomes("['a'] at 0, 3, 78, 79"), CREPE),
    Case("a negative that is the caption", "38,dog,4,2,1,0,1,['dog'],0,3,78,79", Becomes("['dog'] at 0, 3, 78, 79"), CREPE),
    Case("a damaged word", "38,street,4,2,1,0,1,['sbananat'],0,3,78,79", Becomes("['sbananat'] at 0, 3, 78, 79"), CREPE),
    Case("of what the caption never names", "38,dog,4,2,1,0,1,['no cat'],0,3,78,79", Becomes("['no cat'] at 0, 3, 78, 79"), CREPE),
    Case("an offensive foil", "38,dog,4,2,1,0,1,['idiot'],0,3,78,79", Becomes("['idiot'] at 0, 3, 78, 79"), CREPE),
    Case("a sentence's capital", "38,dog,4,2,1,0,1,['No dog'],0,3,78,79", Becomes("['No dog'] at 0, 3, 78, 79"), CREPE),
    Case("a call in place of a list", "38,dog,4,2,1,0,1,__import__('os').getcwd(),0,0,1,1", Stops("neither a list nor a set")),
    Case("numbers in the list", '38,dog,4,2,1,0,1,"[1, 2]",0,0,1,1', Stops("row 1: cannot be read")),
    Case("a word for a number", "x,dog,4,2,1,0,1,['a'],0,0,1,1", Stops("row 1: cannot be read")),
    Case("a row cut short", "38,dog,4,2", Stops("row 1: cannot be read")),
    Case("a negative list nested too deep", f'38,dog,4,2,1,0,1,"{"[" * 5000}",0,0,1,1', Stops("row 1: cannot be read")),
    Case("a box beyond all numbers", "38,dog,4,2,1,0,1,['a'],0,0,1e999,1", Stops("row 1: cannot be read")),
    Case("a column is missing", "image_id,caption\n38,dog", Stops("row 1: has no column")),
]


def _systematicity(rows: str, folder: Path) -> Gets:
    (folder / "syst_vg_hard_negs_seen_compounds_in_laion.json").write_text(rows, encoding="utf-8")
    (found,) = official.read(folder)
    return Becomes(f"{found.caption} against {', '.join(found.negatives['atom'])}")


_ROW = (
    '[{{"region_id": 1, "image_id": 38, "caption": {}, "x": 0, "y": 3, "width": 78, "height": 79, '
    '"valid_hard_negs_atom": ["a cat"], "valid_hard_negs_comp": []}}]'
).format
_SYSTEMATICITY = [
    Case("a row", _ROW('"a dog"'), Becomes("a dog against a cat")),
    Case("a caption that is null", _ROW("null"), Stops("row 1: cannot be read")),
    Case("an object", "{}", Stops("is not a list of rows")),
    Case("a hundred thousand lists in one another", "[" * 100_000, Stops("nested too deep")),
]

# --- Checkpoints of transformers ----


def _transformers(change: Callable[[Path], Any], folder: Path) -> Gets:
    """Return what becomes of a good checkpoint's folder after ``change``: it is loaded, and reads captions."""
    checkpoint = tiny.save(tiny.DUAL["clip"], folder / "model")
    change(checkpoint)
    model = huggingface.Dual(str(checkpoint), "fp32", "cpu", 2)
    model.truncated([f"a {word} on the mat" for word in tiny.WORDS])
    return Becomes(f"a model of width {model.width}")


def _without_tokenizer(folder: Path) -> None:
    for file in folder.glob("tokenizer*"):
        file.unlink()


def _asks_for_code(folder: Path) -> None:
    (folder / "config.json").write_text('{"model_type": "own", "auto_map": {"AutoConfig": "own.C", "AutoModel": "own.M"}}')
    (folder / "own.py").write_text("raise SystemExit('this must never be run')\n")


_TRANSFORMERS = [
    Case("whole", lambda folder: None, Becomes("a model of width 16")),
    Case("no tokenizer files: an empty tokenizer reads nothing", _without_tokenizer, Stops("tokenizer")),
    Case("a tokenizer's file that is cut short", _bytes("tokenizer.json", lambda data: data[:99]), Stops("tokenizer cannot be")),
    Case("a tokenizer's file nested too deep", _bytes("tokenizer.json", lambda data: b"[" * 100_000), Stops("tokenizer cannot be")),
    Case("preprocessing that is a list", _bytes("preprocessor_config.json", lambda data: b"[]"), Stops("preprocessing cannot be")),
    Case(
        "preprocessing that is cut short", _bytes("preprocessor_config.json", lambda data: data[:9]), Stops("preprocessing cannot")
    ),
    Case("a configuration that asks to run the folder's code", _asks_for_code, Stops("family")),
]

# --- SugarCrepe ----


def _sugarcrepe(text: str, folder: Path) -> Gets:
    (folder / "add_att.json").write_text(text)
    (found,) = sugarcrepe.sets(folder, Images())
    return Becomes(f"{found.truth} against {', '.join(found.negatives)}")


_ENTRY = '{{"0": {{"filename": {}, "caption": {}, "negative_caption": "a cat"}}}}'.format
_SUGARCREPE = [
    Case("an entry of COCO", _ENTRY('"000000085329.jpg"', '"a dog"'), Becomes("a dog against a cat")),
    Case("a picture by its name, as our own export has it", _ENTRY('"1-0-0-9-9.png"', '"a dog"'), Becomes("a dog against a cat")),
    Case("a name that leaves the folder", _ENTRY('"../../a.jpg"', '"a dog"'), Stops("row key 0: is not a case of SugarCrepe")),
    Case("a caption that is a number", _ENTRY('"1.jpg"', "3"), Stops("row key 0: is not a case of SugarCrepe")),
    Case("a caption that is null", _ENTRY('"1.jpg"', "null"), Stops("row key 0: is not a case of SugarCrepe")),
    Case("a name that is null", _ENTRY("null", '"a dog"'), Stops("row key 0: is not a case of SugarCrepe")),
    Case("an entry that is a list", '{"0": []}', Stops("row key 0: is not a case of SugarCrepe")),
    Case("a number", "3", Stops("neither a list nor an object")),
    Case("a hundred thousand lists in one another", "[" * 100_000, Stops("is not JSON")),
]

READERS = [
    Reader("Checkpoints", "model", _checkpoint, _CHECKPOINTS),
    Reader("Checkpoints of transformers", "", _transformers, _TRANSFORMERS),
    Reader("SugarCrepe", "add_att.json", _sugarcrepe, _SUGARCREPE),
    Reader("A language model's server, once", "", _answer, _PASSING),
    Reader("A language model's server, always", "", _always, _LASTING),
    Reader("Stored answers", "", _stored, _STORED),
    Reader("CREPE's release", "prod_vg_hard_negs_atom_complexity_4.csv", _official, _OFFICIAL),
    Reader("CREPE's release in JSON", "syst_vg_hard_negs_seen_compounds_in_laion.json", _systematicity, _SYSTEMATICITY),
]
