"""Other words of the same tag, so that a tagger learns from a word's place what it cannot learn from the word.

The treebank and the captions of regions have few verbs: "auditions", "joins" and "strolls" were nouns to a tagger trained on them
alone.
"""

from functools import cache

from wordfreq import get_frequency_dict

from stages.text.forms import getInflection
from stages.text.lexicon import words
from stages.text.wordnet import wordnet

COMMON = 1e-6
"""Minimum frequency of a word in English."""
USES = {"v": ("VBZ", "VBP", "VBD", "VBG", "VBN", "VB"), "n": ("NN", "NNS"), "a": ("JJ",)}
KEPT = words(
    """
    am are be been being did do does done get gets getting go had has have having is made make makes was were
    """
)
"""Words with special grammar, which others cannot replace."""
SHARE = 0.8
"""Minimum fraction of a word's uses in WordNet's counts with one part of speech, unless it is a verb's."""


@cache
def words_of(tag: str) -> tuple[str, ...]:
    """Return common English words with ``tag``, in order; none for tags of words with special grammar."""
    part = next((part for part, tags in USES.items() if tag in tags), None)
    if part is None:
        return ()
    english = get_frequency_dict("en", "small")
    lemmas = {
        name for name in wordnet().all_lemma_names(part) if english.get(name, 0) >= COMMON and name.isalpha() and len(name) > 2
    }
    forms = (form for lemma in sorted(lemmas) if _mostly(lemma, part) for form in getInflection(lemma, tag, inflect_oov=False)[:1])
    common = {form for form in forms if english.get(form, 0) >= COMMON and (tag != "NNS" or form.endswith("s"))}
    return tuple(sorted(common - KEPT))


def _mostly(lemma: str, part: str) -> bool:
    counts = {p: sum(one.count() for one in wordnet().lemmas(lemma, p)) for p in ("n", "v", "a", "r")}
    mine, every = counts[part], sum(counts.values())
    return mine >= SHARE * every if part != "v" else mine * 5 >= every
