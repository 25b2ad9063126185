"""For any captions and graphs nothing crashes, and the invariants of every parse and every negative hold."""

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.captions.clean import clean
from stages.contract.schemas import CLEARED, PROTOCOLS
from stages.graphs.graph import SceneGraph, Span
from stages.negatives import making
from stages.negatives.image_context import Image
from stages.negatives.making import ATOM, NEG, SWAP, Made, Task
from stages.negatives.second_compound import joined_graph
from stages.negatives.vocabulary import Vocabulary
from stages.parsing.parser import Parser
from stages.subgraphs.walks import indistinguishable
from stages.writing import template
from stages.writing.realiser import realise
from tests.bad_input.visual_genome import verdicts
from tests.negatives.captions import caption_row
from tests.negatives.known import knowing
from tests.writing.graphs import ATTRIBUTES, OBJECTS, RELATIONS, graphs

FUZZ = settings(max_examples=40)
WORDS = Vocabulary(
    {
        "object": {word: 20 - i for i, word in enumerate([*OBJECTS, "cat", "bus", "shelf"])},
        "attribute": {word: 20 - i for i, word in enumerate([*ATTRIBUTES, "blue", "small", "young"])},
        "relation": {word: 20 - i for i, word in enumerate([*RELATIONS, "under", "behind", "inside"])},
    }
)
BOX = {"x": 0, "y": 0, "width": 300, "height": 200}


def made_of(kind: Callable[[Task], list[Made]], graph: SceneGraph, row: dict[str, Any], seed: int) -> list[Made]:
    """Return what a worker makes of one row, for an image whose annotated graph is ``graph``."""
    size = {"image_width": 300, "image_height": 200}
    boxes = [BOX for _ in graph.objects]
    scene_graph = {"image_id": 1, **size, **graph.columns(), "boxes": boxes, "aliases": [[] for _ in boxes]}
    task = Task([Image(1, [{**row, **BOX, **size}], scene_graph, [])], Path(), foils=5, rejects=3, seed=seed)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(making, "load", lambda _: knowing(WORDS))
        return kind(task)


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
    """Return whether a negative differs from the truth before its first or after its last span, in more than an article."""
    start, end = spans[0][0], spans[-1][1]
    before, after = _told(truth[:start]), _told(truth[end:])
    return not (_told(negative).startswith(before) and _told(negative).endswith(after))


def _told(text: str) -> str:
    """Return the text in lower case and without articles, which the edit of a noun adapts."""
    return re.sub(r"\b(an?|the|some) ", "", text.lower()).strip(" ,.")


def holds_of_each_negative(made: Made) -> None:
    assert (made.reason is None) == bool(made.alternatives)
    for truth, candidates in made.alternatives:
        valid = [candidate for candidate in candidates if candidate.reason is None]
        texts = [truth.caption.lower(), *(candidate.caption.lower() for candidate in valid)]
        assert len(set(texts)) == len(texts), "a negative is the truth, or there twice"
        for candidate in valid:
            assert candidate.spans and list(candidate.spans) == sorted(candidate.spans)
            assert all(one[1] <= other[0] for one, other in pairwise(candidate.spans))
            assert all(0 <= start <= end <= len(truth.caption) for start, end in candidate.spans)
            denied = (made.type, made.protocol) == (NEG, CLEARED)
            assert (candidate.graph.canonical() == truth.graph.canonical()) == denied
            assert candidate.caption == candidate.caption.strip() and "  " not in candidate.caption
            if made.type == ATOM:
                assert not edited_outside(truth.caption, candidate.caption, list(candidate.spans))


@given(graphs(least=2, most=5).filter(lambda graph: not indistinguishable(graph)), st.integers(0, 50))
@FUZZ
def test_negatives_of_productivity(graph: SceneGraph, seed: int) -> None:
    found = made_of(making.negatives_of_captions, graph, caption_row(graph, "1-5-0", seed=str(seed)), seed)
    assert [(made.type, made.protocol) for made in found] == [(kind, p) for kind in (ATOM, SWAP, NEG) for p in PROTOCOLS]
    for made in found:
        holds_of_each_negative(made)


OF_ONE_COMPOUND = st.builds(
    lambda name, attribute: SceneGraph((name,), ((0, attribute),)), st.sampled_from(OBJECTS), st.sampled_from(ATTRIBUTES)
) | st.builds(
    lambda one, relation, other: SceneGraph((one, other), (), ((0, relation, 1),)),
    st.sampled_from(OBJECTS), st.sampled_from(RELATIONS), st.sampled_from(OBJECTS),
)  # fmt: skip


@given(OF_ONE_COMPOUND, graphs(least=2, most=4), st.integers(0, 50), st.booleans())
@FUZZ
def test_negatives_of_systematicity(graph: SceneGraph, further: SceneGraph, seed: int, bare: bool) -> None:
    written = template.fill(graph) if bare else realise(graph, str(seed))
    row = {"image_id": 1, "region_id": 1, "caption": written.caption, **graph.columns(), **written.spans.columns()}
    for kind in (making.atoms_of_regions, making.compounds_of_regions):
        found = made_of(kind, joined_graph(graph, further), row, seed)
        assert [made.protocol for made in found] == list(PROTOCOLS)
        for made in found:
            holds_of_each_negative(made)


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
