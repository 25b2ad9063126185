"""Which atoms of a web caption a picture shows, and which are parts of names, titles and slogans, or were read out of these.

A caption from the web that is no plain sentence is a title as often as not, and no list of words tells "Dance Legend" from "Dance
Shoes", or "a way of life" from "a way through the woods". So each atom is weighed by a few cheap signs: the words that say it and
those it hangs on, what sort of noun it is and how often captions have it, the caption's other words, how it is written and what was
left out of it. ``python -m stages.parser_training.shown`` learned the weights (logistic regression) from captions whose graphs
readers wrote, and from descriptions of regions, where everything is shown.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from stages.language import normal
from stages.language.lexnames import sort
from stages.language.usage import usage
from stages.parsing.draft import Attribute, Draft, Relation
from stages.parsing.names import is_name, is_no_noun
from stages.parsing.seen import frequency, power, visual
from stages.parsing.surface import Surface
from stages.parsing.words import FINITE

WEIGHTS = Path(__file__).with_name("shown.json.gz")
SURE = {"o": 1.0, "a": 0.8, "r": 0.2}
"""What the signs of an object, an attribute and a relation must weigh: one that is not shown spoils the graph."""
SURE_IN_TITLES = 0.6
"""The same of an object in a title: that names one thing mostly, and to leave it out spoils the graph as much."""
STYLES = "plain", "title", "marked"
PARTS = ("o word", "a word", "a of", "r by", "r subject", "r object", *(f"{kind} {style} has" for kind in SURE for style in STYLES))
"""The signs that name a word, whose weights hang on what it means: words that no annotated caption has weigh as their like do."""


class Shown:
    """Weights of signs; an atom is shown where those of its signs, and the mean of its caption's, are surely positive in sum."""

    def __init__(self, weights: dict[str, float]):
        self.weights = weights

    @classmethod
    def load(cls, path: Path = WEIGHTS) -> Shown:
        return cls.of(**json.loads(gzip.decompress(path.read_bytes())))

    @classmethod
    def of(cls, signs: dict[str, float], words: dict[str, list[int]]) -> Shown:
        """By weights of signs, and in hundredths of words in each of the ``PARTS``."""
        return cls({f"{part}={word}": n / 100 for word, row in words.items() for part, n in zip(PARTS, row, strict=True)} | signs)

    def only(self, draft: Draft, surface: Surface) -> Draft:
        """The draft with only those atoms that a picture shows."""
        signs = Signs(draft, surface)
        sure = SURE | {"o": SURE_IN_TITLES} if signs.style == "title" else SURE
        o, a, r = (least - self._sum(signs.of_caption(kind)) / max(1, len(draft.words)) for kind, least in sure.items())
        objects = {head: name for head, name in draft.objects.items() if self._sum(signs.of_object(head)) > o}
        draft.attributes = [one for one in draft.attributes if one.owner in objects and self._sum(signs.of_attribute(one)) > a]
        draft.relations = [
            one
            for one in draft.relations
            if one.subject in objects and one.object in objects and self._sum(signs.of_relation(one)) > r
        ]
        draft.objects = objects
        return draft

    def _sum(self, signs: Iterable[str]) -> float:
        get = self.weights.get
        return sum([get(sign, 0.0) for sign in signs])


