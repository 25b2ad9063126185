"""Check that a written caption states its graph, all of it and nothing else: it is parsed, and the two graphs are matched.

A definite noun phrase, "the boy", is the object of that name that was mentioned before.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice, permutations
from typing import Any, NamedTuple

from stages.graphs.graph import SceneGraph, Span, Spans
from stages.parsing.parser import Parsed
from stages.text import normal
from stages.text.inflection import clause_form, participle
from stages.text.word_classes import is_worn_in
from stages.writing.phrase import ORDINALS, Realised

ALIKE = {"have": "with"}
"""Relations with the same meaning, by the name under which they are compared."""
NO_ATTRIBUTES = {*ORDINALS, "other", "another", "last", "same", "different"}
MAX_ASSIGNMENTS = 720
_DENIAL = re.compile(r"\b(?:not|no|never|without|nobody|nothing|none|neither|nor|cannot)\b|n['’]t\b", re.IGNORECASE)


class Failure(NamedTuple):
    """Why a caption is not used: the reason's code, details, and the caption, if there is one."""

    reason: str
    detail: str
    text: str = ""


class Found(NamedTuple):
    """An object of the parsed caption: its index, or ``None`` if the graph has none of its name; ``part`` is the word before it."""

    name: str | None
    part: str
    span: Span
    definite: str | None


def agree(graph: SceneGraph, parsed: Parsed) -> Realised | Failure:
    """Return the caption with the place of each atom of ``graph``; or the reason: missing, invented or denied.

    Relations are compared in normal form; "with" and "have" are one.
    """
    result = _agree(graph, parsed)
    # A parser also finds the atoms of what a caption denies: "a dog is not on a cat".
    denials = (match[0] for match in _DENIAL.finditer(parsed.caption) if match[0].lower() not in _own_words(graph))
    if isinstance(result, Realised) and (denied := next(denials, None)):
        result = Failure("denial", denied)
    return result._replace(text=parsed.caption) if isinstance(result, Failure) else result


def _agree(graph: SceneGraph, parsed: Parsed) -> Realised | Failure:
    matched = [_found(graph, parsed, j) for j in range(len(parsed.graph.objects))]
    by_name: dict[str, list[int]] = defaultdict(list)
    own_words = _own_words(graph)
    for j, one in enumerate(matched):
        if one.name is not None:
            by_name[one.name].append(j)
        elif not own_words.issuperset(parsed.graph.objects[j].split()):
            return Failure("invented object", parsed.graph.objects[j])
    places: dict[int, list[int]] = {}
    for name in dict.fromkeys(graph.objects):
        wanted = [i for i, other in enumerate(graph.objects) if other == name]
        missing = _assign(graph, parsed, matched, by_name[name], wanted, places)
        if missing:
            return missing
    return _lay_over(graph, parsed, matched, places)


def _own_words(graph: SceneGraph) -> set[str]:
    """Return the words of the graph's atoms: a parser that splits them wrongly has found nothing new."""
    texts = [*graph.objects, *(a for _, a in graph.attributes)]
    texts += [form for _, r, _ in graph.relations for form in (r, participle(r), clause_form(r)[1], "have has with in")]
    return {".", *(word for text in texts for word in text.split())}


def _found(graph: SceneGraph, parsed: Parsed, j: int) -> Found:
    """Return the graph's name for the parsed object ``j``; "glass window" is a window where the graph's window is of glass."""
    name, span = parsed.graph.objects[j], parsed.spans.objects[j] or (0, 0)
    text = parsed.caption[: span[0]].lower()
    the = re.search(r"\b(?:the|this|that|its|his|her|their)((?: [\w-]+){0,2}) ?$", text)
    definite = the.group(1).strip() if the else None
    if name in graph.objects:
        return Found(name, "", span, definite)
    for own_name in sorted(set(graph.objects), key=len, reverse=True):
        # The parser saw only part of a compound, or took an attribute into it.
        before = parsed.caption[: span[1]].lower()
        words = " ".join(before.split()[-len(own_name.split()) :])
        if own_name.endswith(f" {name}") and normal.object_name(words) == own_name:
            return Found(own_name, "", (len(before) - len(words), span[1]), definite)
        if name.endswith(f" {own_name}"):
            return Found(own_name, name.removesuffix(f" {own_name}"), (span[0] + len(name) - len(own_name), span[1]), definite)
    return Found(None, "", span, definite)


