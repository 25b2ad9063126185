"""A cache of text-only scorers' scores, which depend only on the captions and on the scorers' code and training captions.

A file holds the scores that one :class:`ScorerGroup` gave to one list of captions. Its name is the digest of both, so that other
captions, other training captions or other code give another file; the scorers are made only where a file is missing.
"""

import sys
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np

from stages.contract.files import complete, sweep
from stages.contract.pretrained import choose_device
from stages.models.contract import finite
from stages.models.digests import digest_of_network, digest_of_tokenizer, key_of
from stages.parameters.sections import Evaluate
from stages.shortcuts import neural, scorers
from stages.shortcuts.meaning import MEANING, Meaning
from stages.shortcuts.scorers import ShortcutScorer
from stages.shortcuts.set_similarity import set_scores as scores_of_sets

STAGES = Path(__file__).parents[1]
CODE = ("shortcuts/*.py", "text/tokens.py")
"""The code that a shortcut scorer's scores depend on."""


@dataclass(frozen=True)
class ScorerGroup:
    """Scorers that are made together.

    Attributes:
        identity: names everything that their scores depend on besides the captions.
        make: makes them, which takes seconds; :data:`stages.shortcuts.meaning.MEANING` among them returns a vector a caption.
    """

    identity: str
    make: Callable[[], Mapping[str, ShortcutScorer]]


def scorer_groups(training_captions: Sequence[str], settings: Evaluate) -> list[ScorerGroup]:
    """Return the scorers and vectors that learn from ``training_captions``, and those that ``evaluate.shortcut_models`` names."""
    device = choose_device(settings.device)
    code = _code()
    scorers.left_out(training_captions, "there are no captions to learn from (evaluate.shortcut_captions)")

    def estimated() -> dict[str, ShortcutScorer]:
        if not training_captions:
            return scorers.scorers([])
        bag = scorers.BagOfWords(training_captions)
        return {**scorers.scorers(training_captions, bag), MEANING: Meaning(bag)}

    @cache
    def recurrent() -> dict[str, ShortcutScorer]:
        return {neural.NAME: neural.RecurrentModel(training_captions).score}

    captions = key_of(*training_captions).hex()
    groups = [ScorerGroup(f"estimated {code} {captions}", estimated)]
    if training_captions and held_out(settings) == (neural.NAME,):
        groups.append(ScorerGroup(f"{neural.NAME} {code} {captions}", recurrent))
    for name, scorer in scorers.pretrained(settings.shortcut_models, device).items():
        network = f"{digest_of_network(scorer.model)} {digest_of_tokenizer(scorer.tokenizer)}"
        groups.append(ScorerGroup(f"{type(scorer).__name__} {code} {network} {device} {name}", partial(dict, {name: scorer.score})))
    return groups


def held_out(settings: Evaluate) -> tuple[str, ...]:
    """Return the names of the scorers of a family that selection never uses.

    These are the causal language models that ``evaluate.shortcut_models`` names, or the one that is trained here.
    """
    causal = sorted(name for name, model in settings.shortcut_models.items() if model.kind == "causal")
    return tuple(causal) or (neural.NAME,)


def scores(groups: Iterable[ScorerGroup], texts: Sequence[str], kept: Path) -> dict[str, np.ndarray]:
    """Return every scorer's scores of ``texts``: by scorer, of shape (texts,); vectors are of shape (texts, dimensions)."""
    captions = key_of(*texts)
    by_scorer: dict[str, np.ndarray] = {}
    sweep(kept)
    for group in groups:
        path = kept / f"{key_of(group.identity, captions).hex()}.npz"
        by_scorer |= _kept(path, partial(_scored, group, texts))
    return by_scorer


def _scored(group: ScorerGroup, texts: Sequence[str]) -> dict[str, np.ndarray]:
    return {name: finite(scorer(texts), texts, f"the text-only scorer {name}") for name, scorer in group.make().items()}


def set_scores(
    texts: Sequence[str], text: np.ndarray, size: np.ndarray, meaning: np.ndarray | None, kept: Path
) -> dict[str, np.ndarray]:
    """Return every set scorer's scores of the sets' captions, as :func:`stages.shortcuts.set_similarity.set_scores` does."""
    vectors = b"" if meaning is None else np.ascontiguousarray(meaning).data.cast("B")
    path = kept / f"{key_of('sets', _code(), *texts, text.tobytes(), size.tobytes(), vectors).hex()}.npz"
    return _kept(path, partial(scores_of_sets, texts, text, size, meaning))


def _kept(path: Path, make: Callable[[], dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """Return the scores at ``path``; if missing, make them."""
    arrays = _read(path) if path.is_file() else None
    if arrays is None:
        arrays = make()
        with complete(path) as unfinished, unfinished.open("wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
    return arrays


def _read(path: Path) -> dict[str, np.ndarray] | None:
    """Return the scores at ``path``; ``None`` where its bytes were changed (each array has a checksum)."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return dict(arrays)
    except (zipfile.BadZipFile, ValueError, OSError, EOFError, KeyError) as error:
        print(f"warning: {path} is damaged ({error}) and is made again", file=sys.stderr)
        return None


def _code() -> str:
    return key_of(*(path.read_bytes() for pattern in CODE for path in sorted(STAGES.glob(pattern)))).hex()
