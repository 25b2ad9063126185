"""What lmms-eval asks of a document and makes of a model's answer; the export copies this file beside the tasks as ``utils.py``.

A document is a row of the exported data set: an ``image``, its ``captions`` and the ``label`` of the true one among them.
"""

import re
from typing import Any

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def doc_to_visual(doc: dict[str, Any]) -> list[Any]:
    return [doc["image"].convert("RGB")]


def doc_to_text(doc: dict[str, Any], lmms_eval_specific_kwargs: dict[str, str] | None = None) -> str:
    prompts = lmms_eval_specific_kwargs or {}
    options = "\n".join(f"{letter}. {caption}" for letter, caption in zip(LETTERS, doc["captions"], strict=False))
    return f"{prompts.get('pre_prompt', '')}{options}{prompts.get('post_prompt', '')}"


def doc_to_target(doc: dict[str, Any]) -> str:
    return LETTERS[doc["label"]]


def process_results(doc: dict[str, Any], results: list[str]) -> dict[str, float]:
    return {"accuracy": float(answer(results[0], doc["captions"]) == doc["label"])}


SAYING = r"^(?:(?:the )?(?:correct )?(?:answer|ans|caption)(?: is)?:?\s*)"
"""What stands before a caption that a reply repeats."""


def _bare(response: str) -> str:
    """A reply without the marks that some models set around their answer."""
    boxed = re.search(r"\\boxed\{(.*?)\}|<answer>(.*?)</answer>", response, flags=re.DOTALL)
    inner = response if boxed is None else boxed[1] or boxed[2] or ""
    return re.sub(r"^\s*\[([A-Za-z])\]\s*$", r"\1", inner)


def answer(response: str, captions: list[str]) -> int | None:
    r"""Which caption a response chooses: by its letter, alone or in brackets, or word for word; None where it says no one of them.

    >>> [answer(response, ["a dog", "a cat"]) for response in ("B", "(b) a cat", "Answer: A.", "a cat", "Answer: a cat")]
    [1, 1, 0, 1, 1]
    >>> [answer(response, ["a dog", "a cat"]) for response in ("**B**", "B\n\nThe cat", '"a cat"', "A cat sits")]
    [1, 1, 1, None]
    >>> [answer(response, ["a dog", "a cat"]) for response in ("B, as it sits", "B - a cat", "B a cat", "The answer is option B")]
    [1, 1, 1, 1]
    >>> [answer(response, ["a dog", "a cat"]) for response in ("The correct caption is B.", "The caption is A dog that sits")]
    [1, None]
    >>> [answer(response, ["a dog", "a cat"]) for response in ("B is correct.", "B is true of the image.", "Caption B", "It's B")]
    [1, 1, 1, 1]
    >>> [answer(response, ["a dog", "a cat"]) for response in ("The letter is B", "The correct choice is B", "[B]", "Ans: B")]
    [1, 1, 1, 1]
    >>> [answer(response, ["a dog", "a cat"]) for response in (r"\boxed{B}", "<answer>B</answer>", "A dog is correct")]
    [1, 1, None]
    >>> answer("The caption that is true of the image is B.", ["a dog", "a cat"])
    1
    >>> answer("The correct caption is: a cat", ["a dog", "a cat"])
    1
    """
    # Models set letters in bold, captions in quotation marks, and explain themselves in the lines below.
    reply, *options = (re.sub(r'[*`"]', "", text).strip() for text in (_bare(response), *captions))
    said = re.sub(SAYING, "", reply, flags=re.IGNORECASE).rstrip(".").casefold()
    plain = [caption.rstrip(".").casefold() for caption in options]
    equal = [i for i, caption in enumerate(plain) if said in (caption, f"{LETTERS[i].casefold()} {caption}")]
    if equal:
        return equal[0]
    letters = LETTERS[: len(captions)]
    # A letter at the beginning, in brackets, or after "answer is": the word "a" before another is none.
    alone = rf"[{letters}{letters.lower()}](?=[).:,\n]|\s[-–]|$)"
    named = r"(?i:(?:answer|ans|option)(?: is)?:?(?: option)?)\s*"
    letter = re.match(rf"\(?({alone})", reply) or re.search(rf"(?:{named}|\()({alone}|[{letters}](?=\s))", reply)
    letter = letter or re.search(rf"(?i:(?:caption|letter|choice)(?: is)?:?|it's|true of the image is)\s*({alone})", reply)
    letter = letter or re.match(rf"([{letters}]) is (?:correct|true|right)\b", reply)
    return letters.index(letter[1].upper()) if letter else None
