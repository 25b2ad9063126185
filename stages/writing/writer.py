"""Captions by a language model over the OpenAI-compatible API (paper, appendix A.3): OpenAI, vLLM, Ollama, or any other server.

Every answer is stored at once under the digest of its request, so that no answer is paid for twice, whatever happens to the run.
The key is read from the environment and goes nowhere but into the request's header.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

from stages.contract.errors import CrepeError, ParameterError
from stages.contract.files import write_json
from stages.contract.param_schema import LanguageModel
from stages.graphs.graph import SceneGraph
from stages.writing import examples
from stages.writing.agreement import Failure

INSTRUCTION = (
    "Each input lists the objects of a picture, with what they look like before them, and how they are related. Write one fluent "
    "caption that says every object, every property and every relation, in these words, and nothing else. A number at the end of a "
    "name only tells objects of that name apart: do not write it."
)
LONGEST_PAUSE = 60


class Again(Exception):
    """The server could not answer now; ``pause`` is how many seconds it asked to wait."""

    def __init__(self, why: str, pause: float | None = None):
        super().__init__(why)
        self.pause = pause


class Spent(CrepeError):
    """The limit of requests or tokens is reached."""


def description(graph: SceneGraph) -> str:
    """The two lines of appendix A.3: objects with their attributes, then relations; a number tells objects of one name apart.

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
    """The prompt: what to do, five examples of the nearest complexity, and the subgraph."""
    turns = [{"role": "system", "content": INSTRUCTION}]
    for example, caption in examples.nearest(graph.n):
        turns += [{"role": "user", "content": description(example)}, {"role": "assistant", "content": caption}]
    return [*turns, {"role": "user", "content": description(graph)}]


class Answers:
    """Answers on disk, one file each, by the digest of their request; a damaged file counts as absent."""

    def __init__(self, folder: str | Path):
        self.folder = Path(folder)

    def _path(self, request: Mapping[str, Any]) -> Path:
        digest = hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
        return self.folder / digest[:2] / f"{digest}.json"

    def get(self, request: Mapping[str, Any]) -> str | None:
        try:
            stored = json.loads(self._path(request).read_text(encoding="utf-8"))
            answer, digest = stored["answer"], stored["sha256"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return answer if isinstance(answer, str) and digest == _digest(answer) else None

    def put(self, request: Mapping[str, Any], answer: str) -> None:
        write_json(self._path(request), {"answer": answer, "sha256": _digest(answer)})


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Budget:
    """Limits of requests and tokens, shared by all threads; a limit of 0 is none."""

    def __init__(self, requests: int, tokens: int):
        self.requests, self.tokens = requests, tokens
        self.used_requests = self.used_tokens = 0
        self._lock = threading.Lock()

    def request(self) -> None:
        """Count a request that is about to be made.

        Raises:
            Spent: a limit is reached.
        """
        with self._lock:
            over = [("max_requests", self.requests, self.used_requests), ("max_tokens_in_all", self.tokens, self.used_tokens)]
            for key, limit, used in over:
                if limit and used >= limit:
                    remedy = f"raise caption.llm.{key} and run again, which goes on from the answers that are stored"
                    raise Spent(f"the language model's limit {key} = {limit:,} is reached. Remedy: {remedy}.")
            self.used_requests += 1

    def count(self, tokens: int) -> None:
        with self._lock:
            self.used_tokens += tokens


class Writer:
    """Asks the language model that ``settings`` (parameters ``caption.llm``) name."""

    def __init__(self, settings: LanguageModel, answers: Answers):
        self.settings, self.answers = settings, answers
        self.budget = Budget(settings.max_requests, settings.max_tokens_in_all)
        if not settings.base_url or not settings.model:
            raise ParameterError("caption.llm", "base_url or model is empty", "name the server's address and its model")
        key = os.environ.get(settings.key_variable, "").strip()
        if not (key.isascii() and key.isprintable()):
            # httpx would say so too, and show the key.
            wrong = f"the key in the environment variable {settings.key_variable} has a character that no key has"
            raise ParameterError("caption.llm.key_variable", wrong, "set it to the key alone")
        self.client = httpx.Client(
            base_url=settings.base_url.rstrip("/") + "/",
            timeout=settings.timeout,
            headers={"Authorization": f"Bearer {key}"} if key else {},
        )

    def write(self, graphs: Sequence[SceneGraph]) -> Iterator[str | Failure]:
        """The answer for each graph, in order, at most ``parallel`` of them asked for at a time.

        Raises:
            CrepeError: the server refuses all requests, or a limit of cost is reached.
        """
        with ThreadPoolExecutor(self.settings.parallel) as threads:
            futures = [threads.submit(self.answer, graph) for graph in graphs]
            try:
                for future in futures:
                    yield future.result()
            finally:
                for future in futures:
                    future.cancel()

    def answer(self, graph: SceneGraph) -> str | Failure:
        """The stored answer, or a new one, which is stored before anything else happens."""
        request = {
            "model": self.settings.model,
            "messages": messages(graph),
            "temperature": self.settings.temperature,
            "max_tokens": self.settings.max_tokens,
        }
        stored = self.answers.get(request)
        if stored is not None:
            return stored
        retrying = Retrying(
            retry=retry_if_exception_type(Again), stop=stop_after_attempt(self.settings.attempts), wait=self._pause, reraise=True
        )
        try:
            answer = retrying(self._ask, request)
        except Again as error:
            return Failure("no answer", str(error))
        if isinstance(answer, str):
            self.answers.put(request, answer)
        return answer

    def _pause(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.pause if isinstance(error, Again) else None
        backoff = wait_exponential(multiplier=self.settings.first_pause, max=LONGEST_PAUSE)(state)
        return min(asked, LONGEST_PAUSE) if asked is not None else backoff

    def _ask(self, request: Mapping[str, Any]) -> str | Failure:
        self.budget.request()
        try:
            response = self.client.post("chat/completions", json=request)
        except httpx.TransportError as error:
            raise Again(f"{type(error).__name__}: {error}") from None
        if response.status_code in (401, 403, 404):
            remedy = f"check caption.llm.base_url and model, and the key in the environment variable {self.settings.key_variable}"
            raise CrepeError(f"the language model's server answered {response.status_code}. Remedy: {remedy}.")
        if response.status_code == 429 or response.status_code >= 500:
            raise Again(f"status {response.status_code}", _seconds(response.headers.get("retry-after")))
        if response.status_code >= 400:
            return Failure("refused by the server", f"status {response.status_code}")
        return self._read(response)

    def _read(self, response: httpx.Response) -> str:
        """The caption in a response: its first line, without quotation marks."""
        try:
            body = response.json()
            choice = body["choices"][0]
            text = choice["message"]["content"]
            tokens = int((body.get("usage") or {}).get("total_tokens") or 0)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError):
            raise Again("the answer is not what the API promises") from None
        self.budget.count(tokens)
        if choice.get("finish_reason") == "length":
            raise Again("the answer was cut")
        if not isinstance(text, str) or not text.strip():
            raise Again("the answer is empty")
        return " ".join(text.strip().splitlines()[0].strip(" \"'`").split())


def _seconds(header: str | None) -> float | None:
    try:
        return max(float(header or ""), 0.0)
    except ValueError:
        return None
