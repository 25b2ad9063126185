"""The layer itself: make the decisions, then change the draft accordingly."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from stages.parsing.compounds import is_one_noun, says_what_kind
from stages.parsing.draft import Attribute, Draft, Relation
from stages.parsing.factual_decisions import Circumstances, Decision, alternatives, decisions, features
from stages.parsing.proper_names import is_no_noun
from stages.parsing.words import Words
from stages.text import normal, phrases
from stages.text.lexicon import NUMBERS

LEARNED = Path(__file__).parent / "factual_learned.json.gz"
DIGITS = {word: str(number) for word, number in NUMBERS.items()} | {"both": "2", "couple": "2"}


AS_SAID = {"modifier": "keep", "attribute": "same", "relation": "same"}
"""The answers that change nothing."""
SUBJECTS = ("up", "down")
"""The answers about a relation that follow English and not the annotators' own rules."""
CACHED = 1 << 16


@dataclass
class Learned:
    """The learned model: the answers that a key allows, weights of features for answers, and names of phrasal prepositions."""

    answers: dict[str, list[str]]
    weights: dict[str, dict[str, float]]
    phrases: dict[str, str]

    def __post_init__(self) -> None:
        # Captions repeat decisions ("stop" in "stop sign"): a cached answer costs a twentieth.
        self._kept = lru_cache(CACHED)(self._best)

    @classmethod
    def load(cls, path: Path = LEARNED) -> Learned:
        return cls(**json.loads(gzip.decompress(path.read_bytes())))

    def allowed(self, kind: str, key: str) -> list[str]:
        """Return the possible answers to decisions of this kind about this key."""
        return self.answers.get(f"{kind} {key}") or self.answers[kind]

    def answer(self, decision: Decision) -> str:
        """Return the best answer; an unseen key can get the answers that any key of its kind can."""
        return self._kept(decision.kind, decision.key, decision.circumstances())

    def knows_pair(self, kind: str, word: str, noun: str) -> bool:
        """Return whether it has learned about this very pair of attribute or modifier and noun: "hot" of "dog"."""
        return f"{kind[0]}:w={word} h={normal.singular(noun)}" in self.weights

    def _best(self, kind: str, key: str, circumstances: Circumstances) -> str:
        allowed = self.allowed(kind, key)
        if len(allowed) == 1:
            return allowed[0]
        rows = [row for feature in features(kind, key, circumstances) if (row := self.weights.get(feature))]
        return max(allowed, key=lambda name: sum([row.get(name, 0.0) for row in rows]))


def apply(draft: Draft, model: Learned) -> Draft:
    """Return the draft as FACTUAL's annotators would write it, with their names."""
    out = change(draft, [(d, model.answer(d)) for d in decisions(draft)], model.phrases)
    _drop_unrelated(out)
    return out


def divide(draft: Draft, model: Learned) -> Draft:
    """Return the draft after only those decisions that are not conventions: parts of names, and attachments of phrases."""
    answers = [(d, _english(d, model)) for d in decisions(draft) if d.kind != "object"]
    if all(answer == AS_SAID[decision.kind] for decision, answer in answers):
        return draft
    return change(draft, answers, None)


def _english(decision: Decision, model: Learned) -> str:
    """Return the answer if it follows English; else the one that changes nothing."""
    draft, target = decision.draft, decision.target
    if isinstance(target, tuple):
        return _part_of_name(draft.words, *target, model, model.answer(decision))
    # Most words need no decision: a relation with one possible subject, an attribute that is not before its noun.
    if isinstance(target, Attribute):
        return _joins_name(draft, target, model, model.answer(decision)) if target.source == "adjective" else "same"
    if not isinstance(target, Relation) or not alternatives(draft, target):
        return "same"
    answer = model.answer(decision)
    return answer if answer in SUBJECTS else "same"


def _part_of_name(w: Words, head: int, m: int, model: Learned, answer: str) -> str:
    """Return whether a part of the name stays: "football player"; not "brick wall", "seamless pattern" if people wrote it."""
    if says_what_kind(w, m, head):
        return "keep"
    adjective = w.kind[m] == "adj" or is_no_noun(w.low[m])
    unknown = adjective and not model.knows_pair("modifier", w.low[m], w.low[head])
    return "attr" if unknown or answer.startswith("attr") else "keep"


def _joins_name(draft: Draft, a: Attribute, model: Learned, answer: str) -> str:
    """Return whether an attribute is a part of the name: "bald eagle"; "modern kitchen" only if people wrote it."""
    w, last = draft.words, a.words[-1]
    if model.knows_pair("attribute", w.low[last], w.low[a.owner]):
        return "keep" if answer == "keep" else "same"
    adjacent = len(a.words) == 1 and last + 1 == draft.objects[a.owner][0]
    return "keep" if adjacent and (says_what_kind(w, last, a.owner) or is_one_noun(w.low[last], w.low[last + 1])) else "same"


