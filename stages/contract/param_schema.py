"""What kind of value each parameter takes, so that a wrong one is told by its name before any work is done.

Which *names* a parameter knows (of a model, a parser, a corpus) is not said here but where they are used. A test holds that every
key of ``params.yaml`` has its kind.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple


class Kind(NamedTuple):
    """A kind of value: what a person is told to give, and whether a value is of it."""

    says: str
    holds: Callable[[Any], bool]


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return _is_whole(value) or (isinstance(value, float) and math.isfinite(value))


def whole(least: int, most: float = math.inf) -> Kind:
    """A whole number from ``least`` to ``most``."""
    says = f"a whole number of at least {least}" if most == math.inf else f"a whole number from {least} to {most}"
    return Kind(says, lambda value: _is_whole(value) and least <= value <= most)


def number(least: float, most: float = math.inf) -> Kind:
    """A number from ``least`` to ``most``."""
    says = f"a number of at least {least:g}" if most == math.inf else f"a number from {least:g} to {most:g}"
    return Kind(says, lambda value: _is_number(value) and least <= value <= most)


def one_of(*choices: str) -> Kind:
    """One of these words."""
    return Kind(f"one of {', '.join(choices)}", lambda value: value in choices)


def either(*kinds: Kind) -> Kind:
    """A value of any of these kinds."""
    return Kind(" or ".join(kind.says for kind in kinds), lambda value: any(kind.holds(value) for kind in kinds))


SEED = Kind("a whole number", _is_whole)
YES_OR_NO = Kind("true or false", lambda value: isinstance(value, bool))
TEXT = Kind("a text", lambda value: isinstance(value, str))
NAME = Kind("a name", lambda value: isinstance(value, str) and value.strip() != "")
NAMED = Kind("keys with their values", lambda value: isinstance(value, dict))
SIZE = Kind("a size of memory such as 2GB", lambda value: bool(re.fullmatch(r"\d+(\.\d+)? ?[KMGT]i?B", str(value))))
COMPLEXITIES = Kind(
    "a list of different whole numbers of at least 1",
    lambda value: isinstance(value, list) and all(_is_whole(n) and n > 0 for n in value) and 0 < len(set(value)) == len(value),
)

KINDS: dict[str, dict[str, Kind]] = {
    "run": {"workers": whole(1), "memory": SIZE, "runner": NAME},
    "sample": {
        **{"seed": SEED, "images": whole(1), "regions": whole(1), "training_images": whole(1)},
        "web_faults": number(0),
    },
    "visual_genome": {"annotations": NAME, "images": NAME},
    "crop": {"min_area": whole(0), "min_share": number(0, 1), "min_ratio": number(0), "max_ratio": number(0)},
    "language": {"pipeline": NAME, "parser": NAME, "conventions": NAME},
    "parse_train": {
        **{"min_words": whole(0), "max_words": whole(1), "shard": whole(1), "rejects_per_reason": whole(0)},
        "keep_graphs": either(YES_OR_NO, whole(0)),
    },
    "seen_index": {"min_count": whole(1)},
    "walk_subgraphs": {
        **{"seed": SEED, "complexities": COMPLEXITIES, "per_complexity": whole(0), "per_image": whole(1), "tries": whole(1)},
        **{"one_relation_a_pair": YES_OR_NO, "max_overlap": number(0, 1)},
    },
    "scene_graphs": {"same_object": number(0, 1), "rejects_per_reason": whole(0)},
    "filter_vg": {
        **{"seed": SEED, "min_atoms": whole(0), "min_compounds": whole(0), "facts": NAME, "piece": whole(1)},
        "rejects_per_reason": whole(0),
    },
    "split": {"min_count": whole(1)},
    "evaluate": {
        **{"model": NAME, "checkpoints": NAME, "training_set": NAME, "suites": NAMED, "folds": whole(0), "seed": SEED},
        **{"strata": whole(1), "blind_captions": whole(0), "blind_models": NAMED, "device": NAME, "threads": whole(1)},
        **{"precision": one_of("fp32", "bf16", "fp16", "auto"), "batch": whole(1), "text_batch_tokens": whole(1)},
    },
    "train": {
        **{"corpus": NAME, "seed": SEED, "threads": whole(1), "steps": whole(1), "batch": whole(2)},
        **{"swap_negatives": YES_OR_NO, "learning_rate": number(0), "weight_decay": number(0), "logit_scale": number(0)},
    },
    "audit": {"grammar_queries": whole(0), "seed": SEED},
    "sheet": {"queries": number(0, 1), "captions": number(0, 1), "seed": SEED},
    "caption": {
        **{"seed": SEED, "template_up_to": whole(0), "writer": NAME},
        **{"llm.base_url": TEXT, "llm.model": TEXT, "llm.key_variable": NAME, "llm.temperature": number(0)},
        **{"llm.max_tokens": whole(1), "llm.timeout": number(0), "llm.attempts": whole(1), "llm.first_pause": number(0)},
        **{"llm.parallel": whole(1), "llm.max_requests": whole(0), "llm.max_tokens_in_all": whole(0)},
    },
    "report": {"gallery": whole(0), "seed": SEED, "crop_size": whole(1)},
    "foils": {
        **{"selection": NAME, "seed": SEED, "min_training_count": whole(0), "min_zipf": number(0), "max_foils": whole(1)},
        **{"plausibility_margin": number(0), "plausibility.model": NAME, "plausibility.max_captions": whole(0)},
        **{"plausibility.batch_tokens": whole(1), "plausibility.device": NAME, "piece": whole(1)},
        **{"sense.floor": number(0), "sense.max_compounds": whole(0)},
    },
    "gen_hn_atom": {"negatives": whole(1)},
    "gen_hn_comp": {"negatives": whole(1), "max_pairs": whole(1)},
    "gen_hn_prod": {
        **{"negatives": whole(1), "max_foils": whole(1), "entailment.model": NAME, "entailment.threshold": number(0, 1)},
        **{"entailment.batch_tokens": whole(1), "entailment.device": NAME, "rejects_per_set": whole(0)},
    },
}
"""By section, the kind of each key; a key within a key is named ``llm.model``."""
