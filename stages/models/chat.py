"""Multimodal language models through transformers and their chat templates: Qwen-VL, Gemma, PaliGemma, LLaVA, SmolVLM and others.

A model is asked in one of three forms:

- ``p_yes``: the log of the probability that its answer to a question about the caption begins with "Yes" (VQAScore, Lin et al.,
  ECCV 2024), over the whole vocabulary, with all spellings summed.
- ``p_yes_of_both``: the same, divided by the probability of "Yes" and "No" together.
- ``caption``: the mean log likelihood of the caption's tokens as the answer to a prompt, less ``alpha`` times that without an
  image (VisualGPTScore, Lin et al., ICML 2024).

The image is encoded once for all captions of its crop: the prompt before them runs once, without padding, and its cache is copied
for each batch of continuations (:mod:`stages.models.continuation`).
"""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, Literal

import numpy as np
import torch
from PIL import Image
from transformers import AutoConfig, AutoModelForImageTextToText, AutoProcessor

from stages.contract.errors import CrepeError, InputError
from stages.contract.pretrained import loading
from stages.models.continuation import Inputs, LanguageModel
from stages.models.contract import Tokens, WithPrior, check_image_counts
from stages.models.digests import identity
from stages.models.huggingface import load
from stages.models.tensors import once

Form = Literal["p_yes", "p_yes_of_both", "caption"]
OTHER_KINDS = ["blip", "blip-2", "diffusion_gemma", "evolla", "florence2", "git", "instructblip", "instructblipvideo", "kosmos-2"]
OTHER_KINDS += ["kosmos-2.5", "pi0", "pix2struct", "pp_formulanet", "t5gemma2", "udop", "vision-encoder-decoder"]
"""Model types that transformers maps to the same class, but that lack left-to-right attention, a cache or a chat template."""
SPELLINGS = {"yes": ("Yes", "yes", "YES"), "no": ("No", "no", "NO")}


