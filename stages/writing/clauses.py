"""The clauses of a caption about one object: a phrase, "a tall boy on a bench", or a sentence, "a tall boy is holding a ball".

The description of the last object follows it at once. Words, voice and articles are those that people write
(``language.usage``).
"""

from stages.text.unusual_words import weight
from stages.text.word_classes import is_body_part, is_definite, is_person, is_worn_in
from stages.writing.phrase import POSTURES, Piece, listed
from stages.writing.relations import HAVING, LOOSE, TIGHT, Relation, Remaining, only_place, words_of_clause

# A phrase after a thing's place belongs to that place: "a bike on a sidewalk next to a street", "leaves on a tree and a bus".
AT = ("on", "in", "at")
# People write "a desk with a lamp on it", and hardly ever "a tree with a bench next to it".
BEARING = ("on", "in")
TURNED = {"on": "turned on", "off": "turned off"}
DEEPEST = 2
"""Maximum nesting of phrases: "a cup on a desk with a lamp on it" has two."""
MAX_PREDICATES = 2
"""Maximum number of predicates of a clause."""


def phrase(remaining: Remaining, subject: int) -> list[Piece]:
    """Return a phrase such as "a tall boy sitting on a bench and holding a ball"; a "with" follows its noun at once."""
    doing, noun, free = remaining.nouns.doing(subject), remaining.nouns.mention(subject), remaining.free(subject)
    tight = _tight(remaining, subject, keep=0, last=not free)
    if tight and not free:
        return [*noun, *tight, *doing]
    taken = _take(remaining, subject, MAX_PREDICATES)
    groups: list[list[Piece]] = []
    for r in taken:
        groups += _done(remaining, doing, [], _related(remaining, r, last=r == taken[-1]), r)
        doing = []
    return [*noun, *tight, *listed(groups, last="," if only_place(taken) else "and")]


def statement(remaining: Remaining, subject: int, also: bool, before: set[tuple[str, int]]) -> list[Piece]:
    """Return a sentence: "A tall boy on a bench is holding a ball", "The desk also has a lid".

    Args:
        also: the previous clause had this subject.
        before: the predicate of that clause, "on" and the road, if this one may repeat it with "also".
    """
    nouns = remaining.nouns
    new, state, doing = subject not in nouns.said, nouns.state(subject), nouns.doing(subject)
    outgoing = remaining.of(subject)
    nouns.mentioned |= {piece.index for piece in state}
    if state and (nouns.heavy(subject) or (outgoing and not any(r.is_place for r in outgoing))):
        nouns.mentioned -= {piece.index for piece in state}
        state = []
    pieces = nouns.mention(subject) if new else nouns.again(subject)
    if new:
        pieces += _tight(remaining, subject, keep=0 if doing or state else 1)
    taken = _take(remaining, subject, 1 if state else MAX_PREDICATES - len(doing) + 1, places=bool(state))
    if new and (len(taken) > 1 or state) and not nouns.heavy(subject):
        pieces += _leading(remaining, taken, doing)
    if state:
        # "A monitor on a desk is turned on": not "on a desk is on".
        return [*pieces, nouns.be(subject), *(p._replace(words=TURNED.get(p.words, p.words)) for p in state)]
    also = also or (not doing and any((r.name, r.object) in before for r in taken[:1]))
    groups = _predicates(remaining, subject, taken, doing, also)
    if len(groups) > 2 and taken[-1].name in HAVING:
        # "Is holding a cup and wearing glasses, and has a beard".
        return [*pieces, *listed(groups[:-1]), Piece(","), Piece("and"), *groups[-1]]
    return [*pieces, *listed(groups), *around(remaining, subject)]


def around(remaining: Remaining, person: int) -> list[Piece]:
    """Return what else is near a person who does something: ", with a parking meter behind him"."""
    him = remaining.nouns.personal(person)
    held = [r for r in remaining.to(person) if r.is_place and remaining.is_bystander(r)]
    if not him or not held or remaining.of(person):
        return []
    remaining.left.remove(held[0])
    return [Piece(","), Piece("with"), *remaining.nouns.mention(held[0].subject), held[0].piece(), Piece(him)]


