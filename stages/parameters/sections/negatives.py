"""Parameters of the negatives: CREPE's, and ARO's beside them."""

from typing import Literal

from stages.parameters.param_schema import Line, device, keys, name, number, seed, text, whole
from stages.parameters.sections.section import Keys, Section


class Plausibility(Keys):
    """``foils.plausibility``."""

    model: Line = name()
    max_captions: int = whole(0)
    batch_tokens: int = whole(1, 10**7)
    device: Line = device()


class Acceptable(Keys):
    """``foils.sense.acceptable``."""

    atom: float = number(0, 1)
    relation: float = number(0, 1)
    pair: float = number(0, 1)
    swap: float = number(0, 1)


class Sense(Keys):
    """``foils.sense``."""

    floor: float = number(0, 1000)
    acceptable: Acceptable = keys("atom, relation, pair and swap, each with a number from 0 to 1")
    max_compounds: int = whole(0)


class MaxTrue(Keys):
    """``foils.max_true``."""

    balanced: float = number(0, 1)
    paper: float = number(0, 1)


class Foils(Section):
    selection: Literal["paper", "balanced"]
    seed: int = seed()
    min_training_count: int = whole(0)
    min_zipf: float = number(0, 10)
    seen_by: Literal["every", "any"]
    max_foils: int = whole(1, 10**6)
    plausibility: Plausibility
    sense: Sense
    max_true: MaxTrue
    piece: int = whole(1, 10**6)


class Cleared(Section):
    margin: float = number(0, 1)
    below: float = number(0, 1)
    far_price: float = number(0, 1)
    kinds: float = number(0, 1)
    seed: int = seed()


class GenHnAtom(Section):
    negatives: int = whole(1, 100)


class GenHnComp(Section):
    negatives: int = whole(1, 100)
    max_pairs: int = whole(1, 10**6)


class Entailment(Keys):
    """``gen_hn_prod.entailment``."""

    model: Line = name()
    threshold: float = number(0, 1)
    batch_tokens: int = whole(1, 10**7)
    device: Line = device()


class GenHnProd(Section):
    negatives: int = whole(1, 100)
    max_foils: int = whole(1, 10**6)
    entailment: Entailment
    rejects_per_set: int = whole(0)


class GenAro(Section):
    min_side: float = number(0, 1)
    per_image: int = whole(1)
    seed: int = seed()
    rejects_per_reason: int = whole(0)


class GenOrder(Section):
    captions: Line = name()
    images_in: Line = name()
    split: Line = text()
    images: int = whole(0)
    max_words: int = whole(2, 1000)
    seed: int = seed()
    retrieval_images: int = whole(0)
    retrieval_seeds: int = whole(1, 100)
