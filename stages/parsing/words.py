"""A caption's words with what the rules read of them: spelling, tag, dependency and head; and repairs for caption English."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stages.parsing.caption_words import caption_words
from stages.parsing.fixes import (
    ANIMATE,
    color_of_participle,
    list_after_preposition,
    list_before_verb,
    list_of_subjects,
    list_with_commas,
)
from stages.parsing.proper_names import is_verb_only
from stages.parsing.rule_words import ADVERBS, BE, COLORS, HAVING, ING_NOUNS, KINDS, PEOPLE, PICTURES, PLACES, POSSESSIVES
from stages.parsing.trees import Tree
from stages.text import normal, phrases
from stages.text.lexnames import lexname

if TYPE_CHECKING:
    from spacy.tokens import Doc

NOUN_TAGS = {tag for tag, kind in KINDS.items() if kind == "noun"}
FINITE = {"VB", "VBZ", "VBP", "VBD"}


def tidy(caption: str) -> str:
    """Return the caption with single spaces between its words and none around it."""
    return " ".join(caption.split())


class Words:
    """Parallel lists over the tokens of a caption; repairs write into them.

    The caption has single spaces only (:func:`tidy`), because spaCy makes a word of each further one. ``kind`` is a coarse part of
    speech: noun, verb, be, adj, prep, adv, det, pron, num, aux, cc, pos or other.
    """

    __slots__ = ("dep", "end", "head", "kids", "kind", "low", "phrase", "start", "tag")

    def __init__(self, tree: Tree | Doc):
        self.low, self.start, self.end, self.tag, self.dep, self.head = tree if isinstance(tree, Tree) else Tree.of(tree)
        kinds = (KINDS.get(tag, "other") for tag in self.tag)
        self.kind = ["be" if kind == "verb" and word in BE else kind for word, kind in zip(self.low, kinds, strict=True)]
        self.kids: list[list[int]] = [[] for _ in self.low]
        for i, head in enumerate(self.head):
            if head != i:
                self.kids[head].append(i)
        self.phrase = self._phrases()

    def __len__(self) -> int:
        return len(self.low)

    def children(self, i: int, *labels: str) -> list[int]:
        """Return the dependents of ``i`` with one of the dependency ``labels``, from left to right."""
        return [k for k in self.kids[i] if self.dep[k] in labels]

    def root(self, i: int) -> int:
        """Return the root of the sentence with word ``i``."""
        while self.head[i] != i:
            i = self.head[i]
        return i

    def above(self, i: int) -> list[int]:
        """Yield the head of word ``i``, and so on to the root."""
        return [] if self.head[i] == i else [self.head[i], *self.above(self.head[i])]

    def move(self, i: int, head: int, label: str) -> None:
        """Give word ``i`` another head and label. If that head is below ``i``, its branch first takes the place of ``i``."""
        branch = head
        while self.head[branch] not in (branch, i):
            branch = self.head[branch]
        if i not in (head, branch) and self.head[branch] == i:
            self._attach(branch, branch if self.head[i] == i else self.head[i], self.dep[i])
        self._attach(i, head, label)

    def _attach(self, i: int, head: int, label: str) -> None:
        if self.head[i] != i:
            self.kids[self.head[i]].remove(i)
        self.head[i], self.dep[i] = head, label
        if head != i:
            self.kids[head] = sorted([*self.kids[head], i])

    def _phrases(self) -> dict[int, tuple[int, int]]:
        """Return for each word of a phrasal preposition the first word of the phrase and the one after its last."""
        span_of: dict[int, tuple[int, int]] = {}
        text = " ".join(self.low)
        for start, end, _ in phrases.find(text):
            first = text.count(" ", 0, start)
            after = first + text.count(" ", start, end) + 1
            span_of.update(dict.fromkeys(range(first, after), (first, after)))
        return span_of


def repair(tree: Tree | Doc, participles: bool = True) -> Words:
    """Return the words of a caption's tree, repaired where it is read as anything but a description.

    Captions are noun phrases or statements about visible things, never commands.

    ``participles``: also those of "snow covered peaks", which FACTUAL's conventions were learned without.
    """
    words = Words(tree)
    if participles:
        for i in range(len(words)):
            if words.tag[i] in ("VBN", "VBD"):
                _participle(words, i)
    for i, kind in enumerate(words.kind):
        if kind in ("verb", "adv", "other") and _should_be_noun(words, i):
            words.kind[i] = "noun"
            if words.dep[i] == "pcomp":
                words.dep[i] = "pobj"
        elif kind == "aux" and words.low[i] == "can" and words.head[i] == i:
            _container(words, i)
    for i in range(len(words)):
        _repair(words, i)
        if words.low[i] == "close-up":
            _close_up(words, i)
        color_of_participle(words, i)
        list_after_preposition(words, i)
        list_with_commas(words, i)
        list_of_subjects(words, i)
        list_before_verb(words, i)
    return words


def _container(words: Words, i: int) -> None:
    """Fix a noun that was read as an auxiliary, as in "a trash can"."""
    words.kind[i], words.tag[i] = "noun", "NN"
    for k in words.kids[i]:
        if k < i and words.dep[k] in ("nsubj", "nsubjpass"):
            words.dep[k] = "compound"


def _close_up(words: Words, i: int) -> None:
    """Make the thing before a close-up its head, as in "a violin close-up"; in "close-up food" nothing is said of the thing."""
    if words.dep[i] in ("amod", "compound", "nmod", "npadvmod") and words.head[i] > i:
        words.dep[i], words.kind[i] = "dep", "other"
    things = [k for k in words.children(i, "compound", "nmod", "nsubj", "nsubjpass") if words.kind[k] == "noun"]
    if things or words.low[i + 1 : i + 2] == ["of"]:
        words.kind[i] = "noun"
    if things:
        words.move(i, things[-1], "dep")
        for k in list(words.kids[i]):
            words.move(k, things[-1], words.dep[k])


def _repair(words: Words, i: int) -> None:
    head, dep, kind = words.head[i], words.dep[i], words.kind[i]
    if kind == "noun" and dep in ("ROOT", "conj") and (is_verb_only(words.low[i]) or _disagrees(words, i) or _acts(words, i)):
        _verb_after_all(words, i)
        return
    if (
        kind == "noun"
        and i
        and words.low[i - 1] in ("he", "she", "it")
        and words.low[i].endswith("s")
        and words.tag[i - 1] == "PRP"
    ):
        # "but it qualifies"
        words.kind[i], words.tag[i] = "verb", "VBZ"
    if head == i:
        below = [k for k in words.kids[i] if k > i]
        if words.tag[i] in ("VBN", "VBD") and i == 0 and below and words.dep[below[0]] == "dobj" and words.kind[below[0]] == "noun":
            _modifier_of(words, i, below[0])
        return
    if i < head and words.kind[head] == "noun" and kind in ("adj", "noun", "other", "verb", "adv", "det"):
        # "a rust comforter", "a tan cat": a word before a noun that is no adverb or article
        if (
            dep in ("advmod", "npadvmod", "dep", "appos", "intj", "nsubj", "csubj")
            and words.low[i] not in ADVERBS
            and kind != "det"
        ):
            words.dep[i] = "compound" if kind == "noun" else "amod"
        elif dep in ("compound", "nmod") and kind == "noun" and words.low[i] not in COLORS:
            joined = [k for k in words.children(i, "conj") if words.kind[k] == "adj" and i < k < head and words.children(i, "cc")]
            if joined and words.tag[i] in NOUN_TAGS and not any(words.low[k] in ("a", "an") for k in words.kids[head] if k < i):
                _joined(words, i, joined[0])
        elif words.tag[i] == "PRP$" and words.low[i] not in POSSESSIVES:
            words.kind[i], words.dep[i] = "adj", "amod"
    elif dep == "pcomp" and words.tag[i] == "VBG" and head == i - 1 and words.low[head] in PLACES:
        # "on a folding chair", with the article left out
        things = words.children(i, "dobj")
        if things and things[0] == i + 1:
            thing = things[0]
            words.move(thing, head, "pobj")
            words.move(i, thing, "amod")
    elif dep in ("prep", "conj"):
        _reattach(words, i)
    elif dep == "nsubj" and words.low[i] in PEOPLE and words.kind[head] in ("verb", "be"):
        _reduced_relative(words, i, head)


def _reattach(words: Words, i: int) -> None:
    """Reattach prepositions to their nouns, as in "a close-up of apples on a tree", "a wall of brick and a hydrant"."""
    head = words.head[i]
    if words.dep[i] == "prep" and words.low[head] in PICTURES and words.low[i] != "of":
        shown = [o for k in words.kids[head] if k < i and words.low[k] == "of" for o in words.children(k, "pobj")]
        if shown:
            words.move(i, shown[0], "prep")
    elif words.dep[i] == "conj" and words.kind[i] == "noun" and words.dep[head] == "pobj" and _joins_whole(words, i, head):
        words.move(i, words.head[words.head[head]], "conj")


def _joins_whole(words: Words, i: int, part: int) -> bool:
    """Return whether ``i`` has an article and ``part`` has none, but not for things as in "a plate with rice and a fork"."""
    whole = words.head[words.head[part]]
    if words.low[words.head[part]] in HAVING and lexname(words.low[i]) not in ANIMATE:
        return False
    determined = [any(words.dep[k] in ("det", "poss", "nummod") for k in words.kids[j]) for j in (i, part)]
    return determined == [True, False] and words.kind[whole] == "noun" and whole < part and not words.low[part].endswith("s")


def _verb_after_all(words: Words, i: int) -> None:
    """Fix a verb that was read as the last noun of a pile, as in "a rock artist performs on a stage"."""
    subject = i - 1
    several = words.tag[subject] == "NNS" or words.low[subject] == "person"
    if subject not in words.kids[i] or words.kind[subject] not in ("noun", "adj") or not (several or words.low[i].endswith("s")):
        return
    words.kind[i], words.tag[i] = "verb", "VBZ"
    words.kind[subject], words.dep[subject] = "noun", "nsubj"
    for k in [k for k in words.kids[i] if k < subject]:
        words.move(k, subject, words.dep[k])


def _disagrees(words: Words, i: int) -> bool:
    """Return whether article and verb show a misread noun, as in "a child smiles at us": plurals have no "a".

    But "a train tracks" and "a glass windows in it" are somebody's English.
    """
    kids = words.kids[i]
    before = [words.low[k] for k in kids if k < i - 1]
    if words.tag[i] != "NNS" or words.tag[i - 1] != "NN" or not {"a", "an"}.intersection(before) or "few" in before or kids[-1] < i:
        return False
    return _times_doing(words.low[i]) > 0


def _acts(words: Words, i: int) -> bool:
    """Fix a verb that was read as a noun, as in "golfer poses with a trophy": web captions begin with a person without an article.

    But "man hands on a table" are hands: captions have these more often than "handing".
    """
    someone = words.tag[i] == "NNS" and words.tag[i - 1] in ("NN", "NNP") and lexname(words.low[i - 1]) in ("person", "animal")
    if not someone or i + 1 == len(words) or words.tag[i + 1] not in ("IN", "TO", "DT", "RB", "RP", "PRP$"):
        return False
    if not FINITE.isdisjoint(words.tag) or "DT" in words.tag[:i]:
        return False
    return _times_doing(words.low[i]) > caption_words().get(normal.singular(words.low[i]), 0)


def _times_doing(word: str) -> int:
    """Return how often captions have the -ing form of a possible verb: "smiling" for "smiles"."""
    verb = normal.verb_base(word)
    return max(caption_words().get(stem + "ing", 0) for stem in (verb, verb.removesuffix("e"), verb + verb[-1]))


def _modifier_of(words: Words, verb: int, noun: int) -> None:
    """Fix a participle that was read as the head, as in "striped bowl on a counter"."""
    words.move(noun, noun, "ROOT")
    for k in [k for k in words.kids[verb] if k != noun]:
        words.move(k, noun if k > noun else verb, words.dep[k])
    words.move(verb, noun, "amod")


def _joined(words: Words, i: int, adjective: int) -> None:
    """Separate two joined things, as in "under sunlight and blue sky": the second has an adjective."""
    last = words.head[i]
    head, dep = words.head[last], words.dep[last]
    words.move(i, i if head == last else head, dep)
    words.move(last, i, "conj")
    words.move(adjective, last, "amod")


def _participle(words: Words, v: int) -> None:
    """Join a noun and a participle that modify the next noun, as in "snow covered peaks", "a tree lined street"."""
    how, thing = v - 1, next(iter(words.children(v, "dobj")), -1)
    if how < 0 or words.kind[how] != "noun" or words.low[how] in PEOPLE or not words.low[v].endswith("ed"):
        return
    if words.dep[v] == "amod" and words.dep[how] == "pobj" and any(words.low[k] in ("a", "an") for k in words.kids[how]):
        thing = words.head[v]  # "on a snow covered road": the road has no article
    if thing < v or any(words.dep[k] not in ("amod", "compound") for k in range(v + 1, thing)):
        return
    above = v if words.head[how] == v else how
    top = thing if words.head[v] == thing else v
    over = words.above(above) if words.kids[how] else [words.head[above]]
    if words.head[top] not in (top, how, *over) or any(words.dep[k] != "det" for k in words.kids[how] if k != v):
        return
    words.move(thing, thing if words.head[above] == above else words.head[above], words.dep[above])
    for k in [k for i in (how, v) for k in words.kids[i] if k not in (how, v, thing)]:
        words.move(k, thing, words.dep[k])
    words.move(how, thing, "compound")
    words.move(v, thing, "amod")


def _reduced_relative(words: Words, subject: int, verb: int) -> None:
    """Fix a reduced relative clause, as in "a bike a man is holding": the noun before the subject is the verb's object."""
    things = [k for k in words.kids[subject] if k == subject - 1 and words.dep[k] == "compound" and words.kind[k] == "noun"]
    if not things or any(words.dep[k] in ("dobj", "attr", "acomp", "xcomp", "ccomp") for k in words.kids[verb]):
        return
    after = [k for k in range(verb + 1, len(words)) if words.dep[k] != "punct"]
    stranded = after and words.kind[after[0]] == "prep" and not words.kids[after[0]]
    if len(after) > 1 or (after and not stranded) or (not after and words.tag[verb] != "VBG"):
        return
    thing = things[0]
    for k in [k for k in words.kids[subject] if k < thing]:
        words.move(k, thing, words.dep[k])
    words.move(thing, words.head[verb] if words.head[verb] != verb else thing, words.dep[verb])
    words.move(verb, thing, "relcl")


