"""From Universal Dependencies to the labels of ``en_core_web_*``.

Universal Dependencies make the content word the head ("is *black*", "on the *table*"); the other scheme makes the verb "be" and the
preposition heads. The steps below convert the one into the other, in this order; each has an example sentence.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from stages.text.lexicon import heads, sections, words

TABLES = sections(Path(__file__).with_suffix(".txt"))
CLAUSE = words(TABLES["clause"])
NOMINAL = words(TABLES["nominal"])
PREPOSITION_TAGS = words(TABLES["preposition tags"])
NEGATIONS = words(TABLES["negations"])
SENTENCE_ADVERBS = NEGATIONS | words(TABLES["sentence adverbs"])
RENAMED = heads(TABLES["renamed"])


@dataclass
class Node:
    """A word of a tree; ``head`` is a position in the sentence, or -1 for the root. only treebanks have ``upos``."""

    form: str
    upos: str
    tag: str
    head: int
    dep: str
    space: bool

    @property
    def low(self) -> str:
        return self.form.lower()


def read(path: str | Path) -> Iterator[list[Node]]:
    """Yield the sentences of a CoNLL-U file."""
    for block in Path(path).read_text(encoding="utf-8").split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if line and not line.startswith("#")]
        tokens = (r for r in rows if r[0].isdigit())
        nodes = [Node(r[1].replace(" ", "_"), r[3], r[4], int(r[6]) - 1, r[7], "SpaceAfter=No" not in r[9]) for r in tokens]
        for r in rows:
            # "don't" is written as one word: no space before its parts.
            if "-" in r[0]:
                first, last = (int(n) - 1 for n in r[0].split("-"))
                if "".join(n.form for n in nodes[first : last + 1]) == r[1]:
                    for node in nodes[first:last]:
                        node.space = False
                    nodes[last].space = "SpaceAfter=No" not in r[9]
        if nodes:
            yield nodes


def convert(nodes: list[Node]) -> list[Node] | None:
    """Return the sentence with the other scheme's heads and labels; None if the result is no tree."""
    nodes = _join_hyphens(nodes)
    tree = _Tree(nodes)
    for step in (tree.names, tree.fixed, tree.copulas, tree.coordination, tree.prepositions, tree.labels, tree.gerunds):
        step()
    if not is_tree(nodes):
        return None
    for node in nodes:
        node.dep = "ROOT" if node.head < 0 else "dep" if node.dep == "ROOT" else node.dep
    return nodes


def _join_hyphens(nodes: list[Node]) -> list[Node]:
    """Join hyphenated words, as in "short - sleeved": one word, as in the pipeline's tokenizer."""
    runs: list[list[int]] = []
    for i, node in enumerate(nodes):
        if i > 0 and not nodes[i - 1].space and "-" in (node.form, nodes[i - 1].form):
            runs[-1].append(i)
        else:
            runs.append([i])
    groups: list[list[int]] = []
    for run in runs:
        whole = len(run) >= 3 and sum(nodes[i].head not in run for i in run) == 1
        groups += [run] if whole else [[i] for i in run]
    place = {i: k for k, group in enumerate(groups) for i in group}
    joined = []
    for group in groups:
        top = next((nodes[i] for i in group if nodes[i].head not in group), nodes[group[0]])
        tag = "JJ" if len(group) > 1 and top.dep == "amod" else top.tag
        head = place[top.head] if top.head >= 0 else -1
        joined.append(Node("".join(nodes[i].form for i in group), top.upos, tag, head, top.dep, nodes[group[-1]].space))
    return joined


