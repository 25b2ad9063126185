"""Tests of telling other languages from English by their words; English with foreign names stays English."""

import pytest

from stages.captions.foreign import foreign


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("ein roter Bus auf der Straße", "de"),
        ("deux chiens dans le jardin", "fr"),
        ("una mesa con flores en la cocina", "es"),
        ("een man met een rode fiets", "nl"),
        ("красный автобус", "other_script"),
        ("a red bus on the street", None),
        ("Notre Dame de Paris seen from the river", None),  # names belong to no language
        ("Juan Carlos and Maria at the beach", None),
        ("Berlin Germany Marx Engels", None),
        ("Closeup photo of Fleur De Lis Grand Tour Micro Mosaic Pendant", None),
        ("Notre Dame de Paris carhedral Stock Photo", None),
        ("sentra nissan 2016 nissan sentra review top speed", None),  # a repeated word counts once
        ("Mens Black OG T Shirt", None),
        ("xqzt brrfl", None),  # words of no language
        ("", None),
    ],
)
def test_foreign(text: str, language: str | None) -> None:
    assert foreign(text, text.replace("-", " ").split()) == language
