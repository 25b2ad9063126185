"""A small grammar check of captions: faults that an edit may cause, and phrases that nobody writes.

Each rule has a code and is a row of a table. Rules of the text and of usage need no parse; rules of agreement read tags and
dependencies, so that they can be tested on hand-built ``Doc`` objects; rules of the graph read the caption's graph. A caption is
a noun phrase or a sentence; neither is a fault. Whether the words make sense together is not checked: such rules were wrong for
one of nine captions by people.

Of the captions that were read, nine in ten with a fault are awkward or broken, and four in ten of those have a fault (the rules of
usage were chosen on the same captions): a caption that passes may be unnatural. ``python -m tests.benchmarks.grammar`` counts it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, starmap
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from stages.evaluation.intervals import wilson_share
from stages.parsing.parser import Parser
from stages.parsing.surface import Surface
from stages.parsing.trees import Tokens, Tree
from stages.text.attributes import contradict, say_the_same
from stages.text.inflection import indefinite_article, number_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# "a dog  on a table", "a dog ,", "a dog on a table. .", "a dog on a", "the the dog".
TEXT_RULES: dict[str, re.Pattern[str]] = {
    "double_space": re.compile(r"\s\s|^\s|\s$"),
    "space_before_mark": re.compile(r"\s[.,;:!?]"),
    "double_mark": re.compile(r"[.,;:!?]\s*[.,;:]"),
    "doubled_word": re.compile(r"\b(?!(?:that|had)\b)(\w+) \1\b", re.IGNORECASE),
    "cut_off": re.compile(r"\b(?:a|an|the|and|or|of|with|that|is|are)[.]?$", re.IGNORECASE),
}
# Phrases that readers find awkward and people rarely write: of 36,890 Visual Genome captions 206 break the first of these rules, 10
# the third and none the others. "Another shelf", "the man is also", "a chin that is raised", "is on a desk and near a mug".
_PLACE = r"(?:on|in|at|near|by|behind|next to|under|below|outside)"
USAGE_RULES: dict[str, re.Pattern[str]] = {
    "one_name_again": re.compile(r"\b(?:another|other|second|third|fourth)\b", re.IGNORECASE),
    "the_same_also": re.compile(r"\bthe (?:\w+ )?\w+ (?:is|are) also\b", re.IGNORECASE),
    "bare_participle": re.compile(
        r"\bthat (?:is|are) (?!turned|switched|made|covered|parked|attached)\w+(?:ed|ing)(?=[ ,.]|$)"
        rf"(?! (?:{_PLACE}|to|with|of|from|against|up|down|off|out))"
    ),
    "two_places": re.compile(rf"\b(?:is|are) {_PLACE}(?: top of)? [^,.]*? and {_PLACE}\b"),
}
_ARTICLE = re.compile(r"\b(an?) ([^\W\d_][\w'-]*)", re.IGNORECASE)
# A group is named in the singular and has many: "a pair of dogs", "a few dogs".
GROUPS = {"pair", "group", "few", "couple", "lot", "bunch", "dozen", "row", "set", "number", "hundred", "thousand", "herd", "flock"}
ONE = {"one", "1", "a", "single"}
SINGULAR_BE, PLURAL_BE = {"is", "was"}, {"are", "were"}


def text_faults(caption: str) -> list[str]:
    """Return the codes of the text rules that a caption breaks.

    >>> text_faults("a orange car on on the road. ."), text_faults("a red car")
    (['space_before_mark', 'double_mark', 'doubled_word', 'article'], [])
    """
    faults = [code for code, rule in TEXT_RULES.items() if rule.search(caption)]
    if any(article.lower() != indefinite_article(word) for article, word in _ARTICLE.findall(caption)):
        faults.append("article")
    return faults


def article_number(doc: Doc) -> bool:
    """Return whether an article has a plural noun, as in "a dogs"."""
    return any(
        token.lower_ in ("a", "an")
        and token.dep_ == "det"
        and token.head.tag_ == "NNS"
        and not any(word.lower_ in GROUPS or word.tag_ == "CD" for word in doc[token.i : token.head.i])
        for token in doc
    )


def numeral_number(doc: Doc) -> bool:
    """Return whether a number does not fit its noun, as in "two dog", "one dogs"."""
    for token in doc:
        if token.dep_ != "nummod" or token.head.tag_ not in ("NN", "NNS") or token.i > token.head.i:
            continue
        plural = number_of(token.head.lower_) == "plural" or token.head.tag_ == "NNS"
        if plural == (token.lower_ in ONE) and number_of(token.head.lower_) != "mass":
            return True
    return False


def verb_number(doc: Doc) -> bool:
    """Return whether a verb does not fit its subject, as in "the dogs is", "the dog are"."""
    for token in doc:
        if token.lower_ not in SINGULAR_BE | PLURAL_BE:
            continue
        subject = _subject(token)
        if subject is None or subject.tag_ not in ("NN", "NNS"):
            continue
        joined = any(child.dep_ in ("conj", "cc") for child in subject.children) or subject.lower_ in GROUPS
        plural = subject.tag_ == "NNS" or number_of(subject.lower_) == "plural"
        if not joined and plural != (token.lower_ in PLURAL_BE):
            return True
    return False


def _subject(verb: Token) -> Token | None:
    """Return the noun just before a form of "be", or just after "there is"; None where others are in between."""
    heads = [verb, verb.head] if verb.dep_ in ("aux", "auxpass") else [verb]
    for head in heads:
        for child in head.children:
            if child.dep_ in ("nsubj", "nsubjpass", "attr") and child.tag_ not in ("EX", "WDT", "WP"):
                # "A book with papers is": the parser took the papers for the subject.
                return None if child.left_edge.i and child.doc[child.left_edge.i - 1].tag_ == "IN" else child
            if child.lower_ in ("that", "which", "who") and head.dep_ == "relcl":
                return head.head
    return None


DOC_RULES = (article_number, numeral_number, verb_number)
# Two attributes of one thing: "a greenish green wall", "an open closed door".
PAIR_RULES = {"said_twice": say_the_same, "contradicted": contradict}


def check(captions: Iterable[str], parser: Parser) -> Iterator[list[str]]:
    """Yield for each caption, in order, the codes of the rules that it breaks."""
    texts = list(captions)
    for text, doc in zip(texts, parser.reader.nlp.pipe(texts, batch_size=256), strict=True):
        graph, _ = parser.read(Tree.of(doc), Surface(Tokens.of(doc)))
        pairs = [(a, b) for (o, a), (p, b) in combinations(graph.attributes, 2) if o == p]
        usage = [code for code, rule in USAGE_RULES.items() if rule.search(text)]
        agreement = [rule.__name__ for rule in DOC_RULES if rule(doc)]
        yield text_faults(text) + usage + agreement + [code for code, rule in PAIR_RULES.items() if any(starmap(rule, pairs))]


def unlike(truth: str, negative: str) -> bool:
    """Return whether only one of the two begins with a capital, or ends with a full stop."""
    return truth[:1].isupper() != negative[:1].isupper() or truth.endswith(".") != negative.endswith(".")


def passed(queries: Sequence[Mapping[str, Any]], parser: Parser, most: int, seed: int) -> dict[str, Any]:
    """Return the fractions of ``truths`` and of ``negatives`` that pass, and how many broke each rule.

    Args:
        queries: rows of the table ``queries``.
        most: maximum number of queries to check, drawn by ``seed``.
    """
    chosen = queries if len(queries) <= most else Random(seed).sample(list(queries), most)
    sides = {
        "truths": [(query["truth"], query) for query in chosen],
        "negatives": [(negative["caption"], query) for query in chosen for negative in query["negatives"]],
    }
    figures: dict[str, Any] = {}
    faults: dict[str, dict[str, int]] = {}
    for side, captions in sides.items():
        codes = list(check((caption for caption, _ in captions), parser))
        for broken, (caption, query) in zip(codes, captions, strict=True):
            broken.extend(["unlike_truth"] if unlike(query["truth"], caption) else [])
        images = np.array([query["image_id"] for _, query in captions])
        figures[side] = wilson_share(np.array([not broken for broken in codes], dtype=bool), images)
        faults[side] = dict(sorted(Counter(code for broken in codes for code in broken).items()))
    return figures | {"faults": faults}
