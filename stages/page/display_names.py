"""Display names for the short keys of metrics and tables, in display order."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from stages.contract.schemas import CLEARED, PAPER
from stages.evaluation.summary import ON_CLEARED, OTHER_KEYS

SUITES = {"sys": "Systematicity", "prod": "Productivity"}
# Prefixes of the ids of the project's own queries, by suite: these queries have a complexity.
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
# Sets that repeat the negatives of others.
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
# The caption that each text-only scorer prefers.
SCORERS = {
    "affirmed": "the caption with fewest negations",
    "central_denied": "the caption whose denied thing most others name",
    "central_meaning": "the caption closest in meaning to the others (word vectors of training captions)",
    "central_order": "the caption whose word order is most similar to the others'",
    "central_pairs": "the caption that shares most pairs of words with the others",
    "central_words": "the caption that shares most words with the others",
    "bag": "the caption whose words go best together in any order",
    "skip_bigrams": "the caption whose words go best together in their order, with up to three words between them",
    "frequency": "the caption with the most common words",
    "longer": "the caption with most words",
    "negated": "the caption with most negations",
    "neural": "the likeliest caption by a small recurrent language model, a kind that selection never used",
    "ngram": "the likeliest caption by a trigram model of training captions",
    "ngram_mean": "the same, per word",
    "shorter": "the caption with fewest words",
    "trained": "the likeliest truth by a classifier trained on such sets of other images",
    "outlying_denied": "the caption whose denied thing fewest others name",
    "outlying_meaning": "the caption least close in meaning to the others",
    "outlying_order": "the caption whose word order is least similar to the others'",
    "outlying_pairs": "the caption that shares fewest pairs of words with the others",
    "outlying_words": "the caption that shares fewest words with the others",
}
DRAWN = "on the sample's drawings"
"""Suffix of suites over the sample world's pictures, where others use photographs."""
VIEWS = {PAPER: "the paper's sets", ON_CLEARED: "the paper's sets on the queries that cleared kept", CLEARED: "the cleared sets"}
"""Labels of CREPE's views."""


def drawn_suites(metrics: Mapping[str, Any]) -> frozenset[str]:
    """Return the suites that use the sample world's drawings while CREPE's use other pictures."""
    drawn = metrics.get("drawn") or {}
    return frozenset(("aro_order",)) if drawn.get("order") and not drawn.get("images") else frozenset()


class SetFigures(NamedTuple):
    """A retrieval set of an evaluation with its figures."""

    protocol: str | None
    """One of :data:`VIEWS`; ``None`` for a suite without protocols."""
    suite: str
    name: str
    figures: Mapping[str, Any]

    @property
    def key(self) -> tuple[str | None, str]:
        """Return the protocol, and the set's name in ``metrics/summary.json``."""
        return self.protocol, f"{self.suite}_{self.name}"

    @property
    def combined(self) -> bool:
        """Return whether it repeats the negatives of other sets."""
        return is_combined(self.suite, self.name)

    @property
    def title(self) -> str:
        """Return its name with those of its suite and its protocol."""
        return ", ".join(filter(None, (full_name(self.suite, self.name), (self.protocol or "").replace("_", " "))))


def all_sets(metrics: Mapping[str, Any]) -> Iterator[SetFigures]:
    """Yield all retrieval sets of an evaluation, or of one of its :data:`VIEWS`."""
    for protocol in (*VIEWS, None):
        of_protocol = (metrics.get(protocol) or {}) if protocol else metrics
        for suite in suites(of_protocol):
            yield from (SetFigures(protocol, suite, name, figures) for name, figures in sets(of_protocol, suite).items())


def of_set(metrics: Mapping[str, Any], protocol: str, suite: str, name: str) -> Mapping[str, Any]:
    """Return the figures of a retrieval set; empty where there is none."""
    return (metrics.get(protocol) or {}).get(suite, {}).get(name, {})  # type: ignore[no-any-return]


def suites(metrics: Mapping[str, Any]) -> list[str]:
    """Return the suites of an evaluation, CREPE's first."""
    return [*(suite for suite in SUITES if suite in metrics), *sorted(set(metrics) - set(SUITES) - OTHER_KEYS)]


def sets(metrics: Mapping[str, Any], suite: str) -> dict[str, Mapping[str, Any]]:
    """Return the retrieval sets of a suite with their figures, in the paper's order."""
    figures = metrics.get(suite) or {}
    return {name: figures[name] for name in [*_set_names(suite), *sorted(figures)] if name in figures}


def is_combined(suite: str, name: str) -> bool:
    """Return whether a set repeats the negatives of other sets, as in CREPE and the official release; never for other suites.

    >>> [is_combined(*one) for one in (("sys", "both"), ("official_prod", "all"), ("winoground", "both"), ("colorswap", "all"))]
    [True, True, False, False]
    """
    return (suite.removeprefix("official_"), name) in COMBINED


def set_name(suite: str, name: str) -> str:
    """Return a retrieval set's name; for a further suite its own name for the set."""
    return _set_names(suite).get(name, name)


def suite_name(suite: str) -> str:
    """Return a suite's name; its key where it has none."""
    return SUITES.get(suite) or FURTHER.get(suite, suite)


def _set_names(suite: str) -> Mapping[str, str]:
    return SETS.get(suite.removeprefix("official_"), {})


def full_name(suite: str, name: str) -> str:
    """Return a retrieval set's name with its suite's name."""
    return f"{set_name(suite, name)}, {suite_name(suite) if suite in FURTHER else suite_name(suite).lower()}"


def kind_of(query: Mapping[str, Any]) -> str:
    """Return a query's type with its protocol and its suite, if that is CREPE's.

    >>> kind_of({"query_id": "region-7", "type": "HN-Atom", "protocol": "paper"})
    'HN-Atom, systematicity, paper'
    >>> kind_of({"query_id": "aro-7", "type": "VG-Relation", "protocol": None})
    'VG-Relation'
    """
    suite = ASKED_OF.get(query["query_id"].partition("-")[0])
    return f"{query['type']}, {SUITES[suite].lower()}, {query['protocol']}" if suite else query["type"]


def is_complexity(group: str) -> bool:
    """Return whether a group's key is a complexity, such as n04."""
    return group[:1] == "n" and group[1:].isdigit()


def in_order(groups: Iterable[str]) -> list[str]:
    """Return splits and complexities as tables show them.

    >>> in_order({"n12", "n04", "UC", "SC"})
    ['SC', 'UC', 'n04', 'n12']
    """
    return sorted(groups, key=lambda group: ([*SPLITS, group].index(group), group))


def cases_of(every: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the metrics over whole cases that any set with these figures has: keys of :data:`CASES`."""
    counted = {key for figures in every for key in figures.get("cases", {})}
    return [key for key in CASES if key in counted]


def atoms(group: str) -> str:
    """Return a group as a table names it: n04 is 4.

    >>> atoms("n04"), atoms("all")
    ('4', 'all')
    """
    return str(int(group[1:])) if is_complexity(group) else group


def edit_name(edit: str) -> str:
    """Return a display name of what an edit changed.

    >>> edit_name("object+swap_attributes")
    'object + swap attributes'
    """
    return edit.replace("_", " ").replace("+", " + ")
