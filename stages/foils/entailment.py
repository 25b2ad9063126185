"""What a caption entails, by a model of natural language inference (the paper filters HN-Swap with RoBERTa, section 4.2).

A negative that the truth entails is true. Every pair is asked once, in batches of like length, on a GPU where there is one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from safetensors import SafetensorError

from stages.contract.errors import CrepeError, MissingPackage


class Entailment:
    """A sequence-pair classifier of transformers, by its name on the hub or by the path of a folder that holds one.

    Raises:
        MissingPackage: transformers is not installed.
        CrepeError: there is no such model, or none of its labels is an entailment.
    """

    def __init__(self, name: str, batch_tokens: int, device: str = "auto"):
        try:
            import torch
            from transformers import AutoModelForSequenceClassification, AutoTokenizer
        except ImportError:
            raise MissingPackage("transformers", f"gen_hn_prod.entailment {name!r}") from None
        self.torch = torch
        self.device = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
        self.batch_tokens = batch_tokens
        try:
            self.tokenizer = AutoTokenizer.from_pretrained(name)
            self.model = AutoModelForSequenceClassification.from_pretrained(name, use_safetensors=True).to(self.device).eval()
        except (SafetensorError, OSError, ValueError) as error:
            said = str(error).splitlines()[0]
            remedy = "name a model of natural language inference, as roberta-large-mnli, or none"
            raise CrepeError(f"gen_hn_prod.entailment: {name!r} cannot be loaded ({said}). Remedy: {remedy}.") from None
        labels = {label.lower(): int(i) for i, label in self.model.config.id2label.items()}
        # "not_entailment" of two-way models is none.
        found = [i for label, i in labels.items() if label.startswith("entail")]
        if not found:
            remedy = "name a model of natural language inference"
            raise CrepeError(f"gen_hn_prod.entailment: no label of {name!r} is an entailment ({sorted(labels)}). Remedy: {remedy}.")
        self.entailment = found[0]

    def score(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """The probability that the first of each pair entails the second; shape (pairs,)."""
        distinct = sorted(set(pairs), key=lambda pair: (len(pair[0]) + len(pair[1]), pair), reverse=True)
        found: dict[tuple[str, str], float] = {}
        while distinct:
            # The longest comes first and says how many fit into a batch; a letter is at most a token.
            batch = distinct[: max(1, self.batch_tokens // (len(distinct[0][0]) + len(distinct[0][1]) + 4))]
            distinct = distinct[len(batch) :]
            found.update(zip(batch, self._batch(batch), strict=True))
        return np.array([found[pair] for pair in pairs])

    def _batch(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        premises, hypotheses = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        encoded = self.tokenizer(premises, hypotheses, padding=True, truncation=True, return_tensors="pt").to(self.device)
        with self.torch.inference_mode():
            logits = self.model(**encoded).logits
        return logits.float().softmax(-1)[:, self.entailment].cpu().double().tolist()
