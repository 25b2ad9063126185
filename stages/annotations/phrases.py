"""Read the phrases that people typed as names, attributes and predicates of scene graphs: "monitor is off", "have five", "on
desk".

Phrases that people also write in captions (``language.usage``) need no parser; the rest is parsed, a name by itself, an attribute
after "the object is", a predicate between two nouns. A phrase without an atom gets a reason; one with an atom that does not fit
into captions is kept as evidence, also with a reason.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from stages.annotations.scene_graphs import Reading
from stages.graphs.graph import SceneGraph, Spans
from stages.parameters.sections import Language
from stages.text import normal
from stages.text.attributes import SWITCHED, is_adjective, is_participle
from stages.text.inflection import number_of, verb_form
from stages.text.lexicon import sections, words
from stages.text.usage import usage
from stages.text.word_classes import PLURAL_NUMBERS, PREDICATIVE
from stages.text.wordnet import wordnet

TABLES = sections(Path(__file__).with_suffix(".txt"))
NO_THING = words(TABLES["no thing"])
VAGUE = words(TABLES["vague"])
BEFORE = "|".join(sorted(normal.AUXILIARIES | words(TABLES["before"])))
NO_ATTRIBUTES = words(TABLES["no attributes"])
COLOURED = words(TABLES["coloured"])
ABSTRACT = words(TABLES["abstract"])
INTENDED = re.compile(rf"(?:{'|'.join(re.split(', *', ' '.join(TABLES['intended'].split())))}) to ")
SEVERAL = re.compile(r"\s*[+,][\s+,]*(?:and )?", re.IGNORECASE)
"""Separators of attributes, besides "and"."""
SUBJECT, OBJECT, THING = "man", "table", "object"
"""The nouns around a predicate that is parsed."""


class Phrases(NamedTuple):
    """Distinct phrases of one kind (``object``, ``attribute`` or ``relation``), and the parameters' section ``language``."""

    kind: str
    texts: Sequence[str]
    language: Language


def read(task: Phrases) -> list[Reading]:
    """Return the reading of each phrase."""
    # Imported here, because the process that only distributes the work needs no pipeline.
    from stages.annotations.spelling import correct
    from stages.parsing.shards import shared_parser

    texts = [text.replace("_", " ") for text in task.texts]
    texts = [SEVERAL.sub(" and ", text) if task.kind == "attribute" else text for text in texts]
    tidy = [_tidy(correct(text.lower())) for text in texts]
    plain, frame, parsed_as = {
        "object": (_plain_name, "{}", _parsed_name),
        "attribute": (_plain_attribute, f"the {THING} is {{}}", _parsed_attribute),
        "relation": (_plain_relation, f"the {SUBJECT} {{}} the {OBJECT}", _parsed_relation),
    }[task.kind]
    readings = [plain(text) for text in tidy]
    unread = [text for text, reading in zip(tidy, readings, strict=True) if reading is None]
    parsed = shared_parser(task.language.model_dump_json()).parse(frame.format(text) for text in unread) if unread else iter(())
    return [parsed_as(text, next(parsed)) if reading is None else reading for text, reading in zip(tidy, readings, strict=True)]


def _tidy(text: str) -> str:
    """Return single spaces, no articles or auxiliaries before, no articles, marks or auxiliaries after."""
    text = " ".join(re.sub(r"[^\w\s'’/&$%.\"-]|[.](?!\w)", " ", text).split())
    text = re.sub(rf"^(?:(?:{BEFORE}) )+", "", text)
    return re.sub(r"(?: (?:a|an|the|is|are))+$", "", text)


# --- Names ----


def _plain_name(text: str) -> Reading | None:
    name = normal.object_name(text) if text else ""
    if not name:
        return Reading(fault="no_name")
    if name in NO_THING or text in NO_THING or text in normal.COLOURS - COLOURED:
        return Reading(fault="no_thing")
    plural = number_of(text) == "plural"
    if '"' in text:
        return Reading(name, plural, unsayable="quoted")
    if re.search("[/&]", text):
        return Reading(name, plural, unsayable="several")
    if name in usage().nouns:
        return Reading(name, plural, unsayable="vague" if name in VAGUE else "")
    if " " in text:
        return None
    return Reading(name, plural, unsayable="" if wordnet().synsets(name, "n") else "unknown")


def _parsed_name(text: str, parsed: Any) -> Reading:
    """Return the reading of a parsed name, as in "monitor is off", "see gray desk", "girl's hair", "man in hat"."""
    graph = parsed.graph
    # A user's own parser may return none.
    spans = parsed.spans if parsed.spans.objects else Spans((None,) * len(graph.objects), (), (None,) * len(graph.relations))
    count = re.fullmatch(r"(.*) (?:has|have|with) (\w+)", text)
    if count and normal.attribute(count[2]) in PLURAL_NUMBERS:
        return Reading(normal.object_name(count[1]), True, (normal.attribute(count[2]),))
    if not graph.objects:
        return Reading(normal.object_name(text), number_of(text) == "plural", unsayable="unread")
    head = _head(graph, spans)
    if head is None:
        return Reading(normal.object_name(text), True, unsayable="several")
    name, span = graph.objects[head], spans.objects[head]
    if name in NO_THING:
        return Reading(fault="no_thing")
    attributes = tuple(a for a in graph.attributes_of(head) if a not in NO_ATTRIBUTES)
    relations = tuple((r, graph.objects[o]) for s, r, o in graph.relations if s == head and r)
    plural = any(a in PLURAL_NUMBERS for a in attributes) or (span is not None and number_of(text[slice(*span)]) == "plural")
    last = name.split()[-1]
    known = name in usage().nouns or last in usage().nouns or bool(wordnet().synsets(name.replace(" ", "_"), "n"))
    return Reading(name, plural, attributes, relations, unsayable="vague" if name in VAGUE else "" if known else "unknown")


