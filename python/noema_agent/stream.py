"""Streams: many calls over one WebSocket, which is opened again when it is lost.

A thread of its own runs the link, so that programs, notebooks among them, call it like any function.
"""

from __future__ import annotations

import asyncio
import collections
import concurrent.futures
import inspect
import json
import threading
import typing as t

from . import errors, types
from .place import name_segment
from .server import BAD_GATEWAY, TOO_MANY_REQUESTS, How, Outgoing, Server
from .values import encoded

if t.TYPE_CHECKING:
    from .client import Memory

PROTOCOL = "noema.v1"

#: The most records of a frame.
MAX_RECORDS = 1000
#: The most bytes of a frame: the server takes 1 MiB.
MAX_FRAME_BYTES = 1_048_576
#: The most bytes of frames under way: the server ends a stream that makes more than 4 MiB wait.
MAX_BYTES_UNDER_WAY = 4 * 1_048_576
#: The most bytes of a message of the server; an answer may have all predictions of a frame.
MAX_ANSWER_BYTES = 64 * 1_048_576

#: Silence after which a ping is sent, and how long its answer may take, in seconds.
SILENCE_SECONDS = 30.0
PATIENCE_SECONDS = 10.0
#: A subscription ends after 1,000 events: renew it before.
RENEW_AFTER = 100

UPGRADE_REQUIRED = 426
NORMAL = 1000
TAKEN = 4001
#: Close codes after which a new link would not help: the key is no longer valid, a frame was too large, a newer stream
#: has the source.
FINAL_CODES = (1008, 1009, TAKEN)

EVENTS = ("observed", "learned", "surprise", "incident")

Event = t.Dict[str, t.Any]
"""What happened in a memory: ``event``, ``interval``, ``session``, and what there is to say about it."""


class StreamAnswer(t.TypedDict, total=False):
    """What a call did."""

    #: What each record did, in order; absent with ``brief``, and when the call was redelivered.
    observed: t.List[types.Observed]
    #: With ``learn``: the model, as ``MODEL|<hash>``; None if working memory held fewer than two symbols.
    learned: t.Optional[str]
    #: With ``predictions``.
    predictions: t.List[types.PartialPrediction]
    #: With ``forecast``.
    forecast: types.Forecast
    #: The memory's time after the call; absent when it was redelivered.
    interval: int
    #: Whether the server had taken the call over an earlier link, whose answer was lost.
    redelivered: bool


class Sent(concurrent.futures.Future):  # type: ignore[type-arg]
    """A call whose answer is to come. ``result()`` waits for it."""

    _is_read = False

    def result(self, timeout: t.Optional[float] = None) -> StreamAnswer:
        """The answer, when it is there.

        :raises NoemaError: if the call was refused, or the stream ended
        """
        self._is_read = True
        return t.cast(StreamAnswer, super().result(timeout))

    def exception(self, timeout: t.Optional[float] = None) -> t.Optional[BaseException]:
        """Why the call failed; None if it did not."""
        self._is_read = True
        return super().exception(timeout)


class _Frame:
    """A call: what it sends, without its number, and its answer."""

    def __init__(self, body: str, records: int, number: t.Optional[int]) -> None:
        self.body = body
        self.records = records
        self.number = number
        self.n = 0
        self.sent = Sent()

    @property
    def text(self) -> str:
        return f'{{"n":{self.n}{"," if self.body else ""}{self.body}}}'


class _Ending(t.NamedTuple):
    """Why a link ended."""

    error: errors.NoemaError
    #: Whether another link would end in the same way.
    is_final: bool