def _assign(
    graph: SceneGraph, parsed: Parsed, matched: list[Found], js: list[int], wanted: list[int], places: dict[int, list[int]]
) -> Failure | None:
    """Assign the mentions in the caption to the objects of one name, into ``places``."""
    fresh = [j for n, j in enumerate(js) if matched[j].definite is None or n < 1]
    if len(fresh) < len(wanted):
        fresh = js[: len(wanted)]
    if len(fresh) < len(wanted):
        return Failure("atom left out", f"object {graph.objects[wanted[0]]}")
    if len(fresh) > len(wanted):
        return Failure("invented object", f"one more {graph.objects[wanted[0]]}")
    orders = islice(permutations(wanted), MAX_ASSIGNMENTS)
    best = max(orders, key=lambda order: _score(graph, parsed, dict(zip(fresh, order, strict=True))))
    assignment = dict(zip(fresh, best, strict=True))
    for j in js:
        i = assignment[j] if j in assignment else _antecedent(graph, matched[j], [assignment[f] for f in fresh if f < j])
        places.setdefault(i, []).append(j)
    return None


def _score(graph: SceneGraph, parsed: Parsed, assignment: dict[int, int]) -> int:
    """Return the number of parsed attributes and relations that an assignment makes true."""
    attributes = sum((assignment[o], a) in graph.attributes for o, a in parsed.graph.attributes if o in assignment)
    known = {(s, ALIKE.get(r, r), graph.objects[o]) for s, r, o in graph.relations}
    turned = {(graph.objects[s], ALIKE.get(r, r), o) for s, r, o in graph.relations}
    names = parsed.graph.objects
    relations = sum((assignment.get(s, -1), ALIKE.get(r, r), names[o]) in known for s, r, o in parsed.graph.relations)
    return (
        attributes
        + relations
        + sum((names[s], ALIKE.get(r, r), assignment.get(o, -1)) in turned for s, r, o in parsed.graph.relations)
    )


def _antecedent(graph: SceneGraph, one: Found, mentioned: list[int]) -> int:
    """Return which earlier object "the cup", "the red cup" or "the second cup" is."""
    words = (one.definite or "").split()
    if words and words[-1] in ORDINALS and ORDINALS.index(words[-1]) < len(mentioned):
        return mentioned[ORDINALS.index(words[-1])]
    telling = [i for i in mentioned if any(word in graph.attributes_of(i) for word in words)]
    return (telling or mentioned)[-1]


Key = tuple[Any, ...]
"""An atom: ("object", index), ("attribute", object, attribute) or ("relation", subject, relation, object)."""
Places = dict[Key, list[Span]]


def _lay_over(graph: SceneGraph, parsed: Parsed, matched: list[Found], places: dict[int, list[int]]) -> Realised | Failure:
    """Return the caption's places of the graph's atoms; an atom without one is missing, and a further one is invented."""
    keys = _keys(graph)
    spans = _parsed_places(parsed, matched, places, set(keys["relation"]))
    _add_unparsed(graph, parsed.caption, keys, spans)
    wanted = [key for group in keys.values() for key in group]
    for key in wanted:
        if key not in spans:
            return Failure("atom left out", _words(graph, key))
    own_words = _own_words(graph)
    for key in spans:
        if key not in wanted and not own_words.issuperset(key[2].split()):
            return Failure(f"invented {key[0]}", _words(graph, key))
    first = Spans(*(tuple(spans[key][0] for key in keys[kind]) for kind in ("object", "attribute", "relation")))
    again = [(kind, n, span) for kind, group in keys.items() for n, key in enumerate(group) for span in spans[key][1:]]
    return Realised(parsed.caption, first, tuple(again))


def _keys(graph: SceneGraph) -> dict[str, list[Key]]:
    """Return the graph's atoms by kind, in its order."""
    return {
        "object": [("object", i) for i in range(len(graph.objects))],
        "attribute": [("attribute", o, a) for o, a in graph.attributes],
        "relation": [("relation", s, ALIKE.get(r, r), o) for s, r, o in graph.relations],
    }


