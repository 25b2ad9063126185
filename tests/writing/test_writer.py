"""Answers cost money: none is lost or paid for twice, and whatever the server does, the run ends with a clear result."""

import gc
import gzip
import json
import logging
import threading
import time
import traceback

import pytest

from stages.contract.errors import CrepeError, ParameterError
from stages.graphs.graph import SceneGraph
from stages.parameters.sections import LanguageModel
from stages.writing.agreement import Failure
from stages.writing.writer import Answers, Unanswered, Writer, _caption, description, messages
from tests.writing.server import dripping, reply, serving, slowly

DOGS = [SceneGraph(("dog", f"thing{i}"), (), ((0, "on", 1),)) for i in range(6)]
SETTINGS = {
    "base_url": "",
    "model": "tiny",
    "key_variable": "TEST_KEY",
    "temperature": 0.0,
    "max_tokens": 50,
    "timeout": 30.0,
    "attempts": 3,
    "first_pause": 0.01,
    "parallel": 3,
    "max_requests": 0,
    "max_tokens_in_all": 0,
}


def written(address, folder, graphs=DOGS, **changes):
    return list(Writer(LanguageModel(**{**SETTINGS, "base_url": address, **changes}), Answers(folder)).write(graphs))


def last(request):
    return request["messages"][-1]["content"]


def test_answers_come_in_order_and_are_not_paid_for_twice(tmp_path):
    with serving(lambda request, n: reply(f' "{last(request).split()[2]}"\nand more')) as (address, requests):
        first = written(address, tmp_path)
        assert first == [f"thing{i}" for i in range(6)]
        assert written(address, tmp_path) == first
        assert len(requests) == 6


MANY = [SceneGraph(("dog", f"thing{i}"), (), ((0, "on", 1),)) for i in range(60)]


@pytest.mark.parametrize("answer", [reply("", "length"), reply(None), reply("<think> and on")])
def test_a_model_that_never_gives_a_caption_stops_the_run(tmp_path, answer):
    with serving(lambda request, n: answer) as (address, requests):
        with pytest.raises(Unanswered, match=r"gave 20 answers without a caption .*raise caption\.llm\.max_tokens"):
            written(address, tmp_path, MANY, attempts=1)
        assert len(requests) < 60


def test_one_caption_among_the_first_and_the_run_goes_on(tmp_path):
    with serving(lambda request, n: reply("a dog" if last(request).endswith("thing3") else "")) as (address, _):
        found = written(address, tmp_path, MANY[:40], attempts=1)
    assert [answer for answer in found if isinstance(answer, str)] == ["a dog"]


def test_an_answer_in_parts_is_read(tmp_path):
    with serving(lambda request, n: reply([{"type": "text", "text": "a dog "}, {"type": "text", "text": "on a mat"}])) as (
        address,
        _,
    ):
        assert written(address, tmp_path, DOGS[:1]) == ["a dog on a mat"]


@pytest.mark.parametrize("said", ["<think>" * 50_000, "</think" * 50_000, "<think>a</think>" * 20_000 + "a dog"])
def test_an_answer_of_one_tag_takes_no_time(said):
    started = time.process_time()
    _caption(said)
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    ("said", "caption"),
    [
        ("<think>\nIt is a dog.\n</think>\n\nA dog.\n", "A dog."),
        ("Caption: a dog on a mat", "a dog on a mat"),
        ("<think> I go on and on", Failure("unfit answer", "reasoning without a caption")),
    ],
)
def test_what_a_model_thinks_aloud_is_no_caption_and_its_words_are_kept(tmp_path, said, caption):
    """Once, only the first line, "<think>", was stored, and the paid answer was lost."""
    with serving(lambda request, n: reply(said)) as (address, _):
        assert written(address, tmp_path, DOGS[:1]) == [caption]
    (stored,) = tmp_path.rglob("*.json")
    assert json.loads(stored.read_text())["answer"] == said


