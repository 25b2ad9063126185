"""lmms-eval's prompts for a document, and how it reads answers; the export copies this file to the tasks' folder as ``utils.py``.

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
    chosen = answer(results[0], doc["captions"])
    return {"accuracy": float(chosen == doc["label"]), "unparsed": float(chosen is None)}


LONGEST = 20_000
"""Maximum number of characters of a response that are read, from its end: models decide last."""
_CLOSERS = r"(?=\s*(?:$|[.,;:!?)\]\n]|[-\u2013\u2014]\s|(?:is|because|since|as)\b))"
_BEFORE_CAPTION = re.compile(
    r"^(?:(?:so|thus|hence|therefore),? )?(?:(?:the|my) )?(?:(?:correct|right|best|final|true|matching) )*"
    r"(?:answer|ans|caption|option|choice|description)(?: is)?:?\s*",
    re.IGNORECASE,
)


def answer(response: str, captions: list[str]) -> int | None:
    r"""Return which caption a response chooses: by its letter, alone, in brackets or in a sentence, or word for word.

    None where it chooses no single one. The article "a" is no letter.

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
    reply = _final(response)
    options = [_plain(caption).rstrip(".").casefold() for caption in captions]
    for said in (reply, _BEFORE_CAPTION.sub("", reply)):
        folded = said.rstrip(".").casefold()
        equal = [i for i, caption in enumerate(options) if folded in (caption, f"{LETTERS[i].casefold()} {caption}")]
        if equal:
            return equal[0]
    letter = _letter(reply, LETTERS[: len(captions)])
    return None if letter is None else LETTERS.index(letter)


def _final(response: str) -> str:
    """Return the final part of a response: after its reasoning, and without tags and boxes."""
    text = response[-LONGEST:].rpartition("</think>")[2]
    for begin, end in (("<answer>", "</answer>"), ("\\boxed{", "}"), ("\\text{", "}")):
        _, found, rest = text.rpartition(begin)
        text = rest.partition(end)[0] if found else text
    return _plain(text)


def _plain(text: str) -> str:
    """Return a reply without the marks for bold letters and the quotation marks of captions."""
    return re.sub(r'[*`"$\u201c\u201d]', "", text).strip()


def _letter(reply: str, letters: str) -> str | None:
    """Return the letter that a reply chooses. An "A" must end there: before another word it is an article."""
    one = rf"([{letters}])(?:(?<=A){_CLOSERS}|(?<!A)(?![\w'\u2019]))"
    lines = [line.strip() for line in reply.splitlines() if line.strip()]
    for line in (reply, lines[-1] if lines else "", lines[0] if lines else ""):
        if alone := re.fullmatch(rf"[(\[]?([{letters}{letters.lower()}])[)\]]?[.:,]?", line):
            return alone[1].upper()
    if first := re.match(rf"\(([{letters}{letters.lower()}])\)|\[?([{letters}])(?:[)\].:,]|\s+[-\u2013\u2014]\s)", reply):
        return (first[1] or first[2]).upper()
    right = rf"(?<![\w'\u2019])([{letters}])[)\]]?,? (?i:is (?:the )?(?:correct|right|best|true|answer))"
    decided = r"(?i:\b(?:answer|ans|choice|letter|(?:correct|right|best|true) (?:caption|option|one)|caption is|it'?s|it is)\b"
    decided += rf"(?: is| would be)?:?\s*(?:the )?(?:(?:caption|option|letter|choice) )?)[(\[]?{one}"
    last = rf"\bis:? [(\[]?([{letters}])[)\]]?[.\s]*$"
    for pattern in (right, decided, last):
        if found := re.findall(pattern, reply):
            return found[-1]
    name = r"(?i:\b(?:caption|option|choice) )[(\[]?"
    mentioned = re.findall(name + one, reply) or re.findall(rf"\(([{letters}])\)", reply)
    every = {*re.findall(rf"{name}([{letters}])(?!\w)", reply), *mentioned}
    return mentioned[0] if mentioned and len(every) == 1 else None