def _leading(remaining: Remaining, taken: list[Relation], doing: list[Piece]) -> list[Piece]:
    """Return one place of a clause's subject right after it, so that the verb can be another: "a cd on a desk (is near a mug)"."""
    places = [r for r in taken if r.is_place]
    if not places:
        return []
    r = min(places, key=lambda r: (r.is_verbal, r.name in LOOSE, r.name.split()[0] not in POSTURES))
    taken.remove(r)
    walking = [doing.pop()] if doing and not r.is_verbal else []
    return [*walking, *_related(remaining, r, last=True, depth=1)]


def _predicates(remaining: Remaining, subject: int, taken: list[Relation], doing: list[Piece], also: bool) -> list[list[Piece]]:
    """Return a clause's predicates: "is sitting on a bench", "holding a ball", "has a lid"."""
    if not taken:
        return [[remaining.nouns.be(subject), *doing]] if doing else []
    groups: list[list[Piece]] = []
    before = None
    for r in taken:
        auxiliary, verb = words_of_clause(r.name, remaining.nouns.number(subject))
        # "is on a bench and is holding a ball": the auxiliary is repeated where the kind of the predicate changes.
        kind = auxiliary, r.is_verbal
        head = [Piece(auxiliary)] if auxiliary and kind != before else []
        head += [Piece("also")] if also else []
        groups += _done(remaining, doing, head, _related(remaining, r, last=r == taken[-1], words=verb), r)
        before, also, doing = kind, False, []
    return groups


def _done(remaining: Remaining, doing: list[Piece], head: list[Piece], tail: list[Piece], r: Relation) -> list[list[Piece]]:
    """Return the subject's action, with its place if it has one: "is walking on the road"; after another verb alone: "walking"."""
    if not doing:
        return [[*head, *tail]]
    if not head and not words_of_clause(r.name, "")[0]:
        head = [remaining.nouns.be(r.subject)]
    joins = not r.is_verbal and r.name not in HAVING
    return [[*head, *doing, *tail]] if joins else [[*head, *doing], tail]


def _take(remaining: Remaining, subject: int, most: int, places: bool = False) -> list[Relation]:
    """Take up to ``most`` of the subject's relations, which then count as mentioned: verbs, then places, then possessions.

    With ``places`` only places are taken.
    """
    outgoing = remaining.of(subject)
    outgoing = [r for r in outgoing if r.name not in TIGHT or r.name in HAVING] or outgoing[:1]

    def order(r: Relation) -> tuple[int, bool, bool, int]:
        rank = 2 if r.name in HAVING else 0 if r.is_verbal else 1
        # "A girl sitting at a desk is working", not "a girl working is sitting". A relation with a continuation comes last.
        return rank, bool(remaining.beyond(r)), r.name.split()[0] not in POSTURES, r.index

    taken: list[Relation] = []
    for r in sorted((r for r in outgoing if not places or r.is_place), key=order):
        if len(taken) < most and r.words not in [t.words for t in taken]:
            taken.append(r)
            remaining.left.remove(r)
    return taken


