"""The features that score atoms of a web caption (:mod:`stages.parsing.visibility`), as strings."""

from stages.parsing.draft import Attribute, Draft, Relation
from stages.parsing.proper_names import is_name, is_no_noun
from stages.parsing.seen import frequency, power, visual
from stages.parsing.surface import Surface
from stages.parsing.words import FINITE
from stages.text import normal
from stages.text.lexnames import lexname
from stages.text.usage import usage


class Features:
    """The features of a draft's atoms. Those of a part are summed first, so that ties are the same in every version."""

    def __init__(self, draft: Draft, surface: Surface):
        self.draft, self.surface = draft, surface
        w = draft.words
        self.style = "plain" if surface.plain else "title" if surface.title else "marked"
        self.roots = [w.root(i) for i in range(len(w))]
        self.parts = sorted(set(self.roots))
        self.said = {a.owner for a in draft.attributes} | {i for r in draft.relations for i in (r.subject, r.object)}
        unread = surface.unread
        self.unread = "none" if not unread else "few" if unread * 4 < len(w) else "many" if unread < len(w) else "most"
        self.unknown = min(2, sum(frequency(w.low[i]) == 0 for i in draft.objects))
        self.ends = min(draft.objects, default=-1), max(draft.objects, default=-1)

    def of_caption(self, kind: str) -> list[str]:
        """Return the features of the caption's words for its atoms of one ``kind``, with the total weight of one feature."""
        return [f"{kind} {self.style} has={word}" for word in self.draft.words.low]

    def object_parts(self, head: int) -> list[list[str]]:
        w, style, name = self.draft.words, self.style, self.draft.objects[head]
        first, last = name[0], name[-1]
        low, dep, part, above = w.low[last], w.dep[head], self.roots[head], w.low[w.head[head]]
        often, kind, cut = frequency(low), lexname(low), w.low[head] if last != head else ""
        ends = f"first={head == self.ends[0]} last={head == self.ends[1]}"
        among = f"parts={min(3, len(self.parts))}", f"unknown={self.unknown}", f"length={min(6, len(w) // 4)}"
        at = f"part={min(2, self.parts.index(part))}", f"verb={w.tag[part] in FINITE}", f"alone={head not in self.said}"
        gaps = f"gap before={self._gap(first - 1)}", f"gap after={self._gap(head)}", f"words={min(3, len(name))}"
        return [
            [
                *("object", f"o {style}", *_both("o", style, f"often={often}", f"sort={kind}", f"visual={visual(low)}")),
                *(f"o word={low}", f"o {kind} often={often}", f"o ends={low[-3:]}", f"o name={is_name(low)}"),
                f"o short={len(low) < 3} digit={any(map(str.isdigit, low))}",
            ],
            _both("o", style, f"unread={self.unread}", *among),
            _both("o", style, *at, f"capital={self._capital(head)}", *gaps),
            [
                *_both("o", style, f"dep={dep}"),
                *(f"o of={'' if w.head[head] == head else above} {dep}", f"o of sort={lexname(above)} {dep}"),
            ],
            [f"o before={w.low[first - 1] if first else ''}"],
            [f"o after={w.low[last + 1] if last + 1 < len(w) else ''}"],
            [f"o {style} {ends} of={min(4, len(self.draft.objects))}", f"o {kind} {ends}"],
            [f"o tag={w.tag[head]} kind={w.kind[head]}"],
            [f"o cut={cut}", f"o {style} cut={bool(cut)}"],
            *([f"o with {frequency(w.low[m])} {w.tag[m]}", f"o with word={w.low[m]}"] for m in name[:-1]),
        ]

    def attribute_parts(self, a: Attribute) -> list[list[str]]:
        w, style, last = self.draft.words, self.style, a.words[-1]
        word, noun, tag = w.low[last], self._noun(a.owner), w.tag[last]
        used = usage().attributes.get(word)
        place = f"source={a.source}", f"capital={self._capital(a.words[0])}", f"away={min(4, max(-2, a.owner - last))}"
        rest = f"dep={w.dep[last]}", f"unread={self.unread}", f"unknown={self.unknown}"
        return [
            [
                *("attribute", f"a {style}", f"a word={word}", *_both("a", style, f"tag={tag}", f"sort={lexname(word)}")),
                *(f"a used={power(sum(used)) if used else 0} {tag}", f"a no noun={is_no_noun(word)} {tag}"),
                *(f"a often={frequency(word)}", f"a name={is_name(word)}", f"a visual={visual(word)}"),
            ],
            [*_both("a", style, *place, *rest), f"a words={len(a.words)}"],
            [f"a of {frequency(noun)}", f"a of {lexname(noun)}", f"a of={noun}", f"a of visual={visual(noun)}"],
            [f"a known={f'{word} {normal.singular(noun)}' in usage().modifiers} {tag}"],
        ]

    def relation_parts(self, r: Relation) -> list[list[str]]:
        w, style = self.draft.words, self.style
        words = " ".join([w.low[i] for i in r.words])
        s, o, last = self._noun(r.subject), self._noun(r.object), w.low[r.words[-1]] if r.words else ""
        name, pairs = normal.relation(words) if words else "have", usage().pairs
        subject, thing = pairs.get(f"{normal.singular(s)}|{name}|", 0), pairs.get(f"|{name}|{normal.singular(o)}", 0)
        several = min(3, sum(other.words == r.words for other in self.draft.relations))
        place = f"source={r.source}", f"tag={w.tag[r.words[0]] if r.words else ''}", f"unread={self.unread}"
        rest = f"away={min(4, abs(r.object - r.subject) // 3)}", f"unknown={self.unknown}"
        nouns = f"r subject {lexname(s)}", f"r object {lexname(o)}", f"r subject={s}", f"r object={o}"
        return [
            [
                *("relation", f"r {style}", f"r word={words}", *_both("r", style, f"by={last}")),
                *(f"r {r.source} {last}", f"r used={name in usage().relations}"),
            ],
            [*_both("r", style, *place, *rest), f"r order={r.subject < r.object}", f"r several={several} {r.source}"],
            [f"r subject {power(subject)}", f"r object {power(thing)}", f"r both {subject > 0} {thing > 0}"],
            [*nouns, f"r {frequency(s)} to {frequency(o)}"],
            [f"r {lexname(s)} {last} {lexname(o)}"],
        ]

    def _noun(self, head: int) -> str:
        return self.draft.words.low[self.draft.objects.get(head, (head,))[-1]]

    def _capital(self, i: int) -> bool:
        return self.surface.capitals is not None and self.surface.capitals[i]

    def _gap(self, i: int) -> bool:
        """Return whether words of the caption between word ``i`` and the next were not read."""
        w = self.draft.words
        if i < 0:
            return w.start[0] > 0
        return i + 1 < len(w) and w.start[i + 1] > w.end[i] + 1


def _both(kind: str, style: str, *features: str) -> list[str]:
    """Return each feature by itself, and combined with the caption's style."""
    return [f"{kind} {feature}" for feature in features] + [f"{kind} {style} {feature}" for feature in features]