class _Tree:
    def __init__(self, nodes: list[Node]):
        self.n = nodes

    def kids(self, i: int, *deps: str) -> list[int]:
        return [k for k, node in enumerate(self.n) if node.head == i and (not deps or node.dep in deps)]

    def cases(self, i: int) -> list[int]:
        return [k for k in self.kids(i, "case") if self.n[k].tag != "POS"]

    def names(self) -> None:
        """Make the last word of a name the head, as in "New York City", and the others its compounds."""
        for i, node in enumerate(self.n):
            parts = [k for k in self.kids(i) if self.n[k].dep.startswith("flat") or self.n[k].dep == "goeswith"]
            if not parts:
                continue
            last = parts[-1]
            for k in self.kids(i):
                if k not in parts:
                    self.n[k].head = last
            self.n[last].head, self.n[last].dep = node.head, node.dep
            for k in [*parts[:-1], i]:
                self.n[k].head, self.n[k].dep = last, "compound"

    def fixed(self) -> None:
        """Relabel fixed expressions, as in "because of rain": two prepositions in a row; "as well": adverbs."""
        for i, node in enumerate(self.n):
            parts = self.kids(i, "fixed")
            if len(parts) == 1 and node.dep == "case" and self.n[parts[0]].low in ("of", "to", "as", "from", "than"):
                self.n[parts[0]].head, self.n[parts[0]].dep = node.head, "case"
                continue
            labels = {} if node.dep == "cc" or node.low == "as" else {"IN": "prep", "TO": "aux", "NN": "pobj", "NNS": "pobj"}
            for k in parts:
                self.n[k].dep = labels.get(self.n[k].tag, "advmod")

    def copulas(self) -> None:
        """Make "is" the head, as in "the dog is black", and "black" its complement."""
        for c, node in enumerate(self.n):
            if node.dep != "cop":
                continue
            p = node.head
            self._hand_over(p, c)
            node.head, node.dep = self.n[p].head, self.n[p].dep
            self.n[p].head, self.n[p].dep = c, self._complement(p)

    def _hand_over(self, p: int, c: int) -> None:
        """Give the copula ``c`` the dependents of predicate ``p`` that belong to the clause."""
        n = self.n
        nominal = n[p].upos in NOMINAL or n[p].tag.startswith("NN")
        described = n[p].tag.startswith("JJ") or n[p].tag in ("VBN", "VBG")
        for k in self.kids(p):
            dep = n[k].dep
            clausal = dep in CLAUSE or (dep.startswith("obl") and (nominal or k < c))
            if dep == "advmod":
                clausal = not described or (k < p and (k < c or n[k].low in SENTENCE_ADVERBS))
            elif dep == "conj" and k > p:
                has_clause = any(n[q].dep in ("cop", "nsubj", "nsubj:pass", "aux") for q in self.kids(k))
                clausal = has_clause or (n[k].tag.startswith("VB") and not described)
            elif dep == "cc":
                clausal = k < c
            if clausal and k != c:
                n[k].head = c

    def _complement(self, p: int) -> str:
        node = self.n[p]
        if node.tag in ("VB", "VBZ", "VBD", "VBP", "VBG") and node.upos in ("VERB", "AUX"):
            return "xcomp!"
        if node.tag in ("RB", "RBR", "RBS", "WRB"):
            return "advmod"
        return "acomp" if node.tag.startswith("JJ") or node.tag == "VBN" else "attr"

    def coordination(self) -> None:
        """Make a chain of a coordination, as in "a fork, a knife and a spoon": each conjunct under the word before it."""
        for i in range(len(self.n)):
            previous = i
            for k in self.kids(i, "conj"):
                self.n[k].head = previous
                for q in self.kids(k):
                    if q < k and (self.n[q].dep == "cc" or (self.n[q].form in ",;/&" and previous < q)):
                        self.n[q].head = previous
                previous = k

    def prepositions(self) -> None:
        """Put prepositions above their nouns, as in "on the table": "table" becomes the object of "on"."""
        above: dict[int, int] = {}
        for i, node in enumerate(self.n):
            cases = self.cases(i)
            if not cases:
                continue
            top, last, head, base = cases[0], cases[-1], node.head, node.dep.split(":")[0]
            label = "agent" if node.dep == "obl:agent" else "prep"
            if base == "conj":
                label = "conj"
                if head in above and self.n[head].dep == "pobj":
                    for q in self.kids(head):
                        if self.n[q].dep == "cc" or (self.n[q].dep == "punct" and head < q < top):
                            self.n[q].head = above[head]
                    head = above[head]
            elif base == "root":
                label = base
            for q in self.kids(i, "advmod", "punct"):
                if q < top or (label == "root" and self.n[q].dep == "punct"):
                    self.n[q].head = head if self.n[q].dep == "punct" and label != "root" else top
            self.n[top].head, self.n[top].dep = head, label
            for a, b in pairwise(cases):
                self.n[b].head, self.n[b].dep = a, "prep"
            clause = node.upos not in ("NOUN", "PROPN") and (node.tag.startswith("VB") or node.tag == "WRB" or node.upos == "ADV")
            node.head, node.dep = last, "pcomp" if clause else "pobj"
            above[i] = top

    def labels(self) -> None:
        """Rename the labels, once the heads are right."""
        for i, node in enumerate(self.n):
            node.dep = self._label(i, node)

    def _label(self, i: int, node: Node) -> str:
        dep, base, head = node.dep, node.dep.split(":")[0], self.n[node.head]
        if dep in RENAMED:
            return RENAMED[dep]
        if base == "nsubj":  # "There is a dog"
            return "attr" if any(self.n[k].tag == "EX" for k in self.kids(node.head, "expl")) else base
        if dep == "nmod:desc":
            return "compound" if i < node.head else "appos"
        if dep in ("nmod:unmarked", "nmod:tmod", "nmod:npmod"):
            return "npadvmod" if i < node.head else "nmod"
        if base in ("nmod", "obl"):
            return "prep" if node.tag in PREPOSITION_TAGS else "nmod" if base == "nmod" else "npadvmod"
        if base == "advmod":
            return "neg" if node.low in NEGATIONS else "quantmod" if head.tag == "CD" and i < node.head else "advmod"
        if dep == "mark":
            return self._mark(node, head)
        if dep == "expl":
            return "expl" if node.tag == "EX" else "nsubj"
        if dep == "xcomp":
            return self._open_complement(node)
        return base.rstrip("!")

    def _mark(self, node: Node, head: Node) -> str:
        """Relabel a preposition before a gerund, as in "after eating": it is no conjunction."""
        if node.tag == "TO":
            return "aux"
        subject = any(self.n[k].dep.startswith("nsubj") for k in self.kids(node.head))
        joins = node.low in ("while", "if", "though", "although", "whether", "because", "that")
        return "pcomp!" if head.tag == "VBG" and node.tag == "IN" and not joins and not subject else "mark"

    def _open_complement(self, node: Node) -> str:
        second = any(self.n[k].dep in ("obj", "dobj") for k in self.kids(node.head))
        if node.tag.startswith("JJ"):
            return "oprd" if second else "acomp"
        if node.tag.startswith("NN") or node.tag in ("PRP", "CD"):
            return "oprd" if second else "attr"
        return "xcomp"

    def gerunds(self) -> None:
        """Put "after" above "eating" in "after eating"."""
        for i, node in enumerate(self.n):
            if node.dep == "pcomp!":
                verb = self.n[node.head]
                node.head, verb.head = verb.head, i
                node.dep, verb.dep = "ROOT" if verb.dep == "ROOT" else "prep", "pcomp"


def is_tree(nodes: list[Node]) -> bool:
    """Return whether there is one root and no cycle: every word is reachable from the root."""
    reached = [i for i, node in enumerate(nodes) if node.head < 0]
    roots = len(reached)
    for above in reached:
        reached += [i for i, node in enumerate(nodes) if node.head == above]
    return roots == 1 and len(reached) == len(nodes)
