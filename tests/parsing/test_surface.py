"""Tests of what the network reads of a caption, with a sentence for each rule."""

import pytest
from spacy.tokens import Doc

from stages.parsing.surface import surface
from stages.parsing.trees import Tokens
from tests.parsing.trees import VOCAB


def made(text):
    return surface(Tokens.of(Doc(VOCAB, words=text.split())), text)


def read(text):
    return " ".join(made(text).tokens.words)


@pytest.mark.parametrize(
    ("caption", "network_reads"),
    [
        # capitals in a title mean nothing
        ("Red Leather Handbag with Gold Chain", "red leather handbag with gold chain"),
        # names in a title, and what belongs to them
        ("Nike Youth Black Team Beanie", "youth black team beanie"),
        ("Radar Image near New Kensington", "radar image near"),
        ("Modern Flat on Lexington Avenue", "modern flat on"),
        ("Portable Cooler University of Pittsburgh", "portable cooler"),
        ("Jack Baldwin , Martin Ragginger", ", "),
        # in a sentence, a pronoun replaces a person's name, and the possessive mark goes with the name
        ("Keith Earls evades a tackle", "he evades a tackle"),
        ("Mme Calvet and Roger Sterling standing together behind the bar", "he and he standing together behind the bar"),
        ("a device on the turret of NASA's rover", "a device on the turret of rover"),
        # but not names that captions often have
        ("a white Christmas tree", "a white christmas tree"),
        # model numbers, years, handles, and characters of other scripts
        ("a mug HB955 with flowers @paper", "a mug with flowers"),
        ("the 2017 gala with 6 guests", "the gala with 6 guests"),
        ("a clock #036", "a clock"),
        ("a belt シルバー in black", "a belt in black"),
        # sellers' phrases
        ("black beret - Free Shipping", "black beret -"),
        ("a happy boy royalty free vector illustration", "a happy boy"),
        ("oil 250 ml in a bottle", "oil in a bottle"),
        # an automatic list, and two words for one
        ("image may contain : person , on stage", "person , on stage"),
        ("close up of a cat", "close-up of a cat"),
        # advice, opinions and questions, of which only titles show nothing
        ("How To Visit a Beach", ""),
        ("Red Bus : Why You Should Eat More", "red bus :"),
        ("how to visit a beach", "how to visit a beach"),
        # titles: in quotation marks, or begun by a name
        ("a screening of ' The River and the Wall '", "a screening of"),
        ("Pandora of the Island", ""),
        # abbreviations
        ("chair w/ cushions & arms", "chair with cushions and arms"),
    ],
)
def test_the_network_reads(caption, network_reads):
    assert read(caption) == network_reads.strip()


@pytest.mark.parametrize("caption", ["a man on a horse", "A man in front of the house", "a man , a dog and 2 cats"])
def test_a_caption_without_names_and_marks_is_read_as_it_stands(caption):
    tokens = Tokens.of(Doc(VOCAB, words=caption.split()))
    found = surface(tokens, caption)
    assert [word.lower() for word in found.tokens.words] == caption.lower().split()
    if caption.replace(" ", "").isalpha():
        assert found.tokens is tokens


@pytest.mark.parametrize(
    ("caption", "plain"),
    [
        ("A CPU is on the floor", True),
        ("CPU is on the floor", True),
        ("a man , a dog and a TV", True),
        ("an FBI agent", False),
        ("Red Leather Handbag", False),
        ("a man in NY", False),
        ("a red car , $ 200", False),
        ("a car - a man", False),
    ],
)
def test_acronyms_of_things_leave_a_sentence_plain(caption, plain):
    assert made(caption).plain == plain


def test_marks_part_a_caption_and_hyphens_within_a_word_do_not():
    assert made("a bus : a dog").tokens.begins == [True, False, False, True, False]
    words, spaces = ["an", "elevator", "/", "laundry", "room"], [True, False, False, True, False]
    tokens = Tokens.of(Doc(VOCAB, words=words, spaces=spaces))
    assert surface(tokens, "an elevator/laundry room").tokens is tokens


def test_places_are_those_in_the_caption():
    caption = "Nike Black Beanie"
    tokens = made(caption).tokens
    assert [caption[start:end] for start, end in zip(tokens.start, tokens.end, strict=True)] == ["Black", "Beanie"]
    assert made(caption).title
