"""Pretrained models that judge a sentence without a picture: how likely, how grammatical, how plausible it is.

All through transformers, by a hub name or a folder. Distinct sentences are scored once, in batches of like length.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from safetensors import SafetensorError

from stages.contract.errors import CrepeError, MissingPackage

BATCH = 64


class Pretrained:
    """A model of ``auto``'s kind with its tokenizer; ``__call__`` gives a score for each sentence, higher is better.

    Raises:
        MissingPackage: transformers is not installed.
        CrepeError: there is no such model.
    """

    auto: str

    def __init__(self, checkpoint: str, device: str = "cpu"):
        try:
            import torch
            import transformers
        except ImportError:
            raise MissingPackage("transformers", f"the blind scorer {checkpoint}") from None
        self.torch, self.device = torch, device
        try:
            self.tokenizer: Any = transformers.AutoTokenizer.from_pretrained(checkpoint)
            self.model: Any = getattr(transformers, self.auto).from_pretrained(checkpoint).eval().to(device)
        except (SafetensorError, OSError, ValueError) as error:
            said = str(error).strip().splitlines()[0]
            raise CrepeError(f"{checkpoint} cannot be loaded ({said}). Remedy: name a model of the kind {self.auto}.") from None
        if self.tokenizer.pad_token is None:
            self.tokenizer.pad_token = self.tokenizer.eos_token

    def __call__(self, sentences: Sequence[str]) -> np.ndarray:
        distinct = sorted(set(sentences), key=lambda sentence: (len(sentence), sentence))
        found: dict[str, float] = {}
        for start in range(0, len(distinct), BATCH):
            some = distinct[start : start + BATCH]
            tokens = self.tokenizer(some, padding=True, truncation=True, return_tensors="pt").to(self.device)
            with self.torch.inference_mode():
                found |= zip(some, self.scores(tokens["input_ids"], tokens["attention_mask"]).float().tolist(), strict=True)
        return np.array([found[sentence] for sentence in sentences], dtype=np.float32)

    def scores(self, ids: Any, mask: Any) -> Any:
        """Scores of a batch of tokens, of shape (sentences,)."""
        raise TypeError(f"{type(self).__name__} says not how it scores")


class Causal(Pretrained):
    """Log likelihood of the sentence, by a model that reads from left to right, as GPT-2."""

    auto = "AutoModelForCausalLM"

    def scores(self, ids: Any, mask: Any) -> Any:
        start = self.tokenizer.bos_token_id
        if start is None:
            start = self.tokenizer.eos_token_id
        begin = self.torch.full_like(ids[:, :1], start)
        ids, mask = self.torch.cat([begin, ids], dim=1), self.torch.cat([self.torch.ones_like(begin), mask], dim=1)
        told = self.model(input_ids=ids, attention_mask=mask).logits[:, :-1].float().log_softmax(-1)
        return (told.gather(-1, ids[:, 1:, None])[..., 0] * mask[:, 1:]).sum(dim=1)


class Masked(Pretrained):
    """Pseudo log likelihood, by a model that sees both sides, as BERT: each token's, where it alone is masked."""

    auto = "AutoModelForMaskedLM"

    def scores(self, ids: Any, mask: Any) -> Any:
        names = ("cls", "sep", "bos", "eos", "pad")
        ends = [end for name in names if (end := getattr(self.tokenizer, f"{name}_token_id")) is not None]
        counted = mask.bool() & ~self.torch.isin(ids, self.torch.tensor(ends, device=ids.device))
        total = self.torch.zeros(len(ids), device=ids.device)
        for place in counted.any(dim=0).nonzero()[:, 0].tolist():
            hidden = ids.clone()
            hidden[:, place] = self.tokenizer.mask_token_id
            told = self.model(input_ids=hidden, attention_mask=mask).logits[:, place].float().log_softmax(-1)
            total += told.gather(-1, ids[:, place, None])[:, 0] * counted[:, place]
        return total


class Grammar(Pretrained):
    """Log odds that the sentence is acceptable, by a classifier trained on CoLA, whose last class says so."""

    auto = "AutoModelForSequenceClassification"

    def scores(self, ids: Any, mask: Any) -> Any:
        logits = self.model(input_ids=ids, attention_mask=mask).logits
        return logits[:, -1] - logits[:, 0]


class Vera(Pretrained):
    """Plausibility as Vera judges it: a T5 encoder whose last token is read by a linear layer.

    Its checkpoint keeps that layer in the embeddings of tokens that no text has: 32099 the weights, 32098 the bias.
    """

    auto = "T5EncoderModel"

    def scores(self, ids: Any, mask: Any) -> Any:
        embeddings = self.model.shared.weight
        hidden = self.model(input_ids=ids, attention_mask=mask).last_hidden_state
        last = hidden[self.torch.arange(len(ids)), mask.sum(dim=1) - 1]
        return last @ embeddings[32099] + embeddings[32098, 0]


KINDS: dict[str, type[Pretrained]] = {"causal": Causal, "masked": Masked, "grammar": Grammar, "vera": Vera}
