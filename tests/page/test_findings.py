from stages.page.findings import ability, complexity, findings, in_short, seen_and_unseen, the_test_itself

GAIN = {"d": 10.0, "se": 2.0, "low": 6.0, "high": 14.0, "n": 100}
NONE = {"d": 1.0, "se": 2.0, "low": -3.0, "high": 5.0, "n": 100}


def figures(r1, se=1.0, chance=20.0, gain=GAIN, blind=25.0):
    group = {"n": 1000, "r1": r1, "r1_se": se, "r1_chance": chance}
    return {"all": group, "blind": {"ngram": blind, "best": "ngram", "gain": gain}}


def test_an_ability_is_claimed_only_above_chance_and_above_the_blind():
    assert ability("sys", "atom", figures(64.0)).tone == "good"
    assert ability("sys", "atom", figures(30.0)).tone == "plain"
    assert ability("sys", "atom", figures(21.0)).tone == "bad"
    # Far above chance, but a scorer that never looks does as well.
    assert ability("sys", "atom", figures(64.0, gain=NONE)).tone == "plain"
    assert (
        ability("sys", "atom", figures(64.0, gain=NONE)).headline == "Has not shown that it notices a wrong atom in a short caption"
    )


def test_an_ability_quotes_its_interval_its_queries_chance_and_the_blind():
    sentence = ability("prod", "swap", figures(64.0)).sentence
    for part in (
        "HN-Swap",
        "64.0 % (62.0–66.0)",
        "1,000 queries",
        "chance is 20.0 %",
        "ngram",
        "25.0 %",
        "+10.0 points (+6.0 to +14.0)",
    ):
        assert part in sentence


def test_seen_compounds_count_only_if_like_items_show_it():
    def told(raw, matched):
        return next(seen_and_unseen({"sys": {"atom": {**figures(50.0), "gap": {"raw": raw, "matched": matched}}}}))

    assert told(GAIN, GAIN).tone == "bad" and "HN-Atom" in told(GAIN, GAIN).headline
    assert told(GAIN, NONE).tone == "plain" and "like items do not" in told(GAIN, NONE).headline
    assert "could be told" in told(NONE, NONE).headline
    assert "no like items" in told(GAIN, None).sentence
    # From seen to unseen the sign turns.
    assert "−10.0 points (−14.0 to −6.0)" in told(GAIN, None).sentence


def test_a_gap_that_a_blind_scorer_has_too_is_no_finding():
    def told(left):
        blind = {"scorer": "ngram", "raw": GAIN, "matched": GAIN}
        gap = {"raw": GAIN, "matched": GAIN, "blind": blind, "over_blind": {"raw": left, "matched": left}}
        return next(seen_and_unseen({"sys": {"atom": {**figures(50.0), "gap": gap}}}))

    assert told(GAIN).tone == "bad"
    assert told(NONE).headline == "Unseen compounds look harder, but a scorer that sees no image may lose as much (HN-Atom)"
    assert "Of the scorers that see no image ngram shows most of it, −10.0 points" in told(NONE).sentence


def test_few_queries_and_wide_intervals_make_no_finding():
    few = figures(0.0)
    few["all"]["n"] = 19
    assert ability("sys", "atom", few) is None and ability("sys", "atom", figures(64.0, se=8.0)) is None
    gap = {"d": -100.0, "low": -100.0, "high": -100.0, "n_first": 19, "n_second": 400}
    assert not list(seen_and_unseen({"sys": {"atom": {**figures(50.0), "gap": {"raw": gap, "matched": None}}}}))
    slope = {"raw": {"d": -2.0, "low": -3.0, "high": -1.0, "n": 900}}
    groups = {"n04": {**figures(60.0)["all"], "n": 1}, "n05": figures(55.0)["all"], "n12": figures(40.0)["all"]}
    (finding,) = complexity({"prod": {"swap": {**figures(50.0), **groups, "slope": slope}}})
    assert "from 5 to 12 atoms" in finding.sentence


def test_what_machines_differ_by_is_not_the_model_s():
    assert ability("sys", "atom", figures(22.4, se=0.5)).tone != "bad"
    assert ability("sys", "atom", figures(22.4, se=0.5), 2.5).headline.startswith("Has not shown")
    small = {"d": 2.0, "low": 0.5, "high": 3.5, "n_first": 900, "n_second": 900}
    told = {"sys": {"atom": {**figures(50.0), "gap": {"raw": small, "matched": small}}}}
    assert next(seen_and_unseen(told)).tone == "bad" and next(seen_and_unseen(told, 2.5)).tone == "plain"


def test_longer_captions_are_harder_only_with_the_whole_interval():
    def told(low, high):
        slope = {"raw": {"d": (low + high) / 2, "low": low, "high": high, "n": 9}}
        groups = {"n04": figures(60.0)["all"], "n12": figures(40.0)["all"]}
        return next(complexity({"prod": {"swap": {**figures(50.0), **groups, "slope": slope}}}))

    assert told(-3, -1).tone == "bad" and "60.0 % to 40.0 % from 4 to 12 atoms" in told(-3, -1).sentence
    assert told(-3, 1).tone == "plain"


def test_what_can_be_solved_blind_and_what_was_cut_is_said():
    metrics = {"sys": {"atom": figures(60.0, blind=30.0), "comp": figures(60.0, blind=22.0)}, "captions": {"n": 100, "cut": 7}}
    blind, cut = the_test_itself(metrics, None)
    assert "HN-Atom (sys) 30.0 % against 20.0 %" in blind.sentence and "HN-Comp" not in blind.sentence
    assert "7 of 100" in cut.sentence


def test_a_summary_names_the_model_and_every_ability():
    prod = {"atom": figures(40.0, gain=NONE), "swap": figures(17.0)}
    metrics = {"model": {"name": "m"}, "sys": {"atom": figures(64.0)}, "prod": prod}
    assert in_short(findings(metrics), metrics) == (
        "The model m notices a wrong atom in a short caption, has not shown that it notices a wrong atom in a long caption "
        "and does not see what belongs to what."
    )
    assert "too few hard negatives" in in_short([], metrics)
