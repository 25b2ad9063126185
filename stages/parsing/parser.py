"""Captions to scene graphs: parse, repair, extract, name."""

import importlib
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice, pairwise
from typing import NamedTuple, Protocol, TypeVar

from stages.contract.errors import ParameterError
from stages.graphs.graph import SceneGraph, Span, Spans
from stages.parameters.sections import Language
from stages.parsing import factual_layer as factual
from stages.parsing.draft import Draft
from stages.parsing.extraction import extract
from stages.parsing.reader import Reader
from stages.parsing.surface import Surface, surface
from stages.parsing.titles import bare, without_abstractions
from stages.parsing.trees import Tree
from stages.parsing.visibility import Shown
from stages.parsing.words import Words, repair, tidy
from stages.text import normal

T = TypeVar("T")

ZONE = 4096
"""Number of captions after which new strings are forgotten."""


class Parsed(NamedTuple):
    """A caption with single spaces between its words, its scene graph in normal form, and the place of each atom in it."""

    caption: str
    graph: SceneGraph
    spans: Spans


class CaptionParser(Protocol):
    """The interface of any parser; it is constructed with the section ``language`` of the parameters."""

    def parse(self, captions: Iterable[str]) -> Iterator[Parsed]:
        """Return the parsed captions, in order, as they come."""
        ...


def make(settings: Language) -> CaptionParser:
    """Return the parser that ``settings.parser`` names: ``rules``, or the dotted path of a class.

    Raises:
        ParameterError: there is no such class.
    """
    name = settings.parser
    if name == "rules":
        return Parser(settings)
    module, _, attribute = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module), attribute)(settings)
    except (ImportError, AttributeError, ValueError, TypeError) as error:
        remedy = "'rules', or module.Class of a class with a method parse(captions)"
        raise ParameterError("language.parser", f"{name} cannot be used: {error}", remedy) from None


class Parser:
    """The parser by rules over a dependency tree."""

    def __init__(self, settings: Language):
        self.reader = Reader(settings.pipeline)
        self.conventions = settings.conventions
        self.learned = factual.Learned.load()
        self.shown = Shown.load()

    def parse(self, captions: Iterable[str]) -> Iterator[Parsed]:
        """Return the parsed captions, in order, as they come; ``captions`` is read 4,096 ahead at most."""
        return self.map(captions, lambda caption, tree, one: Parsed(caption, *self.read(tree, one)))

    def map(self, captions: Iterable[str], read: Callable[[str, Tree, Surface], T]) -> Iterator[T]:
        """Yield the result of ``read`` for each caption's tree, in the same way."""
        captions = iter(captions)
        while several := [tidy(caption) for caption in islice(captions, ZONE)]:
            # New strings are forgotten again: a web corpus has millions of words that occur once.
            with self.reader.zone():
                surfaces = [surface(self.reader.tokens(caption), caption) for caption in several]
                trees = self.reader.trees([one.tokens for one in surfaces])
            for caption, tree, one in zip(several, trees, surfaces, strict=True):
                yield read(caption, tree, one)

    def read(self, tree: Tree, one: Surface) -> tuple[SceneGraph, Spans]:
        """Return the scene graph of one caption's tree, and the place of each atom; ``one`` is the network's output."""
        if self.conventions == "factual":
            return named(factual.apply(extract(repair(tree, participles=False), pronouns=True), self.learned), plain=True)
        draft = self.draft(tree, one)
        return named(self.shown.only(draft, one) if self.conventions == "names" else draft)

    def draft(self, tree: Tree, one: Surface) -> Draft:
        """Return everything in the tree, visible or not."""
        draft = without_abstractions(extract(repair(tree)), one.title)
        if self.conventions == "names":
            draft = bare(factual.divide(draft, self.learned))
        return draft


def named(draft: Draft, plain: bool = False) -> tuple[SceneGraph, Spans]:
    """Return the graph of ``draft`` in normal form, each atom with its place in the caption.

    Args:
        plain: names as the caption writes them, in lower case, for a convention with its own names.
    """
    w = draft.words
    heads = sorted(head for head in draft.objects if speaks(w.low[head]))
    index = {head: i for i, head in enumerate(heads)}
    object_name = str if plain else normal.object_name
    objects = tuple(draft.names.get(h) or object_name(_name(w, draft.name_words(h))) for h in heads)
    attributes: dict[tuple[int, str], Span | None] = {}
    for a in draft.attributes:
        if a.owner in index and speaks(w.low[a.words[0]]):
            text = a.text if plain and a.text else normal.attribute(a.text or _text(w, a.words))
            attributes.setdefault((index[a.owner], text), _span(w, a.words))
    relations: dict[tuple[int, str, int], Span | None] = {}
    for r in draft.relations:
        if r.subject in index and r.object in index and r.subject != r.object:
            text = r.text or ("have" if r.source == "possessive" else normal.relation(_text(w, r.words)))
            span = None if r.source == "possessive" else _span(w, r.words)
            if speaks(text):  # "a red bus a the stop": an article here is a mistyped "at", and has no meaning
                relations.setdefault((index[r.subject], text, index[r.object]), span)
    graph = SceneGraph(objects, tuple(attributes), tuple(relations))
    return graph, Spans(tuple(_span(w, draft.objects[h]) for h in heads), tuple(attributes.values()), tuple(relations.values()))


@lru_cache(1 << 16)
def speaks(word: str) -> bool:
    """Return whether the word has a letter or a digit: web captions have "$", "***" and "#", which are tagged as nouns."""
    return any(map(str.isalnum, word))


def _name(w: Words, positions: tuple[int, ...]) -> str:
    """Return the words of an object's name; "glasses of wine" are one object, several glasses."""
    text, last = _text(w, positions), positions[-1] if positions else 0
    return text.removesuffix("es") if w.low[last] == "glasses" and last + 1 < len(w) and w.low[last + 1] == "of" else text


def _text(w: Words, positions: tuple[int, ...]) -> str:
    """Return the words at ``positions``, joined as in the caption."""
    text = ""
    for before, i in zip((-1, *positions), positions, strict=False):
        text += ("" if before < 0 or (before + 1 == i and w.end[before] == w.start[i]) else " ") + w.low[i]
    return text


def _span(w: Words, positions: tuple[int, ...]) -> Span | None:
    """Return the span of the words, if they are adjacent."""
    if not positions or any(b != a + 1 or w.start[b] > w.end[a] + 1 for a, b in pairwise(positions)):
        return None
    return w.start[positions[0]], w.end[positions[-1]]