class Stream:
    """A stream to a memory, made by ``Memory.stream``. Use it in a ``with``, which waits for the answers at its end."""

    def __init__(
        self,
        memory: Memory,
        source: t.Optional[str],
        *,
        frames: int,
        buffer: int,
        retries: t.Optional[int],
        on_event: t.Optional[t.Callable[[Event], None]],
        events: t.Sequence[str],
        sessions: bool,
        on_open: t.Optional[t.Callable[[], None]],
        on_lost: t.Optional[t.Callable[[Exception], None]],
    ) -> None:
        self._opener = _Opener(memory._server, memory._path, source)
        _within("frames", frames, 1, 256)
        _within("buffer", buffer, 1, 10_000_000)
        if retries is not None:
            _within("retries", retries, 0, 2**31)
        unknown = [name for name in events if name not in EVENTS]
        if isinstance(events, str) or unknown:
            raise ValueError(f"events must be a list of {', '.join(EVENTS)}, got {events!r}")
        self._source = source
        self._frames = frames
        self._buffer = buffer
        self._retries = retries
        self._on_event = on_event
        self._on_open = on_open
        self._on_lost = on_lost
        self._subscription = json.dumps({"subscribe": list(events), **({"sessions": True} if sessions else {})})
        # Guards what follows. Notified when there is room, and when the stream has ended.
        self._lock = threading.Condition()
        self._waiting: t.Deque[_Frame] = collections.deque()
        self._waiting_records = 0
        self._under_way: t.Dict[int, _Frame] = {}
        self._bytes_under_way = 0
        self._last_number = 0
        self._last_given: t.Union[int, None] = 0
        self._has_numbers: t.Optional[bool] = None
        self._unread: t.List[Sent] = []
        self._is_closing = False
        self._is_over = False
        self._reason: t.Optional[BaseException] = None
        # Of the thread that runs the link.
        self._send: t.Optional[t.Callable[[str], None]] = None
        self._sends: t.Set[asyncio.Task[None]] = set()
        self._ghosts = 0
        self._events_heard = 0
        self._is_renewing = False
        self._is_open_untold = False
        self._callbacks: t.Optional[concurrent.futures.ThreadPoolExecutor] = None
        if on_event is not None or on_open is not None or on_lost is not None:
            self._callbacks = concurrent.futures.ThreadPoolExecutor(1, "noema-stream-callbacks")
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="noema-stream", daemon=True)
        self._thread.start()

    # What a program calls.

    def observe(
        self,
        records: t.Union[types.Gdf, t.Sequence[types.Gdf]],
        *,
        clear: bool = False,
        learn: bool = False,
        predictions: t.Union[bool, t.Mapping[str, t.Any]] = False,
        forecast: t.Union[bool, t.Mapping[str, t.Any]] = False,
        explain: bool = False,
        brief: bool = False,
        number: t.Optional[int] = None,
    ) -> StreamAnswer:
        """Observes a record, or up to 1,000 of a list, all or none, and waits for the answer.

        ``clear`` acts before the records; ``learn``, then ``predictions``, then ``forecast`` after them.

        :param predictions: True, or ``{"top": 3, "fields": ["future"]}``
        :param forecast: True, or ``{"horizon": 3, "top": 5}``
        :param explain: whether each of ``observed`` says how unexpected its event was
        :param brief: whether the answer leaves out ``observed``
        :param number: the number of the call among those of the source, which must rise. All calls have one, or none
        :raises NoemaError: if the call was refused, the stream ended, or it is unknown whether the call took effect
        """
        sent = self.send(
            records,
            clear=clear,
            learn=learn,
            predictions=predictions,
            forecast=forecast,
            explain=explain,
            brief=brief,
            number=number,
        )
        return sent.result()

    def send(
        self,
        records: t.Union[types.Gdf, t.Sequence[types.Gdf]],
        *,
        clear: bool = False,
        learn: bool = False,
        predictions: t.Union[bool, t.Mapping[str, t.Any]] = False,
        forecast: t.Union[bool, t.Mapping[str, t.Any]] = False,
        explain: bool = False,
        brief: bool = False,
        number: t.Optional[int] = None,
    ) -> Sent:
        """As :meth:`observe`, but does not wait for the answer. Waits for room if too many records wait.

        Calls take effect in the order in which they are made. The failure of one whose result is
        not read is raised by :meth:`close`.
        """
        options = {
            "clear": clear,
            "learn": learn,
            "predictions": predictions,
            "forecast": forecast,
            "explain": explain,
            "brief": brief,
        }
        frame = _frame_of(records, options, number)
        with self._lock:
            self._note_number(number)
            while self._waiting and self._waiting_records + frame.records > self._buffer and not self._is_over:
                self._lock.wait()
            if self._is_over or self._is_closing:
                raise self._refusal()
            self._waiting.append(frame)
            self._waiting_records += frame.records
        self._soon(self._pump)
        return frame.sent

    def flush(self) -> None:
        """Waits until all calls are answered. Raises the first failure whose result was not read."""
        with self._lock:
            while (self._waiting or self._under_way) and not self._is_over:
                self._lock.wait()
        self._raise_unread()

    def close(self) -> None:
        """Waits for the answers, and ends the stream. Raises why it ended by itself, or the first unseen failure."""
        with self._lock:
            self._is_closing = True
        self._soon(self._end_if_done)
        if threading.current_thread() is not self._thread:
            self._thread.join()
        if self._callbacks is not None:
            self._callbacks.shutdown()
        if self._reason is not None:
            raise self._reason
        self._raise_unread()

    def abort(self) -> None:
        """Ends the stream at once. It is unknown whether calls that were not answered took effect."""
        message = "the stream was aborted, and it is unknown whether this took effect"
        self._soon(lambda: self._end(errors.NoAnswerError(message, operation="stream", status=0)))
        self._thread.join()
        if self._callbacks is not None:
            self._callbacks.shutdown()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, kind: t.Optional[t.Type[BaseException]], *_: t.Any) -> None:
        # What went wrong in the block is more to the point than what goes wrong at its end.
        if kind is None:
            self.close()
        else:
            self.abort()

    def __repr__(self) -> str:
        return f"<Stream {self._opener.shown}>"

    def _note_number(self, number: t.Optional[int]) -> None:
        if number is not None:
            if self._source is None:
                raise ValueError("number needs a source: stream(source)")
            least = (self._last_given or 0) + 1
            if isinstance(number, bool) or not isinstance(number, int) or not least <= number < 2**53:
                raise ValueError(
                    f"number must be a whole number above that of the call before, {least - 1}, got {number!r}"
                )
            self._last_given = number
        if self._has_numbers not in (None, number is not None):
            raise ValueError("number all calls of a stream, or none")
        self._has_numbers = number is not None

    def _refusal(self) -> BaseException:
        return self._reason or ValueError("the stream is closed")

    def _raise_unread(self) -> None:
        with self._lock:
            failed = [sent for sent in self._unread if not sent._is_read]
            self._unread.clear()
        if failed:
            raise t.cast(BaseException, failed[0].exception())

    # What the thread does.

    def _soon(self, act: t.Callable[[], None]) -> None:
        try:
            self._loop.call_soon_threadsafe(act)
        except RuntimeError:
            # The loop is closed: the stream has ended.
            pass

    def _tell(self, callback: t.Optional[t.Callable[..., None]], *args: t.Any) -> None:
        if callback is None or self._callbacks is None:
            return
        told = self._callbacks.submit(callback, *args)
        told.add_done_callback(self._told)

    def _told(self, told: concurrent.futures.Future[None]) -> None:
        error = told.exception()
        # An error of the program's own function ends the stream: it must not be lost.
        if error is not None:
            self._soon(lambda: self._end(error))

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._keep_open())
        except BaseException as error:  # noqa: B902: the calls must hear of it
            self._end(error)
        finally:
            self._loop.close()

    async def _keep_open(self) -> None:
        """Opens one link after another until the stream ends."""
        self._over = asyncio.Event()
        failures = 0
        while not self._is_over:
            failures += 1
            is_open, was_used, ending = await self._use_link()
            self._send = None
            if was_used:
                failures = 1
            if self._is_over:
                return
            if self._is_last(is_open, ending) or (self._retries is not None and failures > self._retries):
                return self._end(ending.error)
            if self._source is None:
                self._reject_under_way(ending.error)
            self._end_if_done()
            if self._is_over:
                return
            self._tell(self._on_lost, ending.error)
            server = self._opener.server
            pause = server.pause_after(failures, ending.error.retry_after)
            # No call waits for this attempt: honour a longer pause that the server asks for.
            seconds = pause if pause is not None else min(ending.error.retry_after or 0, 86_400)
            try:
                await asyncio.wait_for(self._over.wait(), seconds)
            except asyncio.TimeoutError:
                pass

    def _is_last(self, is_open: bool, ending: _Ending) -> bool:
        """Whether to give up after this link."""
        if not is_open:
            # The server may process an abandoned opening late, and then take the source away from the open link.
            self._ghosts += 1
        if ending.error.status != TAKEN or self._ghosts == 0:
            return ending.is_final
        self._ghosts -= 1
        return False

    async def _use_link(self) -> t.Tuple[bool, bool, _Ending]:
        """Opens a link and serves it until it ends. Returns whether it was open, whether it was used, and its end."""
        socket: t.Any = None
        is_open = was_used = False
        try:
            socket = await asyncio.wait_for(self._opener.open(), self._opener.server.timeout or None)
            is_pinged = False
            while not self._is_over:
                patience: t.Optional[float] = PATIENCE_SECONDS if is_pinged else SILENCE_SECONDS
                if not is_open:
                    patience = self._opener.server.timeout or None
                text = await self._received(socket, patience)
                if text is None and (is_pinged or not is_open):
                    return is_open, was_used, _lost("a ping was not answered" if is_open else "it said no welcome")
                if text is None:
                    is_pinged = True
                    await socket.send("ping")
                    continue
                is_pinged = False
                was_used = was_used or is_open
                if text != "pong":
                    is_open = self._hear(text, socket) or is_open
            return is_open, was_used, _lost("it was closed")
        except asyncio.CancelledError:
            raise
        except errors.NoemaError as error:
            return is_open, was_used, _Ending(error, True)
        except _NotJson:
            return is_open, was_used, _lost("a message of the server is not JSON")
        except Exception as error:
            closed = _closed(error)
            if closed is not None:
                return is_open, was_used, closed
            if is_open:
                return is_open, was_used, _lost(str(error) or type(error).__name__)
            return is_open, was_used, await self._loop.run_in_executor(None, self._opener.why_not, error)
        finally:
            self._send = None
            if socket is not None:
                await _quietly(socket.close(NORMAL))

    async def _received(self, socket: t.Any, seconds: t.Optional[float]) -> t.Optional[str]:
        """The next message; None after so much silence, and when the stream has ended."""
        receiving = asyncio.ensure_future(socket.recv())
        over = asyncio.ensure_future(self._over.wait())
        try:
            await asyncio.wait({receiving, over}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if receiving.done():
                return t.cast(str, receiving.result())
            return None
        finally:
            over.cancel()
            if not receiving.done():
                receiving.cancel()
                await _quietly(receiving)

    def _hear(self, text: str, socket: t.Any) -> bool:
        """Takes a message. Returns whether it is the welcome."""
        try:
            said = json.loads(text)
        except ValueError:
            raise _NotJson() from None
        if not isinstance(said, dict):
            raise _NotJson()
        if "welcome" in said:
            self._welcome(said["welcome"]["last"], socket)
            return True
        if "event" in said:
            self._take_event(said)
        elif "subscribed" in said:
            self._is_renewing = False
            if self._is_open_untold:
                self._is_open_untold = False
                self._tell(self._on_open)
        elif "n" in said:
            self._answer(said)
        return False

    def _welcome(self, last: int, socket: t.Any) -> None:
        self._send = lambda text: self._sending(socket, text)
        with self._lock:
            self._last_number = max(self._last_number, last)
            frames = list(self._under_way.values())
        for frame in frames:
            if frame.n > last:
                self._send(frame.text)
            else:
                self._settle(frame, {"redelivered": True})
        # A listener is told once the server has the subscription: events before that are not heard.
        self._is_open_untold = self._on_event is not None
        if self._is_open_untold:
            self._subscribe()
        else:
            self._tell(self._on_open)
        self._pump()
        self._end_if_done()

    def _sending(self, socket: t.Any, text: str) -> None:
        # Tasks begin in the order in which they are made, and a lost link is noticed where it is read.
        task = self._loop.create_task(_sent(socket, text))
        self._sends.add(task)
        task.add_done_callback(self._sends.discard)

    def _subscribe(self) -> None:
        self._events_heard = 0
        self._is_renewing = True
        if self._send is not None:
            self._send(self._subscription)

    def _take_event(self, said: Event) -> None:
        renew = said.pop("renew", False)
        self._tell(self._on_event, said)
        self._events_heard += 1
        if (renew or self._events_heard >= RENEW_AFTER) and not self._is_renewing:
            self._subscribe()

    def _answer(self, said: t.Dict[str, t.Any]) -> None:
        n, error = said.get("n"), said.get("error")
        frame = None if n is None else self._under_way.get(n)
        if frame is not None and error is not None:
            self._forget(frame)
            self._fail(frame, _refused(error))
        elif frame is not None:
            message = said.get("message", {})
            if isinstance(message.get("observed"), int):
                message = {name: value for name, value in message.items() if name != "observed"}
            interval = {"interval": said["interval"]} if "interval" in said else {}
            self._settle(frame, {**message, **interval, "redelivered": said.get("redelivered", False)})
        elif n is None and error is not None:
            # Only a subscription is answered without a number.
            self._end(_refused(error))
        self._pump()
        self._end_if_done()

    def _pump(self) -> None:
        """Sends waiting calls, within the limits."""
        while self._send is not None:
            with self._lock:
                is_full = len(self._under_way) >= self._frames or self._bytes_under_way >= MAX_BYTES_UNDER_WAY
                if not self._waiting or is_full:
                    break
                frame = self._waiting.popleft()
                self._waiting_records -= frame.records
                frame.n = frame.number if frame.number is not None else self._last_number + 1
                is_known = frame.n <= self._last_number
                if not is_known:
                    self._last_number = frame.n
                    self._under_way[frame.n] = frame
                    self._bytes_under_way += len(frame.body)
                self._lock.notify_all()
            if is_known:
                frame.sent.set_result({"redelivered": True})
            else:
                self._send(frame.text)
        self._end_if_done()

    def _forget(self, frame: _Frame) -> None:
        with self._lock:
            if self._under_way.pop(frame.n, None) is not None:
                self._bytes_under_way -= len(frame.body)
            self._lock.notify_all()

    def _settle(self, frame: _Frame, answer: t.Dict[str, t.Any]) -> None:
        self._forget(frame)
        frame.sent.set_result(answer)

    def _fail(self, frame: _Frame, error: BaseException) -> None:
        with self._lock:
            # The first is told; a program that sends a million wrong records has no use for the others.
            if not any(not sent._is_read for sent in self._unread):
                self._unread.append(frame.sent)
        frame.sent.set_exception(error)

    def _reject_under_way(self, error: errors.NoemaError) -> None:
        message = f"it is unknown whether this took effect, and there is no source to ask for: {error.message}"
        for frame in list(self._under_way.values()):
            self._forget(frame)
            self._fail(frame, errors.NoAnswerError(message, operation="stream", status=0))

    def _end_if_done(self) -> None:
        with self._lock:
            is_done = self._is_closing and not self._waiting and not self._under_way
        if is_done:
            self._end(None)

    def _end(self, reason: t.Optional[BaseException]) -> None:
        """:param reason: why; None when it was closed"""
        with self._lock:
            if self._is_over:
                return
            self._is_over = True
            self._reason = reason
            frames = [*self._under_way.values(), *self._waiting]
            self._under_way.clear()
            self._waiting.clear()
            self._lock.notify_all()
        for frame in frames:
            frame.sent.set_exception(reason or ValueError("the stream is closed"))
        if hasattr(self, "_over"):
            self._over.set()


class _NotJson(Exception):
    """What came is not from Noema."""


class _Opener:
    """Opens links of one stream."""

    def __init__(self, server: Server, path: str, source: t.Optional[str]) -> None:
        self._connect, self._headers_name = _websockets()
        query = "" if source is None else f"?source={name_segment('the name of a source', source)}"
        self.server = server
        self._memory_path = path
        self._path = f"{path}/stream{query}"
        self.shown = f"{server.shown}{self._path}"

    async def open(self) -> t.Any:
        """A WebSocket that is open."""
        server = self.server
        scheme = "wss" if server.is_secure else "ws"
        options: t.Dict[str, t.Any] = {
            self._headers_name: {"X-API-KEY": server.key()},
            "subprotocols": [PROTOCOL],
            "compression": None,
            "max_size": MAX_ANSWER_BYTES,
            "ping_interval": None,
            "open_timeout": None,
            "close_timeout": 5,
            # The address, where the name in the URL is an agent's.
            "host": server.host,
            "port": server.port,
        }
        if server.is_secure:
            options["ssl"] = server.tls
        return await self._connect(f"{scheme}://{server.authority}{server.prefix}{self._path}", **options)

    def why_not(self, error: Exception) -> _Ending:
        """Why no link could be opened. An ordinary request shows it."""
        refusal = self._refusal(self._path)
        if refusal is not None and refusal.status == UPGRADE_REQUIRED:
            # The server would take a stream, if the processor exists.
            refusal = self._refusal("/" + self._memory_path.split("/")[1] + "/ping")
        if refusal is None:
            reason = "the server was too slow" if isinstance(error, asyncio.TimeoutError) else str(error)
            message = (
                f"no stream could be opened: {reason}; the server answers other requests: does each proxy before it "
                "carry WebSockets?"
            )
            return _Ending(errors.NoAnswerError(message, operation="stream", status=0), False)
        status = refusal.status
        return _Ending(refusal, status not in (0, TOO_MANY_REQUESTS) and status < BAD_GATEWAY)

    def _refusal(self, path: str) -> t.Optional[errors.NoemaError]:
        try:
            self.server.text(Outgoing("stream", "GET", path, "read"), How(retries=0))
            return None
        except errors.NoemaError as error:
            return error


def _websockets() -> t.Tuple[t.Callable[..., t.Any], str]:
    """The function of the package websockets that opens a link, and what it calls headers."""
    try:
        import websockets
    except ImportError:
        message = "streams need the package websockets: pip install websockets (other calls need none)"
        raise errors.MissingPackageError(message) from None
    library: t.Any = websockets
    connect = library.connect
    # Since release 14, `connect` calls its headers otherwise.
    names = inspect.signature(connect.__init__ if inspect.isclass(connect) else connect).parameters
    return connect, "additional_headers" if "additional_headers" in names else "extra_headers"


def _frame_of(records: t.Any, options: t.Mapping[str, t.Any], number: t.Optional[int]) -> _Frame:
    from .client import checked_record

    is_one = isinstance(records, t.Mapping)
    whole = [records] if is_one else list(records)
    if len(whole) > MAX_RECORDS:
        raise ValueError(f"a call takes at most {MAX_RECORDS} records, got {len(whole)}: send them in several calls")
    checked = [checked_record(one, "record" if is_one else f"records[{at}]") for at, one in enumerate(whole)]
    body: t.Dict[str, t.Any] = {} if not checked else {"observe": checked}
    for name, value in options.items():
        if value is True or (name in ("predictions", "forecast") and isinstance(value, t.Mapping)):
            body[name] = value if value is True else dict(value)
        elif value is not False:
            raise TypeError(f"{name} must be True or False, got {value!r}")
    text = encoded(body).decode()[1:-1]
    if len(text.encode()) > MAX_FRAME_BYTES - 64:
        raise ValueError(f"the records take more than {MAX_FRAME_BYTES} bytes of JSON: send fewer in one call")
    return _Frame(text, len(whole), number)


def _within(name: str, value: t.Any, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"{name} must be a whole number from {least} to {most}, got {value!r}")


def _lost(reason: str, status: int = 0) -> _Ending:
    return _Ending(errors.NoAnswerError(f"the link was lost: {reason}", operation="stream", status=status), False)


def _closed(error: Exception) -> t.Optional[_Ending]:
    """The end that a close frame states; None where there was none."""
    received = getattr(error, "rcvd", None)
    if received is None:
        return None
    said = received.reason or f"it was closed with code {received.code}"
    if received.code not in FINAL_CODES:
        return _lost(said)
    kind = errors.WrongKeyError if received.code == 1008 else errors.RefusedError
    return _Ending(kind(f"the server ended the stream: {said}", operation="stream", status=received.code), True)


def _refused(error: t.Mapping[str, t.Any]) -> errors.NoemaError:
    code, message = int(error["code"]), str(error["message"])
    return errors.kind_of(code, message)(message, operation="stream", status=code)


async def _sent(socket: t.Any, text: str) -> None:
    """Sends a message; what goes wrong is noticed elsewhere."""
    transport = getattr(socket, "transport", None)
    # asyncio writes a warning for each message after the fifth on a lost link.
    if transport is None or not transport.is_closing():
        await _quietly(socket.send(text))


async def _quietly(waiting: t.Awaitable[t.Any]) -> None:
    """Waits; what goes wrong is noticed elsewhere."""
    try:
        await waiting
    except (Exception, asyncio.CancelledError):
        pass
