"""Annotations of scenes in Visual Genome's format, as incomplete and faulty as real ones."""

from collections.abc import Sequence
from random import Random
from typing import Any

from stages.text.inflection import plural, verb_form
from stages.world.english import attribute_words, describe
from stages.world.facts import Fact, drawn, facts, framed
from stages.world.lexicon import NAMES, PHRASES
from stages.world.relations import ACTIONS, POSTURES, Relations
from stages.world.scene import HEIGHT, WIDTH, Box, Scene, union

FAULTS: dict[str, float] = {
    "misspelled": 0.025,
    "upper case": 0.02,
    "capital": 0.24,
    "period": 0.1,
    "trailing space": 0.06,
    "newline": 0.012,
    "double space": 0.012,
}
"""The fraction of region descriptions with each typing fault; several may occur together."""

TYPED: dict[str, float] = {"attribute in the name": 0.04, "sentence": 0.01, "two names": 0.01, "seen here": 0.005}
"""The fraction of objects with a fault in the name: "red car", "car is red", a second name that is another thing's, "car seen
here"."""
EXTRA: dict[str, float] = {"plural": 0.02, "nothing": 0.01}
"""The fraction of objects that are annotated a second time: all of their kind in one box, as "cars", or with an empty name."""

VERB_SYNSETS = {"hold": "hold.v.02", "wear": "wear.v.01", "ride": "ride.v.02", "eat": "eat.v.01"}


def annotate_graph(rng: Random, image_id: int, scene: Scene, relations: Relations) -> dict[str, Any]:
    """Return one entry of ``scene_graphs.json``: most objects and relations, some attributes, some second names."""
    ids: dict[int, int] = {}
    objects: list[dict[str, Any]] = []
    for index, thing in enumerate(scene.things):
        # Nobody annotates everything, and sometimes an object is annotated twice.
        for _ in range(rng.choices((0, 1, 2), (0.1, 0.88, 0.02))[0]):
            ids[index] = image_id * 1000 + len(objects)
            objects.append(_object(rng, ids[index], thing.kind, attribute_words(rng, thing), thing.box))
            _mistype(rng, objects[-1], scene)
    objects += _extra(rng, image_id * 1000 + len(objects), scene)
    links = [link for link in sorted(set(scene.links)) if rng.random() < 0.8]
    near = [f.links[0] for f, _ in facts(scene, relations) if len(f.links) == 1 and f.links[0] not in scene.links]
    links += [link for link in near if rng.random() < 0.2]
    relationships = [
        {
            "relationship_id": image_id * 1000 + k,
            "predicate": _predicate(rng, relation),
            "subject_id": ids[s],
            "object_id": ids[o],
            "synsets": [VERB_SYNSETS.get(relation, "along.r.01")] if rng.random() < 0.9 else [],
        }
        for k, (s, relation, o) in enumerate(link for link in links if link[0] in ids and link[2] in ids)
    ]
    return {"image_id": image_id, "objects": objects, "relationships": relationships}


def _object(rng: Random, object_id: int, kind: str, attributes: Sequence[str], box: Box) -> dict[str, Any]:
    names = list(dict.fromkeys(NAMES[kind]))
    named = [kind] if rng.random() < 0.9 or len(names) == 1 else rng.sample(names, 2)
    made = {"object_id": object_id, "names": named, **dict(zip("xywh", _pixels(rng, box), strict=True))}
    made["synsets"] = [f"{kind}.n.01"] if rng.random() < 0.9 else []
    given = [word.upper() if rng.random() < 0.01 else word for word in attributes if rng.random() < 0.75]
    # The key is missing where it would be empty.
    return made | ({"attributes": given} if given else {})


def _mistype(rng: Random, made: dict[str, Any], scene: Scene) -> None:
    """Return a name that is a phrase: either still true or, with a second name, unreliable."""
    hit = {fault for fault, share in TYPED.items() if rng.random() < share}
    name, attributes = made["names"][0], made.get("attributes", [])
    if "two names" in hit:
        made["names"] = [name, rng.choice(scene.things).kind]
    elif "seen here" in hit:
        made["names"] = [f"{name} seen here"]
    elif attributes and hit:
        attribute = attributes.pop()
        made["names"] = [f"{name} is {attribute}" if "sentence" in hit else f"{attribute} {name}"]
        if not attributes:
            del made["attributes"]