def _tight(remaining: Remaining, subject: int, keep: int, last: bool = False) -> list[Piece]:
    """Return relations after the noun, as "of a table", "with a hat", "in a red shirt"; ``keep`` ones are left to the verb."""
    outgoing = remaining.of(subject)
    # A relation with a continuation comes last: "and has his hand on a keyboard".
    hanging = [r for r in outgoing if r.name in TIGHT and not remaining.is_again(r) and (last or not remaining.beyond(r))]
    garments: list[Relation] = []
    if is_person(remaining.graph.objects[subject]):
        garments = [r for r in outgoing if is_worn_in(r.object_name)]
        hanging = [r for r in garments if r.name in ("in", "have")] + hanging
        # "A man in a shirt wearing glasses": the second garment needs another word than the first.
        if sum(r.name == "wear" for r in outgoing) > 1:
            worn = [r for r in garments if r.name == "wear"]
            hanging = sorted(worn, key=lambda r: -weight("man", "in", r.object_name)) or hanging
    if not hanging or (len(outgoing) <= keep and hanging[0].name in HAVING) or remaining.nouns.heavy(subject):
        return []
    r = hanging[0]
    remaining.left.remove(r)
    return _related(remaining, r, last, depth=1, words="in" if r in garments and r.name in ("wear", "have") else "")


def _related(remaining: Remaining, r: Relation, last: bool, depth: int = 0, words: str = "") -> list[Piece]:
    """Return a relation and its object; the object's description follows if it is new and the last of the clause.

    ``words``: those of the relation, if not the ones after a noun.
    """
    nouns, o = remaining.nouns, r.object
    # "A man holding his chin", "with his hand on a keyboard".
    describes = remaining.of(o) if r.name in HAVING else r.is_verbal
    his = is_person(r.subject_name) and is_body_part(r.object_name) and not remaining.is_of_another(o, r.subject)
    whose = r.subject if describes and his else None
    follows = last and depth < DEEPEST and o not in nouns.said
    outgoing = remaining.of(o) if follows else []
    doing = nouns.doing(o) if len(outgoing) == 1 and only_place(outgoing) else []
    # "On the sidewalk", but "on a sidewalk next to a street".
    pieces = [r.piece(words), *nouns.mention(o, r.is_place and len(outgoing) != 1, whose), *doing]
    if follows and not nouns.heavy(o):
        # Not "holding a ball near a tree", where the ball seems near it.
        more = _following(remaining, o, depth, clear=bool(doing) or r.name in LOOSE or r.name.split()[-1] in AT)
        # Not "a monitor with a screen with panes on it", "on the floor with a bin on it", "papers on a desk with a cd on it".
        bears = r.name not in HAVING and depth == 0 and not is_definite(r.object_name)
        pieces += more or (_bearing(remaining, r) if bears else [])
    return pieces


def _following(remaining: Remaining, o: int, depth: int, clear: bool) -> list[Piece]:
    """Return the object's own description: "a bench under a tree", "a house with a window", "a wall covered with snow".

    ``clear``: a following place cannot be taken for the subject's.
    """
    outgoing = remaining.of(o)
    # Not "a bike near a tree that is next to the road that is near a car".
    if len(outgoing) != 1 or (outgoing[0].name in LOOSE and depth):
        return []
    r, nouns = outgoing[0], remaining.nouns
    remaining.left.remove(r)
    head, words = list[Piece](), ""
    if depth and r.words == "with":
        # "a wall with outlets that have a plug": not "with" after "with".
        head, words = [nouns.pronoun(o)], words_of_clause("have", nouns.number(o))[1]
    elif r.name in LOOSE and not clear:
        head = [nouns.pronoun(o), nouns.be(o)]
    return [*head, *_related(remaining, r, last=True, depth=depth + 1, words=words)]


def _bearing(remaining: Remaining, r: Relation) -> list[Piece]:
    """Return other things on or in the object of relation ``r``: "(sitting at) a table with food on it"."""
    held = [p for p in remaining.to(r.object) if p.words.split()[-1] in BEARING and p.name != r.name and remaining.is_bystander(p)]
    if not held or remaining.of(r.object) or remaining.of(r.subject) or is_person(r.object_name):
        return []
    p, nouns = held[0], remaining.nouns
    if p.subject_name == r.subject_name:
        return []
    remaining.left.remove(p)
    doing = [] if p.is_verbal else nouns.doing(p.subject)
    return [Piece("with"), *nouns.mention(p.subject), *doing, p.piece(), nouns.it(r.object)]
