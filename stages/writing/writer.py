"""Captions by a language model over the OpenAI-compatible API (paper, appendix A.3): OpenAI, vLLM, Ollama, or any other server.

Every answer is stored at once under the digest of its request, so that no answer is paid for twice, even if the run is killed.
The key is read from the environment and goes only into the request's header.
"""

import asyncio
import hashlib
import json
import math
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_after_attempt, wait_exponential

from stages.contract.errors import CrepeError, ParameterError
from stages.contract.files import write_json
from stages.graphs.graph import SceneGraph
from stages.parameters.sections import LanguageModel
from stages.writing import examples
from stages.writing.agreement import Failure

INSTRUCTION = (
    "Each input lists the objects of a picture, with what they look like before them, and how they are related. Write one fluent "
    "caption that says every object, every property and every relation, in these words, and nothing else. A number at the end of a "
    "name only tells objects of that name apart: do not write it."
)
LONGEST_PAUSE = 60
"""Maximum seconds between two attempts, even if a server asks for more."""
LARGEST_ANSWER = 1 << 20
"""Maximum bytes of a decompressed response; the rest is not read."""
UNFIT = "unfit answer"
CUT = Failure(UNFIT, "the answer was cut off")
ALL_UNFIT = 20
"""If this many first answers have no caption, the model never gives one."""
REMEDY_UNFIT = "raise caption.llm.max_tokens, for models that think first, or name another model"
LONGEST_CAPTION = 2000
"""Characters; the longest captions of twelve atoms have some 200. A longer text is no caption, and may exceed parsers' limits."""


class Again(Exception):
    """There is no answer now; ``pause`` is the number of seconds that the server asked to wait."""

    def __init__(self, why: str, pause: float | None = None):
        super().__init__(why)
        self.pause = pause


class Unfit(Again):
    """An answer is not a caption; the next one may be."""


class Unanswered(CrepeError):
    """There will be no answer: an outage does not depend on the subgraph, and stops the stage."""

    def __init__(self, why: str, remedy: str):
        super().__init__(f"the language model's server {why}. Remedy: {remedy}; answers that were paid for are stored.")


def description(graph: SceneGraph) -> str:
    """Return the two lines of appendix A.3: objects with their attributes, then relations; numbers distinguish objects of one name.

    >>> print(description(SceneGraph(("window", "window", "house"), ((0, "open"),), ((2, "have", 0),))))
    objects: open window1, window2, house
    relations: house have window1
    """
    counts, seen = Counter(graph.objects), Counter[str]()
    names = []
    for name in graph.objects:
        seen[name] += 1
        names.append(f"{name}{seen[name]}" if counts[name] > 1 else name)
    objects = [" ".join([*graph.attributes_of(i), name]) for i, name in enumerate(names)]
    relations = [f"{names[s]} {relation} {names[o]}" for s, relation, o in graph.relations]
    return f"objects: {', '.join(objects)}\nrelations: {', '.join(relations)}"


def messages(graph: SceneGraph) -> list[dict[str, str]]:
    """Return the prompt: the instruction, five examples of the nearest complexity, and the subgraph."""
    turns = [{"role": "system", "content": INSTRUCTION}]
    for example, caption in examples.nearest(graph.n):
        turns += [{"role": "user", "content": example}, {"role": "assistant", "content": caption}]
    return [*turns, {"role": "user", "content": description(graph)}]


