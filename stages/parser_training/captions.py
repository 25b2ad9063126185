"""Trees as training examples, in the treebank's own style and in that of captions."""

import random
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from spacy.language import Language
from spacy.tokens import Doc, Token
from spacy.training import Example
from spacy.util import registry
from spacy.vocab import Vocab
from wordfreq import get_frequency_dict

from stages.parser_training.treebank import Node, convert, read
from stages.text.forms import getInflection
from stages.text.lexicon import words
from stages.text.wordnet import wordnet

WEB = Path(__file__).with_name("web_trees.conllu")
HELD_OUT = 5
"""Of the web's trees every so many is never trained on, but used to measure a pipeline."""
ARTICLES = {"a", "an", "the", "this", "that", "some"}
EXCHANGED = 0.3
"""The fraction of words replaced in a tree."""
VARIANTS = 4
"""Number of variants of a tree: spaCy's loop creates variants once, and then repeats them."""


def treebank_docs(vocab: Vocab, paths: Iterable[str]) -> Iterator[Doc]:
    """Yield the sentences of CoNLL-U files with the labels of ``en_core_web_*``."""
    for path in paths:
        for sentence in read(path):
            nodes = convert(sentence)
            if nodes:
                yield as_doc(vocab, nodes)


def web_docs(vocab: Vocab) -> tuple[list[Doc], list[Doc]]:
    """Return the hand-corrected trees of web captions, to train on and held out, with the labels of ``en_core_web_*``."""
    docs = [as_doc(vocab, nodes) for nodes in read(WEB)]
    return [doc for i, doc in enumerate(docs) if i % HELD_OUT], docs[::HELD_OUT]


def as_doc(vocab: Vocab, nodes: list[Node]) -> Doc:
    """Return a tree as a spaCy ``Doc``."""
    return Doc(
        vocab,
        words=[n.form for n in nodes],
        spaces=[n.space for n in nodes],
        tags=[n.tag for n in nodes],
        heads=[n.head if n.head >= 0 else i for i, n in enumerate(nodes)],
        deps=[n.dep for n in nodes],
        sent_starts=[i == 0 for i in range(len(nodes))],
    )


@registry.augmenters("written_as_captions")
def written_as_captions() -> Callable[[Language, Example], Iterator[Example]]:
    """Return each tree of the treebank :data:`VARIANTS` times, unchanged or in the style of captions."""

    def written(nlp: Language, tree: Example) -> Iterator[Example]:
        for _ in range(VARIANTS):
            reference = variant(nlp, tree.reference)
            words, spaces = [t.text for t in reference], [bool(t.whitespace_) for t in reference]
            yield Example(Doc(nlp.vocab, words=words, spaces=spaces), reference)

    return written


def variant(nlp: Language, tree: Doc) -> Doc:
    """Return ``tree`` unchanged, or in the style of captions: lower case, no final period, fewer articles, other words.

    Drawn from Python's own generator, which spaCy seeds.
    """
    no_period, no_articles, lower, other = (random.random() < share for share in (0.35, 0.15, 0.6, 0.4))
    drop: set[int] = set()
    heads = {t.head.i for t in tree if t.head.i != t.i}
    if no_period:
        for token in reversed(tree):
            if token.dep_ != "punct" or token.i in heads or token.head.i == token.i:
                break
            drop.add(token.i)
    if no_articles:
        drop |= {t.i for t in tree if t.dep_ == "det" and t.lower_ in ARTICLES and t.i not in heads}
    kept = [t for t in tree if t.i not in drop]
    kept = kept if len(kept) > 1 else list(tree)
    place = {t.i: k for k, t in enumerate(kept)}
    nodes = [
        Node(_another(t) if other else t.text, "", t.tag_, place[t.head.i], t.dep_, bool(t.whitespace_) or t.i + 1 in drop)
        for t in kept
    ]
    for node in nodes:
        node.form = node.low if lower else node.form
    return as_doc(nlp.vocab, nodes)


def _another(token: Token) -> str:
    """Return another word of the same tag for some words."""
    others = words_of(token.tag_) if token.lower_ not in KEPT and token.text.isalpha() else ()
    if not others or random.random() > EXCHANGED:
        return token.text
    word = random.choice(others)
    return word.capitalize() if token.text.istitle() else word


# --- Other words of the same tag ----

# A tagger learns from a word's place what it cannot learn from the word: the treebank and the captions of regions have few verbs,
# and "auditions", "joins" and "strolls" were nouns to a tagger trained on them alone.

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
