"""Parameters of the negatives: CREPE's, and ARO's."""

from typing import Literal

from stages.parameters.param_schema import Keys, Line, Section, device, name, number, seed, text, whole


class Plausibility(Keys):
    """``foils.plausibility``."""

    model: Line = name()
    max_captions: int = whole(0)
    batch_tokens: int = whole(1, 10**7)
    device: Line = device()


class Foils(Section):
    seed: int = seed()
    min_training_count: int = whole(0)
    min_zipf: float = number(0, 10)
    seen_by: Literal["every", "any"]
    max_foils: int = whole(1, 10**6)
    least_association: float = number(0, 10)
    max_compounds: int = whole(0)
    max_true: float = number(0, 1)
    plausibility: Plausibility
    rejects_per_set: int = whole(0)
    piece: int = whole(1, 10**6)


class Cleared(Section):
    margin: float = number(0, 1)
    below: float = number(0, 1)
    far_price: float = number(0, 1)
    kinds: float = number(0, 1)
    at_once: int = whole(1, 10**7)
    seed: int = seed()


class GenHnAtom(Section):
    negatives: int = whole(1, 100)


class GenHnComp(Section):
    negatives: int = whole(1, 100)


class Entailment(Keys):
    """``gen_hn_prod.entailment``."""

    model: Line = name()
    threshold: float = number(0, 1)
    batch_tokens: int = whole(1, 10**7)
    device: Line = device()


class GenHnProd(Section):
    negatives: int = whole(1, 100)
    entailment: Entailment


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
    order_seeds: int = whole(1, 100)
    seed: int = seed()
    retrieval_images: int = whole(0)
    retrieval_seeds: int = whole(1, 100)