def _head(graph: SceneGraph, spans: Any) -> int | None:
    """Return the object that the phrase names: the hair in "girl's hair", else the main one; None for "trees and bushes"."""
    owned = [o for (_, _, o), span in zip(graph.relations, spans.relations, strict=True) if span is None and any(spans.objects)]
    if owned:
        return owned[-1]
    roots = [i for i in range(len(graph.objects)) if all(o != i for _, _, o in graph.relations)]
    return roots[0] if len(roots) == 1 else None


# --- Attributes ----


def _plain_attribute(text: str) -> Reading | None:
    text = re.sub(r"^(?:very|really|so|quite) ", "", text)
    count = re.fullmatch(r"(?:(?:have|has|with) )?(\w+)(?: in (?:count|number))?", text)
    if count and normal.attribute(count[1]) in PLURAL_NUMBERS:
        quantity = normal.attribute(count[1])
        return Reading(plural=True, attributes=(quantity,), unsayable="abstract" if quantity in ABSTRACT else "")
    if not text or '"' in text or "'" in text:
        return Reading(fault="no_text" if not text else "not_read")
    text = normal.color_alone(text)
    parts = re.split(r" and | & |/", text)
    if len(parts) > 1 and all(is_adjective(part) for part in parts):
        return Reading(attributes=tuple(map(normal.attribute, parts)))
    name = normal.attribute(text)
    if name in SWITCHED:
        return Reading(attributes=(f"turned {SWITCHED[name]}",))
    if name in NO_ATTRIBUTES:
        return Reading(fault="not_read")
    if name in ABSTRACT:
        return Reading(attributes=(name,), unsayable="abstract")
    if name in usage().attributes or name in PREDICATIVE or is_adjective(name) or is_participle(name):
        return Reading(attributes=(name,))
    return None if " " in text else Reading(attributes=(name,), unsayable="" if wordnet().synsets(name, "n") else "unknown")


def _parsed_attribute(text: str, parsed: Any) -> Reading:
    """Return the reading of a parsed attribute, as in "on desk", "made of bricks", "light brown wooden"."""
    graph = parsed.graph
    attributes = tuple(a for a in graph.attributes_of(0) if a not in NO_ATTRIBUTES) if graph.objects[:1] == (THING,) else ()
    relations = tuple((r, graph.objects[o]) for s, r, o in graph.relations if s == 0 and r)
    if len(relations) == 1 and not attributes:
        relation, name = relations[0]
        return Reading(attributes=(name,)) if relation in ("make of", "make from", "make out of") else Reading(relations=relations)
    if relations or not attributes or any(a not in usage().attributes and not is_adjective(a) for a in attributes):
        return Reading(attributes=(normal.attribute(text),), unsayable="unread")
    return Reading(attributes=attributes)


# --- Predicates ----


def _plain_relation(text: str) -> Reading | None:
    name = normal.relation(text) if text else ""
    if not name:
        return Reading(fault="no_text")
    if INTENDED.match(text):  # "about to hit a ball" is no hit
        return Reading(name, unsayable="intended")
    verb = name.removesuffix(" by")
    # "worn by": captions state the action, and the agent comes first.
    if name.endswith(" by") and verb in usage().relations and text.split()[0] == verb_form(verb, "done"):
        return Reading(verb, turned=True)
    return Reading(name) if name in usage().relations else None


def _parsed_relation(text: str, parsed: Any) -> Reading:
    """Return the reading of a parsed predicate, as in "worn by", "has a blue", "is sitting on the wooden"."""
    graph = parsed.graph
    between = [(s, r, o) for s, r, o in graph.relations if r]
    if tuple(sorted(graph.objects)) != (SUBJECT, OBJECT) or len(between) != 1:
        return Reading(normal.relation(text), unsayable="unread")
    ((s, relation, _),) = between
    turned = graph.objects[s] == OBJECT
    attribute_of = {graph.objects[i]: a for i, a in graph.attributes}
    if SUBJECT in attribute_of or len(graph.attributes) > 1 or (OBJECT in attribute_of and not is_adjective(attribute_of[OBJECT])):
        return Reading(normal.relation(text), unsayable="unread")
    attributes = (attribute_of[OBJECT],) if OBJECT in attribute_of else ()
    unsayable = "" if relation in usage().relations else "never_written"
    return Reading(relation, attributes=attributes, turned=turned, unsayable=unsayable)
