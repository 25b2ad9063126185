"""How the page calls what the metrics and tables have short keys for, in the order in which it shows them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from stages.retrieval.summary import BESIDE_SUITES

SUITES = {"sys": "Systematicity", "prod": "Productivity"}
# What the ids of our queries begin with, by suite: a query of either has a complexity.
ASKED_OF = {"region": "sys", "walk": "prod"}
SETS = {
    "sys": {"atom": "HN-Atom", "comp": "HN-Comp", "both": "HN-Atom + HN-Comp"},
    "prod": {"atom": "HN-Atom", "swap": "HN-Swap", "neg": "HN-Neg", "all": "all types"},
}
FURTHER = {
    "aro": "ARO",
    "aro_order": "ARO",
    "aro_released": "ARO, as released",
    "bivlc": "BiVLC",
    "cola": "Cola",
    "colorswap": "ColorSwap",
    "naturalbench": "NaturalBench",
    "negbench": "NegBench",
    "vsr": "VSR",
    "eqben": "EqBen",
    "mmvp": "MMVP-VLM",
    "sugarcrepe_pp": "SugarCrepe++",
    "svo_probes": "SVO-Probes",
    "valse": "VALSE",
    "vl_checklist": "VL-CheckList",
    "whatsup": "What'sUp",
    "winoground": "Winoground",
    "official_sys": "Official release, systematicity",
    "official_prod": "Official release, productivity",
    "sugarcrepe": "SugarCrepe",
}
# Suites that ask which image a caption belongs to.
ASK_IMAGES = ("cola", "svo_probes")
# ARO's names for retrieval of captions by an image, and back.
WAYS = {"i2t_r1": "text R@1", "i2t_r5": "text R@5", "t2i_r1": "image R@1", "t2i_r5": "image R@5"}
CASES = {"text": "cases, text", "image": "cases, image", "group": "cases, group"}
CASES |= {"text_to_text": "cases, text to text", "map": "mean average precision"}
# Sets that hold the negatives of others once more.
COMBINED = {("sys", "both"), ("prod", "all")}
SPLITS = {"SC": "seen compounds", "UC": "unseen compounds", "UA": "unseen atoms"}
# The audit's own keys for retrieval sets.
AUDITED = {
    "atom": "HN-Atom, systematicity",
    "comp": "HN-Comp, systematicity",
    "atom_prod": "HN-Atom, productivity",
    "swap": "HN-Swap, productivity",
    "neg": "HN-Neg, productivity",
    "aro_relation": "ARO, VG-Relation",
    "aro_attribution": "ARO, VG-Attribution",
}
# What scorers that see no image take for the truth.
SCORERS = {
    "affirmed": "what denies least",
    "alike_denied": "of which most others say what it denies",
    "alike_meaning": "what means most what the others do, by vectors of words from training captions",
    "alike_order": "what is most like the others by the order of words",
    "alike_pairs": "what is most like the others by pairs of words",
    "alike_words": "what is most like the others by words",
    "bag": "whose words go best together in any order",
    "frequency": "what has the commonest words",
    "longer": "what has most words",
    "negated": "what denies most",
    "ngram": "what is likeliest by trigrams of training captions",
    "ngram_mean": "what is likeliest by the same, per word",
    "shorter": "what has fewest words",
    "trained": "what looks true by sets of other images and captions",
    "unlike_denied": "of which fewest others say what it denies",
    "unlike_meaning": "what means least what the others do",
    "unlike_order": "what is least like the others by the order of words",
    "unlike_pairs": "what is least like the others by pairs of words",
    "unlike_words": "what is least like the others by words",
}
# What stands in the metrics beside the suites.
OTHER_KEYS = {"model", "judged_by", *BESIDE_SUITES}


def suites(metrics: Mapping[str, Any]) -> list[str]:
    """The suites of an evaluation, ours first."""
    return [*(suite for suite in SUITES if suite in metrics), *sorted(set(metrics) - set(SUITES) - OTHER_KEYS)]


def sets(metrics: Mapping[str, Any], suite: str) -> dict[str, Mapping[str, Any]]:
    """The retrieval sets of a suite with their figures, in the paper's order."""
    figures = metrics.get(suite) or {}
    return {name: figures[name] for name in [*_set_names(suite), *sorted(figures)] if name in figures}


def every_set(metrics: Mapping[str, Any], combined: bool = True) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """All retrieval sets: suite, set and figures."""
    for suite in suites(metrics):
        yield from (
            (suite, name, figures) for name, figures in sets(metrics, suite).items() if combined or not is_combined(suite, name)
        )


def is_combined(suite: str, name: str) -> bool:
    """Whether a set holds the negatives of others once more, as ours and the official release's do, and no set of another suite.

    >>> [is_combined(*one) for one in (("sys", "both"), ("official_prod", "all"), ("winoground", "both"), ("colorswap", "all"))]
    [True, True, False, False]
    """
    return (suite.removeprefix("official_"), name) in COMBINED


def set_name(suite: str, name: str) -> str:
    """A retrieval set's name; a further suite's own name where it is not one of ours."""
    return _set_names(suite).get(name, name)


def suite_name(suite: str) -> str:
    """A suite's name; its key where it has none."""
    return SUITES.get(suite) or FURTHER.get(suite, suite)


def _set_names(suite: str) -> Mapping[str, str]:
    return SETS.get(suite.removeprefix("official_"), {})


def full_name(suite: str, name: str) -> str:
    """A retrieval set's name with its suite's."""
    return f"{set_name(suite, name)}, {suite_name(suite) if suite in FURTHER else suite_name(suite).lower()}"


def kind_of(query: Mapping[str, Any]) -> str:
    """A query's type, with our suite that it is of.

    >>> kind_of({"query_id": "region-7", "type": "HN-Atom"}), kind_of({"query_id": "aro-7", "type": "VG-Relation"})
    ('HN-Atom, systematicity', 'VG-Relation')
    """
    suite = ASKED_OF.get(query["query_id"].partition("-")[0])
    return f"{query['type']}, {SUITES[suite].lower()}" if suite else query["type"]


def is_complexity(group: str) -> bool:
    """Whether a group's key stands for a complexity, such as n04."""
    return group[:1] == "n" and group[1:].isdigit()


def in_order(groups: Iterable[str]) -> list[str]:
    """Splits and complexities as tables show them.

    >>> in_order({"n12", "n04", "UC", "SC"})
    ['SC', 'UC', 'n04', 'n12']
    """
    return sorted(groups, key=lambda group: ([*SPLITS, group].index(group), group))


def cases_of(every: Iterable[Mapping[str, Any]]) -> list[str]:
    """What is counted over whole cases in any of the retrieval sets with these figures: keys of :data:`CASES`."""
    counted = {key for figures in every for key in figures.get("cases", {})}
    return [key for key in CASES if key in counted]


def atoms(group: str) -> str:
    """A group as a table names it: n04 is 4.

    >>> atoms("n04"), atoms("all")
    ('4', 'all')
    """
    return str(int(group[1:])) if is_complexity(group) else group


def edit_name(edit: str) -> str:
    """What an edit changed, as tables name it.

    >>> edit_name("object+swap_attributes")
    'object + swap attributes'
    """
    return edit.replace("_", " ").replace("+", " + ")
