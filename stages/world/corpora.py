"""Three training corpora over one pool of images.

Each lacks other compounds, so that seen and unseen ones can be compared on equal items.
"""

from functools import cache
from itertools import combinations
from random import Random

from stages.parameters.sections import CORPORA
from stages.world.english import Allowed, Compound, describe
from stages.world.facts import Fact, Weighted, drawn
from stages.world.kinds import FAMILIES
from stages.world.scene import Scene

# Missing words come in families and pairs, so that where a truth has unseen words, its foils may have some as well.
UNSEEN_RELATIONS = {"cc12m": ("in front of", "behind"), "yfcc15m": ("push", "pull"), "laion400m": ("above", "below")}

# Every compound is missing from one corpus or (a fifth of them) from two: each corpus lacks 40 % of all compounds, and each
# compound is in some corpus.
LACKING = [{corpus} for corpus in CORPORA] * 4 + [set(two) for two in combinations(CORPORA, 2)]
DETAIL = 0.9
"""The probability that a corpus's caption names an attribute of a thing."""


def unseen_kinds(seed: int) -> dict[str, frozenset[str]]:
    """Return the kinds that each corpus never names, a family; no kind is missing from two corpora."""
    return dict(zip(CORPORA, Random(f"{seed}:unseen kinds").sample(FAMILIES, len(CORPORA)), strict=True))


@cache
def coverage(seed: int, corpus: str) -> Allowed:
    """Return whether a corpus may state a compound: ``(kind,)``, ``(attribute, kind)`` or ``(kind, relation, kind)``.

    Cached in each process, with its answers, for all scenes.
    """
    lacks = unseen_kinds(seed)[corpus]

    @cache
    def says(compound: Compound) -> bool:
        if len(compound) == 1:
            return compound[0] not in lacks
        if len(compound) == 3 and compound[1] in UNSEEN_RELATIONS[corpus]:
            return False
        return corpus not in Random(f"{seed}:{' | '.join(compound)}").choice(LACKING)

    return says


def captions(rng: Random, scene: Scene, facts: list[Fact], says: Allowed) -> list[str]:
    """Return one or two captions of some facts in a corpus; none where it lacks words for all of them."""
    written = [_joined(rng, scene, facts, says, rng.choice((0.0, DETAIL, DETAIL))) for _ in range(rng.choice((1, 2)))]
    return list(dict.fromkeys(filter(None, written)))


def _joined(rng: Random, scene: Scene, facts: list[Fact], says: Allowed, detail: float) -> str:
    """Return a caption of several facts; empty where the corpus lacks words for all of them."""
    clauses = dict.fromkeys(describe(rng, scene, fact, says, detail) for fact in facts)
    return rng.choice((" and ", ", ", " while ", " and ")).join(filter(None, clauses))


IMAGE_CAPTIONS = 5
"""Number of captions of a whole image, as in COCO and Flickr30k."""


def image_captions(rng: Random, scene: Scene, facts: Weighted) -> list[str]:
    """Return different captions of a whole test image, each of two or three facts, as people choose them."""
    some = (drawn(rng, facts, rng.choice((2, 2, 3))) for _ in range(4 * IMAGE_CAPTIONS))
    written = dict.fromkeys(_joined(rng, scene, chosen, lambda compound: True, DETAIL) for chosen in some)
    return list(filter(None, written))[:IMAGE_CAPTIONS]


ENTITIES = {" and ": " &amp; ", "'": "&#39;"}
FOREIGN = (
    "un perro rojo en la hierba",
    "chaise bleue à côté d'une table",
    "ein grüner Ball auf dem Tisch",
    "красная машина на дороге",
    "猫が椅子の上にいます",
    "gato preto com chapéu amarelo",
    "صورة كلب أحمر",
)
BOILERPLATE = ("IMG_{n}.JPG", "click to enlarge", "Photo {n} of 300", "image unavailable", "DSC0{n}", "stock photo © {n}")


def web_fault(rng: Random, caption: str) -> str:
    """Return a caption with a fault of web data: no sentence about a picture, or a damaged one."""
    way = rng.random()
    if way < 0.3:
        return caption
    if way < 0.5:
        return next((caption.replace(a, b) for a, b in ENTITIES.items() if a in caption), f"{caption} &amp; more")
    if way < 0.68:
        return rng.choice(FOREIGN)
    if way < 0.84:
        words = [word for word in caption.split() if len(word) > 3]
        rng.shuffle(words)
        return ", ".join([*words, "cute", "free", "download", "hd", str(rng.randrange(2000, 2022))])
    if way < 0.92:
        return rng.choice(BOILERPLATE).format(n=rng.randrange(1000, 9999))
    return f"  {caption.upper()}!!  " if way < 0.96 else f"{caption}\t| shop now"
