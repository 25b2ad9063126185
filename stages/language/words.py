"""A caption's words with what the rules read of them: spelling, tag, dependency and head; and the repair of caption English."""

from __future__ import annotations

from spacy.tokens import Doc

from stages.language import phrases

NOUN_TAGS = {"NN", "NNS", "NNP", "NNPS"}
VERB_TAGS = {"VB", "VBZ", "VBP", "VBD", "VBG", "VBN"}
FINITE = {"VB", "VBZ", "VBP", "VBD"}
COARSE = {
    **dict.fromkeys(NOUN_TAGS, "noun"), **dict.fromkeys(VERB_TAGS, "verb"), **dict.fromkeys(("JJ", "JJR", "JJS", "AFX"), "adj"),
    **dict.fromkeys(("IN", "RP", "TO"), "prep"), **dict.fromkeys(("RB", "RBR", "RBS", "WRB"), "adv"),
    **dict.fromkeys(("DT", "PDT", "PRP$", "WP$"), "det"), **dict.fromkeys(("PRP", "WP", "WDT", "EX"), "pron"), "CD": "num", "MD": "aux",
    "CC": "cc", "POS": "pos",
}  # fmt: skip
BE = {"be", "is", "are", "was", "were", "am", "'s", "’s", "'re", "’re", "been", "being"}


class Words:
    """Parallel lists over the tokens of a caption; the repair writes into them, the ``Doc`` itself stays as it is.

    ``kind`` is a coarse part of speech: noun, verb, be, adj, prep, adv, det, pron, num, aux, cc, pos or other.
    """

    __slots__ = ("dep", "end", "head", "kids", "kind", "low", "phrase", "start", "tag")

    def __init__(self, doc: Doc):
        self.low: list[str] = []
        self.tag: list[str] = []
        self.dep: list[str] = []
        self.head: list[int] = []
        self.start: list[int] = []
        self.end: list[int] = []
        for token in doc:
            text, start = token.lower_, token.idx
            self.low.append(text)
            self.tag.append(token.tag_)
            self.dep.append(token.dep_)
            self.head.append(token.head.i)
            self.start.append(start)
            self.end.append(start + len(text))
        self.kind = [
            "be" if word in BE and tag in VERB_TAGS else COARSE.get(tag, "other")
            for word, tag in zip(self.low, self.tag, strict=True)
        ]
        self.kids: list[list[int]] = [[] for _ in self.low]
        for i, head in enumerate(self.head):
            if head != i:
                self.kids[head].append(i)
        self.phrase = self._phrases()

    def __len__(self) -> int:
        return len(self.low)

    def children(self, i: int, *labels: str) -> list[int]:
        """The dependents of ``i`` with one of the dependency ``labels``, from left to right."""
        return [k for k in self.kids[i] if self.dep[k] in labels]

    def move(self, i: int, head: int, label: str) -> None:
        """Give word ``i`` another head and label."""
        if self.head[i] != i:
            self.kids[self.head[i]].remove(i)
        self.head[i], self.dep[i] = head, label
        if head != i:
            self.kids[head] = sorted([*self.kids[head], i])

    def _phrases(self) -> dict[int, tuple[int, int]]:
        """For each word of a phrasal preposition, the first word of the phrase and the one after its last."""
        found: dict[int, tuple[int, int]] = {}
        text = " ".join(self.low)
        for start, end, _ in phrases.find(text):
            first = text.count(" ", 0, start)
            after = first + text.count(" ", start, end) + 1
            found.update(dict.fromkeys(range(first, after), (first, after)))
        return found


def repair(words: Words) -> None:
    """Captions are noun phrases or statements about what is seen, never commands: mend the tags that say otherwise."""
    for i, kind in enumerate(words.kind):
        if kind in ("verb", "adv", "other") and _should_be_noun(words, i):
            words.kind[i] = "noun"
            if words.dep[i] == "pcomp":
                words.dep[i] = "pobj"


def _should_be_noun(words: Words, i: int) -> bool:
    tag, dep, kids = words.tag[i], words.dep[i], words.kids[i]
    labels = {words.dep[k] for k in kids}
    has_subject = bool(labels & {"nsubj", "nsubjpass", "expl", "aux", "auxpass"})
    # "Flowers in a vase": a first word read as a command.
    opens = all(words.kind[k] in ("det", "adj", "num") or words.dep[k] == "punct" for k in range(i))
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
