"""Which candidates are refused, and why: one ordered list of checks, each a code, a sentence and a function.

First what edits make of English, then whether anybody would say it, then whether it is false of the crop, which costs most. The
protocol ``paper`` asks only what the papers ask: that a candidate is another caption, and false.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from stages.contract.schemas import CLEARED, PROTOCOLS
from stages.graphs.graph import Atom
from stages.language.lexicon import words
from stages.negatives.candidate import Candidate, without_repeats
from stages.negatives.caption import Caption
from stages.negatives.knowledge import Knowledge
from stages.negatives.meanings import FEMALE, LIKELY, MALE
from stages.semantics import relations, wordnet
from stages.wording.word_classes import is_person

PRONOUNS = ((words("he his him himself"), MALE), (words("she her hers herself"), FEMALE))
"""Pronouns, and whom they stand for."""
ABSTRACT = frozenset(f"noun.{kind}" for kind in words("act attribute cognition event feeling motive process relation state time"))
"""WordNet's lexical files of what no picture shows."""
POSSESSED = re.compile(r"\b(my|your|his|her|its|our|their) (an?|the)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Case:
    """A candidate with what it is checked against: the caption that it is made of, and what is known of words and of the crop.

    Attributes:
        lacked: the training sets that have not seen all atoms of the truth.
    """

    candidate: Candidate
    caption: Caption
    knowledge: Knowledge
    lacked: frozenset[int]


class Check(NamedTuple):
    """A reason to refuse a candidate.

    Attributes:
        code: the reason's name in tables and ledgers.
        sentence: what is wrong with what it refuses.
        fails: whether a case has this fault.
        protocols: which protocols ask it.
    """

    code: str
    sentence: str
    fails: Callable[[Case], bool]
    protocols: tuple[str, ...] = PROTOCOLS


def identical_graph(case: Case) -> bool:
    claim = case.candidate.claim
    return not (claim.objects or claim.attributes or claim.relations)


def repeats(case: Case) -> bool:
    c, meanings = case.candidate, case.knowledge.meanings
    twice = len(set(c.graph.attributes)) < len(c.graph.attributes)
    left, new, others = list(case.caption.graph.objects), set[str](), set[str]()
    for name in c.graph.objects:
        if name in left:
            left.remove(name)
            others.add(name)
        else:
            new.add(name)
    return twice or any(meanings.one_thing(other, name) >= LIKELY for name in new for other in others)


def pronoun(case: Case) -> bool:
    text = case.candidate.caption
    tokens = set(re.findall(r"\w+", text.lower()))
    heads = [new.rsplit(" ", 1)[-1] for old, new in case.candidate.renamed if is_person(old)]
    return bool(POSSESSED.search(text)) or any(not tokens.isdisjoint(own) and not sex.issuperset(heads) for own, sex in PRONOUNS)


def unseen_foil(case: Case) -> bool:
    c = case.candidate
    if c.foil is None or c.edit not in ("object", "attribute", "relation"):
        return False
    return not case.lacked.issuperset(case.knowledge.vocabulary.lack([Atom(c.edit, 0, c.foil)]))


def invisible(case: Case) -> bool:
    return any(not visible(new) for old, new in case.candidate.renamed if new not in case.caption.graph.objects)


def visible(noun: str) -> bool:
    """Return whether a noun's commonest sense is a thing that pictures may show: no click, though that is a part of a lock, too."""
    found = wordnet.senses(noun, "n")
    return noun in wordnet.SENSES or not found or found[0].lexname() not in ABSTRACT


def senseless(case: Case) -> bool:
    return not case.knowledge.sensible(case.candidate.claim, case.candidate.instead)


def always_true(case: Case) -> bool:
    claim = case.candidate.claim
    return any(relations.always(r, claim.objects[o]) for _, r, o in claim.relations)


def may_be_true(case: Case) -> bool:
    return case.caption.known.probability(case.candidate.claim) > case.knowledge.max_true


CHECKS = (
    Check("identical_graph", "It says nothing that the truth does not say.", identical_graph),
    Check("repeats", 'It names one thing twice: "a dog next to a dog".', repeats),
    Check("pronoun", 'A pronoun cannot stand for the new name: "a bride holding his chin".', pronoun, (CLEARED,)),
    Check("unseen_foil", "A training set has not seen the foil, though it has seen the truth's atoms.", unseen_foil, (CLEARED,)),
    Check("invisible", "The new name is nothing that a picture shows.", invisible, (CLEARED,)),
    Check("senseless", "People hardly ever say such a thing of anything like it.", senseless, (CLEARED,)),
    Check("always_true", "It holds in every picture: everything is under the sky.", always_true),
    Check("may_be_true", "It may be true of the crop although nobody wrote it.", may_be_true),
)


def checked(
    candidates: Iterable[Candidate], caption: Caption, knowledge: Knowledge, protocol: str, leave_out: tuple[str, ...] = ()
) -> list[Candidate]:
    """Return the candidates, each with the code of the first check of its ``protocol`` that it fails, and how probable it is true.

    Args:
        leave_out: codes of checks that do not apply to the type of negative.
    """
    lacked = knowledge.vocabulary.lack(caption.graph.atoms())
    asked = [check for check in CHECKS if protocol in check.protocols and check.code not in leave_out]
    return list(_settled(without_repeats(list(candidates), caption.text), caption, knowledge, lacked, asked))


def _settled(
    candidates: Iterable[Candidate], caption: Caption, knowledge: Knowledge, lacked: frozenset[int], checks: list[Check]
) -> Iterator[Candidate]:
    for candidate in candidates:
        if candidate.reason is None:
            case = Case(candidate, caption, knowledge, lacked)
            why = next((check.code for check in checks if check.fails(case)), None)
            # How probable it is true costs most, and is known only of what the other checks let pass.
            p_true = caption.known.probability(candidate.claim) if why in (None, checks[-1].code) else candidate.p_true
            candidate = replace(candidate, p_true=p_true, reason=why)
        yield candidate
