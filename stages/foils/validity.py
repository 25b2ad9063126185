"""Why a candidate is no negative: a code, a small check and a test for each reason.

The checks come in the order of :data:`CHECKS`, words before pictures, and the first that fails names the reason. How probable it is
that a candidate is true is estimated from all that is known of the crop (:mod:`stages.foils.evidence`).
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from stages.foils import edits, meanings, sorts
from stages.foils.counts import SMALL
from stages.foils.evidence import Evidence
from stages.foils.known_things import LIKELY
from stages.foils.sense import Sense
from stages.graphs.graph import Atom, SceneGraph, Span
from stages.language.lexicon import words
from stages.semantics import relations, selection, things, wordnet
from stages.wording.inflection import number_of
from stages.wording.word_classes import IN_PAIRS, is_person, uncountable

NO_THINGS = {
    f"noun.{sort}"
    for sort in ("act", "attribute", "cognition", "event", "feeling", "motive", "process", "relation", "state", "time")
}
"""WordNet's sorts of what no picture shows."""
PRONOUNS = ((words("he his him himself"), meanings.MALE), (words("she her hers herself"), meanings.FEMALE))
"""Pronouns, and whom they stand for."""
POSSESSED = re.compile(r"\b(my|your|his|her|its|our|their) (an?|the)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Candidate:
    """The truth, and what becomes of it when ``atom`` at ``span`` gives way to ``foil``. ``known`` is what is known of the crop.

    ``claim`` is what the edit makes the caption say (:func:`stages.foils.edits.changed`), ``fit`` how acceptable that is.
    """

    truth: str
    truth_graph: SceneGraph
    atom: Atom
    span: Span
    foil: str
    caption: str
    graph: SceneGraph
    claim: SceneGraph
    fit: float
    known: Evidence
    sense: Sense
    max_true: float
    acceptable: float = 0.0

    @property
    def slot(self) -> str:
        """The words that give way."""
        return self.truth[slice(*self.span)]

    @cached_property
    def p_true(self) -> float:
        """The probability that it is true."""
        return self.known.probability(self.claim)


# --- Words ------------------------------------------------------------------------------------------------------------------------


def body_part(c: Candidate) -> bool:
    """Who has a head has hands, though nobody says so."""
    if c.atom.kind != "object":
        return False
    sense = wordnet.sense(c.foil)
    return (sense is not None and sense.lexname() == "noun.body") or "body" in things.kinds(c.foil)


def part(c: Candidate) -> bool:
    """A car has a roof, and none has an antler; and in the place of a part nothing else can stand: no "sticker of a man"."""
    return c.atom.kind == "object" and (c.foil in parts(c.claim) or c.atom.text in parts(c.truth_graph))


def parts(graph: SceneGraph) -> set[str]:
    """The objects that a graph calls parts of others."""
    triples = ((graph.objects[s], relation, graph.objects[o]) for s, relation, o in graph.relations)
    return {part for triple in triples for part, _ in sorts.part_and_whole(*triple)}


def no_thing(c: Candidate) -> bool:
    """A click is a part of a lock to WordNet, and to everybody else no thing that a picture shows."""
    if c.atom.kind != "object" or c.foil in wordnet.SENSES:
        return False
    synsets = wordnet.senses(c.foil, "n")
    return (bool(synsets) and synsets[0].lexname() in NO_THINGS) or not selection.is_concrete(c.foil)


def worn(c: Candidate) -> bool:
    """Who is in trousers wears them: that they are not beside him goes without saying, and somebody else's may be. And who wears a
    skirt wears a shirt, though nobody says so."""
    if c.atom.kind == "relation":
        said = edits.changed(c.truth_graph, c.atom)
        return c.atom.text == "in" and meanings.is_clothing(said.objects[1])
    wearers = [
        s for s, r, o in c.truth_graph.relations if o == c.atom.index and (r in ("in", "have") or relations.read(r).verb == "wear")
    ]
    return c.atom.kind == "object" and c.foil in EVERYBODYS and any(is_person(c.truth_graph.objects[s]) for s in wearers)


EVERYBODYS = words("shirt top shoe pants trousers clothes clothing outfit attire")
"""What everybody has on, or nearly."""


def always_true(c: Candidate) -> bool:
    """Everything is under the sky, and what is outdoors is outside of every house."""
    return any(
        relations.always(r, c.claim.objects[o])
        or (relations.read(r).place == "outside" and not HOUSES.isdisjoint(things.kinds(c.claim.objects[o])))
        for _, r, o in c.claim.relations
    )


HOUSES = {"building", "room"}


# --- The caption ------------------------------------------------------------------------------------------------------------------


def number(c: Candidate) -> bool:
    """No "two grasses", no "a pants", no "a toilet paper"; and one man's pants do not become dresses."""
    if not edits.fits(c.atom.kind, c.slot, c.foil):
        return True
    if c.atom.kind != "object":
        return False
    if number_of(c.slot) == "singular" and c.foil.rsplit(" ", 1)[-1] in IN_PAIRS:
        return True
    # "A man wearing shoes" becomes no "man wearing hats".
    worn_in_pairs = c.atom.text.rsplit(" ", 1)[-1] in IN_PAIRS and c.foil.rsplit(" ", 1)[-1] not in IN_PAIRS
    only_plural = number_of(c.atom.text) == "plural" or (worn_in_pairs and number_of(c.slot) == "plural")
    return (only_plural and number_of(c.foil) != "plural") or (number_of(c.slot) == "singular" and uncountable(c.foil))


def repeats(c: Candidate) -> bool:
    """No "a dog next to a dog"."""
    others = (name for i, name in enumerate(c.truth_graph.objects) if i != c.atom.index)
    return c.atom.kind == "object" and any(c.known.meanings.one_thing(name, c.foil) >= LIKELY for name in others)


def identical_caption(c: Candidate) -> bool:
    """The edit changes no letter that counts."""
    return " ".join(c.caption.lower().split()) == " ".join(c.truth.lower().split())


STEM = 4
"""So many letters tell a noun, in whatever number."""


def coordinated(c: Candidate) -> bool:
    """No "nautical and chairs" where somebody wrote of nautical and ocean scene curtains."""
    *before, last = ["", *c.truth[: c.span[0]].lower().replace(",", "").split()]
    if c.atom.kind != "object" or last not in ("and", "or"):
        return False
    nouns = tuple(name.rsplit(" ", 1)[-1][:STEM] for name in c.truth_graph.objects)
    return not before[-1].startswith(nouns)


def pronoun(c: Candidate) -> bool:
    """No "bride holding his chin", and no "his a beak"."""
    return not pronouns_suit(c.caption, [(c.atom.text, c.foil)] if c.atom.kind == "object" else [])


def pronouns_suit(caption: str, renamed: Iterable[tuple[str, str]]) -> bool:
    """Has no noun an article and a possessive, and can all pronouns stand for what takes a person's place? ``renamed`` are the old
    names and the new ones."""
    tokens, heads = set(re.findall(r"\w+", caption.lower())), [new.rsplit(" ", 1)[-1] for old, new in renamed if is_person(old)]
    return not POSSESSED.search(caption) and all(tokens.isdisjoint(own) or sex.issuperset(heads) for own, sex in PRONOUNS)


def senseless(c: Candidate) -> bool:
    """Nobody would say so of any picture: a bed does not eat; and what no caption tells the use of may be anything."""
    if c.acceptable == 0:
        return False
    known = c.atom.kind != "object" or c.sense.knows(c.foil)
    return c.fit < c.acceptable or not known or not selection.together(c.graph, c.truth_graph)


# --- The picture ------------------------------------------------------------------------------------------------------------------


def may_be_true(c: Candidate) -> bool:
    """It is not improbable enough: another name of the thing, another such thing, one that goes without saying."""
    return c.p_true > c.max_true or (c.atom.kind == "object" and _may_be_there(c))


def _may_be_there(c: Candidate) -> bool:
    """May there be such a thing that nobody mentions? Which colour it has and where it stands nobody knows then: of what such
    things seldom are readers found every ninth true, of what is hardly there at all one in two hundred.

    Where one thing is held or carried another small one may be: readers found every sixth of these true, and of larger things
    one in fifty.
    """
    own = things.of(c.atom.text)
    at_home = 0.0 if own and (own.size or CARRIED) <= CARRIED else AT_HOME
    return c.known.unsaid(c.foil) > c.max_true or may_lie_unnoticed(c.foil, c.known, c.sense, at_home)


def may_lie_unnoticed(name: str, known: Evidence, sense: Sense, at_home: float) -> bool:
    """May a thing called ``name`` be there though nobody names it? What a hand holds may, where such things lie: readers found that
    one in five of these might be there, and of larger things one in forty. A part may, if it is at home in such a scene: a chair
    has wheels. Not where people who describe an image hardly ever overlook one."""
    if known.meanings.habits.overlooked < OVERLOOKED:
        return False
    others = known.said - {name}
    if "part" in things.kinds(name):
        return things.at_home(name, others) > 0
    return things.size(name) == SMALL and sense.scenes.fit(name, others) >= at_home


CARRIED, AT_HOME, OVERLOOKED = 2, 0.2, 0.1
"""The size of what one carries; how much what a hand holds is at home where it may lie (:class:`stages.foils.scenes.Scenes`); and
what share of such things only one of those who describe an image sees, so that there are others that none does."""


CHECKS: tuple[Callable[[Candidate], bool], ...] = (
    *(body_part, part, no_thing, worn, always_true, number, coordinated, pronoun, repeats, identical_caption, senseless),
    may_be_true,
)


def reason(candidate: Candidate) -> str | None:
    """The code of the first check that the candidate fails, or ``None`` for a valid one."""
    return next((check.__name__ for check in CHECKS if check(candidate)), None)