def _parsed_places(parsed: Parsed, matched: list[Found], places: dict[int, list[int]], relations: set[Key]) -> Places:
    """Return the places of the parsed objects, their attributes, and those relations that the graph has."""
    owner = {j: i for i, js in places.items() for j in js}
    spans: Places = defaultdict(list)
    for i, js in places.items():
        spans["object", i] += [matched[j].span for j in js]
    for j, one in enumerate(matched):
        if one.part and j in owner:
            spans["attribute", owner[j], one.part].append((one.span[0] - len(one.part) - 1, one.span[0] - 1))
    for (o, attribute), span in zip(parsed.graph.attributes, parsed.spans.attributes, strict=True):
        if attribute not in NO_ATTRIBUTES and span is not None and o in owner:
            spans["attribute", owner[o], attribute].append(span)
    for (s, relation, o), span in zip(parsed.graph.relations, parsed.spans.relations, strict=True):
        key = ("relation", owner.get(s, -1), ALIKE.get(relation, relation), owner.get(o, -1))
        # Parsers attach phrases to the wrong noun too often for an extra relation to count as invented.
        if span is not None and key in relations:
            spans[key].append(span)
    return spans


def _add_unparsed(graph: SceneGraph, caption: str, keys: dict[str, list[Key]], spans: Places) -> None:
    """Add the attributes and relations that the parser missed and whose words are in their places."""
    wanted = {key for group in keys.values() for key in group}
    for key in keys["attribute"]:
        # Words that the parser read as something else, such as "tall" of "very tall", are free.
        taken = [span for found, places in spans.items() if found in wanted for span in places]
        if key not in spans and (span := _beside(caption, key[2], spans["object", key[1]], taken)):
            spans[key].append(span)
    for n, key in enumerate(keys["relation"]):
        if key not in spans and (span := _in_words(graph, caption, n, spans)):
            spans[key].append(span)


def _words(graph: SceneGraph, key: Key) -> str:
    return " ".join(part if isinstance(part, str) else graph.objects[part] for part in key)


def _beside(caption: str, attribute: str, nouns: list[Span], taken: list[Span]) -> Span | None:
    """Return the place of an attribute's words next to its noun, for one that the parser missed."""
    for start, end in nouns:
        for a, b in _free(attribute, caption, taken):
            if -REACH < a - start < 0 or 0 <= a - end < len(" that are "):
                return a, b
    return None


def _free(words: str, caption: str, taken: list[Span]) -> Iterator[Span]:
    """Yield the places of the words in the caption where nothing else is ``taken``."""
    for match in re.finditer(rf"\b{re.escape(words)}\b", caption, re.IGNORECASE):
        if not any(a < match.end() and match.start() < b for a, b in taken):
            yield match.span()


def _in_words(graph: SceneGraph, caption: str, n: int, spans: Places) -> Span | None:
    """Return the place of relation ``n``'s words right before its object, or before "it", for one that the parser missed."""
    subject, relation, o = graph.relations[n]
    forms = {relation, participle(relation), clause_form(relation)[1], clause_form(relation, "plural")[1]}
    forms |= {"with", "has", "have"} if relation in ("with", "have") else set()
    # "A man in a shirt": the man wears it, or has it.
    forms |= {"in"} if relation in ("wear", "have", "with") and is_worn_in(graph.objects[o]) else set()
    taken = [span for key, relation_spans in spans.items() if key[0] == "relation" for span in relation_spans]
    starts = [start for start, _ in spans["object", o]]
    for form in sorted(forms, key=lambda form: (-len(form), form)):
        for a, b in _free(form, caption, taken):
            near = re.match(r"(?: [\w-]+){0,4}? (?:it|them|him|her)\b", caption[b:])
            follows = any(0 < start - b < REACH for start in starts) or near
            if follows and any(start < a for start, _ in spans["object", subject]):
                return a, b
    return None


REACH = 30
"""Maximum number of characters, of articles and attributes, between a relation and its object."""
