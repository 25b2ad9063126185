"""Whatever the captions and the graphs are: no crash, and what must hold of every parse and of every negative holds."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stages.foils import hn_atom
from stages.foils.vocabulary import Vocabulary
from stages.productivity.productivity import Task, answers
from stages.systematicity import hn_comp
from tests.foils.captions import caption_row
from tests.foils.known import evidence_of, knowing

from stages.captions.clean import clean
from stages.graphs.graph import SceneGraph, Span
from stages.parsing.parser import Parser
from stages.subgraphs.walks import indistinguishable
from stages.writing import template
from stages.writing.realiser import realise
from tests.bad_input.visual_genome import verdicts
from tests.writing.graphs import ATTRIBUTES, OBJECTS, RELATIONS, graphs

# The first example loads a pipeline or WordNet.
FUZZ = settings(max_examples=40)
WORDS = Vocabulary(
    {
        "object": {word: 20 - i for i, word in enumerate([*OBJECTS, "cat", "bus", "shelf"])},
        "attribute": {word: 20 - i for i, word in enumerate([*ATTRIBUTES, "blue", "small", "young"])},
        "relation": {word: 20 - i for i, word in enumerate([*RELATIONS, "under", "behind", "inside"])},
    }
)
TASK = Task([], Path(), foils_per_atom=5, size=5, balanced=True, spare=True, rejects=3, seed=0)

# --- The parser ----


_PIECES = (
    "a the two dog dogs man's red and or with of on in front of , . is are riding n't not no who which there t-shirt "
    "3 10.5\" & / - ( ) ' \" ! ? A MAN Umbrella's xqzt é 犬 🐕 &amp; <b> http://x.y/z"
)
PIECES = st.sampled_from(_PIECES.split(" "))
TEXTS = st.lists(PIECES, max_size=14).map(" ".join) | st.text(max_size=40)


@given(texts=st.lists(TEXTS, max_size=4))
@FUZZ
def test_any_text_becomes_a_graph_whose_atoms_stand_in_it(parser: Parser, texts: list[str]) -> None:
    captions = [caption for text in texts if (caption := clean(text))]
    found = list(parser.parse(captions))
    assert [parsed.caption for parsed in found] == captions
    for caption, graph, spans in found:
        assert all(0 <= o < len(graph.objects) for o, _ in graph.attributes)
        assert all(0 <= s < len(graph.objects) and 0 <= o < len(graph.objects) and s != o for s, _, o in graph.relations)
        for atom in graph.atoms():
            span = spans.of(atom)
            assert atom.text and atom.text == atom.text.strip()
            assert span is None or (0 <= span[0] < span[1] <= len(caption) and caption[slice(*span)].strip())


# --- The negatives ----


def edited_outside(truth: str, negative: str, spans: list[Span]) -> bool:
    """Whether a negative differs from the truth before its first or after its last span, in more than an article."""
    start, end = spans[0][0], spans[-1][1]
    before, after = _told(truth[:start]), _told(truth[end:])
    return not (_told(negative).startswith(before) and _told(negative).endswith(after))


def _told(text: str) -> str:
    """Without articles, of which the edit of a noun takes care, and without the capital of a sentence."""
    return re.sub(r"\b(an?|the|some) ", "", text.lower()).strip(" ,.")


def holds_of_each_negative(truth: str, graph: SceneGraph, rows: list[dict[str, Any]]) -> None:
    valid = [row for row in rows if row["reason"] is None]
    texts = [truth.lower(), *(row["caption"].lower() for row in valid)]
    assert len(set(texts)) == len(texts), "a negative is the truth, or there twice"
    for row in valid:
        spans = [(span["start"], span["end"]) for span in row["spans"]]
        assert spans == sorted(spans) and all(one[1] <= other[0] for one, other in pairwise(spans))
        assert spans and all(0 <= start <= end <= len(truth) for start, end in spans)
        assert SceneGraph.from_columns(row).canonical() != graph.canonical()
        assert row["caption"] == row["caption"].strip() and "  " not in row["caption"]


@given(graphs(least=2, most=5).filter(lambda graph: not indistinguishable(graph)), st.integers(0, 50), st.booleans())
@FUZZ
def test_negatives_of_productivity(graph: SceneGraph, seed: int, balanced: bool) -> None:
    row = caption_row(graph, "1-5-0", seed=str(seed))
    known = evidence_of(graph)
    found = answers(row, known, knowing(WORDS), TASK._replace(balanced=balanced, seed=seed))
    assert [answer.type for answer in found] == ["HN-Atom", "HN-Swap", "HN-Neg"]
    for answer in found:
        truth = answer.truth or row
        assert (answer.reason is None) or not answer.rows
        if answer.truth is None:
            holds_of_each_negative(truth["caption"], graph, answer.rows)
        else:
            texts = {negative["caption"].lower() for negative in answer.rows}
            assert len(texts) == len(answer.rows) and truth["caption"].lower() not in texts
            stated = SceneGraph.from_columns(truth).canonical(), truth["atom"]
            assert all((SceneGraph.from_columns(n).canonical(), n["atom"]) != stated for n in answer.rows)
    for negative in found[0].rows:
        spans = [(span["start"], span["end"]) for span in negative["spans"]]
        assert negative["reason"] or not edited_outside(row["caption"], negative["caption"], spans)


OF_ONE_COMPOUND = st.builds(
    lambda name, attribute: SceneGraph((name,), ((0, attribute),)), st.sampled_from(OBJECTS), st.sampled_from(ATTRIBUTES)
) | st.builds(
    lambda one, relation, other: SceneGraph((one, other), (), ((0, relation, 1),)),
    st.sampled_from(OBJECTS), st.sampled_from(RELATIONS), st.sampled_from(OBJECTS),
)  # fmt: skip


@given(OF_ONE_COMPOUND, st.integers(0, 50), st.booleans())
@FUZZ
def test_negatives_of_systematicity(graph: SceneGraph, seed: int, bare: bool) -> None:
    written = template.fill(graph) if bare else realise(graph, str(seed))
    row = {"image_id": 1, "caption": written.caption, **graph.columns(), **written.spans.columns()}
    found = list(hn_atom.candidates(row, "region-1", evidence_of(graph), knowing(WORDS), 6))
    holds_of_each_negative(written.caption, graph, found)
    for negative in found:
        (span,) = negative["spans"]
        assert negative["reason"] or not edited_outside(row["caption"], negative["caption"], [(span["start"], span["end"])])
    valid = [negative | {"plausibility": float(-i)} for i, negative in enumerate(found) if negative["reason"] is None]
    pairs = list(hn_comp.candidates("region-1", row, valid, 12))
    holds_of_each_negative(written.caption, graph, pairs)
    assert all(len(pair["spans"]) == 2 for pair in pairs)


# --- The filter ----

DESCRIPTION = st.tuples(st.sampled_from([None, "empty"]), st.integers(0, 3), st.integers(0, 2), st.sampled_from("gh"))
REGION = st.tuples(st.sampled_from([None, None, "no_box"]), st.sampled_from([None, None, "crop_area"]), st.sampled_from("pqrs"))


@given(
    st.lists(REGION, min_size=1, max_size=8), st.dictionaries(st.sampled_from("pqrs"), DESCRIPTION, min_size=4), st.integers(0, 9)
)
@settings(max_examples=25)
def test_every_region_has_one_verdict_and_every_graph_one_region(regions, described, seed) -> None:
    found = verdicts(regions, [(phrase, *said) for phrase, said in described.items()], seed=seed)
    assert len(found) == len(regions)
    kept = [described[phrase][3] for (_, _, phrase), reason in zip(regions, found, strict=True) if reason is None]
    twins = {described[phrase][3] for (_, _, phrase), reason in zip(regions, found, strict=True) if reason == "duplicate_graph"}
    assert len(kept) == len(set(kept)) and twins <= set(kept)
    for (fault, crop_fault, phrase), reason in zip(regions, found, strict=True):
        wrong, n_atoms, n_compounds, _ = described[phrase]
        fit = fault is crop_fault is wrong is None and n_atoms >= 2 and n_compounds >= 1
        assert fit == (reason in (None, "duplicate_graph"))


@pytest.mark.parametrize(
    ("negative", "outside"),
    [
        ("a red dog on a mat", False),
        ("an old dog on a mat", False),
        ("a blue dog under a mat", True),
        ("two red dogs on a mat", True),
    ],
)
def test_what_an_edit_may_change(negative: str, outside: bool) -> None:
    assert edited_outside("a blue dog on a mat", negative, [(2, 6)]) == outside