def test_the_servers_reason_is_told_without_the_key(tmp_path, monkeypatch):
    monkeypatch.setenv(SETTINGS["key_variable"], "sk-secret")
    said = json.dumps({"error": {"message": "Unsupported parameter: 'max_tokens';\nkey sk-secret"}})
    with serving(lambda request, n: (400, said)) as (address, _), pytest.raises(Unanswered) as error:
        written(address, tmp_path, DOGS[:1])
    assert "answered 400 (Unsupported parameter: 'max_tokens'; key …)" in str(error.value)


def test_a_killed_run_goes_on_where_it_stopped(tmp_path):
    with serving(lambda request, n: reply("fine")) as (address, requests):
        with pytest.raises(CrepeError, match="max_requests = 4"):
            written(address, tmp_path, max_requests=4, parallel=1)
        assert written(address, tmp_path) == ["fine"] * 6
        assert len(requests) == 6


@pytest.mark.parametrize(
    "misbehaviour",
    [
        lambda: (429, "slow down"),
        lambda: (500, "oops"),
        lambda: (503, ""),
        lambda: (200, "{not json"),
        lambda: (200, "[]"),
        lambda: (200, '{"choices": []}'),
        lambda: (200, '{"choices": [{"message": null}]}'),
        lambda: reply("cut in the mid", finish="length"),
        lambda: reply("   "),
        lambda: None,
    ],
)
def test_a_passing_fault_is_tried_again(tmp_path, misbehaviour):
    with serving(lambda request, n: misbehaviour() if n == 1 else reply("fine")) as (address, requests):
        assert written(address, tmp_path, DOGS[:1]) == ["fine"]
        assert len(requests) == 2


def test_a_stopped_run_prints_no_traceback_of_what_was_not_asked(tmp_path, caplog):
    with serving(lambda request, n: (402, "no credit is left")) as (address, _), pytest.raises(Unanswered):
        written(address, tmp_path, parallel=1)
    gc.collect()
    assert not caplog.records


def test_a_late_answer_is_asked_for_again(tmp_path):
    with serving(lambda request, n: slowly(4.0, reply("late")) if n == 1 else reply("fine")) as (address, requests):
        assert written(address, tmp_path, DOGS[:1], timeout=2.0) == ["fine"]
        assert len(requests) == 2


BOMB = gzip.compress(bytes(20 << 20))
OUTAGES = [
    lambda: (500, ""),
    lambda: (408, ""),
    lambda: (429, "slow down"),
    lambda: (429, "slow down", {"Retry-After": "nan"}),
    lambda: (402, "no credit is left"),
    lambda: (400, "what?"),
    lambda: (301, "", {"Location": "http://127.0.0.1:9/"}),
    lambda: (200, "<html>this is no such server</html>"),
    lambda: (200, "[" * 100_000),
    lambda: (200, reply("fine")[1].replace("10}", "1e999}")),
    lambda: (200, reply("fine")[1], {"Content-Encoding": "gzip"}),
    lambda: None,
]


@pytest.mark.parametrize("outage", OUTAGES)
def test_an_outage_stops_the_run_and_what_was_paid_for_is_kept(tmp_path, outage):
    with serving(lambda request, n: outage() if "thing3" in last(request) else reply("fine")) as (address, requests):
        with pytest.raises(Unanswered, match=r"the language model's server .* Remedy") as error:
            written(address, tmp_path, parallel=1)
        assert "\n" not in str(error.value)
        assert len(list(tmp_path.rglob("*.json"))) == 3
        asked = len(requests)
    with serving(lambda request, n: reply("fine")) as (address, requests):
        assert written(address, tmp_path) == ["fine"] * 6
        assert len(requests) == 3 and asked > 3


def test_what_is_under_way_when_a_run_stops_is_kept(tmp_path):
    with serving(lambda request, n: (402, "") if "thing0" in last(request) else slowly(0.2, reply("fine"))) as (address, _):
        with pytest.raises(Unanswered, match="answered 402"):
            written(address, tmp_path, parallel=3)
        assert len(list(tmp_path.rglob("*.json"))) == 2


