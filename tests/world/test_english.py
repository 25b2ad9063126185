"""Captions are varied and grammatical, and do not mention what a corpus lacks."""

from random import Random

from stages.parameters.sections import CORPORA
from stages.text.inflection import plural
from stages.world.corpora import captions, coverage, unseen_kinds
from stages.world.english import describe
from stages.world.facts import facts, framed
from stages.world.kinds import KINDS
from stages.world.lexicon import NAMES
from stages.world.relations import Relations
from stages.world.scene import HEIGHT, WIDTH
from stages.writing.grammar import text_faults
from tests.world.scenes import random_scenes

SCENES = random_scenes(25)


def described():
    for number, scene in enumerate(SCENES):
        rng = Random(number)
        for fact, _ in facts(scene, Relations(scene)):
            yield scene, fact, describe(rng, scene, fact)


def test_captions_are_clean_english_and_many():
    said = [caption for _, _, caption in described() if caption]
    assert not [caption for caption in said if text_faults(caption)]
    assert len(set(said)) > 0.6 * len(said)
    starts = {" ".join(caption.split()[:2]) for caption in said}
    assert {"there is", "there are"} <= starts


def test_a_corpus_never_says_what_it_lacks():
    """Otherwise, "unseen" would mean nothing."""
    for corpus in CORPORA:
        says = coverage(7, corpus)
        lacked = {word for kind in unseen_kinds(7)[corpus] for name in NAMES[kind] for word in (name, plural(name))}
        for number, scene in enumerate(SCENES):
            for fact, _ in facts(scene, Relations(scene)):
                for caption in captions(Random(number), scene, [fact], says):
                    assert not lacked & set(caption.replace(",", "").split()), caption


def test_coverage_is_counterbalanced():
    """Every compound is in some corpus, and each corpus lacks 40 %, so the same items are seen for one and unseen for another."""
    pairs = [(colour, kind) for colour in ("red", "blue", "striped", "small") for kind in KINDS]
    seen = {corpus: [coverage(7, corpus)(pair) for pair in pairs] for corpus in CORPORA}
    assert all(any(row) for row in zip(*seen.values(), strict=True))
    for row in seen.values():
        assert 0.5 < sum(row) / len(row) < 0.7
    lacks = unseen_kinds(7)
    assert len(set().union(*lacks.values())) == sum(map(len, lacks.values()))


def test_frames_lie_in_the_image():
    for scene, fact, _ in described():
        x0, y0, x1, y1 = framed(Random(0), fact.box(scene))
        assert 0 <= x0 < x1 <= WIDTH and 0 <= y0 < y1 <= HEIGHT
