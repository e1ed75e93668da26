"""Calls against a real server, and against servers that misbehave: what is refused, repeated and raised."""

from __future__ import annotations

import copy
import datetime
import decimal
import gzip
import pickle
import socket
import time
import traceback
import typing as t

import numpy
import pandas
import pytest

import noema_agent
from noema_agent import connect

from .conftest import KEY, Scripted

ENVELOPE = {"id": "P1", "interval": 1, "status": "failed", "time_stamp": 1}


def at(scripted: Scripted, **options: t.Any) -> noema_agent.Processor:
    return connect(scripted.address, KEY, first_pause=0, **options).processor()


def test_learns_and_predicts(processor: noema_agent.Processor) -> None:
    processor.observe({"strings": ["hello"], "emotives": {"joy": 0.5}})
    processor.observe({"strings": ["world"]})
    assert processor.learn() == "MODEL|7d0678ba6305341ce0d25133ab086208656a562f"
    observed = processor.observe({"strings": ["hello"]}, explain=True)
    assert observed["prediction_made"]
    assert processor.get_predictions(top=1, fields=["future"]) == [{"future": [["world"]]}]
    assert processor.forecast()["steps"][0]["symbols"][0]["symbol"] == "world"
    assert processor.forecast(sequence=[["hello"]], top=1)["within"][0]["symbol"] == "world"
    assert processor.get_time() == 3


def test_sessions_have_a_memory_of_their_own(processor: noema_agent.Processor) -> None:
    robot = processor.session("Röbot/1")
    assert robot.observe_sequence([{"strings": ["a"]}, {"strings": ["b"]}], learn=True)["learned"]
    assert [session["name"] for session in processor.list_sessions()] == ["Röbot/1"]
    assert processor.get_working_memory() == []
    assert processor.end_session("Röbot/1") == "session-ended"


def test_a_delivery_counts_once(processor: noema_agent.Processor) -> None:
    for _ in range(2):
        observed = processor.observe({"strings": ["a"]}, delivery={"source": "device", "number": numpy.int64(7)})
    assert observed["redelivered"]
    assert processor.get_time() == 1
    # A number below the last of its source is out of order, and changes nothing.
    assert processor.observe({"strings": ["b"]}, delivery={"source": "device", "number": 6})["redelivered"]
    assert processor.get_working_memory() == [["a"]]


def test_keeps_and_restores(noema: noema_agent.Noema, processor: noema_agent.Processor, tmp_path: t.Any) -> None:
    processor.observe_sequence([{"strings": ["a"]}, {"strings": ["b"]}], learn=True)
    file = tmp_path / "knowledge.json"
    processor.export_knowledge_base(order=True).save(file)
    backup = noema.backup(processor="P1").read()
    assert processor.clear_all_memory() == "all-cleared"
    assert processor.load_knowledge_base(file) == "success"
    assert len(processor.list_models()["models"]) == 1
    with open(file, "rb") as open_file:
        assert processor.load_knowledge_base(open_file, mode="merge") == "success"
    whole: t.Any = processor.get_knowledge_base()
    assert processor.load_knowledge_base(whole) == "success"
    assert noema.restore(gzip.compress(backup), processor="P1")["lines"] > 0
    assert noema.restore((backup[at : at + 100] for at in range(0, len(backup), 100)), processor="P1")["lines"] > 0
    with pytest.raises(noema_agent.RefusedError, match="line"):
        noema.restore(backup[:-10], processor="P1")
    assert [entry.name for entry in tmp_path.iterdir()] == ["knowledge.json"]


def test_values_of_numpy_and_pandas(processor: noema_agent.Processor) -> None:
    processor.put_encoder("temp", {"kind": "step", "size": 1})
    processor.observe({"numbers": {"temp": numpy.float32(20.5)}, "vectors": numpy.array([[1, 2], [3, 4]])})
    processor.observe({"strings": numpy.array(["a", "b"]), "time": pandas.Timestamp("2026-03-09T00:00Z")})
    assert processor.get_percept()["time"] == 1773014400
    processor.observe({"emotives": {"joy": numpy.int64(1), "awe": decimal.Decimal("0.5")}})
    processor.observe({"strings": tuple("ab"), "metadata": {"flag": numpy.bool_(True)}})
    assert processor.get_time() == 4