@pytest.mark.parametrize(
    ("unfit", "detail"),
    [
        (lambda: reply("cut in the mid", finish="length"), "cut"),
        (lambda: reply("  "), "empty"),
        (lambda: reply("half a smile: \ud83d"), "incomplete character"),
        (lambda: (200, BOMB, {"Content-Encoding": "gzip"}), "larger than 1,048,576"),
    ],
)
def test_an_answer_that_is_no_caption_drops_its_row_alone(tmp_path, unfit, detail):
    with serving(lambda request, n: unfit() if "thing0" in last(request) else reply("fine")) as (address, requests):
        answers = written(address, tmp_path)
        assert isinstance(answers[0], Failure) and answers[0].reason == "unfit answer" and detail in answers[0].detail
        assert answers[1:] == ["fine"] * 5
        assert len(requests) == 5 + SETTINGS["attempts"]


def test_an_answer_too_long_to_be_a_caption_breaks_no_later_run(tmp_path):
    with serving(lambda request, n: reply("dog " * 200_000)) as (address, requests):
        for _ in range(2):
            (answer,) = written(address, tmp_path, DOGS[:1])
            assert answer == Failure("unfit answer", "799,999 characters")
        assert len(requests) == 1


@pytest.mark.parametrize(
    ("answer", "each"),
    [(reply("cut in the mid", finish="length"), 3), (reply("<think> and on"), 1), (reply("dog " * 999), 1)],
)
def test_an_answer_without_a_caption_is_not_paid_for_again(tmp_path, answer, each):
    """A longer answer is another request, as its max_tokens differ."""
    with serving(lambda request, n: answer if request["max_tokens"] == 50 else reply("fine")) as (address, requests):
        first = written(address, tmp_path, DOGS[:2])
        assert {one.reason for one in first} == {"unfit answer"} and len(requests) == 2 * each
        assert written(address, tmp_path, DOGS[:2]) == first and len(requests) == 2 * each
        assert written(address, tmp_path, DOGS[:2], max_tokens=500) == ["fine", "fine"]


def test_what_is_wrong_with_a_server_is_asked_again(tmp_path):
    with serving(lambda request, n: reply(None) if n <= 3 else reply("fine")) as (address, _):
        assert isinstance(written(address, tmp_path, DOGS[:1])[0], Failure)
        assert written(address, tmp_path, DOGS[:1]) == ["fine"]


HEAD = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize("drips", [dripping(HEAD, b"X-Drop: 1\r\n"), dripping(HEAD + b"Content-Length: 9999\r\n\r\n", b" ")])
def test_the_time_limit_is_the_whole_answers(tmp_path, drips):
    with serving(lambda request, n: drips) as (address, _):
        start = time.monotonic()
        with pytest.raises(Unanswered, match="no complete answer in"):
            written(address, tmp_path, DOGS[:1], attempts=2, timeout=0.5)
        assert time.monotonic() - start < 20  # as long as one answer would take


@pytest.mark.parametrize("address", ["localhost:11434/v1", "ftp://host/v1", "/v1", "http://", "http://[::1", "http://host:port"])
def test_the_address_must_be_one_of_the_web(tmp_path, address):
    with pytest.raises(ParameterError, match="base_url"):
        written(address, tmp_path)


def test_a_prompt_that_a_filter_refuses_is_dropped_alone(tmp_path):
    refused = [(400, '{"error": {"code": "content_filter"}}'), reply("", finish="content_filter")]
    with serving(lambda request, n: refused[n % 2] if "thing0" in last(request) else reply("fine")) as (address, _):
        answers = written(address, tmp_path)
        assert answers[0].reason == "refused by the server"
        assert answers[1:] == ["fine"] * 5


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_wrong_key_or_address_stops_the_run_at_once(tmp_path, status):
    with serving(lambda request, n: (status, "")) as (address, requests), pytest.raises(CrepeError, match="TEST_KEY"):
        written(address, tmp_path)
    assert len(requests) <= 2 * SETTINGS["parallel"]


