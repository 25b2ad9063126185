"""Continuations of one prompt by a language model: the prompt runs once, and its cache is copied for each batch.

Without the following, scores are silently wrong by up to several nats: the prompt is one row without padding, with all of the
processor's output; continuations are padded on the right, without a mask and without positions; the cache is copied before use,
because a forward pass appends to it in place; positions that a model stores for a prompt are deleted before the next.
"""

import copy
import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from stages.contract.errors import CrepeError
from stages.models.tensors import by_width

Inputs = dict[str, Tensor]
"""A processor's output for a prompt, by the names of the network's arguments; one row, not padded."""
WIDTH = 16
"""Continuations are padded to a multiple of this length, each by itself, so that scores do not depend on the batch."""


class LanguageModel:
    """A multimodal language model of transformers that reads prompts, and continuations in batches."""

    def __init__(self, network: Any, device: str, batch: int):
        self.network, self.device, self.batch = network, device, batch
        self.known = set(inspect.signature(network.forward).parameters)
        self.context = int(getattr(network.config.get_text_config(), "max_position_embeddings", None) or 1 << 30)
        self.remembering = [module for module in network.modules() if hasattr(module, "rope_deltas")]

    @torch.inference_mode()
    def forward(self, inputs: Inputs, keep: int, **more: Any) -> Any:
        """Return the network's output, with the logits of the last ``keep`` tokens, or of all for 0.

        Raises:
            TypeError: the network has no such argument; it would ignore it, and score differently.
        """
        if unknown := inputs.keys() - self.known:
            raise TypeError(f"{type(self.network).__name__} has no argument {', '.join(sorted(unknown))}")
        dtype = self.network.dtype
        on_device = {n: t.to(self.device, dtype if t.is_floating_point() else None) for n, t in inputs.items()}
        if keep and "logits_to_keep" in self.known:
            more["logits_to_keep"] = keep
        output = self.network(**on_device, use_cache=True, **more)
        logits = output.logits[:, -keep:]
        if logits.shape[1] != (keep or inputs["input_ids"].shape[1]):
            what = f"{logits.shape[1]} logits of {inputs['input_ids'].shape[1]} tokens"
            raise ValueError(f"{type(self.network).__name__} gives {what}")
        output.logits = logits
        return output

    def prompt(self, inputs: Inputs, longest: int = 0) -> Any:
        """Return the network's output for a prompt: its last token's logits, and its cache, which must not be appended to.

        Raises:
            CrepeError: the prompt, with its ``longest`` continuation, has more tokens than the network has positions.
        """
        length = inputs["input_ids"].shape[1] + longest
        if length > self.context:
            raise CrepeError(
                f"an image with its question and caption has {length:,} tokens, and the model reads {self.context:,}. "
                "Remedy: lower the size of images in its preprocessor_config.json, or shorten the question."
            )
        for module in self.remembering:
            module.rope_deltas = None
        return self.forward(inputs, keep=1)

    def last(self, inputs: Inputs) -> Tensor:
        """Return the logits of a prompt's last token: (vocabulary,)"""
        return self.prompt(inputs).logits[0, -1]

    def _continued(self, inputs: Inputs, continuations: Sequence[Sequence[int]]) -> Iterator[tuple[list[int], Tensor, Tensor]]:
        """Yield batches of continuations: their indices, the logits of the prompt's last token, and those of their own tokens.

        The logits are of shape (vocabulary,) and (batch, tokens, vocabulary).
        """
        lengths = np.array([len(ids) for ids in continuations])
        prompt = self.prompt(inputs, int(lengths.max()))
        for width, which in by_width(-(-lengths // WIDTH) * WIDTH, self.batch):
            ids = torch.zeros(self.batch, width, dtype=torch.long)
            for row, i in enumerate([*which, *[which[0]] * (self.batch - len(which))]):
                ids[row, : lengths[i]] = torch.tensor(continuations[i])
            copied = copy.deepcopy(prompt.past_key_values)
            copied.reorder_cache(torch.zeros(self.batch, dtype=torch.long, device=self.device))
            more = {"input_ids": ids}
            if (mask := inputs.get("cross_attention_mask")) is not None:  # a continuation sees the tiles of the prompt's last token
                more["cross_attention_mask"] = mask[:, -1:].repeat(self.batch, width, 1, 1)
            yield which, prompt.logits[0, -1], self.forward(more, keep=0, past_key_values=copied).logits

    def likelihoods(self, inputs: Inputs, continuations: Sequence[Sequence[int]]) -> list[float]:
        """Return the mean log likelihood of each continuation's tokens after the prompt."""
        found = [0.0] * len(continuations)
        for which, before, logits in self._continued(inputs, continuations):
            for row, i in enumerate(which):
                ids = torch.tensor(continuations[i], device=logits.device)
                of_each = torch.log_softmax(torch.cat([before[None], logits[row, : len(ids) - 1]]).double(), dim=-1)
                found[i] = float(of_each.gather(1, ids[:, None]).mean())
        return found

    def after_each(self, inputs: Inputs, continuations: Sequence[Sequence[int]], read: Callable[[Tensor], float]) -> list[float]:
        """Return the result of ``read`` for the logits, of shape (vocabulary,), of each continuation's last token."""
        found = [0.0] * len(continuations)
        for which, _, logits in self._continued(inputs, continuations):
            for row, i in enumerate(which):
                found[i] = read(logits[row, len(continuations[i]) - 1])
        return found
