"""What a web caption's graph leaves out besides names: what no picture shows, and what titles add to the name of what one does."""

from stages.parsing.draft import Attribute, Draft
from stages.parsing.rule_words import COLORS, DEPICTIONS, INDEFINITE, OPINIONS, PHOTOS
from stages.parsing.seen import abstract
from stages.parsing.words import Words

ABOUT = -1
"""What is said in a title of a thing as little seen as this is no picture's: \"The Beauty of Flowers\"."""


def without_abstractions(draft: Draft, title: bool) -> Draft:
    """The draft without what no picture shows, and without titles of such things with all that they name.

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
    """The name up to what is seen: "fountain pen review" is a fountain pen, "kitchen ideas" a kitchen; empty, if nothing is."""
    shown = name
    while shown and (abstract(w.low[shown[-1]]) or (shown != name and w.kind[shown[-1]] != "noun")):
        shown = shown[:-1]
    return shown


def _supposed(w: Words, i: int) -> bool:
    """As in "how to tell if a girl likes you", "any ideas": what is asked for or supposed, and everybody, whom no picture shows."""
    if w.low[i] in INDEFINITE or any(w.low[k] in ("any", "every") and w.dep[k] == "det" for k in w.kids[i]):
        return True
    while w.head[i] != i:
        if any(w.low[k] in ("if", "whether") and k < i for k in w.kids[i]):
            return True
        i = w.head[i]
    return False


def _only_thought(w: Words, a: Attribute) -> bool:
    """As in "the handsomest dog", "stuff to buy", "the menus are a celebration": an opinion, what is yet to be done, and what is
    said to be another thing.
    """
    last = a.words[-1]
    if a.source == "copula noun":
        return any(w.dep[k] in ("det", "poss") for k in w.kids[last])
    to_do = w.tag[last] == "VB" and any(w.low[k] == "to" for k in w.kids[last])
    return w.low[last] in OPINIONS or w.tag[last] == "JJS" or to_do


def bare(draft: Draft) -> Draft:
    """The draft with names that end with the thing: "couple vector" is a couple, "robot kit gray" a robot kit that is gray.

    A color that stands alone is one of what was named before it: "wool jacket, black".
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
