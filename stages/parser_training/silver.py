"""Trees for captions whose scene graph is known: a tree that gives the right graph is very likely the right tree.

Teachers propose trees; where no proposal gives the annotators' graph, other attachments of its phrases are tried, and the first
tree that gives the graph is kept. So the pipeline learns exactly where its teachers fail.
"""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from itertools import chain

from spacy.language import Language
from spacy.tokens import Doc

from stages.parser_training.captions import as_doc
from stages.parser_training.learn import Alignment
from stages.parser_training.treebank import Node, is_tree
from stages.parsing import factual_layer
from stages.parsing.draft import Draft, Relation
from stages.parsing.extraction import extract
from stages.parsing.factual_decisions import decisions
from stages.parsing.factual_gold import Fact
from stages.parsing.words import repair

ATTACHED = ("prep", "acl", "relcl", "advcl", "agent", "advmod")
HEADS = ("NN", "NNS", "NNP", "NNPS", "VB", "VBZ", "VBP", "VBD", "VBG", "VBN")
# Answers that fix a wrong tree rather than follow a convention.
MENDING = ("drop", "up", "down")
LONGEST = 14
"""Words; the trees of longer captions are not searched."""


def silver(teachers: list[Language], captions: list[tuple[str, list[Fact]]], names: dict[str, str]) -> Iterator[Doc]:
    """Yield the captions' trees that give the annotated facts, one a caption at most."""
    proposals = [t.pipe(c for c, _ in captions) for t in teachers]
    for (_, facts), docs in zip(captions, zip(*proposals, strict=True), strict=True):
        if len(docs[0]) < 2:
            continue
        tree = best(docs, facts, names)
        if tree is not None:
            yield tree


def best(docs: Iterable[Doc], facts: list[Fact], names: dict[str, str]) -> Doc | None:
    """Return the first of the proposed trees, or of similar ones, that gives the facts."""
    whole = [repaired(d) for d in docs if sum(t.head.i == t.i for t in d) == 1]
    near = (v for d in whole if len(d) <= LONGEST for v in variants(d))
    return next((d for d in chain(whole, near) if agrees(d, facts, names)), None)


def repaired(doc: Doc) -> Doc:
    """Return the tree after the repairs of caption English: the pipeline should parse these right the next time."""
    words = repair(doc)
    nodes = _nodes(doc)
    for i, node in enumerate(nodes):
        node.dep, node.head = words.dep[i], words.head[i] if words.head[i] != i else -1
        if words.kind[i] == "noun" and not node.tag.startswith("N"):
            node.tag = "NNS" if node.low.endswith("s") else "NN"
        elif words.kind[i] == "adj" and node.tag == "PRP$":
            node.tag = "JJ"
    if not is_tree(nodes):
        return doc
    next(node for node in nodes if node.head < 0).dep = "ROOT"
    return as_doc(doc.vocab, nodes)


def agrees(doc: Doc, facts: list[Fact], names: dict[str, str]) -> bool:
    """Return whether the tree gives exactly ``facts`` when every convention follows the annotators."""
    draft = extract(repair(doc), pronouns=True)
    aligned = Alignment(draft, facts, names)
    answers = []
    for decision in decisions(draft):
        answer = aligned.answer(decision)
        if answer is None or (isinstance(decision.target, Relation) and answer in MENDING):
            return False
        answers.append((decision, answer))
    return facts_of(factual_layer.change(draft, answers, names)) == set(facts)


def facts_of(draft: Draft) -> set[Fact]:
    """Return the facts of a draft, with the layer's names."""
    low = draft.words.low
    name = {head: draft.names.get(head) or " ".join(low[i] for i in words) for head, words in draft.objects.items()}
    facts: set[Fact] = {
        (name[a.owner], "is", a.text or " ".join(low[i] for i in a.words)) for a in draft.attributes if a.owner in name
    }
    facts |= {(name[r.subject], r.text or "", name[r.object]) for r in draft.relations if r.subject in name and r.object in name}
    return facts or {(n,) for n in name.values()}


def variants(doc: Doc) -> Iterator[Doc]:
    """Yield other attachments, as in "a man with a dog on a leash": the leash may depend on any noun or verb before it."""
    tree = _nodes(doc)
    for i, node in enumerate(tree):
        for head in reversed(range(i if node.dep in ATTACHED and node.head >= 0 else 0)):
            if head != node.head and tree[head].tag in HEADS:
                changed = deepcopy(tree)
                changed[i].head = head
                if tree[head].tag.startswith("N") and node.dep == "advcl":
                    changed[i].dep = "acl"
                if is_tree(changed):
                    yield as_doc(doc.vocab, changed)


def _nodes(doc: Doc) -> list[Node]:
    return [Node(t.text, "", t.tag_, t.head.i if t.head.i != t.i else -1, t.dep_, bool(t.whitespace_)) for t in doc]
