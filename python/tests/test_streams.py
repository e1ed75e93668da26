"""Streams: many calls over one link, which is cut and opened again without losing or doubling any."""

from __future__ import annotations

import asyncio
import random
import socket
import threading
import time
import typing as t
import urllib.parse
from unittest.mock import AsyncMock, Mock

import pytest

import noema_agent
from noema_agent import connect
from noema_agent.stream import _sent

from .conftest import KEY, Scripted


class Proxy:
    """Passes bytes to a server, and cuts connections when it is told to."""

    def __init__(self, address: str) -> None:
        url = urllib.parse.urlsplit(address)
        self._target = (t.cast(str, url.hostname), t.cast(int, url.port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._open: t.List[socket.socket] = []
        self.links = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                one, _ = self._listener.accept()
                other = socket.create_connection(self._target)
            except OSError:
                return
            self.links += 1
            self._open += [one, other]
            for ends in ((one, other), (other, one)):
                threading.Thread(target=self._pass, args=ends, daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while True:
                piece = source.recv(65536)
                if not piece:
                    break
                target.sendall(piece)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self) -> None:
        """Ends all connections, without a close frame."""
        for end in self._open:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self._open.clear()

    def close(self) -> None:
        # Closing alone would let a thread that waits there take one more.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()


@pytest.fixture
def proxy(noema: noema_agent.Noema) -> t.Iterator[Proxy]:
    passing = Proxy(noema._server.shown)
    yield passing
    passing.close()


def test_calls_take_effect_in_their_order(processor: noema_agent.Processor) -> None:
    with processor.session("own").stream() as link:
        answer = link.observe([{"strings": ["a"]}, {"strings": ["b"]}], clear=True, learn=True)
        assert answer["learned"] and len(answer["observed"]) == 2 and not answer["redelivered"]
        answer = link.observe({"strings": ["a"]}, predictions={"top": 1, "fields": ["future"]}, forecast=True)
        assert answer["predictions"] == [{"future": [["b"]]}]
        assert answer["forecast"]["steps"][0]["symbols"][0]["symbol"] == "b"
        assert "observed" not in link.observe({"strings": ["b"]}, brief=True)
        assert link.observe([], learn=True)["learned"]
        sent = [link.send({"strings": [str(at)]}, brief=True) for at in range(50)]
        link.flush()
        assert [one.result()["interval"] for one in sent] == list(range(5, 55))


def test_a_refused_call_is_raised_and_the_others_are_not(processor: noema_agent.Processor) -> None:
    link = processor.stream("device")
    with pytest.raises(noema_agent.RefusedError, match=r"strings\[0\] must be a string, got 7") as refused:
        link.observe({"strings": [7]})
    assert refused.value.status == 400
    link.observe({"strings": ["a"]})
    link.send({"strings": [8]})
    link.send({"strings": ["b"]})
    # The failure of the call whose result was not read is not lost.
    with pytest.raises(noema_agent.RefusedError, match="got 8"):
        link.close()
    assert processor.get_working_memory() == [["a"], ["b"]]


def test_cuts_lose_nothing_and_double_nothing(processor: noema_agent.Processor, proxy: Proxy) -> None:
    lost: t.List[Exception] = []
    opened: t.List[int] = []
    memory = connect(proxy.address, KEY, first_pause=0.01).processor(processor._path[1:]).session("cut")
    chance = random.Random(7)
    count = 150
    with memory.stream("device", on_lost=lost.append, on_open=lambda: opened.append(1)) as link:
        for at in range(count):
            sent = link.send({"strings": [f"r{at}"]}, brief=True)
            if at % 30 == 10:
                # A link is open; the next cut finds frames on their way there or back.
                sent.result()
            if at % 30 == 20:
                time.sleep(chance.random() * 0.02)
                proxy.cut()
    assert processor.session("cut").get_working_memory() == [[f"r{at}"] for at in range(count)]
    assert lost and len(opened) > 1


def test_without_a_source_it_says_that_it_is_unknown(processor: noema_agent.Processor, proxy: Proxy) -> None:
    memory = connect(proxy.address, KEY, first_pause=0.01).processor(processor._path[1:])
    with memory.stream() as link:
        link.observe({"strings": ["a"]})
        unknown = None
        for _ in range(1000):
            sent = link.send({"strings": ["b"]})
            proxy.cut()
            unknown = sent.exception()
            if unknown is not None:
                break
        assert isinstance(unknown, noema_agent.NoAnswerError)
        assert "unknown whether this took effect" in str(unknown)
        # The next link takes further calls.
        link.observe({"strings": ["c"]})


def test_numbers_of_a_program_count_once_over_its_restarts(processor: noema_agent.Processor) -> None:
    for _ in range(2):
        with processor.stream("device") as link:
            answers = [link.observe({"strings": [str(n)]}, number=n) for n in (3, 5)]
    assert [answer["redelivered"] for answer in answers] == [True, True]
    assert processor.get_working_memory() == [["3"], ["5"]]


def test_refuses_frames_out_of_order(processor: noema_agent.Processor) -> None:
    with processor.stream("device") as link:
        link.observe({"strings": ["a"]}, number=5)
        for number in (5, 4, 0, -1, 2**53, 1.5):
            with pytest.raises(ValueError, match="number must be a whole number above that of the call before, 5"):
                link.observe({"strings": ["b"]}, number=number)
        with pytest.raises(ValueError, match="number all calls of a stream, or none"):
            link.observe({"strings": ["b"]})
    with processor.stream() as link, pytest.raises(ValueError, match="number needs a source"):
        link.observe({"strings": ["b"]}, number=1)
    assert processor.get_working_memory() == [["a"]]


def test_hears_what_happens_and_renews_its_subscription(processor: noema_agent.Processor) -> None:
    heard: t.List[t.Dict[str, t.Any]] = []
    ready = threading.Event()
    count = 1_100
    with processor.stream(on_event=heard.append, on_open=ready.set, sessions=True) as link:
        assert ready.wait(30)
        session = processor.session("other")
        for at in range(0, count, 100):
            session.observe_sequence([{"strings": [str(at + more)]} for more in range(100)])
            # Events that come before the client can answer are left out: it must not fall behind.
            deadline = time.monotonic() + 30
            while len(heard) < at + 100 and time.monotonic() < deadline:
                time.sleep(0.005)
        link.observe({"strings": ["last"]})
    assert [event["interval"] for event in heard if event["session"] == "other"] == list(range(1, count + 1))
    assert heard[-1]["symbols"] == ["last"] and heard[-1]["session"] is None


def test_an_error_in_a_callback_is_raised(processor: noema_agent.Processor) -> None:
    def broken(event: t.Dict[str, t.Any]) -> None:
        raise KeyError("mine")

    link = processor.stream(on_event=broken)
    with pytest.raises(KeyError, match="mine"):
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            link.observe({"strings": ["b"]})
    with pytest.raises(KeyError, match="mine"):
        link.close()


def test_links_that_are_refused(noema: noema_agent.Noema, processor: noema_agent.Processor) -> None:
    with pytest.raises(noema_agent.WrongKeyError), connect(noema._server.shown, "wrong").processor().stream() as link:
        link.observe({"strings": ["a"]})
    with pytest.raises(noema_agent.NotFoundError), noema.processor("nowhere").stream() as link:
        link.observe({"strings": ["a"]})
    one = processor.stream("taken")
    one.observe({"strings": ["a"]})
    with processor.stream("taken") as other:
        other.observe({"strings": ["b"]})
        with pytest.raises(noema_agent.RefusedError, match="the server ended the stream") as taken:
            while True:
                one.observe({"strings": ["c"]})
        assert taken.value.status == 4001


def test_an_old_server_has_no_streams(scripted: Scripted) -> None:
    scripted.says(404, {"message": 'there is no operation at "/P1/stream"; a path is', "status": "failed"})
    scripted.answers *= 2
    scripted.says(200, {"name": "Noema", "version": "0.3.0"})
    with pytest.raises(noema_agent.OldServerError, match=r"Noema 0\.3\.0 and does not have stream"):
        with connect(scripted.address, KEY).processor().stream("device") as link:
            link.observe({"strings": ["a"]})


def test_a_server_that_is_away_ends_a_stream_that_does_not_wait() -> None:
    lost: t.List[Exception] = []
    p1 = connect("http://127.0.0.1:9", KEY, first_pause=0.01).processor()
    with pytest.raises(noema_agent.NoAnswerError, match="no server listens"):
        with p1.stream("device", retries=2, on_lost=lost.append) as link:
            link.observe({"strings": ["a"]})
    assert len(lost) == 2


@pytest.mark.parametrize(
    "records, options, message",
    [
        ([{"strings": ["a"]}] * 1001, {}, "at most 1000 records, got 1001"),
        ({"strings": ["a" * 1_100_000]}, {}, "more than 1048576 bytes"),
        ({"string": ["a"]}, {}, "record has no member 'string'"),
        ([{"strings": ["a"]}, 7], {}, r"records\[1\] must be a dict"),
        ({"numbers": {"x": float("inf")}}, {}, r"observe\[0\]\.numbers\.x must be a finite number"),
        ({"strings": ["a"]}, {"learn": "yes"}, "learn must be True or False, got 'yes'"),
    ],
)
def test_refuses_wrong_calls_before_they_are_sent(
    processor: noema_agent.Processor, records: t.Any, options: t.Dict[str, t.Any], message: str
) -> None:
    with processor.stream() as link, pytest.raises((TypeError, ValueError), match=message):
        link.observe(records, **options)
    assert processor.get_time() == 0


@pytest.mark.parametrize(
    "options", [{"frames": 0}, {"frames": 257}, {"buffer": 0}, {"events": ["seen"]}, {"source": ""}]
)
def test_refuses_wrong_settings(options: t.Dict[str, t.Any]) -> None:
    with pytest.raises(ValueError):
        connect("http://127.0.0.1:9", KEY).processor().stream(**options)


def test_nothing_is_written_to_a_link_that_is_lost() -> None:
    class Lost:
        """A link whose transport has noticed that it is lost."""

        transport = Mock(is_closing=Mock(return_value=True))
        send = AsyncMock()

    asyncio.run(_sent(Lost(), "frame"))
    Lost.send.assert_not_awaited()
    Lost.transport.is_closing.return_value = False
    asyncio.run(_sent(Lost(), "frame"))
    Lost.send.assert_awaited_once_with("frame")
