#!/usr/bin/env bash
# spaCy 3.8.18: in DependencyMatcher, the root of a sentence is a sibling of its own children.
#
# "A $++ B" asks for tokens under one parent. spaCy's root has itself for its head, and the matcher takes that for a parent, so that
# a child of the root passes as its sibling: with $+, $-, $++ and $--. Captions are mostly noun phrases, whose root is a noun. So
#   1. in "a dog and one cat", the pattern "two nouns under one parent" finds dog and cat, and in "we see a dog and one cat" it does
#      not, although the phrase is parsed the same in both;
#   2. in the caption "a man with one hat and glasses", the root man is a sibling of its preposition and its determiner;
#   3. "<" and ">" do know that nothing is its own parent or child. Token.head and Token.children, read by a loop, give no such pair
#      once the root is left out.
# Add {"DEP": {"NOT_IN": ["ROOT"]}} to both sides.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check spacy==3.8.18 numpy==2.4.6
"$folder/venv/bin/python" - <<'PY'
import spacy
from spacy.matcher import DependencyMatcher
from spacy.tokens import Doc, Token

vocabulary = spacy.blank("en").vocab
SIDES = {
    "$+": lambda a, b: a.i == b.i - 1,
    "$-": lambda a, b: a.i == b.i + 1,
    "$++": lambda a, b: a.i < b.i,
    "$--": lambda a, b: a.i > b.i,
}


def tree(*tokens: tuple[str, str, int, str]) -> Doc:
    """Return a parsed text of (word, part of speech, head, label)."""
    words, tags, heads, labels = (list(column) for column in zip(*tokens, strict=True))
    return Doc(vocabulary, words=words, pos=tags, heads=heads, deps=labels)


def matched(doc: Doc, operator: str, **attributes: object) -> set[tuple[str, str]]:
    """Return the pairs of words of which the matcher says that A stands in this relation to B."""
    matcher = DependencyMatcher(vocabulary)
    left = {"RIGHT_ID": "a", "RIGHT_ATTRS": attributes}
    right = {"LEFT_ID": "a", "REL_OP": operator, "RIGHT_ID": "b", "RIGHT_ATTRS": attributes}
    matcher.add("pair", [[left, right]])
    return {(doc[a].text, doc[b].text) for _, (a, b) in matcher(doc)}


def siblings(doc: Doc, operator: str) -> set[tuple[str, str]]:
    """Return the pairs by definition: two tokens that are children of one parent, on these sides."""

    def parent(token: Token) -> int | None:
        return None if token.head == token else token.head.i

    pairs = ((a, b) for a in doc for b in doc if a != b and parent(a) == parent(b) is not None)
    return {(a.text, b.text) for a, b in pairs if SIDES[operator](a, b)}


phrase = tree(
    ("a", "DET", 1, "det"), ("dog", "NOUN", 1, "ROOT"), ("and", "CCONJ", 1, "cc"),
    ("one", "DET", 4, "det"), ("cat", "NOUN", 1, "conj"),
)
sentence = tree(
    ("we", "PRON", 1, "nsubj"), ("see", "VERB", 1, "ROOT"), ("a", "DET", 3, "det"), ("dog", "NOUN", 1, "dobj"),
    ("and", "CCONJ", 3, "cc"), ("one", "DET", 6, "det"), ("cat", "NOUN", 3, "conj"),
)
nouns = {name: matched(doc, "$++", POS="NOUN") for name, doc in (("phrase", phrase), ("sentence", sentence))}
print("two nouns under one parent:", nouns)
assert nouns == {"phrase": {("dog", "cat")}, "sentence": set()}, nouns
assert matched(phrase, "$++", POS="NOUN", DEP={"NOT_IN": ["ROOT"]}) == set()

caption = tree(
    ("a", "DET", 1, "det"), ("man", "NOUN", 1, "ROOT"), ("with", "ADP", 1, "prep"), ("one", "DET", 4, "det"),
    ("hat", "NOUN", 2, "pobj"), ("and", "CCONJ", 4, "cc"), ("glasses", "NOUN", 4, "conj"),
)
for doc in (phrase, sentence, caption):
    root = next(token.text for token in doc if token.dep_ == "ROOT")
    children = {token.text for token in doc if token.head.text == root and token.text != root}
    for operator in SIDES:
        found, right = matched(doc, operator), siblings(doc, operator)
        extra = found - right
        print(f"{doc.text!r}, {operator}: {sorted(right)}, and by the matcher {sorted(extra)} as well")
        assert right <= found and all(root in pair and set(pair) - {root} <= children for pair in extra), (found, right)
        assert extra or operator in ("$+", "$-"), extra
    assert all((root, root) not in matched(doc, operator) for operator in "<>")
assert ("man", "with") in matched(caption, "$+") and ("man", "with") in matched(caption, ">")
PY