@pytest.mark.parametrize(
    "record, message",
    [
        ({"numbers": {"temp": float("nan")}}, r"data\.numbers\.temp must be a finite number, got nan"),
        ({"numbers": {"temp": numpy.float64("inf")}}, r"data\.numbers\.temp must be a finite number, got .*inf"),
        ({"numbers": {"temp": numpy.float32("nan")}}, r"data\.numbers\.temp must be a finite number"),
        ({"vectors": [[1.0], numpy.array([2.0, numpy.inf])]}, r"data\.vectors\[1\]\[1\] must be a finite number"),
        ({"strings": ["a", "\ud800"]}, r"data\.strings\[1\] must be well-formed Unicode"),
        ({"strings": {"a"}}, r"data\.strings must be a JSON value, .*got set"),
        ({"strings": [b"a"]}, r"data\.strings\[0\] must be a JSON value, .*got bytes"),
        ({"strings": [pandas.NA]}, r"data\.strings\[0\] must be a JSON value"),
        ({"time": datetime.datetime(2026, 3, 9)}, r"data\.time is a time without a zone; say which"),
        ({"time": pandas.NaT}, r"data\.time must be a JSON value"),
        ({"metadata": {1: {2: numpy.datetime64("2026-03-09")}}}, r"names in data\.metadata must be strings, got 1"),
        ({"string": ["a"]}, r"record has no member 'string'; did you mean 'strings'\?"),
        (["a"], r'record must be a dict such as {"strings": \["hello"\]}'),
    ],
)
def test_refuses_a_wrong_record_before_it_is_sent(record: t.Any, message: str, scripted: Scripted) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        at(scripted).observe(record)
    assert scripted.requests == []


def test_raises_what_the_server_refuses(noema: noema_agent.Noema, processor: noema_agent.Processor) -> None:
    with pytest.raises(noema_agent.RefusedError, match=r"strings\[0\] must be a string, got 7") as refused:
        processor.observe({"strings": [7]})
    assert (refused.value.status, refused.value.operation) == (400, "observe")
    with pytest.raises(noema_agent.FailedError, match="recall_threshold must be a number from 0 to 1, got 7"):
        processor.change_genes({"recall_threshold": 7})
    with pytest.raises(noema_agent.FailedError):
        processor.get_vector("VECTOR|none")
    with pytest.raises(noema_agent.FailedError):
        processor.get_gene("nonesuch")
    with pytest.raises(noema_agent.NotFoundError, match='there is no processor "nowhere"'):
        noema.processor("nowhere").get_status()
    with pytest.raises(noema_agent.NotFoundError):
        processor.get_encoder("none")
    with pytest.raises(TypeError, match="retry"):
        processor.learn(retry=3)


def test_a_wrong_key_says_what_to_set(noema: noema_agent.Noema) -> None:
    key = "a-key-that-is-not-known"
    wrong = connect(noema._server.shown, key)
    with pytest.raises(noema_agent.WrongKeyError, match="NOEMA_API_KEY") as refused:
        wrong.get_connection()
    text = "".join(traceback.format_exception(type(refused.value), refused.value, refused.value.__traceback__))
    shown = [repr(wrong), repr(wrong.processor().session("s")), repr(vars(wrong)), repr(vars(wrong._server)), text]
    assert [one for one in shown if key in one] == []


def test_a_key_without_the_role(noema: noema_agent.Noema) -> None:
    issued = noema.create_key(name="reader", roles=["read"])
    reader = connect(noema._server.shown, issued["key"])
    with pytest.raises(noema_agent.MissingRoleError, match="learn"):
        reader.processor().learn()
    assert noema.delete_key(issued["id"]) is None


def test_a_server_that_is_away() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        began = time.monotonic()
        with pytest.raises(noema_agent.NoAnswerError, match="no server listens at .*npm start.*NOEMA_ADDRESS") as away:
            connect(address, KEY, retries=2, first_pause=0.01).get_links()
    assert away.value.status == 0
    assert time.monotonic() - began < 20
    with pytest.raises(noema_agent.NoAnswerError, match="host of http://nowhere.invalid is not known"):
        connect("http://nowhere.invalid", KEY, retries=0).get_links()


