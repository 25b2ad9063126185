"""WordNet 3.0 through NLTK, found in the project's ``.nltk_data`` or wherever NLTK looks.

``python -m stages.language.wordnet`` puts it into ``.nltk_data``: by NLTK's own downloader, or, where only Debian's packages can be
reached, from ``wordnet-base`` and ``wordnet-sense-index``.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from stages.contract.errors import CrepeError
from stages.contract.files import complete, shared
from stages.contract.imports import without

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

FOLDER = shared(Path(__file__).resolve().parents[2] / ".nltk_data")
REMEDY = "WordNet is not installed. Remedy: python -m stages.language.wordnet, or nltk.download('wordnet')."

# The lexicographer files in the order of their numbers, with NLTK's number for the part of speech. Debian documents them in a
# manual page, lexnames(5WN), and ships no such file.
PARTS_OF_SPEECH = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}
LEXNAMES = [
    "adj.all",
    "adj.pert",
    "adv.all",
    "noun.Tops",
    "noun.act",
    "noun.animal",
    "noun.artifact",
    "noun.attribute",
    "noun.body",
    "noun.cognition",
    "noun.communication",
    "noun.event",
    "noun.feeling",
    "noun.food",
    "noun.group",
    "noun.location",
    "noun.motive",
    "noun.object",
    "noun.person",
    "noun.phenomenon",
    "noun.plant",
    "noun.possession",
    "noun.process",
    "noun.quantity",
    "noun.relation",
    "noun.shape",
    "noun.state",
    "noun.substance",
    "noun.time",
    "verb.body",
    "verb.change",
    "verb.cognition",
    "verb.communication",
    "verb.competition",
    "verb.consumption",
    "verb.contact",
    "verb.creation",
    "verb.emotion",
    "verb.motion",
    "verb.perception",
    "verb.possession",
    "verb.social",
    "verb.stative",
    "verb.weather",
    "adj.ppl",
]


@cache
def wordnet() -> WordNetCorpusReader:
    """The WordNet corpus reader.

    Raises:
        CrepeError: WordNet is not installed; the message says how to install it.
    """
    # Imported where it is needed, and without what NLTK's classifiers use: together three seconds.
    with without("scipy", "sklearn"):
        import nltk
        from nltk.corpus.reader.wordnet import WordNetCorpusReader

    class Reader(WordNetCorpusReader):
        """The same, read in a sixth of the time, which every process of every stage takes: whole files instead of lines."""

        def map_wn(self, version: str = "wordnet") -> None:
            """The map between versions, which other languages than English need."""

        def _scan_satellites(self) -> None:
            data = self._data_file("a")
            fields = (line.split(maxsplit=3) for line in data.read().splitlines() if line and not line.startswith(" "))
            self.satellite_offsets = {int(offset) for offset, _, kind, _ in fields if kind == "s"}

        def _load_lemma_pos_offset_map(self) -> None:
            for suffix in self._FILEMAP.values():
                with self.open(f"index.{suffix}") as file:
                    lines = file.read().splitlines()
                for lemma, pos, number, *others in (line.split() for line in lines if not line.startswith(" ")):
                    offsets = [int(offset) for offset in others[-int(number) :]]
                    self._lemma_pos_offset_map[lemma][pos] = offsets
                    if pos == "a":
                        self._lemma_pos_offset_map[lemma]["s"] = [o for o in offsets if o in self.satellite_offsets]

    if str(FOLDER) not in nltk.data.path:
        nltk.data.path.insert(0, str(FOLDER))
    # A folder, as Debian's files lie here, or the archive that NLTK's downloader leaves.
    for place in ("corpora/wordnet", "corpora/wordnet.zip/wordnet/"):
        with suppress(LookupError), warnings.catch_warnings(action="ignore", category=UserWarning):
            return Reader(nltk.data.find(place), None)
    raise CrepeError(REMEDY)


def install() -> None:
    """Put WordNet into ``.nltk_data``; nothing is done where it is found already.

    Raises:
        CrepeError: neither NLTK's server nor Debian's packages could be reached.
    """
    import nltk

    try:
        wordnet()
    except CrepeError:
        if not nltk.download("wordnet", download_dir=str(FOLDER), quiet=True):
            _install_from_debian()
    wordnet()


def _install_from_debian() -> None:
    if shutil.which("apt-get") is None:
        raise CrepeError("WordNet could not be downloaded. Remedy: nltk.download('wordnet') on a machine with internet access.")
    with tempfile.TemporaryDirectory() as folder:
        # apt runs its download as a user of its own, who must be able to write here.
        Path(folder).chmod(0o777)
        for package in ("wordnet-base", "wordnet-sense-index"):
            subprocess.run(["apt-get", "download", "-qq", package], cwd=folder, check=True)
        for archive in sorted(Path(folder).glob("*.deb")):
            subprocess.run(["dpkg", "-x", archive.name, "."], cwd=folder, check=True)
        with complete(FOLDER / "corpora" / "wordnet", folder=True) as target:
            shutil.copytree(Path(folder) / "usr" / "share" / "wordnet", target, dirs_exist_ok=True)
            lines = (f"{i:02d}\t{name}\t{PARTS_OF_SPEECH[name.split('.')[0]]}" for i, name in enumerate(LEXNAMES))
            (target / "lexnames").write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    try:
        install()
    except CrepeError as error:
        sys.exit(f"error: {error}")