def _should_be_noun(words: Words, i: int) -> bool:
    tag, dep, kids = words.tag[i], words.dep[i], words.kids[i]
    labels = {words.dep[k] for k in kids}
    has_subject = bool(labels & {"nsubj", "nsubjpass", "expl", "aux", "auxpass"})
    # "Flowers in a vase": a first word read as a command.
    opens = all(words.kind[k] in ("det", "adj", "num") or words.dep[k] == "punct" for k in range(i))
    if words.low[i] in ING_NOUNS and not labels & {"dobj", "aux"}:
        return True
    if dep == "ROOT" and opens and not has_subject and tag not in ("VBG", "VBN"):
        return not labels & {"dobj", "acomp", "attr", "ccomp", "xcomp"}
    # "the stop is red": a subject read as a verb.
    if dep in ("nsubj", "nsubjpass"):
        return tag in FINITE or tag in ("RB", "UH")
    # "a large slice of": a verb with an article.
    if tag in FINITE and not has_subject and any(words.dep[k] in ("det", "amod", "nummod", "poss") and k < i for k in kids):
        return True
    # "on a walk": the object of a preposition.
    if dep in ("pobj", "pcomp"):
        return tag in FINITE
    # "trees and plants": a verb joined to a noun.
    if dep == "conj" and words.kind[words.head[i]] == "noun":
        return tag in ("VB", "VBP") and not has_subject and not labels & {"dobj", "acomp", "attr", "xcomp"}
    # "in front of fence": after a phrasal preposition.
    return i > 0 and tag in FINITE and words.phrase.get(i - 1, (0, -1))[1] == i
