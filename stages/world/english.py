"""Captions of facts, in many phrasings."""

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from stages.text.inflection import indefinite_article, plural, verb_form
from stages.world import lexicon
from stages.world.facts import SPATIAL, Fact
from stages.world.kinds import KINDS
from stages.world.relations import ACTIONS, POSTURES
from stages.world.scene import Link, Scene, Thing

UPRIGHT = ("tree", "lamp", "bottle", "house", "bookcase", "mirror", "cactus")
"""Kinds that are tall or short, not large or small."""
Compound = tuple[str, ...]
"""(attribute, kind) or (kind, relation, kind): a compound of a caption, by kinds."""
Allowed = Callable[[Compound], bool]


class Noun(NamedTuple):
    """A thing as a caption names it."""

    name: str
    attributes: Sequence[str] = ()

    @property
    def plural(self) -> bool:
        return self.name in ("pants", "trousers")

    @property
    def be(self) -> str:
        return "are" if self.plural else "is"


def attribute_words(rng: Random, thing: Thing) -> list[str]:
    """Return the attributes that a caption may name of a thing, in English order."""
    words = []
    if thing.size:
        upright = thing.kind in UPRIGHT or KINDS[thing.kind].group == "person"
        words.append(rng.choice((lexicon.HEIGHT_WORDS if upright else lexicon.SIZE_WORDS)[thing.size]))
    if thing.state in ("open", "closed"):
        words.append(thing.state)
    if thing.colour:
        words.append(thing.colour)
    if thing.pattern != "plain":
        words.append(thing.pattern)
    return words


def describe(
    rng: Random, scene: Scene, fact: Fact, allowed: Allowed = lambda compound: True, detail: float | None = None
) -> str | None:
    """Return a caption of ``fact`` with ``allowed`` compounds only; ``None`` where there is none.

    ``detail`` is the probability of naming an attribute; by default about half of the captions of one relation name none.
    """
    kinds = [thing.kind for thing in scene.things]
    compounds: list[Compound] = [*((kinds[i],) for i in fact.things), *((kinds[s], r, kinds[o]) for s, r, o in fact.links)]
    if not all(map(allowed, compounds)):
        return None
    if detail is None:
        detail = 0.0 if len(fact.links) == 1 and rng.random() < 0.5 else 0.55
    article = rng.choices(("a", "", "the"), (0.6, 0.24, 0.16))[0]
    if fact.count > 1:
        return _several(rng, scene, fact, allowed)
    if not fact.links:
        return _single(rng, scene.things[fact.things[0]], article, allowed)
    if len(fact.links) == 1:
        return _related(rng, scene, fact.links[0], article, detail, allowed)
    return _chained(rng, scene, fact, article, detail, allowed)


def _sayable(rng: Random, thing: Thing, allowed: Allowed) -> list[str]:
    """Return the attributes of a thing that a caption may name."""
    return [word for word in attribute_words(rng, thing) if allowed((word, thing.kind))]


def _said(rng: Random, thing: Thing, allowed: Allowed, detail: float) -> list[str]:
    """Return the attributes that a caption names: none, one, or more."""
    words = _sayable(rng, thing, allowed)
    if not words or rng.random() >= detail:
        return []
    way = rng.random()
    if way < 0.28:
        return words
    # Of all attributes people name the colour first.
    return [thing.colour if way < 0.6 and thing.colour in words else rng.choice(words)]


def _noun(rng: Random, thing: Thing, allowed: Allowed, detail: float) -> Noun:
    return Noun(rng.choice(lexicon.NAMES[thing.kind]), _said(rng, thing, allowed, detail))


def _with_article(rng: Random, noun: Noun, article: str) -> str:
    words = " ".join([*noun.attributes, noun.name])
    if article == "a":
        if noun.plural:
            article = "a pair of" if rng.random() < 0.35 else ""
        elif noun.name in lexicon.MASS:
            article = ""
        else:
            article = "the" if noun.name in lexicon.UNIQUE else indefinite_article(words)
    return f"{article} {words}".strip()


