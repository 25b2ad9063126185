"""How sensible a caption is: by a masked language model (section 4.1 of the paper uses BERT), or by an n-gram model.

The n-gram model is estimated from half of the training captions, so that the other half can judge what it chose.

A masked model gives a sentence's pseudo-log-likelihood: the sum over its tokens of the logarithm of a token's probability where it
alone is masked. Every distinct sentence is scored once, in batches of like length, on a GPU where there is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from stages.contract.errors import CrepeError, MissingPackage
from stages.language.ngram import NGramModel


class Plausibility(Protocol):
    """Anything that says how sensible sentences are; higher is more sensible. Shape: (sentences,)."""

    def score(self, sentences: Sequence[str]) -> np.ndarray: ...


class MaskedModel:
    """A masked language model of transformers, by its name on the hub or by the path of a folder that holds one.

    Raises:
        MissingPackage: transformers is not installed.
        CrepeError: there is no such model, or its tokenizer has no mask.
    """

    def __init__(self, name: str, batch_tokens: int, device: str = "auto"):
        try:
            import torch
            from transformers import AutoModelForMaskedLM, AutoTokenizer
        except ImportError:
            raise MissingPackage("transformers", f"foils.plausibility {name!r}") from None
        self.torch = torch
        self.device = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
        self.batch_tokens = batch_tokens
        try:
            self.tokenizer = AutoTokenizer.from_pretrained(name)
            self.model = AutoModelForMaskedLM.from_pretrained(name, use_safetensors=True).to(self.device).eval()
        except (OSError, ValueError) as error:
            said = str(error).splitlines()[0]
            raise CrepeError(f"foils.plausibility: {name!r} cannot be loaded ({said}). Remedy: name a masked model.") from None
        if self.tokenizer.mask_token_id is None:
            raise CrepeError(f"foils.plausibility: {name!r} has no mask token. Remedy: name a masked language model, as BERT.")

    def score(self, sentences: Sequence[str]) -> np.ndarray:
        distinct = sorted(set(sentences), key=lambda sentence: (len(sentence), sentence))
        found = dict(zip(distinct, self._score(distinct), strict=True))
        return np.array([found[sentence] for sentence in sentences])

    def _score(self, sentences: list[str]) -> np.ndarray:
        """Scores of distinct sentences: every sentence is a row for each of its tokens, with that token masked."""
        encoded = self.tokenizer(sentences, truncation=True, return_special_tokens_mask=True)
        ids, special = encoded["input_ids"], encoded["special_tokens_mask"]
        work = [(len(ids[s]), s, t) for s in range(len(sentences)) for t, skip in enumerate(special[s]) if not skip]
        work.sort()
        scores = np.zeros(len(sentences))
        at = 0
        while at < len(work):
            # The batch ends where padding to its longest row would exceed the tokens that it may have.
            end = at + 1
            while end < len(work) and (end + 1 - at) * work[end][0] <= self.batch_tokens:
                end += 1
            np.add.at(scores, [s for _, s, _ in work[at:end]], self._masked(work[at:end], ids))
            at = end
        return scores

    def _masked(self, batch: list[tuple[int, int, int]], ids: list[list[int]]) -> np.ndarray:
        torch = self.torch
        width = batch[-1][0]
        tokens = torch.full((len(batch), width), self.tokenizer.pad_token_id or 0)
        present = torch.zeros((len(batch), width), dtype=torch.long)
        for row, (length, s, t) in enumerate(batch):
            tokens[row, :length] = torch.tensor(ids[s])
            tokens[row, t] = self.tokenizer.mask_token_id
            present[row, :length] = 1
        places = torch.tensor([t for _, _, t in batch])
        wanted = torch.tensor([ids[s][t] for _, s, t in batch])
        with torch.inference_mode():
            logits = self.model(input_ids=tokens.to(self.device), attention_mask=present.to(self.device)).logits
        picked = logits[torch.arange(len(batch)), places.to(logits.device)].float().log_softmax(-1).cpu()
        return picked[torch.arange(len(batch)), wanted].double().numpy()


def load(settings: dict[str, Any], captions: Sequence[str]) -> Plausibility:
    """What ``settings`` (``foils.plausibility``) ask for: ``model`` names a masked model, or is ``ngram``, one of ``captions``."""
    if settings["model"] == "ngram":
        return NGramModel.estimate(captions, len(captions))
    return MaskedModel(settings["model"], settings["batch_tokens"], settings["device"])
