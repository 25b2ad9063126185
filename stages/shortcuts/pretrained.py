"""Pretrained models that score a text without a picture: its likelihood, grammar, plausibility, or what it entails.

All load through transformers, by a hub name or a folder. Distinct texts are scored once, in batches of similar length.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from stages.contract.errors import CrepeError, MissingPackage
from stages.contract.pretrained import choose_device, no_remote_code


class Pretrained:
    """A model of the class ``auto``, with its tokenizer.

    Args:
        checkpoint: its name on the hub, or the path of a folder that holds it.
        device: ``cpu``, ``cuda``, or ``auto``: a GPU where there is one.
        batch_tokens: maximum number of tokens of a batch, padding included.

    Raises:
        MissingPackage: transformers is not installed.
        CrepeError: there is no such model, or it cannot score captions.
    """

    auto: str
    safetensors: bool | None = None
    """Required format of the weights; ``None`` accepts any (Vera's are not in safetensors)."""
    remedy = "name a model of that kind"

    def __init__(self, checkpoint: str, device: str = "auto", batch_tokens: int = 8192):
        try:
            import torch
            import transformers
        except ImportError:
            raise MissingPackage("transformers", f"the model {checkpoint}") from None
        self.torch, self.batch_tokens = torch, batch_tokens
        self.device = choose_device(device)
        auto = getattr(transformers, self.auto)
        try:
            with no_remote_code():
                self.tokenizer: Any = transformers.AutoTokenizer.from_pretrained(checkpoint, trust_remote_code=False)
                how = {"use_safetensors": self.safetensors, "output_loading_info": True, "trust_remote_code": False}
                model, keys = auto.from_pretrained(checkpoint, **how)
        except MemoryError:
            raise
        except Exception as error:
            # Configurations and tokenizers can be malformed in any form, and transformers may raise any exception on them.
            wrong = next(iter(str(error).strip().splitlines()), type(error).__name__)[:300]
            raise CrepeError(f"{checkpoint} cannot be loaded as {self.auto} ({wrong}). Remedy: {self.remedy}.") from None
        # Missing weights would be initialised at random, differently in every run.
        if drawn := sorted(str(key) for key in (*keys["missing_keys"], *keys["mismatched_keys"]) if "position_ids" not in str(key)):
            wrong = f"has no weights of {', '.join(drawn[:3])}"
            raise CrepeError(f"{checkpoint} {wrong}, as {self.auto} has. Remedy: {self.remedy}.")
        self.model: Any = model.eval().to(self.device)
        # Padding goes on the right, even for generative models: a caption's score must not depend on the others in its batch.
        self.tokenizer.padding_side = "right"
        if self.tokenizer.pad_token is None:
            self.tokenizer.pad_token = self.tokenizer.eos_token

    def score(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> np.ndarray:
        """Return a score for each text, or pair of texts; higher is better. Shape: (texts,)."""
        pairs = [(text,) if isinstance(text, str) else text for text in texts]
        distinct = sorted(set(pairs), key=lambda pair: (len("".join(pair)), pair), reverse=True)
        scored: dict[tuple[str, ...], float] = {}
        while distinct:
            # The longest comes first and decides how many fit into a batch: a token has at least one letter, and the ends add some
            # more.
            batch = distinct[: max(1, self.batch_tokens // (len("".join(distinct[0])) + 4))]
            distinct = distinct[len(batch) :]
            columns = (list(column) for column in zip(*batch, strict=True))
            tokens = self.tokenizer(*columns, padding=True, truncation=True, return_tensors="pt").to(self.device)
            with self.torch.inference_mode():
                scored |= zip(batch, self.scores(tokens).float().tolist(), strict=True)
        return np.array([scored[pair] for pair in pairs], dtype=np.float32)

    def scores(self, tokens: Any) -> Any:
        """Return the scores of a tokenized batch, shape (texts,)."""
        raise TypeError(f"{type(self).__name__} does not implement scores()")


class Causal(Pretrained):
    """Log likelihood of the sentence, by a model that reads from left to right, such as GPT-2."""

    auto = "AutoModelForCausalLM"

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        ends = (self.tokenizer.bos_token_id, self.tokenizer.eos_token_id)
        self.start = next((end for end in ends if end is not None), None)
        if self.start is None:
            wrong = f"the tokenizer of {self.tokenizer.name_or_path} has no token for the beginning or end of a text"
            raise CrepeError(f"{wrong}. Remedy: {self.remedy}.")
        self.tokenizer.model_max_length -= 1  # one token is put before the text

    def scores(self, tokens: Any) -> Any:
        ids, mask = tokens["input_ids"], tokens["attention_mask"]
        begin = self.torch.full_like(ids[:, :1], self.start)
        ids, mask = self.torch.cat([begin, ids], dim=1), self.torch.cat([self.torch.ones_like(begin), mask], dim=1)
        log_probabilities = self.model(input_ids=ids, attention_mask=mask).logits[:, :-1].float().log_softmax(-1)
        return (log_probabilities.gather(-1, ids[:, 1:, None])[..., 0] * mask[:, 1:]).sum(dim=1)


class Masked(Pretrained):
    """Pseudo log likelihood by a model with context on both sides, such as BERT: the sum over tokens, each masked in turn."""

    auto = "AutoModelForMaskedLM"
    safetensors = True
    remedy = "name a masked language model such as bert-base-uncased, with weights in safetensors"

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        if self.tokenizer.mask_token_id is None:
            raise CrepeError(f"{self.tokenizer.name_or_path} has no mask token. Remedy: {self.remedy}.")

    def scores(self, tokens: Any) -> Any:
        ids, mask = tokens["input_ids"], tokens["attention_mask"]
        names = ("cls", "sep", "bos", "eos", "pad")
        ends = [end for name in names if (end := getattr(self.tokenizer, f"{name}_token_id")) is not None]
        counted = mask.bool() & ~self.torch.isin(ids, self.torch.tensor(ends, device=ids.device))
        total = self.torch.zeros(len(ids), device=ids.device)
        for place in counted.any(dim=0).nonzero()[:, 0].tolist():
            hidden = ids.clone()
            hidden[:, place] = self.tokenizer.mask_token_id
            log_probabilities = self.model(input_ids=hidden, attention_mask=mask).logits[:, place].float().log_softmax(-1)
            total += log_probabilities.gather(-1, ids[:, place, None])[:, 0] * counted[:, place]
        return total


class Grammar(Pretrained):
    """Log odds that the sentence is acceptable, by a classifier trained on CoLA, whose last class means so."""

    auto = "AutoModelForSequenceClassification"

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        if self.model.config.num_labels < 2:
            raise CrepeError(f"{self.model.name_or_path} has only one class. Remedy: {self.remedy}.")

    def scores(self, tokens: Any) -> Any:
        logits = self.model(**tokens).logits
        return logits[:, -1] - logits[:, 0]


class Vera(Pretrained):
    """Plausibility by Vera: a T5 encoder whose last token goes through a linear layer.

    Its checkpoint stores that layer in the embeddings of unused tokens, by their numbers (Liu et al., 2023).
    """

    WEIGHTS, BIAS = 32099, 32098

    auto = "T5EncoderModel"

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        if len(self.model.shared.weight) <= self.WEIGHTS:
            raise CrepeError(f"{self.model.name_or_path} has no embedding {self.WEIGHTS:,}, which Vera has. Remedy: {self.remedy}.")

    def scores(self, tokens: Any) -> Any:
        ids, mask = tokens["input_ids"], tokens["attention_mask"]
        embeddings = self.model.shared.weight
        hidden = self.model(input_ids=ids, attention_mask=mask).last_hidden_state
        last = hidden[self.torch.arange(len(ids)), mask.sum(dim=1) - 1]
        return last @ embeddings[self.WEIGHTS] + embeddings[self.BIAS, 0]


class Entailment(Pretrained):
    """The probability that the first text of a pair entails the second, by a model of language inference, such as RoBERTa."""

    auto = "AutoModelForSequenceClassification"
    safetensors = True
    remedy = "name a model of natural language inference such as roberta-large-mnli, with weights in safetensors, or none"

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        labels = {label.lower(): int(i) for i, label in self.model.config.id2label.items()}
        # "not_entailment" of two-class models does not count.
        entailing = [i for label, i in labels.items() if label.startswith("entail")]
        if not entailing:
            wrong = f"{self.model.name_or_path} has no label for entailment ({sorted(labels)})"
            raise CrepeError(f"{wrong}. Remedy: {self.remedy}.")
        self.label = entailing[0]

    def scores(self, tokens: Any) -> Any:
        return self.model(**tokens).logits.float().softmax(-1)[:, self.label]


KINDS: dict[str, type[Pretrained]] = {"causal": Causal, "masked": Masked, "grammar": Grammar, "vera": Vera}