def change(draft: Draft, answers: list[tuple[Decision, str]], names: dict[str, str] | None) -> Draft:
    """Change ``draft`` by the answers to its decisions.

    Answers for an object: ``same``, ``=name``. For a modifier: ``keep`` it in the name, ``attr`` (make it an attribute), ``have``
    (the object has it), ``drop``. For an attribute: ``same``, ``keep`` (make it part of the name), ``=name``, ``drop``.
    For a relation: ``same``, ``prep`` (its preposition only), ``verb`` (its verb only), ``member`` (a group of people is
    people), ``up`` or ``down`` (another subject), ``=name``, ``~name`` (reversed), ``drop``. With ``names``, those of
    phrasal prepositions, everything gets FACTUAL's name; without, its own words.
    """
    w = draft.words
    out = Draft(w, {head: (head,) for head in draft.objects}, another=draft.another)
    member: dict[int, int] = {}
    for decision, answer in answers:
        target = decision.target
        if isinstance(target, Attribute):
            _attribute(out, target, answer, names is not None)
        elif isinstance(target, Relation):
            if answer == "member":
                member[target.subject] = target.object
            elif answer != "drop":
                out.relations.append(changed_relation(draft, target, answer, names))
        elif isinstance(target, tuple):
            _modifier(out, *target, answer, w)
        elif answer != "same":
            out.names[target] = answer[1:]
    _merge(out, member)
    return out


def _modifier(out: Draft, head: int, m: int, answer: str, w: Words) -> None:
    if answer == "keep":
        out.objects[head] = tuple(sorted({*out.objects[head], m}))
    elif answer.startswith("attr"):
        out.attributes.append(Attribute(head, (m,), "modifier", answer[5:] or w.low[m]))
    elif answer == "have":
        out.objects.setdefault(m, (m,))
        out.relations.append(Relation(m, (), head, "modifier", "have"))


def _attribute(out: Draft, a: Attribute, answer: str, renamed: bool) -> None:
    w = out.words
    if answer == "keep" and a.owner in out.objects:
        out.objects[a.owner] = tuple(sorted({*out.objects[a.owner], *a.words}))
    elif answer != "drop":
        text = " ".join([w.low[i] for i in a.words])
        named = answer[1:] if answer[0] == "=" else DIGITS.get(text, text) if renamed else None
        out.attributes.append(Attribute(a.owner, a.words, a.source, named))


def changed_relation(draft: Draft, r: Relation, answer: str, names: dict[str, str] | None) -> Relation:
    """Return the relation after an answer other than ``member`` and ``drop``."""
    w = draft.words
    if answer[0] in "~=":
        subject, other = (r.object, r.subject) if answer[0] == "~" else (r.subject, r.object)
        return Relation(subject, r.words, other, r.source, answer[1:])
    subject, said = r.subject, r.words
    if answer in ("up", "down"):
        subject = alternatives(draft, r).get(answer, subject)
    if answer == "prep" or (answer == "down" and r.source == "verb" and w.kind[said[-1]] == "prep"):
        said = said[1:] or said
    elif answer == "verb":
        said = said[:1]
    made = Relation(subject, said, r.object, r.source, r.text)
    if names is not None:
        made.text = name(w, made, names)
    return made


def name(w: Words, r: Relation, names: dict[str, str]) -> str:
    """Return FACTUAL's name for a relation's words: the verb's base form, phrasal prepositions without their articles."""
    if r.source in ("possessive", "own"):
        return "have"
    said = " ".join(w.low[i] for i in r.words)
    text = normal.relation(said)
    if text.split(" ")[0] == "lie":
        text = "lay" + text[3:]
    for start, end, canonical in reversed(phrases.find(said)):
        short = " ".join(word for word in said[start:end].split(" ") if word not in normal.ARTICLES)
        if short in names:
            text = text.replace(canonical, names[short])
    return text


def _merge(out: Draft, member: dict[int, int]) -> None:
    """Move a group's attributes and relations to its members."""
    for group, one in member.items():
        out.objects.pop(group, None)
        for a in out.attributes:
            a.owner = one if a.owner == group else a.owner
        for r in out.relations:
            r.subject, r.object = (one if i == group else i for i in (r.subject, r.object))


def _drop_unrelated(out: Draft) -> None:
    """Drop objects without attributes and relations, if there is anything else."""
    said = {a.owner for a in out.attributes} | {i for r in out.relations for i in (r.subject, r.object)}
    if any(a.owner in out.objects for a in out.attributes) or any(r.subject in out.objects for r in out.relations):
        out.objects = {head: words for head, words in out.objects.items() if head in said}