def test_a_server_that_does_not_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(noema_agent.NoAnswerError, match="did not answer in time"):
            connect(address, KEY).get_links(timeout=0.05, retries=0)


def test_an_old_server_says_its_release(scripted: Scripted) -> None:
    scripted.says(404, {**ENVELOPE, "message": 'there is no operation at "/links"; a path is the id or name'})
    scripted.says(200, {"name": "Noema", "version": "0.9.0"})
    with pytest.raises(noema_agent.OldServerError, match=r"Noema 0\.9\.0 and does not have get_links, .* for Noema 1"):
        connect(scripted.address, KEY).get_links()


def test_what_is_no_noema(scripted: Scripted) -> None:
    scripted.says(200, b"<html>hello</html>")
    with pytest.raises(noema_agent.NoAnswerError, match="is not Noema; is this its address"):
        at(scripted, retries=0).get_status()
    scripted.answers = [(502, {}, b"<html>bad gateway</html>")]
    with pytest.raises(noema_agent.OverloadedError, match="HTTP 502 without a message from Noema"):
        at(scripted, retries=0).get_status()
    scripted.answers = [(302, {"Location": "https://elsewhere.example/"}, b"")]
    with pytest.raises(noema_agent.RefusedError, match="redirects; connect"):
        at(scripted).get_status()
    assert len(scripted.requests) == 3


def test_repeats_with_one_key_until_there_is_an_answer(scripted: Scripted) -> None:
    scripted.answers = [None]
    scripted.says(503, {**ENVELOPE, "message": "busy"}, {"Retry-After": "0"})
    scripted.says(429, {**ENVELOPE, "message": "too many"})
    scripted.okay("MODEL|1")
    assert at(scripted).learn() == "MODEL|1"
    keys = [request.headers["Idempotency-Key"] for request in scripted.requests]
    assert len(keys) == 4 and len(set(keys)) == 1
    assert at(scripted).learn(idempotency_key="mine") == "MODEL|1"
    assert scripted.requests[-1].headers["Idempotency-Key"] == "mine"


def test_waits_as_long_as_the_server_asks(scripted: Scripted) -> None:
    scripted.says(503, {**ENVELOPE, "message": "busy"}, {"Retry-After": "1"})
    scripted.okay([])
    began = time.monotonic()
    assert at(scripted).get_working_memory() == []
    assert time.monotonic() - began >= 1
    scripted.says(503, {**ENVELOPE, "message": "busy"}, {"Retry-After": "3600"})
    scripted.answers.reverse()
    with pytest.raises(noema_agent.OverloadedError, match="busy") as busy:
        at(scripted).get_working_memory()
    assert busy.value.retry_after == 3600


def test_does_not_repeat_what_could_take_effect_twice(scripted: Scripted) -> None:
    scripted.says(503, {**ENVELOPE, "message": "busy"})
    noema = connect(scripted.address, KEY, first_pause=0)
    with pytest.raises(noema_agent.OverloadedError):
        noema.create_key(name="sensor", roles=["observe"])
    with pytest.raises(noema_agent.OverloadedError):
        noema.processor().learn(retries=0)
    assert len(scripted.requests) == 2
    assert "Idempotency-Key" not in scripted.requests[1].headers
    with pytest.raises(noema_agent.OverloadedError):
        noema.processor().learn(retries=3)
    assert len(scripted.requests) == 6


def test_a_connection_that_was_closed_meanwhile_is_no_failure(scripted: Scripted) -> None:
    scripted.okay([])
    p1 = at(scripted, retries=1)
    p1.get_working_memory()
    # The idle connection looks open, and is closed without an answer.
    scripted.answers = [None, *scripted.answers]
    assert p1.get_working_memory(retries=0) == []