class Answers:
    """Answers on disk, one file each, by the digest of their request; a damaged file counts as absent."""

    def __init__(self, folder: str | Path):
        self.folder = Path(folder)

    def _path(self, request: Mapping[str, Any]) -> Path:
        digest = hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
        return self.folder / digest[:2] / f"{digest}.json"

    def get(self, request: Mapping[str, Any]) -> str | Failure | None:
        try:
            stored = json.loads(self._path(request).read_text(encoding="utf-8"))
            answer, digest, unfit = stored["answer"], stored["sha256"], stored.get("unfit", False)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None
        if not isinstance(answer, str) or digest != _digest(answer):
            return None
        return Failure(UNFIT, answer) if unfit else answer

    def put(self, request: Mapping[str, Any], answer: str | Failure) -> None:
        """Store an answer, or in its place why it is no caption."""
        text, unfit = (answer.detail, {"unfit": True}) if isinstance(answer, Failure) else (answer, {})
        write_json(self._path(request), {"answer": text, "sha256": _digest(text), **unfit})


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Writer:
    """A client of the language model that ``settings`` (parameters ``caption.llm``) name."""

    def __init__(self, settings: LanguageModel, answers: Answers):
        self.settings, self.answers = settings, answers
        self.used = {"max_requests": 0, "max_tokens_in_all": 0}
        if not settings.base_url or not settings.model:
            raise ParameterError("caption.llm", "base_url or model is empty", "name the server's address and its model")
        key = os.environ.get(settings.key_variable, "").strip()
        if not (key.isascii() and key.isprintable()):
            # httpx would raise an error too, and show the key.
            wrong = f"the key in the environment variable {settings.key_variable} has a character that is not allowed in keys"
            raise ParameterError("caption.llm.key_variable", wrong, "set it to the key alone")
        self.address = _address(settings.base_url)
        self.headers = {"Authorization": f"Bearer {key}"} if key else {}

    def write(self, graphs: Sequence[SceneGraph]) -> Iterator[str | Failure]:
        """Yield the answer for each graph, in order, with at most ``parallel`` requests at a time; or raise a CrepeError."""
        self.error: CrepeError | None = None
        self.ended = asyncio.Event()
        slots = asyncio.Semaphore(self.settings.parallel)
        with asyncio.Runner() as runner:
            client = httpx.AsyncClient(headers=self.headers, timeout=None)  # noqa: S113 - the time limit is the whole request's
            tasks = [runner.get_loop().create_task(self._answer(graph, client, slots)) for graph in graphs]
            try:
                unfit = 0
                for number, task in enumerate(tasks, 1):
                    runner.run(asyncio.wait([task]))  # whatever its result; an interruption does not interrupt it
                    answer = task.result()
                    unfit += isinstance(answer, Failure) and answer.reason == UNFIT
                    if unfit == number == ALL_UNFIT:
                        raise Unanswered(f"gave {number} answers without a caption ({answer.detail})", REMEDY_UNFIT)  # type: ignore[union-attr]
                    yield answer
            finally:
                # No further requests; those in progress are paid for, and stored.
                self._end(CrepeError("the run was stopped"))
                runner.run(asyncio.wait(tasks))
                for task in tasks:
                    task.exception()  # asyncio would print a traceback of each exception that is not read
                runner.run(client.aclose())

    def _end(self, error: CrepeError) -> None:
        self.error = self.error or error
        self.ended.set()

    async def _answer(self, graph: SceneGraph, client: httpx.AsyncClient, slots: asyncio.Semaphore) -> str | Failure:
        """Return the stored answer, or a new one, which is stored."""
        request = {
            "model": self.settings.model,
            "messages": messages(graph),
            "temperature": self.settings.temperature,
            "max_tokens": self.settings.max_tokens,
        }
        stored = self.answers.get(request)
        if stored is not None:
            return _caption(stored) if isinstance(stored, str) else stored
        async with slots:
            try:
                answer = await self._asked(request, client)
            except CrepeError as error:
                self._end(error)
                raise
        # It is read before it is stored: no later run meets an answer that cannot be read, or pays again for one that was cut
        # off. What is wrong with the server may be put right, and is not stored.
        caption = _caption(answer) if isinstance(answer, str) else answer
        if isinstance(answer, str) or caption == CUT:
            self.answers.put(request, answer)
        return caption

    async def _asked(self, request: Mapping[str, Any], client: httpx.AsyncClient) -> str | Failure:
        """Return the answer to a request, after at most ``attempts`` attempts."""
        retrying = AsyncRetrying(
            retry=retry_if_exception_type(Again),
            stop=stop_after_attempt(self.settings.attempts),
            wait=self._pause,
            sleep=self._sleep,
            reraise=True,
        )
        try:
            return await retrying(self._ask, request, client)
        except Unfit as error:
            return Failure(UNFIT, str(error))
        except Again as error:
            raise Unanswered(f"gave no answer ({error})", "run again when it can be reached") from None

    def _pause(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.pause if isinstance(error, Again) else None
        backoff = wait_exponential(multiplier=self.settings.first_pause, max=LONGEST_PAUSE)(state)
        return min(asked, LONGEST_PAUSE) if asked is not None else backoff

    async def _sleep(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self.ended.wait(), seconds)

    async def _ask(self, request: Mapping[str, Any], client: httpx.AsyncClient) -> str | Failure:
        if self.error:
            raise self.error
        for key, used in self.used.items():
            # A limit of 0 means none.
            if used >= (limit := getattr(self.settings, key)) > 0:
                remedy = f"raise caption.llm.{key} and run again, which continues from the stored answers"
                raise CrepeError(f"the language model's limit {key} = {limit:,} is reached. Remedy: {remedy}.")
        self.used["max_requests"] += 1
        try:
            async with asyncio.timeout(self.settings.timeout):
                status, headers, body = await self._post(request, client)
        except TimeoutError:
            raise Again(f"no complete answer in {self.settings.timeout:g} seconds") from None
        except httpx.HTTPError as error:
            raise Again(f"{type(error).__name__}: {error}") from None
        if status in (408, 429) or status >= 500:
            raise Again(f"status {status}", _seconds(headers.get("retry-after")))
        if status != 200 and b"content_filter" in body:
            return Failure("refused by the server", f"status {status}")
        if status != 200:
            remedy = f"check caption.llm.base_url, model and account, and the key in the variable {self.settings.key_variable}"
            raise Unanswered(f"answered {status}{self._reason(body)}", remedy)
        return self._read(body)

    async def _post(self, request: Mapping[str, Any], client: httpx.AsyncClient) -> tuple[int, httpx.Headers, bytes]:
        """Return status, headers and body of a response, of which at most ``LARGEST_ANSWER`` bytes are read."""
        body = b""
        async with client.stream("POST", f"{self.address}/chat/completions", json=request) as response:
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > LARGEST_ANSWER:
                    raise Unfit(f"the answer is larger than {LARGEST_ANSWER:,} bytes")
            return response.status_code, response.headers, body

    def _reason(self, body: bytes) -> str:
        """Return the server's error message, in one line and without the key."""
        try:
            said = " ".join(str(json.loads(body)["error"]["message"]).split())[:300]
        except (ValueError, LookupError, TypeError, RecursionError):
            return ""
        key = self.headers.get("Authorization", "").removeprefix("Bearer ")
        return f" ({said.replace(key, '…') if key else said})"

    def _read(self, body: bytes) -> str | Failure:
        """Return the text of a response."""
        try:
            answer = json.loads(body)
            choice = answer["choices"][0]
            text, finish = choice["message"]["content"], choice.get("finish_reason")
            tokens = int((answer.get("usage") or {}).get("total_tokens") or 0)
        except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
            raise Again("the answer does not follow the API") from None
        self.used["max_tokens_in_all"] += max(tokens, 0)
        if finish == "content_filter":
            return Failure("refused by the server", "content_filter")
        if finish == "length":
            raise Unfit(CUT.detail)
        if isinstance(text, list):  # of parts, as some servers give it
            text = "".join(str(part.get("text") or "") for part in text if isinstance(part, dict))
        if not isinstance(text, str) or not text.strip():
            raise Unfit("the answer is empty")
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise Unfit("the answer has an incomplete character")
        return text


def _caption(answer: str) -> str | Failure:
    """Return the caption in an answer: the first line after the model's reasoning, without a heading and quotation marks.

    >>> _caption("<think>a dog</think>\\n\\nCaption: 'A dog.'")
    'A dog.'
    """
    before, closed, behind = answer.rpartition("</think")
    text = (behind.partition(">")[2].strip() or before.partition("<think")[0]) if closed else answer
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines or "<think" in lines[0]:
        return Failure(UNFIT, "reasoning without a caption")
    caption = " ".join(_HEAD.sub("", lines[0]).strip(" \"'`").split())
    return caption if len(caption) <= LONGEST_CAPTION else Failure(UNFIT, f"{len(caption):,} characters")


_HEAD = re.compile(r"(?:caption|output)\s*:\s*", re.IGNORECASE)


def _address(text: str) -> str:
    """Return the server's address without its last slash; a ParameterError if it is not one of the web."""
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL as error:
        raise ParameterError("caption.llm.base_url", f"{text!r} is not an address ({error})", _ADDRESS) from None
    if url.scheme not in ("http", "https") or not url.host:
        raise ParameterError("caption.llm.base_url", f"{text!r} is not a web address", _ADDRESS)
    return text.rstrip("/")


_ADDRESS = "give one such as https://api.openai.com/v1"


def _seconds(header: str | None) -> float | None:
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return max(seconds, 0.0) if math.isfinite(seconds) else None
