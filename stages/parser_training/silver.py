"""Trees for captions whose scene graph is known: a tree that gives the right graph is very likely the right tree.

Teachers propose trees; where no proposal gives the annotators' graph, small changes to it are tried (another attachment of a
phrase, a noun read as a verb or the reverse), and the first tree that gives the graph is kept. So the pipeline learns exactly where
its teachers fail.
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
    """Yield similar trees, the likeliest first."""
    tree = _nodes(doc)
    for change in (_noun_not_command, _verb_not_noun, _reattached):
        for nodes in change(tree):
            if is_tree(nodes):
                yield as_doc(doc.vocab, nodes)


def _nodes(doc: Doc) -> list[Node]:
    return [Node(t.text, "", t.tag_, t.head.i if t.head.i != t.i else -1, t.dep_, bool(t.whitespace_)) for t in doc]


def _reattached(tree: list[Node]) -> Iterator[list[Node]]:
    """Yield other attachments, as in "a man with a dog on a leash": the leash may depend on any noun or verb before it."""
    for i, node in enumerate(tree):
        if node.dep in ATTACHED and node.head >= 0:
            for head in range(i - 1, -1, -1):
                if head != node.head and tree[head].tag in HEADS:
                    changed = deepcopy(tree)
                    changed[i].head = head
                    if tree[head].tag.startswith("N") and node.dep == "advcl":
                        changed[i].dep = "acl"
                    yield changed


def _noun_not_command(tree: list[Node]) -> Iterator[list[Node]]:
    """Yield trees without a command, as in "log leaning on a fence", "bare brown trees"."""
    root = next(i for i, node in enumerate(tree) if node.head < 0)
    if tree[root].tag not in ("VB", "VBP", "VBD", "VBZ", "JJ"):
        return
    below = [i for i, node in enumerate(tree) if node.head == root and i > root]
    verbs = [i for i in below if tree[i].tag in ("VBG", "VBN")]
    if verbs:
        changed = deepcopy(tree)
        changed[root].tag = "NNS" if tree[root].low.endswith("s") else "NN"
        changed[verbs[0]].dep = "acl"
        yield changed
    nouns = [i for i in below if tree[i].tag.startswith("N") and tree[i].dep in ("dobj", "attr", "oprd", "nsubj")]
    if nouns:
        for tag, dep in (("JJ", "amod"), ("NN", "compound")):
            changed = deepcopy(tree)
            changed[nouns[0]].head, changed[nouns[0]].dep = -1, "ROOT"
            changed[root].tag, changed[root].head, changed[root].dep = tag, nouns[0], dep
            for i in below:
                if i != nouns[0]:
                    changed[i].head = nouns[0]
            yield changed


def _verb_not_noun(tree: list[Node]) -> Iterator[list[Node]]:
    """Yield trees with a verb in place of a noun, as in "eggs cooking in a pan", "the magazine sits on a shelf"."""
    for i, node in enumerate(tree):
        low = node.low
        if not node.tag.startswith(("N", "J")) or i == 0 or tree[i - 1].head != i:
            continue
        subject = i - 1
        tag = "VBG" if low.endswith("ing") else "VBZ" if low.endswith("s") else "VBN" if low.endswith("ed") else ""
        if not tag:
            continue
        changed = deepcopy(tree)
        changed[i].tag = tag
        changed[subject].tag = "NNS" if tree[subject].low.endswith("s") else "NN"
        if tag == "VBZ":
            changed[subject].dep = "nsubj"
        else:
            changed[subject].head, changed[subject].dep = node.head, node.dep
            changed[i].head, changed[i].dep = subject, "acl"
        for k, other in enumerate(tree):
            if other.head == i and k < subject:
                changed[k].head = subject
            elif other.head == i and k > i and other.tag.startswith("N"):
                changed[k].dep = "dobj"
        yield changed