class Chat(WithPrior):
    """A multimodal language model.

    Args:
        batch: captions a batch.
        form: the form of the prompt, as above.
        question: the prompt; ``{caption}`` in it is replaced by the caption, if the answer is yes or no.
        alpha: the fraction of the likelihood without an image that is subtracted.

    Raises:
        InputError: the checkpoint is no left-to-right language model, or lacks a required part.
    """

    def __init__(self, checkpoint: str, precision: str, device: str, batch: int, form: Form, question: str, alpha: float = 0.0):
        refuse(checkpoint)
        network = load(AutoModelForImageTextToText, checkpoint, precision, device)
        with loading(checkpoint, "processor"):
            self.processor = AutoProcessor.from_pretrained(checkpoint, trust_remote_code=False)
            self.tokenizer = self.processor.tokenizer
        self.checkpoint, self.form, self.question, self.alpha = checkpoint, form, question, alpha
        # Not causal: the prompt attends to both sides, image included, so that none of it can be shared.
        self.prefix_lm = network.config.model_type == "paligemma"
        if not self.prefix_lm and not getattr(self.processor, "chat_template", None):
            raise InputError(checkpoint, "has no chat template", "put its chat_template.jinja next to its weights")
        self.language = LanguageModel(network, device, batch)
        self.context = self.language.context
        # Whether special tokens are split is a setting of the fast tokenizer itself, which each call changes: crops are prepared in
        # threads, which would overwrite each other's setting (transformers 5.23).
        self._lock = Lock()
        self.heads = {picture: self._head(picture) for picture in (False, True)}
        self.answers = {answer: self._first_tokens(answer) for answer in SPELLINGS}
        how = (form, question, alpha, getattr(self.processor, "chat_template", None), described(self.processor))
        self.identity = identity(f"chat {form}", network, self.tokenizer, how, self.context, precision, device)
        check_image_counts(
            self, checkpoint, "name a multimodal language model such as Qwen2.5-VL, Gemma 3, PaliGemma, LLaVA or SmolVLM"
        )

    # What is asked

    def prepare(self, image: Image.Image) -> Inputs:
        """Return the processor's output for the crop and the question, cut before the user's text if it contains captions."""
        inputs = self._processed(image.convert("RGB"))
        whole = inputs["input_ids"][0].tolist()
        rest = self._rest(self.question, picture=True)
        if whole[-len(rest) :] != rest:
            wrong = "its processor and its tokenizer make different tokens of the same question"
            raise InputError(self.checkpoint, wrong, "fetch its processor and tokenizer again, from one place")
        return inputs if self.form == "caption" else shortened(inputs, len(whole) - len(rest))

    def _processed(self, image: Image.Image) -> Inputs:
        if self.prefix_lm:
            text = f"{self.processor.image_token}{self.question}"
            with self._lock:
                inputs = self.processor(images=[[image]], text=text, return_tensors="pt")
            return {name: tensor for name, tensor in inputs.items() if name != "labels"}
        how = {"tokenize": True, "return_dict": True, "return_tensors": "pt", "add_generation_prompt": True}
        with self._lock:
            return dict(self.processor.apply_chat_template(said(self.question, image), **how))

    def _rendered(self, text: str, picture: bool) -> list[int]:
        """Return the tokens of the whole prompt as text, with one token for an image. Special tokens in ``text`` are letters."""
        how = {"chat_template": self.processor.chat_template, "add_generation_prompt": True, "sanitize_control_tokens": True}
        with self._lock:
            return list(self.tokenizer.apply_chat_template(said(text, picture or None), **how)["input_ids"])

    def _head(self, picture: bool) -> list[int]:
        """Return the prompt before the user's text, which does not depend on the text."""
        if self.prefix_lm:
            return [self.tokenizer.bos_token_id]
        several = [self._rendered(text, picture) for text in ("a", "7", self.question)]
        return several[0][: next(i for i, ids in enumerate(zip(*several, strict=False)) if len(set(ids)) > 1)]

    def _rest(self, text: str, picture: bool) -> list[int]:
        """Return the user's text and what follows it, up to where the answer begins."""
        if self.prefix_lm:
            return self._plain(f"{text}\n")
        rendered, head = self._rendered(text, picture), self.heads[picture]
        if rendered[: len(head)] != head:
            raise InputError(self.checkpoint, f"its chat template changes before the text {text!r}", "begin the question by a word")
        return rendered[len(head) :]

    def _plain(self, text: str) -> list[int]:
        """Return the tokens of a text alone, without special tokens."""
        with self._lock:
            return list(self.tokenizer(text, add_special_tokens=False, split_special_tokens=True).input_ids)

    def _first_tokens(self, answer: str) -> list[int]:
        """Return the first tokens of all spellings of yes or no. A spelling of several tokens counts only where none has one."""
        spelled = [self._plain(space + word) for word in SPELLINGS[answer] for space in ("", " ")]
        whole = {ids[0] for ids in spelled if len(ids) == 1}
        return sorted(whole or {ids[0] for ids in spelled[:2]})

    def _asked(self, texts: Sequence[str], picture: bool) -> list[list[int]]:
        """Return the tokens after the head: those of a caption, or of the whole question about it."""
        if self.form == "caption":
            return [self._plain(text) for text in texts]
        return [self._rest(self.question.replace("{caption}", text), picture) for text in texts]

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        return [tuple(self._plain(text)) for text in texts]

    # Its scores

    def score(self, images: Sequence[Inputs], texts: Sequence[str]) -> np.ndarray:
        of_crop: dict[int, list[int]] = {}
        for i, image in enumerate(images):
            of_crop.setdefault(id(image), []).append(i)
        scores = np.empty(len(texts), dtype=np.float32)
        for which in of_crop.values():
            scores[which] = self._scores(images[which[0]], [texts[i] for i in which], picture=True)
        return scores - self.alpha * self.prior(texts) if self.alpha else scores

    def prior(self, texts: Sequence[str]) -> np.ndarray:
        head = self.heads[False]
        if self.form == "caption":
            head = head + self._rest(self.question, picture=False)
        inputs = {"input_ids": torch.tensor([head]), "attention_mask": torch.ones(1, len(head), dtype=torch.long)}
        if self.prefix_lm:
            inputs["token_type_ids"] = torch.zeros(1, len(head), dtype=torch.long)
        return self._scores(inputs, texts, picture=False)

    def _scores(self, inputs: Inputs, texts: Sequence[str], picture: bool) -> np.ndarray:
        asked = self._asked(texts, picture)
        if not all(asked):
            raise CrepeError(f"caption {texts[asked.index([])]!r} has no token. Remedy: leave it out.")
        distinct, places = once([tuple(ids) for ids in asked])
        each = [asked[i] for i in distinct]
        if self.form == "caption":
            found = self.language.likelihoods(inputs, each)
        elif self.prefix_lm:
            found = [self._answer(self.language.last(lengthened(inputs, ids))) for ids in each]
        else:
            found = self.language.after_each(inputs, each, self._answer)
        return np.array(found, dtype=np.float32)[places]

    def _answer(self, logits: torch.Tensor) -> float:
        """Return to what degree the answer that begins with ``logits``, of shape (vocabulary,), is a yes.

        As a log in float64, which does not saturate: near certainty, 32-bit probabilities would tie.
        """
        log = torch.log_softmax(logits.double(), dim=-1)
        yes, no = (torch.logsumexp(log[self.answers[answer]], dim=0) for answer in SPELLINGS)
        return float(yes) if self.form == "p_yes" else float(torch.nn.functional.logsigmoid(yes - no))