def test_tokens_are_limited(tmp_path):
    with serving(lambda request, n: reply("fine", tokens=100)) as (address, requests):
        with pytest.raises(CrepeError, match="max_tokens_in_all"):
            written(address, tmp_path, max_tokens_in_all=250, parallel=1)
        assert len(requests) == 3


def test_no_more_than_so_many_at_a_time(tmp_path):
    lock, now, most = threading.Lock(), [0], [0]

    def behaviour(request, n):
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        answer = slowly(0.03, reply("fine"))
        with lock:
            now[0] -= 1
        return answer

    with serving(behaviour) as (address, _):
        written(address, tmp_path, parallel=2)
    assert most[0] <= 2


def test_the_key_goes_into_the_header_and_nowhere_else(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("TEST_KEY", "secret-key-123")
    with serving(lambda request, n: reply("fine") if n > 1 else (500, "")) as (address, requests):
        written(address, tmp_path)
        assert all(request["authorization"] == "Bearer secret-key-123" for request in requests)
    stored = "".join(file.read_text() for file in tmp_path.rglob("*") if file.is_file())
    assert stored and "secret-key-123" not in stored + "".join(capsys.readouterr())


@pytest.mark.parametrize(
    "says",
    [lambda request, n: (401, ""), lambda request, n: (500, "secret"), lambda request, n: None, lambda request, n: (400, "")],
)
def test_no_error_tells_the_key(tmp_path, monkeypatch, capsys, caplog, says):
    """It is neither in the error or its causes, nor in the rejects or a log."""
    monkeypatch.setenv("TEST_KEY", "secret-key-123")
    caplog.set_level(logging.DEBUG)
    told = ""
    try:
        with serving(says) as (address, _):
            told = str(written(address, tmp_path))
    except CrepeError:
        told = traceback.format_exc()
    assert told and "secret-key" not in told + caplog.text + "".join(capsys.readouterr())
    assert not [file for file in tmp_path.rglob("*") if file.is_file()]


def test_a_key_that_fits_into_no_header_is_not_shown(tmp_path, monkeypatch):
    monkeypatch.setenv("TEST_KEY", "secret-key\n123")
    with pytest.raises(ParameterError, match="TEST_KEY has a character") as error:
        written("http://127.0.0.1:9", tmp_path, DOGS[:1])
    assert "secret" not in str(error.value)
    monkeypatch.setenv("TEST_KEY", "secret-key-123\r\n")
    with serving(lambda request, n: reply("fine")) as (address, requests):
        written(address, tmp_path, DOGS[:1])
    assert requests[0]["authorization"] == "Bearer secret-key-123"


@pytest.mark.parametrize("damage", [b"", b"{", b"[1]", b'{"answer": "other", "sha256": "0"}', b"\xff\xfe"])
def test_a_damaged_answer_is_asked_for_again(tmp_path, damage):
    with serving(lambda request, n: reply("fine")) as (address, requests):
        written(address, tmp_path, DOGS[:1])
        next(file for file in tmp_path.rglob("*.json")).write_bytes(damage)
        assert written(address, tmp_path, DOGS[:1]) == ["fine"]
        assert len(requests) == 2


def test_a_server_that_is_not_there_is_said(tmp_path):
    with pytest.raises(Unanswered, match="ConnectError"):
        written("http://127.0.0.1:9", tmp_path, DOGS[:1], attempts=2)


def test_the_address_must_be_named(tmp_path):
    with pytest.raises(ParameterError, match="base_url"):
        written("", tmp_path)


def test_the_prompt_is_the_papers():
    graph = SceneGraph(("window", "window", "house"), ((0, "open"), (2, "old")), ((2, "have", 0),))
    assert description(graph) == "objects: open window1, window2, old house\nrelations: house have window1"
    turns = messages(graph)
    assert [turn["role"] for turn in turns] == ["system", *["user", "assistant"] * 5, "user"]
    json.dumps(turns)
