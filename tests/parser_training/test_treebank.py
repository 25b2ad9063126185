import pytest

from stages.parser_training.treebank import Node, convert, read

CONLLU = """# text = The dog is black.
1	The	the	DET	DT	_	2	det	_	_
2	dog	dog	NOUN	NN	_	4	nsubj	_	_
3	is	be	AUX	VBZ	_	4	cop	_	_
4	black	black	ADJ	JJ	_	0	root	_	SpaceAfter=No
5	.	.	PUNCT	.	_	4	punct	_	_

# text = I don't.
1	I	I	PRON	PRP	_	2	nsubj	_	_
2-3	don't	_	_	_	_	_	_	_	SpaceAfter=No
2	do	do	AUX	VBP	_	0	root	_	_
3	n't	not	PART	RB	_	2	advmod	_	_
4	.	.	PUNCT	.	_	2	punct	_	_
"""


def tree(text):
    """Return nodes from ``word/UPOS/TAG/label>head`` for each word, with heads counted from 1."""
    nodes = []
    for part in text.split():
        form, upos, tag, arc = part.rsplit("/", 3)
        dep, head = arc.split(">")
        nodes.append(Node(form, upos, tag, int(head) - 1, dep, True))
    return nodes


def arcs(nodes):
    made = convert(nodes)
    return [(n.form, n.dep, made[n.head].form if n.head >= 0 else "-") for n in made]


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (
            "dog/NOUN/NN/nsubj>3 is/AUX/VBZ/cop>3 black/ADJ/JJ/root>0",
            [("dog", "nsubj", "is"), ("is", "ROOT", "-"), ("black", "acomp", "is")],
        ),
        (
            "dog/NOUN/NN/nsubj>4 on/ADP/IN/case>3 grass/NOUN/NN/nmod>1 sleeps/VERB/VBZ/root>0",
            [("dog", "nsubj", "sleeps"), ("on", "prep", "dog"), ("grass", "pobj", "on"), ("sleeps", "ROOT", "-")],
        ),
        (
            "dog/NOUN/NN/nsubj>4 is/AUX/VBZ/cop>4 on/ADP/IN/case>4 grass/NOUN/NN/root>0",
            [("dog", "nsubj", "is"), ("is", "ROOT", "-"), ("on", "prep", "is"), ("grass", "pobj", "on")],
        ),
        (
            "seen/VERB/VBN/root>0 by/ADP/IN/case>3 me/PRON/PRP/obl:agent>1",
            [("seen", "ROOT", "-"), ("by", "agent", "seen"), ("me", "pobj", "by")],
        ),
        (
            "there/PRON/EX/expl>2 is/VERB/VBZ/root>0 dog/NOUN/NN/nsubj>2",
            [("there", "expl", "is"), ("is", "ROOT", "-"), ("dog", "attr", "is")],
        ),
        (
            "cats/NOUN/NNS/root>0 ,/PUNCT/,/punct>3 dogs/NOUN/NNS/conj>1 and/CCONJ/CC/cc>5 cows/NOUN/NNS/conj>1",
            [
                ("cats", "ROOT", "-"),
                (",", "punct", "cats"),
                ("dogs", "conj", "cats"),
                ("and", "cc", "dogs"),
                ("cows", "conj", "dogs"),
            ],
        ),
        ("New/PROPN/NNP/root>0 York/PROPN/NNP/flat>1", [("New", "compound", "York"), ("York", "ROOT", "-")]),
        (
            "left/VERB/VBD/root>0 after/SCONJ/IN/mark>3 eating/VERB/VBG/advcl>1",
            [("left", "ROOT", "-"), ("after", "prep", "left"), ("eating", "pcomp", "after")],
        ),
        (
            "man/NOUN/NN/root>0 who/PRON/WP/nsubj>3 sits/VERB/VBZ/acl:relcl>1",
            [("man", "ROOT", "-"), ("who", "nsubj", "sits"), ("sits", "relcl", "man")],
        ),
        (
            "because/ADP/IN/case>3 of/ADP/IN/fixed>1 rain/NOUN/NN/obl>4 stay/VERB/VB/root>0",
            [("because", "prep", "stay"), ("of", "prep", "because"), ("rain", "pobj", "of"), ("stay", "ROOT", "-")],
        ),
    ],
)
def test_constructions_get_the_other_schemes_heads(given, wanted):
    assert arcs(tree(given)) == wanted


def test_words_joined_by_hyphens_become_one():
    nodes = tree("short/ADJ/JJ/amod>3 -/PUNCT/HYPH/punct>3 sleeved/ADJ/JJ/amod>4 shirt/NOUN/NN/root>0")
    nodes[0].space = nodes[1].space = False
    assert arcs(nodes) == [("short-sleeved", "amod", "shirt"), ("shirt", "ROOT", "-")]


def test_reading_keeps_spaces_and_contractions(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(CONLLU)
    first, second = read(path)
    assert [n.form for n in first] == ["The", "dog", "is", "black", "."]
    assert [n.space for n in first] == [True, True, True, False, True]
    assert [(n.form, n.space) for n in second] == [("I", True), ("do", False), ("n't", False), (".", True)]
    assert [(n.dep) for n in convert(second)] == ["nsubj", "ROOT", "neg", "punct"]


@pytest.mark.parametrize("heads", [(2, 1), (0, 0), (1, 0)])
def test_what_is_no_tree_is_left_out(heads):
    nodes = [Node("a", "NOUN", "NN", heads[0] - 1, "root", True), Node("b", "NOUN", "NN", heads[1] - 1, "dep", True)]
    converted = convert(nodes)
    assert converted is None or sum(n.head < 0 for n in converted) == 1
