"""The words that may become foils: those that training captions use often enough, and how they are related to the words they
replace.

A foil that no model has seen tests vocabulary and not composition, and a text-only language model recognises it by its rarity. So
foils are atoms that the training sets name (``foils.min_training_count``), and common words of English (``foils.min_zipf``).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path

from wordfreq import zipf_frequency

from stages.contract import duck, tables
from stages.graphs.graph import Atom
from stages.negatives.candidate import KINDS
from stages.parameters.sections import Run
from stages.semantics import attributes, relations, wordnet
from stages.text.lexicon import words
from stages.text.word_classes import is_person

OFFENSIVE_USAGE = words("ethnic_slur.n.01 obscenity.n.02 disparagement.n.01 vulgarism.n.02 derogation.n.01")
# Words that WordNet does not mark in every sense, and that do not belong next to a person's picture.
OFFENSIVE = words(
    """
    bastard bitch boob bum cock condom corpse
    cripple crap damn fag fatso freak hooker idiot jap junkie midget moron naked nazi negro nude
    penis pimp porn prostitute queer rapist retard savage sex slave slut tit tramp vagina whore anus breast genitals nipple
    """
)


@lru_cache(1 << 17)
def offensive(word: str) -> bool:
    """Return whether a word is a slur or an obscenity: WordNet marks half of its senses or more as such ("boy" is not).

    >>> offensive("boy"), offensive("nude beach")
    (False, True)
    """
    parts = word.split()
    if not OFFENSIVE.isdisjoint(parts):
        return True
    marked = _marked_offensive()
    for part in (part for part in parts if part in marked):
        found = [sense.name() in marked[part] for pos in "nav" for sense in wordnet.senses(part, pos)]
        if 2 * sum(found) >= max(len(found), 1):
            return True
    return False


@cache
def _marked_offensive() -> dict[str, set[str]]:
    """Return the words with senses that WordNet marks as slurs or obscenities, with these senses."""
    found: dict[str, set[str]] = {}
    for usage in sorted(OFFENSIVE_USAGE):
        for sense in wordnet.named(usage).in_usage_domains():
            for word in wordnet.spellings(sense):
                found.setdefault(word.lower(), set()).add(sense.name())
    return found


@lru_cache(1 << 17)
def zipf(word: str) -> float:
    """Return how common the rarest part of ``word`` is, on the Zipf scale: 3 is once in a million words, 6 once in a thousand."""
    return min((zipf_frequency(part, "en") for part in word.split()), default=0.0)


@dataclass(frozen=True)
class Vocabulary:
    """The foils.

    Attributes:
        counts: by kind and atom, the number of training captions that name it.
        lacking: by kind and atom, the numbers of the training sets that have not seen it, if any.
    """

    counts: Mapping[str, Mapping[str, int]]
    lacking: Mapping[str, Mapping[str, Sequence[int]]] = field(default_factory=dict)
    _found: dict[tuple[str, str, bool, int], list[str]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _nouns: dict[str, bool] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def commonest(self) -> dict[str, list[str]]:
        """Return all words of each kind, the most common first."""
        return {kind: sorted(counts, key=lambda word: (-counts[word], word)) for kind, counts in self.counts.items()}

    def lack(self, atoms: Iterable[Atom]) -> frozenset[int]:
        """Return the training sets that have not seen one of the ``atoms``; words that are not foils are not known."""
        return frozenset(number for atom in atoms for number in self.lacking.get(atom.kind, {}).get(atom.text, ()))

    @cached_property
    def below(self) -> dict[str, list[str]]:
        """Return the nouns below each WordNet sense, the most common first."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for noun in self.commonest["object"]:
            sense = wordnet.sense(noun)
            if sense is not None and self.is_noun(noun):
                for name in wordnet.ancestors(sense):
                    found[name].append(noun)
        return dict(found)

    def is_noun(self, noun: str) -> bool:
        """Return whether a word is a WordNet noun that captions use as a noun more often than as an attribute.

        Not "orange bag" or "blue"; nor "dirty dog", which WordNet has as a kind of person only.
        """
        if noun not in self._nouns:
            self._nouns[noun] = self._is_noun(noun)
        return self._nouns[noun]

    def _is_noun(self, noun: str) -> bool:
        sense, head = wordnet.sense(noun), noun.rsplit(" ", 1)[-1]
        if head != noun and sense is not None and sense.lexname() == "noun.person" and not is_person(head):
            return False
        named, called = self.counts["object"].get(noun, 0), self.counts["attribute"].get(noun, 0)
        return noun not in wordnet.ANYTHING and bool(wordnet.senses(noun, "n") or noun in wordnet.SENSES) and named > called

    def candidates(self, kind: str, atom: str, near: bool, most: int) -> list[str]:
        """Return at most ``most`` words that may replace ``atom``, the most common first.

        Section 4.1: antonyms, and words under the same grand-hypernym. WordNet has neither for most attributes and relations;
        for those, the classes of ``semantics/attributes.txt`` and the exclusions of ``semantics/relations.txt`` are used.

        Args:
            near: take only nouns up to the grand-hypernym, however few. Otherwise those of the next ancestor are added until there
                are ``most``, at a penalty (``cleared.far_price``): WordNet's trees differ in depth, and a horse's grand-hypernym is
                the odd-toed ungulates.
        """
        key = (kind, atom, near, most)
        if key not in self._found:
            known = self.counts[kind]
            related = self._related(kind, atom, 0 if near else most)
            self._found[key] = [word for word in related if word in known and word != atom][:most]
        return self._found[key]

    def _related(self, kind: str, atom: str, wanted: int) -> Iterable[str]:
        if kind == "attribute":
            return attributes.candidates(atom)
        if kind == "relation":
            return (other for other in self.commonest["relation"] if relations.may_replace(atom, other))
        if atom in self.counts["object"] and not self.is_noun(atom):
            return ()
        return dict.fromkeys((*sorted(wordnet.antonyms(atom, "n")), *self._cousins(atom, wanted)))

    def _cousins(self, noun: str, wanted: int) -> list[str]:
        counts, found = self.counts["object"], set[str]()
        for names in wordnet.hypernyms(noun):
            found.update(other for name in names for other in self.below.get(name, ()))
            if len(found - {noun}) >= wanted:
                break
        return sorted(found - {noun}, key=lambda other: (-counts[other], other))


