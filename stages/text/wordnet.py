"""WordNet 3.0 through NLTK, found in the project's ``.nltk_data`` or wherever NLTK looks."""

from __future__ import annotations

import warnings
from contextlib import suppress
from functools import cache, cached_property
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from stages.contract.errors import CrepeError
from stages.contract.files import shared
from stages.contract.patches import without

if TYPE_CHECKING:
    from nltk.corpus.reader.wordnet import Lemma, Synset, WordNetCorpusReader

FOLDER = shared(Path(__file__).resolve().parents[2] / ".nltk_data")
REMEDY = "WordNet is not installed. Remedy: python -m stages.text.install_wordnet, or nltk.download('wordnet')."


@cache
def wordnet() -> WordNetCorpusReader:
    """Return the WordNet corpus reader.

    Raises:
        CrepeError: WordNet is not installed; the message says how to install it.
    """
    # Imported here, and without modules that only NLTK's classifiers use: together they take three seconds.
    with without("scipy", "sklearn"):
        import nltk
        from nltk.corpus.reader import wordnet as module

    class Reader(module.WordNetCorpusReader):
        """NLTK's reader, four times faster, which matters in every process of every stage."""

        def map_wn(self, version: str = "wordnet") -> None:
            """Skip the map between versions, which only other languages than English need."""

        def _load_lemma_pos_offset_map(self) -> None:
            for suffix in self._FILEMAP.values():
                with self.open(f"index.{suffix}") as file:
                    lines = file.read().splitlines()
                for lemma, pos, number, *others in (line.split() for line in lines if not line.startswith(" ")):
                    offsets = [int(offset) for offset in others[-int(number) :]]
                    self._lemma_pos_offset_map[lemma][pos] = offsets
                    if pos == "a":
                        self._lemma_pos_offset_map[lemma]["s"] = [o for o in offsets if o in self.satellite_offsets]

        def _data_file(self, pos: str) -> TextIOWrapper:
            pos = module.ADJ if pos == module.ADJ_SAT else pos
            if pos not in self._data_file_map:
                stream = self.abspath(f"data.{self._FILEMAP[pos]}").open()
                self._data_file_map[pos] = TextIOWrapper(stream, encoding="ascii", newline="\n")
            return self._data_file_map[pos]

        def _synset_from_pos_and_line(self, pos: str, line: str) -> Synset:
            """Leave out the gloss, with its definition and examples."""
            return super()._synset_from_pos_and_line(pos, line.partition("|")[0] + "|")

        def lemma_count(self, lemma: Lemma) -> int:
            """Return how often texts have the lemma in its sense: NLTK looks through a file for each."""
            return self._uses.get(lemma.key(), 0)

        @cached_property
        def _uses(self) -> dict[str, int]:
            with self.open("cntlist.rev") as file:
                return {key: int(uses) for key, _, uses in (line.split() for line in file.read().splitlines())}

    if str(FOLDER) not in nltk.data.path:
        nltk.data.path.insert(0, str(FOLDER))
    # A folder, as from Debian's files, or the archive of NLTK's downloader.
    for place in ("corpora/wordnet", "corpora/wordnet.zip/wordnet/"):
        with suppress(LookupError), warnings.catch_warnings(action="ignore", category=UserWarning):
            return Reader(nltk.data.find(place), None)
    raise CrepeError(REMEDY)