def _single(rng: Random, thing: Thing, article: str, allowed: Allowed) -> str | None:
    """Return a caption of one thing: "a red cup", "there is a red cup", "the cup is red", "a cup that is red"."""
    words = _sayable(rng, thing, allowed)
    if not words:
        return None
    named = [rng.choice(words)] if rng.random() < 0.7 else words
    bare = Noun(rng.choice(lexicon.NAMES[thing.kind]))
    noun, predicate = Noun(bare.name, named), f"{bare.be} {' and '.join(named)}"
    way = rng.random()
    if way < 0.52 or len(named) > 2:
        return _with_article(rng, noun, article)
    if way < 0.62:
        return f"there {bare.be} {_with_article(rng, noun, 'a')}"
    if way < 0.84:
        return f"{_with_article(rng, bare, 'the' if rng.random() < 0.7 else '')} {predicate}"
    return f"{_with_article(rng, bare, 'a')} that {predicate}" if way < 0.93 else _with_article(rng, noun, "the")


def _related(rng: Random, scene: Scene, link: Link, article: str, detail: float, allowed: Allowed) -> str:
    """Return a caption of a relation: "a man holding a cup", "a man is holding a cup", "there is a cup on the table"."""
    s, relation, o = link
    subject, thing = (_noun(rng, scene.things[i], allowed, detail) for i in (s, o))
    first = _with_article(rng, subject, article)
    second = _with_article(rng, thing, article if rng.random() < 0.8 else "the")
    phrase = rng.choice(lexicon.PHRASES[relation])
    # "Standing behind a bench".
    if scene.things[s].state in lexicon.STANCES.values() and relation in SPATIAL and rng.random() < 0.5:
        phrase = f"{scene.things[s].state} {phrase}"
    verb, *rest = relation.split()
    way = rng.random()
    if relation in (*ACTIONS, *POSTURES) and way < 0.08:
        return f"{first} {' '.join([verb_form(verb, 'does'), *rest])} {second}"
    if relation in ACTIONS and not rest and way < 0.16:
        return f"{second} {rng.choice((thing.be + ' ', 'being ', ''))}{verb_form(verb, 'done')} by {first}"
    if way < 0.6:
        return f"{first} {phrase} {second}"
    if way < 0.82 and phrase != "with":
        return f"{first} {subject.be} {phrase} {second}"
    if way < 0.93:
        return f"there {subject.be} {_with_article(rng, subject, 'a')} {phrase} {second}"
    return f"{first} that {subject.be} {phrase} {second}" if phrase != "with" else f"{first} with {second}"


def _chained(rng: Random, scene: Scene, fact: Fact, article: str, detail: float, allowed: Allowed) -> str:
    """Return a caption of two relations: "a man in a hat riding a horse", "a cup on a table next to a chair"."""
    (s, first, o), (t, second, p) = fact.links
    nouns = {i: _noun(rng, scene.things[i], allowed, detail * 0.8) for i in fact.things}
    a, b, c = (_with_article(rng, nouns[i], article) for i in (s, o, p))
    one, two = rng.choice(lexicon.PHRASES[first]), rng.choice([p for p in lexicon.PHRASES[second] if p != "with"])
    if t == o:
        # The second relation is the object's: without "that is" it would be read as the subject's.
        return f"{a} {one} {b} that {nouns[o].be} {two} {c}"
    if first == second:
        return f"{a} {one} {b} and {c}"
    if rng.random() < 0.3 and one != "with":
        return f"{a} {nouns[s].be} {one} {b} and {two} {c}"
    return f"{a} {one} {b} {two} {c}" if first == "wear" or one == "with" else f"{a} {one} {b} and {two} {c}"


def _several(rng: Random, scene: Scene, fact: Fact, allowed: Allowed) -> str | None:
    """Return a caption of several things: "two dogs", "there are three red balls", "two cats on the floor"."""
    if fact.count not in lexicon.SAID_NUMBERS:
        return None
    things = [scene.things[i] for i in fact.things]
    kind = things[0].kind
    name = rng.choice(lexicon.NAMES[kind])
    words = attribute_words(rng, things[0])
    shared = [word for word in words if all(word in attribute_words(rng, t) for t in things) and allowed((word, kind))]
    said = " ".join([*shared[-1:], plural(name)])
    number = lexicon.SAID_NUMBERS[fact.count] if rng.random() < 0.85 else str(fact.count)
    common = sorted(set.intersection(*({o for s, r, o in scene.links if s == i and r == "on"} for i in fact.things)))
    place = ""
    if common and rng.random() < 0.5 and allowed((kind, "on", scene.things[common[0]].kind)):
        place = f" on {_with_article(rng, _noun(rng, scene.things[common[0]], allowed, 0.2), 'the')}"
    way = rng.random()
    return ("there are " if way < 0.25 else "the " if way < 0.3 else "") + f"{number} {said}{place}"
