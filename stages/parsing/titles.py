"""What a web caption's graph leaves out besides names: invisible things, and words that titles add to a thing's name."""

from stages.parsing.draft import Attribute, Draft
from stages.parsing.rule_words import COLORS, DEPICTIONS, INDEFINITE, OPINIONS, PHOTOS
from stages.parsing.seen import abstract
from stages.parsing.words import Words

ABOUT = -1
"""In a title, everything about a thing of at most this visibility is left out: \"The Beauty of Flowers\"."""


def without_abstractions(draft: Draft, title: bool) -> Draft:
    """Return the draft without invisible things, and without titles about them with all that they name.

    "the importance of toys for children" are toys for children; "The Importance of Toys for Children" shows nothing.
    """
    w = draft.words
    titles = {i for i in map(w.root, draft.objects) if title and w.kind[i] == "noun"}
    titles = {i for i in titles if all(abstract(w.low[k], ABOUT) for k in draft.objects.get(i, (i,)))}
    draft.objects = {
        head: shown
        for head, name in draft.objects.items()
        if (shown := _as_seen(w, name)) and w.root(head) not in titles and not _supposed(w, head)
    }
    draft.attributes = [a for a in draft.attributes if a.owner in draft.objects and not _only_thought(w, a)]
    draft.relations = [r for r in draft.relations if r.subject in draft.objects and r.object in draft.objects]
    return draft


def _as_seen(w: Words, name: tuple[int, ...]) -> tuple[int, ...]:
    """Return the name up to its visible part: "fountain pen review" is a fountain pen; empty, if there is none."""
    shown = name
    while shown and (abstract(w.low[shown[-1]]) or (shown != name and w.kind[shown[-1]] != "noun")):
        shown = shown[:-1]
    return shown


def _supposed(w: Words, i: int) -> bool:
    """Return what is hypothetical, as in "how to tell if a girl likes you", "any ideas", or everybody."""
    if w.low[i] in INDEFINITE or any(w.low[k] in ("any", "every") and w.dep[k] == "det" for k in w.kids[i]):
        return True
    while w.head[i] != i:
        if any(w.low[k] in ("if", "whether") and k < i for k in w.kids[i]):
            return True
        i = w.head[i]
    return False


def _only_thought(w: Words, a: Attribute) -> bool:
    """Return whether it is only an opinion or yet to be done, as in "the handsomest dog", "stuff to buy"."""
    last = a.words[-1]
    if a.source == "copula noun":
        return any(w.dep[k] in ("det", "poss") for k in w.kids[last])
    to_do = w.tag[last] == "VB" and any(w.low[k] == "to" for k in w.kids[last])
    return w.low[last] in OPINIONS or w.tag[last] == "JJS" or to_do


def bare(draft: Draft) -> Draft:
    """Return the draft with names that end with the thing: "couple vector" is a couple, "robot kit gray" a robot kit that is gray.

    A color that stands alone belongs to the thing before it: "wool jacket, black".
    """
    w = draft.words
    for head, name in list(draft.objects.items()):
        last, rest = w.low[name[-1]], name[:-1]
        if not rest and last in COLORS and w.dep[head] in ("ROOT", "appos", "conj", "dep"):
            _color_of_another(draft, head)
            continue
        if not rest or w.low[rest[-1]] in DEPICTIONS or w.low[rest[-1]] in COLORS:
            continue
        if last in COLORS:
            draft.attributes.append(Attribute(head, name[-1:], "after"))
        if last in COLORS or last in PHOTOS:
            draft.objects[head] = rest
    return draft


def _color_of_another(draft: Draft, head: int) -> None:
    related = any(r.object == head or r.subject == head for r in draft.relations)
    before = [i for i in draft.objects if i < head]
    if related or not before or (head + 1 < len(draft.words) and draft.words.kind[head + 1] in ("noun", "prep", "be")):
        return
    del draft.objects[head]
    draft.attributes = [a for a in draft.attributes if a.owner != head]
    draft.attributes.append(Attribute(min(before), (head,), "after"))
