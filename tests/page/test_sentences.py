"""Tests of the report's three sentences, and of what to know before believing them."""

from stages.page.sentences import cautions, longer, three, unseen
from tests.page.test_answer import GAIN, NONE, UNSURE, WORSE, figures

MODEL = {"model": {"name": "m"}, "judged_by": "cc12m"}
SMALL = {"d": -2.0, "low": -3.0, "high": -1.0, "n": 900}


def test_the_first_says_on_which_sets_the_model_beats_text():
    cleared = {
        "sys": {"atom": figures(), "comp": figures(gain=UNSURE)},
        "prod": {"swap": figures(gain=NONE), "neg": figures(), "atom": figures(n=9)},
    }
    (sentence,) = three(MODEL | {"cleared": cleared, "paper": {"sys": {"atom": figures(gain=NONE)}}})
    assert sentence == (
        "On sets that are cleared of text-only shortcuts, the model beats every text-only guess on HN-Atom (sys) and HN-Neg "
        "(prod); a text-only guess does as well as the model on HN-Swap (prod); which of the two is better is unclear on HN-Comp "
        "(sys); there are too few queries or images to tell on HN-Atom (prod)."
    )
    (sentence,) = three(MODEL | {"paper": {"sys": {"atom": figures(gain=NONE)}}})
    assert sentence == "On the paper's sets, a text-only guess does as well as the model on HN-Atom (sys)."
    (sentence,) = three(MODEL | {"paper": {"sys": {"atom": figures(gain=WORSE)}}})
    assert sentence == "On the paper's sets, a text-only guess does better than the model on HN-Atom (sys)."
    (sentence,) = three(MODEL | {"cleared": {"sys": {"atom": figures()}}, "paper": {"prod": {"neg": figures()}}})
    assert sentence.endswith("the model beats every text-only guess on HN-Atom (sys); there are no queries of HN-Neg (prod).")


def gap(raw=GAIN, matched=GAIN, left=GAIN, left_matched=GAIN):
    over = {"raw": left, "matched": left_matched}
    return {"sys": {"atom": figures() | {"gap": {"raw": raw, "matched": matched, "over_shortcut": over}}}}


def test_unseen_compounds_are_harder_only_beyond_similar_items_and_text():
    (sentence,) = unseen(gap(), 0.0)
    assert sentence.startswith("Compounds unseen in training are harder for the model: HN-Atom −20.0 points (−24.0 to −16.0)")
    for part in ("matched", "left", "left_matched"):
        assert "look harder" in next(unseen(gap(**{part: NONE}), 0.0))
    assert next(unseen(gap(raw=NONE), 0.0)).startswith("These sets show no clear loss on compounds unseen in training: HN-Atom ")
    assert "no clear loss" in next(unseen(gap(), 25.0)) and "−20.0 points (−24.0 to −16.0)" in next(unseen(gap(), 25.0))
    few = GAIN | {"n_first": 12, "n_second": 400}
    assert not list(unseen(gap(raw=few), 0.0)) and "look harder" in next(unseen(gap(left=few), 0.0))


def test_longer_captions_are_harder_only_beyond_text():
    def sentence(raw, left, spread=0.0):
        of = figures() | {"n04": {}, "n12": {}, "slope": {"raw": raw, "over_shortcut": left}}
        return next(longer({"prod": {"swap": of}}, spread))

    assert (
        sentence(SMALL, SMALL)
        == "Longer captions are harder for the model: HN-Swap −2.0 points (−3.0 to −1.0) with each further atom."
    )
    assert sentence(SMALL, SMALL | {"high": 0.5}) == (
        "Longer captions look harder (HN-Swap −2.0 points (−3.0 to −1.0) with each further atom), but scorers that see no image "
        "may fall as much."
    )
    unclear = "These sets show no clear loss as captions grow: HN-Swap −2.0 points (−3.0 to 0.1) with each further atom."
    assert sentence(SMALL | {"high": 0.1}, SMALL) == unclear.replace("to 0.1", "to +0.1")
    assert "no clear loss" in sentence(SMALL, SMALL, 17.0), "sixteen points from 4 to 12 atoms are what machines differ by"


def test_what_to_know_before_believing_the_figures():
    faults = {f"{i:02d}": f"atom_prod, n{i:02d}: ngram reaches 25.0 %" for i in range(4, 9)}
    false = {"share": 0.99, "low": 0.98, "high": 1.0, "n": 4160, "left_out": 4}
    audit = {"faults": {"cleared": faults, "paper": {"01": "x"}}, "truly_false": {"cleared": {"atom": false}}}
    stands_out, cut, truth = cautions({"captions": {"n": 100, "cut": 7}}, audit)
    assert stands_out.count("HN-Atom, productivity, n") == 3 and stands_out.endswith("; and 2 more, in metrics/audit.json.")
    assert cut.startswith("7 of 100 captions") and "99.0 % (98.0–100.0) of 4,160 HN-Atom, systematicity" in truth
    assert "4 of 4,164 negatives are left out" in truth
    assert not list(cautions({"captions": {"n": 100, "cut": 0}, "crops": {"n": 100, "one_colour": 3}}, None))
    (pictures,) = cautions({"crops": {"n": 200, "one_colour": 9}}, None)
    assert pictures.startswith("9 of 200 crops that were looked at (4.5 %) are of one colour")
