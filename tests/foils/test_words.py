"""Attributes, names, WordNet, and the words that may become foils."""

import pytest

from stages.contract import tables
from stages.contract.errors import InputError
from stages.foils import vocabulary
from stages.foils.vocabulary import Vocabulary
from stages.graphs.graph import Atom
from stages.parameters.sections import Run
from stages.semantics import attributes, wordnet
from tests.foils.known import MEANINGS
from tests.running import section


@pytest.mark.parametrize(
    ("one", "other", "excluded"),
    [
        ("red", "orange", False),  # one says the one and another the other
        ("light blue", "red", True),
        ("light blue", "dark blue", True),
        ("blue", "navy", False),
        ("wooden", "metal", True),
        ("metal", "steel", False),
        ("open", "closed", True),
        ("sitting", "standing", True),
        ("sleeping", "lying", False),
        ("burnt", "baked", False),
        ("two", "three", False),  # where there are three there are two
    ],
)
def test_which_attributes_exclude_each_other(one, other, excluded):
    assert attributes.excludes(one, other) is excluded
    assert attributes.excludes(other, one) is excluded


def test_candidates_exclude_the_attribute():
    for attribute in ("red", "tall", "wooden", "sitting", "dark", "tiny"):
        assert attributes.candidates(attribute)
        assert all(attributes.excludes(attribute, other) for other in attributes.candidates(attribute))


def test_patterns_leave_colours_open():
    assert attributes.leaves_open("striped", "red")
    assert not attributes.leaves_open("striped", "tall")


@pytest.mark.parametrize(
    ("known", "asked", "least", "most"),
    [
        ("dog", "animal", 1, 1),
        ("couch", "sofa", 1, 1),
        ("stop sign", "sign", 1, 1),
        ("street", "road", 1, 1),
        ("banana", "fruit", 1, 1),  # which is no herb
        ("carrot", "vegetable", 1, 1),
        ("cup", "mug", 0.05, 0.5),
        ("man", "surfer", 0.05, 0.5),
        ("building", "library", 0.05, 1),  # which WordNet calls a room
        ("room", "hospital", 0.05, 1),
        ("building", "bathroom", 0, 0.01),
        ("room", "plate", 0, 0.01),
        ("man", "woman", 0, 0),
        ("woman", "baby", 0, 0),
        ("dog", "cat", 0, 0.01),
        ("car", "bus", 0, 0.02),
        ("monitor", "toddler", 0, 0),  # a monitor is no person
        ("thing", "dog", 0, 0),  # what says nothing says nothing
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


VOCABULARY = Vocabulary(
    {
        "object": {"dog": 9, "cat": 8, "bear": 5, "orange bag": 4, "blue": 3, "car": 7, "horse": 2, "cow": 2},
        "attribute": {"red": 9, "blue": 8, "green": 3},
        "relation": {"on": 5, "under": 3, "in": 9},
    }
)


def test_foils_come_from_the_training_captions_words():
    assert VOCABULARY.candidates("attribute", "red", 9) == ["green", "blue"]
    assert VOCABULARY.candidates("relation", "on", 9) == ["under"]
    elsewhere = Vocabulary({"object": {}, "attribute": {}, "relation": {"lie under": 3, "behind": 7, "stand": 8, "on": 9}})
    assert elsewhere.candidates("relation", "on", 9) == ["behind", "lie under"]
    assert set(VOCABULARY.candidates("object", "dog", 9)) >= {"cat", "bear"}
    assert len(VOCABULARY.candidates("object", "dog", 1)) == 1


def test_no_foil_is_a_colour_taken_for_a_noun_or_a_noun_with_a_colour_before_it():
    assert not VOCABULARY.is_noun("blue")
    assert not VOCABULARY.is_noun("orange bag")
    assert not Vocabulary({"object": {"dirty dog": 9}, "attribute": {}, "relation": {}}).is_noun("dirty dog")


def test_what_is_mostly_called_by_narrower_names_is_no_foil():
    """A bottle is a container, and so may be much that nobody calls so."""
    names = {"container": 2, "bottle": 9, "box": 9, "bowl": 8, "bag": 7}
    vocabulary_ = Vocabulary({"object": names, "attribute": {}, "relation": {}})
    assert vocabulary_.wide("container") and not vocabulary_.wide("bottle")
    assert set(vocabulary_.candidates("object", "bottle", 9)) == {"box", "bowl", "bag"}


def test_a_deep_tree_is_climbed_until_there_are_foils():
    # A horse's grand-hypernym is the odd-toed ungulates, of which captions know none.
    assert "cow" in VOCABULARY.candidates("object", "horse", 9)


def test_where_wordnet_has_too_few_kin_things_of_a_sort_and_size_stand_in():
    # Above a futon stand a mattress and a pad, and nothing else that captions name.
    names = {"couch": 9, "bed": 8, "crib": 5, "cup": 7, "horse": 2}
    found = Vocabulary({"object": names | {"futon": 3}, "attribute": {}, "relation": {}}).candidates("object", "futon", 9)
    assert set(found) == {"couch", "bed", "crib"}


def test_the_vocabulary_of_training_sets(tmp_path):
    rows = [("object", "dog", 2), ("object", "dog", 2), ("object", "zzyzx", 99), ("attribute", "red", 1)]
    columns = [{"kind": k, "first": w, "second": "", "third": "", "count": n} for k, w, n in rows]
    (tmp_path / "a").mkdir()
    tables.write("occurrences", tmp_path / "a" / "occurrences.parquet", columns)
    found = vocabulary.read([tmp_path / "a"], 3, 2.5, 1, section(Run, memory="200MB", workers=1), tmp_path / "spill")
    assert found.counts == {"object": {"dog": 4}, "attribute": {}, "relation": {}}


def test_which_training_sets_lack_a_word(tmp_path):
    """A dog is named by both, a phone in two spellings, a cat by the first, and by the second less often than counts as seen."""
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