class Signs:
    """The signs of a draft's atoms, as strings."""

    def __init__(self, draft: Draft, surface: Surface):
        self.draft, self.surface = draft, surface
        w = draft.words
        self.style = "plain" if surface.plain else "title" if surface.title else "marked"
        self.roots = [w.root(i) for i in range(len(w))]
        self.parts = sorted(set(self.roots))
        self.said = {a.owner for a in draft.attributes} | {i for r in draft.relations for i in (r.subject, r.object)}
        unread = surface.unread
        self.unread = "none" if not unread else "few" if unread * 4 < len(w) else "many" if unread < len(w) else "most"
        self.unknown = sum(frequency(w.low[i]) == 0 for i in draft.objects)

    def of_caption(self, kind: str) -> list[str]:
        """What the caption's words say of each of its atoms of one ``kind``, all together as much as one other sign."""
        has = f"{kind} {self.style} has="
        return [has + word for word in self.draft.words.low]

    def of_object(self, head: int) -> Iterator[str]:
        w, style, name = self.draft.words, self.style, self.draft.objects[head]
        low = w.low[name[-1]]
        often, kind = frequency(low), sort(low)
        part, above = self.roots[head], w.head[head]
        yield "object"
        yield f"o {style}"
        for sign in (
            f"often={often}", f"sort={kind}", f"alone={head not in self.said}", f"capital={self._capital(head)}",
            f"gap before={self._gap(name[0] - 1)}", f"gap after={self._gap(head)}", f"dep={w.dep[head]}",
            f"words={min(3, len(name))}", f"verb={w.tag[part] in FINITE}", f"unread={self.unread}",
            f"part={min(2, self.parts.index(part))}", f"parts={min(3, len(self.parts))}", f"unknown={min(2, self.unknown)}",
            f"visual={visual(low)}", f"length={min(6, len(w) // 4)}",
        ):  # fmt: skip
            yield f"o {sign}"
            yield f"o {style} {sign}"
        yield f"o word={low}"
        yield f"o before={w.low[name[0] - 1] if name[0] else ''}"
        yield f"o after={w.low[name[-1] + 1] if name[-1] + 1 < len(w) else ''}"
        yield f"o of={w.low[above] if above != head else ''} {w.dep[head]}"
        yield f"o of sort={sort(w.low[above])} {w.dep[head]}"
        yield f"o {kind} often={often}"
        ends = f"first={head == min(self.draft.objects)} last={head == max(self.draft.objects)}"
        yield f"o {style} {ends} of={min(4, len(self.draft.objects))}"
        yield f"o {kind} {ends}"
        yield f"o tag={w.tag[head]} kind={w.kind[head]}"
        yield f"o ends={low[-3:]}"
        yield f"o name={is_name(low)}"
        cut = w.low[head] if name[-1] != head else ""
        yield f"o cut={cut}"
        yield f"o {style} cut={bool(cut)}"
        yield f"o short={len(low) < 3} digit={any(map(str.isdigit, low))}"
        for m in name[:-1]:
            yield f"o with {frequency(w.low[m])} {w.tag[m]}"
            yield f"o with word={w.low[m]}"

    def of_attribute(self, a: Attribute) -> Iterator[str]:
        w, style = self.draft.words, self.style
        last = a.words[-1]
        word, noun, tag = w.low[last], self._noun(a.owner), w.tag[last]
        used = usage().attributes.get(word)
        known = f"{word} {normal.singular(noun)}" in usage().modifiers
        yield "attribute"
        yield f"a word={word}"
        yield f"a {style}"
        for sign in (
            f"source={a.source}", f"tag={tag}", f"capital={self._capital(a.words[0])}", f"away={min(4, max(-2, a.owner - last))}",
            f"dep={w.dep[last]}", f"unread={self.unread}", f"unknown={min(2, self.unknown)}", f"sort={sort(word)}",
        ):  # fmt: skip
            yield f"a {sign}"
            yield f"a {style} {sign}"
        yield f"a known={known} {tag}"
        yield f"a used={power(sum(used)) if used else 0} {tag}"
        yield f"a no noun={is_no_noun(word)} {tag}"
        yield f"a often={frequency(word)}"
        yield f"a of {frequency(noun)}"
        yield f"a of {sort(noun)}"
        yield f"a of={noun}"
        yield f"a name={is_name(word)}"
        yield f"a words={len(a.words)}"
        yield f"a visual={visual(word)}"
        yield f"a of visual={visual(noun)}"

    def of_relation(self, r: Relation) -> Iterator[str]:
        w, style = self.draft.words, self.style
        words = " ".join([w.low[i] for i in r.words])
        name = normal.relation(words) if words else "have"
        s, o = self._noun(r.subject), self._noun(r.object)
        pairs = usage().pairs
        subject, thing = pairs.get(f"{normal.singular(s)}|{name}|", 0), pairs.get(f"|{name}|{normal.singular(o)}", 0)
        last = w.low[r.words[-1]] if r.words else ""
        yield "relation"
        yield f"r word={words}"
        yield f"r {style}"
        for sign in (
            f"source={r.source}", f"by={last}", f"tag={w.tag[r.words[0]] if r.words else ''}", f"unread={self.unread}",
            f"away={min(4, abs(r.object - r.subject) // 3)}", f"unknown={min(2, self.unknown)}",
        ):  # fmt: skip
            yield f"r {sign}"
            yield f"r {style} {sign}"
        yield f"r {r.source} {last}"
        yield f"r subject {power(subject)}"
        yield f"r object {power(thing)}"
        yield f"r both {subject > 0} {thing > 0}"
        yield f"r used={name in usage().relations}"
        yield f"r subject {sort(s)}"
        yield f"r object {sort(o)}"
        yield f"r subject={s}"
        yield f"r object={o}"
        yield f"r {sort(s)} {last} {sort(o)}"
        yield f"r {frequency(s)} to {frequency(o)}"
        yield f"r order={r.subject < r.object}"
        yield f"r several={min(3, sum(other.words == r.words for other in self.draft.relations))} {r.source}"

    def _noun(self, head: int) -> str:
        return self.draft.words.low[self.draft.objects.get(head, (head,))[-1]]

    def _capital(self, i: int) -> bool:
        return self.surface.capitals is not None and self.surface.capitals[i]

    def _gap(self, i: int) -> bool:
        """Whether words of the caption between word ``i`` and the next were not read."""
        w = self.draft.words
        if i < 0:
            return w.start[0] > 0
        return i + 1 < len(w) and w.start[i + 1] > w.end[i] + 1
