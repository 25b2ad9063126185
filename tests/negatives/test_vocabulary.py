"""Tests of attributes, names, WordNet, and the words that may become foils."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.contract import tables
from stages.contract.errors import InputError
from stages.graphs.graph import Atom
from stages.negatives import nearness, vocabulary
from stages.negatives.vocabulary import Vocabulary, offensive
from stages.parameters.sections import Run
from stages.semantics import attributes, wordnet
from tests.negatives.known import MEANINGS
from tests.running import section


@pytest.mark.parametrize(
    ("one", "other", "excluded"),
    [
        ("red", "orange", False),  # people differ on which it is
        ("light blue", "red", True),
        ("light blue", "dark blue", True),
        ("blue", "navy", False),
        ("wooden", "metal", True),
        ("metal", "steel", False),
        ("open", "closed", True),
        ("sitting", "standing", True),
        ("sleeping", "lying", False),
        ("burnt", "baked", False),
        ("two", "three", False),  # three include two
    ],
)
def test_which_attributes_exclude_each_other(one, other, excluded):
    assert attributes.excludes(one, other) is excluded
    assert attributes.excludes(other, one) is excluded


def test_candidates_exclude_the_attribute():
    for attribute in ("red", "tall", "wooden", "sitting", "dark", "tiny"):
        assert attributes.candidates(attribute)
        assert all(attributes.excludes(attribute, other) for other in attributes.candidates(attribute))


@pytest.mark.parametrize(
    ("known", "asked", "least", "most"),
    [
        ("dog", "animal", 1, 1),
        ("couch", "sofa", 1, 1),
        ("stop sign", "sign", 1, 1),
        ("street", "road", 1, 1),
        ("banana", "fruit", 1, 1),  # the fruit, not the herb
        ("carrot", "vegetable", 1, 1),
        ("cup", "mug", 0.05, 0.5),
        ("man", "surfer", 0.05, 0.5),
        ("building", "bathroom", 0, 0.01),
        ("room", "plate", 0, 0.01),
        ("man", "woman", 0, 0),
        ("woman", "baby", 0, 0),
        ("dog", "cat", 0, 0.01),
        ("car", "bus", 0, 0.02),
        ("monitor", "toddler", 0, 0),  # a monitor is not a person
        ("thing", "dog", 0, 0),  # an empty word matches nothing
        ("photo", "dog", 0, 0),
    ],
)
def test_which_names_one_thing_may_have(known, asked, least, most):
    assert least <= MEANINGS.one_thing(known, asked) <= most


def test_the_sense_of_captions():
    assert wordnet.sense("plate").name() == "plate.n.04"
    assert wordnet.sense("turtle").lexname() == "noun.animal"
    assert wordnet.sense("boredom") is None
    assert wordnet.sense("monitor").lexname() == wordnet.sense("mug").lexname() == "noun.artifact"
    assert wordnet.sense("ostrich").lexname() == "noun.animal"
    assert {wordnet.sense(eaten).lexname() for eaten in ("banana", "lime", "peach", "almond")} == {"noun.food"}


def vocabulary_of(**nouns):
    return Vocabulary({"object": nouns, "attribute": {}, "relation": {}})


NOUNS = ("dog", "cat", "wolf", "bear", "horse", "cow", "zebra", "cup", "bowl", "car", "bus", "truck", "couch", "bed", "man")
VOCABULARY = Vocabulary(
    {
        "object": {"dog": 9, "cat": 8, "bear": 5, "orange bag": 4, "blue": 3, "car": 7, "horse": 2, "cow": 2},
        "attribute": {"red": 9, "blue": 8, "green": 3},
        "relation": {"on": 5, "under": 3, "in": 9},
    }
)


def test_foils_come_from_the_training_captions_words():
    assert VOCABULARY.candidates("attribute", "red", near=True, most=30) == ["green", "blue"]
    assert VOCABULARY.candidates("relation", "on", near=True, most=30) == ["under"]
    elsewhere = Vocabulary({"object": {}, "attribute": {}, "relation": {"lie under": 3, "behind": 7, "stand": 8, "on": 9}})
    assert elsewhere.candidates("relation", "on", near=True, most=30) == ["behind", "lie under"]
    assert set(VOCABULARY.candidates("object", "dog", near=False, most=30)) >= {"cat", "bear"}


def test_the_commonest_nouns_come_first():
    nouns = vocabulary_of(cat=3, bear=8, wolf=5, dog=1)
    assert nouns.candidates("object", "dog", near=False, most=30) == ["bear", "wolf", "cat"]
    assert nouns.commonest["object"] == ["bear", "wolf", "cat", "dog"]


def test_no_foil_is_a_colour_taken_for_a_noun_or_a_noun_with_a_colour_before_it():
    assert not VOCABULARY.is_noun("blue")
    assert not VOCABULARY.is_noun("orange bag")
    assert not Vocabulary({"object": {"dirty dog": 9}, "attribute": {}, "relation": {}}).is_noun("dirty dog")


def test_a_deep_tree_is_climbed_until_there_are_foils_unless_only_near_ones_are_asked():
    # The hypernym of a horse's hypernym is the odd-toed ungulates, and captions name no others.
    assert "cow" in VOCABULARY.candidates("object", "horse", near=False, most=30)
    assert VOCABULARY.candidates("object", "horse", near=True, most=30) == []


@given(st.sampled_from(sorted(NOUNS)))
def test_near_nouns_share_the_grand_hypernym(noun):
    found = vocabulary_of(**dict.fromkeys(NOUNS, 5)).candidates("object", noun, near=True, most=30)
    assert noun not in found
    assert all(nearness.of("object", noun, other) != nearness.FURTHER for other in found)


def test_what_captions_call_something_more_often_than_they_name_it_has_no_foil():
    """A colour that is mistaken for a noun, as in "a light blue"."""
    assert VOCABULARY.candidates("object", "blue", near=False, most=30) == []


def test_no_foil_is_a_slur_or_a_word_that_nobody_uses():
    assert offensive("nude beach") and not offensive("boy")
    assert vocabulary.zipf("dog") > 4 > vocabulary.zipf("zzyzx dog")


def test_the_vocabulary_of_training_sets(tmp_path):
    rows = [("object", "dog", 2), ("object", "dog", 2), ("object", "zzyzx", 99), ("attribute", "red", 1)]
    columns = [{"kind": k, "first": w, "second": "", "third": "", "count": n} for k, w, n in rows]
    (tmp_path / "a").mkdir()
    tables.write("occurrences", tmp_path / "a" / "occurrences.parquet", columns)
    found = vocabulary.read([tmp_path / "a"], 3, 2.5, 1, section(Run, memory="200MB", workers=1), tmp_path / "spill")
    assert found.counts == {"object": {"dog": 4}, "attribute": {}, "relation": {}}


def test_which_training_sets_lack_a_word(tmp_path):
    """Both name dogs, and phones in two spellings; the first names cats, and the second too rarely for them to count as seen."""
    phones = {"a": ("cell phone", 9), "b": ("cellphone", 9)}
    for name, rows in (("a", [("dog", 5), ("cat", 5)]), ("b", [("dog", 5), ("cat", 1)])):
        rows.append(phones[name])
        columns = [{"kind": "object", "first": w, "second": "", "third": "", "count": n} for w, n in rows]
        (tmp_path / name).mkdir()
        tables.write("occurrences", tmp_path / name / "occurrences.parquet", columns)
    running = section(Run, memory="200MB", workers=1)
    found = vocabulary.read([tmp_path / "a", tmp_path / "b"], 3, 2.5, 2, running, tmp_path / "spill")
    cat, dog, phone = (Atom("object", 0, name) for name in ("cat", "dog", "cell phone"))
    assert (found.lack([cat, dog]), found.lack([dog, phone])) == ({1}, frozenset())


def test_a_folder_without_training_sets_is_an_error(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        vocabulary.read([tmp_path / "a"], 1, 1.0, 1, section(Run, memory="200MB", workers=1), tmp_path / "spill")
