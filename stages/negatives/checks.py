"""Which candidates are refused, and why: one ordered list of checks, each a code, a sentence and a function.

First come checks of English, then of whether people would say it, then of whether it is false of the crop, which costs most. The
protocol ``paper`` uses only the papers' checks: that a candidate is a different caption, and false.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from stages.contract.schemas import CLEARED, PROTOCOLS
from stages.graphs.graph import Atom
from stages.negatives.candidate import Candidate, without_repeats
from stages.negatives.caption import Caption
from stages.negatives.knowledge import Knowledge
from stages.negatives.meanings import FEMALE, LIKELY, MALE
from stages.semantics import relations, wordnet
from stages.text.lexicon import words
from stages.text.word_classes import is_person

PRONOUNS = ((words("he his him himself"), MALE), (words("she her hers herself"), FEMALE))
"""Pronouns, and the people they can refer to."""
POSSESSED = re.compile(r"\b(my|your|his|her|its|our|their) (an?|the)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Case:
    """A candidate with its context: the caption that it is made from, and knowledge of words and of the crop.

    Attributes:
        lacked: the training sets that have not seen all atoms of the truth.
    """

    candidate: Candidate
    caption: Caption
    knowledge: Knowledge
    lacked: frozenset[int]

    @cached_property
    def p_true(self) -> float:
        """Return the probability that the candidate is true of the crop."""
        c, known = self.candidate, self.caption.known
        return known.probability(c.claim) if c.denies is None else known.missing(c.denies)


class Check(NamedTuple):
    """A reason to refuse a candidate.

    Attributes:
        code: the name of the reason in tables and ledgers.
        sentence: the fault of the candidates it refuses.
        fails: whether a case has this fault.
        protocols: the protocols that use the check.
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
    before, after = Counter(case.caption.graph.objects), Counter(c.graph.objects)
    new, others = after - before, after & before
    return twice or any(meanings.one_thing(other, name) >= LIKELY for name in new for other in others)


def pronoun(case: Case) -> bool:
    text = case.candidate.caption
    tokens = set(re.findall(r"\w+", text.lower()))
    heads = [new.rsplit(" ", 1)[-1] for old, new in case.candidate.renamed if is_person(old)]
    return bool(POSSESSED.search(text)) or any(
        not tokens.isdisjoint(pronouns) and not sex.issuperset(heads) for pronouns, sex in PRONOUNS
    )


def unseen_foil(case: Case) -> bool:
    c = case.candidate
    if c.foil is None or c.edit not in ("object", "attribute", "relation"):
        return False
    return not case.lacked.issuperset(case.knowledge.vocabulary.lack([Atom(c.edit, 0, c.foil)]))


def invisible(case: Case) -> bool:
    return any(not visible(new) for old, new in case.candidate.renamed if new not in case.caption.graph.objects)


def visible(noun: str) -> bool:
    """Return whether a noun's most common sense is a visible thing; a click is not, although it is also a part of a lock."""
    found = wordnet.senses(noun, "n")
    return noun in wordnet.SENSES or not found or found[0].lexname() not in wordnet.UNSEEN


def unusual(case: Case) -> bool:
    return not case.knowledge.sensible(case.candidate.claim, case.candidate.instead)


def always_true(case: Case) -> bool:
    claim = case.candidate.claim
    return any(relations.always(r, claim.objects[o]) for _, r, o in claim.relations)


def may_be_true(case: Case) -> bool:
    return case.p_true > case.knowledge.max_true


CHECKS = (
    Check("identical_graph", "It says nothing that the truth does not say.", identical_graph),
    Check("repeats", 'It names a thing twice: "a dog next to a dog".', repeats),
    Check("pronoun", 'A pronoun does not fit the new name: "a bride holding his chin".', pronoun, (CLEARED,)),
    Check("unseen_foil", "A training set has not seen the foil, though it has seen the truth's atoms.", unseen_foil, (CLEARED,)),
    Check("invisible", "The new name is nothing visible.", invisible, (CLEARED,)),
    Check("unusual", "People say it of such things less often than by chance, and than what it replaces.", unusual, (CLEARED,)),
    Check("always_true", "It holds in every picture: everything is under the sky.", always_true),
    Check("may_be_true", "It may be true of the crop although nobody wrote it.", may_be_true),
)


def checked(
    candidates: Iterable[Candidate], caption: Caption, knowledge: Knowledge, protocol: str, leave_out: tuple[str, ...] = ()
) -> list[Candidate]:
    """Return the candidates, each with its probability of being true and the code of the first failed check of its ``protocol``.

    Args:
        leave_out: codes of checks that do not apply to the type of negative.
    """
    lacked = knowledge.vocabulary.lack(caption.graph.atoms())
    checks = [check for check in CHECKS if protocol in check.protocols and check.code not in leave_out]
    settled = []
    for candidate in without_repeats(list(candidates), caption.text):
        if candidate.reason is None:
            case = Case(candidate, caption, knowledge, lacked)
            # The probability of being true costs most, so only candidates that pass the other checks get one.
            why = next((check.code for check in checks if check.fails(case)), None)
            p_true = case.p_true if why in (None, "may_be_true") else candidate.p_true
            candidate = replace(candidate, p_true=p_true, reason=why)
        settled.append(candidate)
    return settled