def _extra(rng: Random, object_id: int, scene: Scene) -> list[dict[str, Any]]:
    """Return annotations in addition to those of the single things."""
    made: list[dict[str, Any]] = []
    for thing in scene.things:
        kind, alike = thing.kind, [other.box for other in scene.things if other.kind == thing.kind]
        if len(alike) > 1 and rng.random() < EXTRA["plural"]:
            made.append(_object(rng, object_id + len(made), kind, (), union(alike)) | {"names": [plural(kind)]})
        if rng.random() < EXTRA["nothing"]:
            extra = _object(rng, object_id + len(made), kind, (), thing.box)
            made.append(extra | {"names": [rng.choice(("thing", "background"))]})
    return made


def _predicate(rng: Random, relation: str) -> str:
    phrase = rng.choice(PHRASES[relation])
    if relation in (*ACTIONS, *POSTURES) and rng.random() < 0.3:
        verb, *rest = relation.split()
        phrase = " ".join([verb_form(verb, "does"), *rest])
    if relation == "wear" and rng.random() < 0.2:
        phrase = "has"
    return phrase.upper() if rng.random() < 0.12 else phrase + " " if rng.random() < 0.02 else phrase


def _pixels(rng: Random, box: Box) -> tuple[int, int, int, int]:
    """Return x, y, width, height in whole pixels; sometimes tiny, or partly outside the image."""
    x0, y0, x1, y1 = (round(v) for v in box)
    fault = rng.random()
    if fault < 0.015:
        x1, y1 = x0 + rng.randrange(2, 9), y0 + rng.randrange(2, 9)
    elif fault < 0.03:
        x0, x1 = (-rng.randrange(1, 40), x1) if x0 + x1 < WIDTH else (x0, WIDTH + rng.randrange(1, 40))
    else:
        x0, y0, x1, y1 = max(0, x0), max(0, y0), min(WIDTH, x1), min(HEIGHT, y1)
    return x0, y0, max(1, x1 - x0), max(1, y1 - y0)


def annotate_regions(rng: Random, image_id: int, scene: Scene, relations: Relations, count: int) -> list[dict[str, Any]]:
    """Return the regions of one entry of ``region_descriptions.json``: up to ``count``, as many as have a description."""
    regions: list[dict[str, Any]] = []
    repeated: dict[Fact, str] = {}
    for fact in drawn(rng, facts(scene, relations), count):
        # Annotators sometimes repeat an earlier description.
        phrase = describe(rng, scene, fact) if fact not in repeated or rng.random() < 0.5 else repeated[fact]
        if phrase is None:
            continue
        repeated[fact] = phrase
        box = dict(zip(("x", "y", "width", "height"), _pixels(rng, framed(rng, fact.box(scene))), strict=True))
        region_id = image_id * 1000 + len(regions)
        regions.append({"region_id": region_id, "image_id": image_id, "phrase": faulty(rng, phrase), **box})
    return regions


def faulty(rng: Random, phrase: str) -> str:
    """Return a description with people's typing faults."""
    hit = {fault for fault, share in FAULTS.items() if rng.random() < share}
    if "misspelled" in hit:
        phrase = misspelled(rng, phrase)
    if "capital" in hit:
        phrase = phrase[0].upper() + phrase[1:]
    if "upper case" in hit:
        phrase = phrase.upper()
    if "double space" in hit:
        phrase = phrase.replace(" ", "  ", 1)
    return phrase + "." * ("period" in hit) + " " * ("trailing space" in hit) + "\n" * ("newline" in hit)


def misspelled(rng: Random, phrase: str) -> str:
    """Return one of the longer words with two letters exchanged, or one left out."""
    words = phrase.split(" ")
    long = [i for i, word in enumerate(words) if len(word) >= 5 and word.isalpha()]
    if not long:
        return phrase
    i = rng.choice(long)
    word, k = words[i], rng.randrange(1, len(words[i]) - 2)
    # Short words lose no letter, because the rest may be another, offensive word.
    swap = rng.random() < 0.5 or len(word) < 7
    words[i] = word[:k] + word[k + 1] + word[k] + word[k + 2 :] if swap else word[:k] + word[k + 1 :]
    return " ".join(words)