def read(
    training_sets: Sequence[Path], min_training_count: int, min_zipf: float, least: int, running: Run, spill: Path
) -> Vocabulary:
    """Return the vocabulary of the ``training_sets`` (folders, as parse_train writes them).

    Args:
        least: minimum number of captions of a training set that name an atom, for it to be seen.

    Raises:
        InputError: a training set is missing.
    """
    paths = [folder / "occurrences.parquet" for folder in training_sets]
    for path in paths:
        tables.verify("occurrences", path)
    # A training set that has "cell phone" has seen "cellphone", as in the splits.
    query = """WITH named AS (
            SELECT kind, first, translate(first, ' -', '') AS spelled, filename, sum(count)::BIGINT AS n
            FROM read_parquet(?, filename = true) WHERE kind IN ('object', 'attribute', 'relation') GROUP BY ALL
        ), seen AS (
            SELECT kind, spelled, list(filename) AS seen_by
            FROM (SELECT kind, spelled, filename FROM named GROUP BY ALL HAVING sum(n) >= ?) GROUP BY ALL
        ), counted AS (SELECT kind, first, spelled, sum(n)::BIGINT AS n FROM named GROUP BY ALL HAVING sum(n) >= ?)
        SELECT kind, first, n, seen_by FROM counted LEFT JOIN seen USING (kind, spelled) ORDER BY kind, first"""
    counts: dict[str, dict[str, int]] = {kind: {} for kind in KINDS}
    lacking: dict[str, dict[str, Sequence[int]]] = {kind: {} for kind in KINDS}
    with duck.database(running.memory, running.workers, spill) as connection:
        for piece in duck.stream(connection, query, [[str(path) for path in paths], least, min_training_count]):
            for row in piece.to_pylist():
                if zipf(row["first"]) >= min_zipf and not offensive(row["first"]):
                    counts[row["kind"]][row["first"]] = row["n"]
                    if unseen := [i for i, path in enumerate(paths) if str(path) not in (row["seen_by"] or ())]:
                        lacking[row["kind"]][row["first"]] = unseen
    return Vocabulary(counts, lacking)