def test_an_export_that_breaks_off_is_not_taken_for_whole(scripted: Scripted, tmp_path: t.Any) -> None:
    scripted.says(200, b'{"metadata":{}}\n\nTHIS ANSWER IS NOT COMPLETE: the disk is full\n')
    with pytest.raises(noema_agent.FailedError, match="incomplete: the disk is full"):
        at(scripted).export_knowledge_base().save(tmp_path / "knowledge.json")
    scripted.answers = [(200, {}, b'{"line": 1}\n')]
    with pytest.raises(noema_agent.FailedError, match="last line is missing"):
        connect(scripted.address, KEY).backup().save(tmp_path / "agent.jsonl")
    scripted.answers = [(200, {"Connection": "close", "X": "1\r\nContent-Length: 1000"}, b"{")]
    with pytest.raises(noema_agent.NoAnswerError, match="broke off"):
        at(scripted).export_knowledge_base().save(tmp_path / "knowledge.json")
    assert list(tmp_path.iterdir()) == []


def test_where_it_connects(monkeypatch: pytest.MonkeyPatch, tmp_path: t.Any) -> None:
    for name in ("NOEMA_ADDRESS", "NOEMA_AGENT", "NOEMA_API_KEY", "NOEMA_KEY_FILE", "NOEMA_PROCESSOR"):
        monkeypatch.delenv(name, raising=False)
    assert repr(connect().processor()) == "<Processor http://127.0.0.1:8787/P1>"
    assert connect()._server.key() == "ABCD-1234"
    with pytest.raises(ValueError, match="there is no key for https://noema.example: set NOEMA_API_KEY"):
        connect("https://noema.example")
    file = tmp_path / "key"
    file.write_text("from-a-file\n")
    monkeypatch.setenv("NOEMA_ADDRESS", "https://noema.example/below/")
    monkeypatch.setenv("NOEMA_AGENT", "kitchen")
    monkeypatch.setenv("NOEMA_PROCESSOR", "P 2")
    monkeypatch.setenv("NOEMA_API_KEY", "from-a-variable")
    assert repr(connect().processor()) == "<Processor https://kitchen.noema.example/below/P%202>"
    assert connect()._server.key() == "from-a-variable"
    monkeypatch.setenv("NOEMA_KEY_FILE", str(file))
    assert connect()._server.key() == "from-a-file"
    assert connect(key="given")._server.key() == "given"
    file.write_text("two words")
    with pytest.raises(ValueError, match="holds no key"):
        connect()


@pytest.mark.parametrize(
    "options, message",
    [
        ({"address": "ftp://a"}, "address must be a URL of http"),
        ({"address": "http://user:password@a"}, "without a user"),
        ({"address": "127.0.0.1:8787"}, "such as http://127.0.0.1:8787"),
        ({"address": "http://a?b=c"}, "address must be"),
        ({"key": "with space"}, "key must be"),
        ({"key": "ümlaut"}, "key must be"),
        ({"key": ""}, "key must be"),
        ({"agent": "Kit chen"}, "agent must be a label"),
        ({"address": "http://192.0.2.1", "agent": "kitchen"}, "must have one"),
        ({"retries": -1}, "retries must be"),
        ({"retries": 1.5}, "retries must be"),
        ({"timeout": "3"}, "timeout must be"),
    ],
)
def test_refuses_wrong_settings(options: t.Dict[str, t.Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as refused:
        connect(**{"address": "http://127.0.0.1:1", "key": KEY, **options})
    assert "password" not in str(refused.value)


@pytest.mark.parametrize("name", ["", ".", "..", "\ud800", 7.5, None])
def test_refuses_names_that_no_path_can_carry(name: t.Any, scripted: Scripted) -> None:
    with pytest.raises(ValueError):
        at(scripted).get_model(name)
    for session in [name, "x" * 129, "a\nb"]:
        with pytest.raises(ValueError):
            at(scripted).session(session)


def test_an_agent_of_this_machine_needs_no_resolver(noema: noema_agent.Noema) -> None:
    # There is one agent here: another name is another agent, which no key opens.
    with pytest.raises(noema_agent.NoemaError) as refused:
        connect(noema._server.shown, KEY, agent="kitchen").get_connection()
    assert refused.value.status != 0


def test_errors_can_be_copied() -> None:
    error = noema_agent.RefusedError("no", operation="learn", status=400, retry_after=1.5)
    for other in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert (type(other), vars(other)) == (type(error), vars(error))