def said(text: str, image: Any = None) -> list[dict[str, Any]]:
    """Return a conversation of one turn: an image, or ``True`` as its placeholder, if there is one, and a text."""
    picture = {"type": "image"} if image is True else {"type": "image", "image": image}
    return [{"role": "user", "content": [*([] if image is None else [picture]), {"type": "text", "text": text}]}]


def refuse(checkpoint: str) -> None:
    """Check by its configuration that a checkpoint may be a left-to-right language model.

    Raises:
        InputError: it is another kind of model, or missing.
    """
    with loading(checkpoint, "configuration"):
        config = AutoConfig.from_pretrained(checkpoint, trust_remote_code=False)
    text = config.get_text_config()
    if config.model_type in OTHER_KINDS or config.is_encoder_decoder or text.is_encoder_decoder:
        remedy = "name a multimodal language model such as Qwen2.5-VL; BLIP and GIT belong to the family generative"
        raise InputError(checkpoint, f"{config.model_type} is not a left-to-right language model that reads images", remedy)


def described(processor: Any) -> str:
    """Return the settings of a processor that decide how many tokens an image becomes."""
    parts = (getattr(processor, name, None) for name in ("image_processor", "video_processor"))
    settings = [(type(part).__name__, sorted((key, str(value)) for key, value in part.to_dict().items())) for part in parts if part]
    plain = sorted((key, value) for key, value in vars(processor).items() if isinstance(value, bool | int | float | str))
    return repr((type(processor).__name__, plain, settings))


def _by_token(inputs: Inputs, change: Callable[[str, torch.Tensor], torch.Tensor]) -> Inputs:
    """Return ``inputs`` with ``change`` applied to all tensors that have an entry a token."""
    length = inputs["input_ids"].shape[1]
    of_tokens = {name for name, tensor in inputs.items() if tensor.shape == (1, length)} | {"cross_attention_mask"}
    return {name: change(name, tensor) if name in of_tokens else tensor for name, tensor in inputs.items()}


def shortened(inputs: Inputs, length: int) -> Inputs:
    """Return the first ``length`` tokens of ``inputs``, with the whole image."""
    return _by_token(inputs, lambda name, tensor: tensor[:, :length])


def lengthened(inputs: Inputs, ids: Sequence[int]) -> Inputs:
    """Return ``inputs`` with further text tokens appended."""

    def longer(name: str, tensor: torch.Tensor) -> torch.Tensor:
        more = torch.tensor([list(ids)]) if name == "input_ids" else torch.full((1, len(ids)), int(name == "attention_mask"))
        return torch.cat([tensor, more.to(tensor)], dim=1)

    return _by_token(inputs, longer)
