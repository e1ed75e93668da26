"""The client: a server, its processors and their sessions. The methods of most operations are generated."""

from __future__ import annotations

import difflib
import os
import ssl
import typing as t

from . import types
from .gen.operations import MemoryOperations, NoemaOperations, ProcessorOperations
from .place import ABSENT, How, answer_in, name_segment, none_is_absent, present, segment
from .server import Outgoing, Server, is_loopback
from .transfer import LOAD_SECONDS, Download, Source, body_of, download

if t.TYPE_CHECKING:
    import pandas

    from .columns import Names
    from .data import Data
    from .stream import Event, Stream
    from .training import TrainingResult

#: The key that a server on one's own machine accepts as long as it has no other. It is public.
LOCAL_KEY = "ABCD-1234"

#: Where `npm start` serves.
LOCAL_ADDRESS = "http://127.0.0.1:8787"

_RECORD = ("strings", "vectors", "numbers", "emotives", "metadata", "time", "unique_id", "command", "path")


class ObservedRecords(t.TypedDict):
    """What a sequence of records did."""

    #: What each observation did, in order.
    observed: t.List[types.Observed]
    #: The model that was learned at the end, as ``MODEL|<hash>``; None if none was.
    learned: t.Optional[str]


def connect(
    address: t.Optional[str] = None,
    key: t.Optional[str] = None,
    *,
    agent: t.Optional[str] = None,
    key_file: t.Union[str, "os.PathLike[str]", None] = None,
    timeout: float = 30.0,
    retries: int = 5,
    first_pause: float = 0.2,
    longest_pause: float = 30.0,
    tls: t.Optional[ssl.SSLContext] = None,
) -> Noema:
    """Says how to reach a server. Sends nothing; the first call will.

    What is not given is taken from the variables of the command line: NOEMA_ADDRESS, NOEMA_AGENT, and NOEMA_KEY_FILE or
    NOEMA_API_KEY. Without these it is the server of ``npm start``, with the local key.

    :param address: such as ``https://noema.example``; a path in it stands before every path of a call
    :param key: visible ASCII characters. It is sent in the header X-API-KEY, and is nowhere else
    :param agent: the agent, where the server has several
    :param key_file: a file that holds the key
    :param timeout: the longest silence of the server in one attempt, in seconds; 0 for no limit
    :param retries: how often a failed call is repeated, where that cannot take effect twice; 0 to 100
    :param first_pause: the longest pause before the first repetition, in seconds; it doubles with each
    :param longest_pause: the longest pause at all. A call fails at once if the server asks for a longer one
    :param tls: for a server with a certificate of your own
    :raises ValueError: if a value is not accepted, or there is no key for a server elsewhere
    """
    address = address or os.environ.get("NOEMA_ADDRESS") or LOCAL_ADDRESS
    server = Server(
        address,
        key if key is not None else _key_for(address, key_file),
        agent=agent or os.environ.get("NOEMA_AGENT") or None,
        timeout=timeout,
        retries=retries,
        first_pause=first_pause,
        longest_pause=longest_pause,
        tls=tls,
    )
    return Noema(server, "")


def _key_for(address: str, key_file: t.Union[str, "os.PathLike[str]", None]) -> str:
    file = key_file or os.environ.get("NOEMA_KEY_FILE")
    if file:
        with open(file, encoding="utf-8") as lines:
            found = lines.read().strip()
        if found and all("!" <= char <= "~" for char in found):
            return found
        raise ValueError(f"{os.fspath(file)} holds no key: accepted is one line of visible ASCII characters")
    if os.environ.get("NOEMA_API_KEY"):
        return os.environ["NOEMA_API_KEY"]
    if is_loopback(address):
        return LOCAL_KEY
    raise ValueError(
        f"there is no key for {address}: set NOEMA_API_KEY, or NOEMA_KEY_FILE to a file that holds it, or pass key="
    )


class Noema(NoemaOperations):
    """A server, or an agent of it. Made by :func:`connect`."""

    def processor(self, name: t.Optional[str] = None) -> Processor:
        """A processor. Sends nothing.

        :param name: its identifier, such as ``p46b6b076c``, or its friendly name, such as ``P1``; NOEMA_PROCESSOR, or
            P1, if absent
        """
        chosen = name if name is not None else os.environ.get("NOEMA_PROCESSOR") or "P1"
        return Processor(self._server, f"/{segment('the name of a processor', chosen)}")

    def get_metrics(self, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> str:
        """Metrics in Prometheus' text format. The key needs the role read."""
        return self._server.text(Outgoing("get_metrics", "GET", "/metrics", "read"), How(timeout, retries))

    def backup(
        self,
        *,
        processor: t.Optional[str] = None,
        timeout: t.Optional[float] = None,
        retries: t.Optional[int] = None,
    ) -> Download:
        """The agent, or one processor, as a file that :meth:`restore` takes. The key needs the role admin.

        ``noema.backup().save("agent.jsonl")``
        """
        path = self._under("backup", {"processor": none_is_absent(processor)})
        return download(self, "backup", path, How(timeout, retries), is_backup=True)

    def restore(
        self, source: Source, *, processor: t.Optional[str] = None, timeout: t.Optional[float] = None
    ) -> t.Dict[str, t.Any]:
        """Replaces the agent, or one processor, by a backup, all or nothing. The key needs the role admin.

        :param source: a path, a file open for bytes, bytes, text or pieces of bytes; packed by gzip or not. Sent once
        """
        path = self._under("restore", {"processor": none_is_absent(processor)})
        outgoing = Outgoing("restore", "POST", path, "once", body_of(source, "a backup"))
        how = How(LOAD_SECONDS if timeout is None else timeout, 0)
        return t.cast(
            "t.Dict[str, t.Any]", answer_in(self._server.text(outgoing, how), "restore", self._server)["message"]
        )

    def close(self) -> None:
        """Closes the connections that are kept for further calls. A later call opens another one."""
        self._server.close()

    def __enter__(self) -> Noema:
        return self

    def __exit__(self, *_: t.Any) -> None:
        self.close()


class Memory(MemoryOperations):
    """A working memory: a processor's own, or a session's."""

    def observe(
        self,
        record: types.Gdf,
        *,
        delivery: t.Optional[types.Delivery] = None,
        explain: t.Optional[bool] = None,
        idempotency_key: t.Optional[str] = None,
        timeout: t.Optional[float] = None,
        retries: t.Optional[int] = None,
    ) -> types.Observed:
        """Adds one record to working memory. The key needs the role observe; with ``explain`` also read.

        :param record: ``strings``, ``numbers``, ``vectors``, ``emotives``, ``metadata``, ``time``: each may be absent
        :param delivery: ``{"source": ..., "number": ...}`` by which the record counts once, instead of a key
        :param explain: whether the answer says how unexpected the event was
        """
        sent = {"data": checked_record(record, "record"), **_delivered(delivery)}
        answer: t.Any = self._call(
            "observe",
            "POST",
            "observe",
            "keyed" if delivery is None else "numbered",
            query={"explain": none_is_absent(explain)},
            body=sent,
            how=How(timeout, retries, idempotency_key),
        )
        return t.cast("types.Observed", answer["message"])

    def observe_sequence(
        self,
        sequence: t.Sequence[types.Gdf],
        *,
        learn: t.Optional[bool] = None,
        clear: t.Optional[bool] = None,
        delivery: t.Optional[types.Delivery] = None,
        explain: t.Optional[bool] = None,
        idempotency_key: t.Optional[str] = None,
        timeout: t.Optional[float] = None,
        retries: t.Optional[int] = None,
    ) -> ObservedRecords:
        """Observes records in order, all or none. The key needs the role observe; to learn, also learn.

        :param sequence: the records, oldest first
        :param learn: whether to learn working memory at the end
        :param clear: whether to empty working memory first
        """
        records = [checked_record(record, f"sequence[{at}]") for at, record in enumerate(sequence)]
        what = present({"sequence": records, "clear": none_is_absent(clear), "learn": none_is_absent(learn)})
        answer: t.Any = self._call(
            "observe_sequence",
            "POST",
            "sequence-observe",
            "keyed" if delivery is None else "numbered",
            query={"explain": none_is_absent(explain)},
            body={"data": what, **_delivered(delivery)},
            how=How(timeout, retries, idempotency_key),
        )
        return {"observed": answer["message"], "learned": answer.get("learned_model")}

    def get_time(self, *, timeout: t.Optional[float] = None, retries: t.Optional[int] = None) -> int:
        """How many records the memory has observed. The key needs the role read or observe."""
        how = How(timeout, retries)
        return int(self._call("get_time", "GET", "time", "read", query={}, body=ABSENT, how=how)["message"])

    #: What comes next after working memory, or after ``sequence``, and how likely it is: ``get_forecast``.
    forecast = MemoryOperations.get_forecast

    def stream(
        self,
        source: t.Optional[str] = None,
        *,
        frames: int = 16,
        buffer: int = 10_000,
        retries: t.Optional[int] = None,
        on_event: t.Optional[t.Callable[[Event], None]] = None,
        events: t.Sequence[str] = ("observed", "learned"),
        sessions: bool = False,
        on_open: t.Optional[t.Callable[[], None]] = None,
        on_lost: t.Optional[t.Callable[[Exception], None]] = None,
    ) -> Stream:
        """Opens a stream: one WebSocket for many calls, which is opened again when it is lost.

        :param source: a name that no other stream to this memory has at the same time. With it, calls that were not
            answered when a link was lost are sent again, and take effect once
        :param frames: how many frames are under way at a time, 1 to 256
        :param buffer: how many records may wait; further calls wait until there is room
        :param retries: after how many failed links in a row the stream ends; None: it tries until it is closed
        :param on_event: called for each event of the memory, also those of other clients, in a thread of its own
        :param events: which events: observed, learned, surprise, incident
        :param sessions: whether to also show all sessions of the processor
        :param on_open: called each time a link is open; with ``on_event``, once events are heard
        :param on_lost: called with the reason each time a link was lost, or could not be opened
        :raises MissingPackageError: if the package websockets is not installed
        """
        from .stream import Stream

        return Stream(
            self,
            source,
            frames=frames,
            buffer=buffer,
            retries=retries,
            on_event=on_event,
            events=events,
            sessions=sessions,
            on_open=on_open,
            on_lost=on_lost,
        )


class Processor(Memory, ProcessorOperations):
    """A processor of an agent, with its own memory. Made by :meth:`Noema.processor`."""

    def session(self, name: str) -> Session:
        """A session: one of many working memories over the knowledge of this processor. Sends nothing.

        :param name: 1 to 128 bytes of UTF-8 without control characters
        """
        return Session(self._server, f"{self._path}/sessions/{name_segment('the name of a session', name)}")

    def export_knowledge_base(
        self, *, order: t.Optional[bool] = None, timeout: t.Optional[float] = None, retries: t.Optional[int] = None
    ) -> Download:
        """The knowledge base, as of one moment. The key needs the role read or manage.

        :param order: whether models and vectors carry their age, so that ties are the same after a load
        """
        path = self._under("get_kb/raw", {"order": none_is_absent(order)})
        return download(self, "export_knowledge_base", path, How(timeout, retries), is_backup=False)

    def load_knowledge_base(self, source: Source, *, mode: str = "replace", timeout: t.Optional[float] = None) -> str:
        """Replaces the knowledge base, or merges into it, all or nothing. The key needs the role manage. Sent once.

        :param source: a path, a file open for bytes, bytes, text, pieces of bytes, or JSON
        :param mode: ``replace`` or ``merge``
        """
        if mode not in ("replace", "merge"):
            raise ValueError(f"mode must be replace or merge, got {mode!r}")
        path = self._under("load_kb", {"mode": ABSENT if mode == "replace" else mode})
        outgoing = Outgoing("load_knowledge_base", "POST", path, "once", body_of(source, "a knowledge base"))
        how = How(LOAD_SECONDS if timeout is None else timeout, 0)
        answer: t.Any = answer_in(self._server.text(outgoing, how), "load_knowledge_base", self._server)
        return t.cast(str, answer["message"])

    def train(
        self,
        data: Data,
        *,
        group_by: t.Optional[Names] = None,
        every: t.Optional[int] = None,
        symbol: Names = (),
        number: t.Union[Names, t.Mapping[str, str]] = (),
        vector: t.Union[str, t.Sequence[t.Union[str, t.Sequence[str]]]] = (),
        emotive: Names = (),
        label: t.Optional[str] = None,
        time: t.Optional[str] = None,
        decimal_comma: bool = False,
        skip_bad: bool = False,
        session: t.Optional[str] = None,
        in_flight: int = 16,
        http: bool = False,
        resume: t.Optional[str] = None,
    ) -> TrainingResult:
        """Learns the rows of a table: those that belong together are one sequence, an event for each row.

        The options are those of ``noema train``. The key needs the roles observe and learn; for numbers also manage.

        :param data: a DataFrame; an iterable of DataFrames, such as ``pandas.read_csv(..., chunksize=...)``, or of
            dictionaries; or a function that makes such an iterable anew
        :param group_by: the columns whose cells say which rows belong together
        :param every: how many rows, one after the other, belong together
        :param symbol: columns whose cells are symbols; ``column:named`` makes ``column=cell`` of them
        :param number: columns whose numbers fall into bins: ``temp`` finds them; ``temp:step=0.5``,
            ``temp:edges=1,2,5``, ``temp:quantiles=8``, or ``{"temp": "step=0.5"}``
        :param vector: columns that are the components of a vector: ``"x,y,z"``
        :param emotive: columns whose numbers are emotives
        :param label: the column with the class of its group, which becomes a last event
        :param time: the column that says when a row happened; the rows of a group are sorted by it
        :param decimal_comma: whether the text 20,5 is a number
        :param skip_bad: whether to leave out rows that cannot be read, and count them
        :param session: the session that learns; a session of the run's own if absent
        :param in_flight: how many sequences are under way at a time, 1 to 256
        :param http: whether to send requests, and no stream
        :param resume: the run to go on with, as its error named it
        :raises TrainingError: if the run breaks off; it says how to go on
        :raises ValueError: if an option or a cell is not accepted. Nothing was sent then, unless the data can be read
            only once
        """
        from . import training
        from .columns import columns_of

        columns = columns_of(
            group_by=group_by,
            every=every,
            symbol=symbol,
            number=number,
            vector=vector,
            emotive=emotive,
            label=label,
            time=time,
            decimal_comma=decimal_comma,
        )
        return training.train(
            self, data, columns, skip_bad=skip_bad, session=session, in_flight=in_flight, http=http, resume=resume
        )

    def score(
        self,
        data: Data,
        *,
        group_by: t.Optional[Names] = None,
        every: t.Optional[int] = None,
        symbol: Names = (),
        number: t.Union[Names, t.Mapping[str, str]] = (),
        vector: t.Union[str, t.Sequence[t.Union[str, t.Sequence[str]]]] = (),
        emotive: Names = (),
        label: t.Optional[str] = None,
        time: t.Optional[str] = None,
        decimal_comma: bool = False,
        skip_bad: bool = False,
        rows: bool = False,
        threshold: t.Optional[float] = None,
        per_day: t.Optional[float] = None,
    ) -> pandas.DataFrame:
        """Says of each row how unusual it is, by the rows before it; with ``group_by``, of each group as a whole.

        Observes, learns and changes nothing. The key needs the role read. Options are those of :meth:`train`, so that
        one call can follow the other, and:

        :param rows: with ``group_by``: score each row, by the rows before it in its group
        :param threshold: answer only with rows that have at least this number of bits
        :param per_day: answer only with the most unusual rows: this number a day, by ``time``
        :returns: a line for each row, or group: ``row`` (its place in the data, from 0), ``time``, ``bits``, ``causes``
            and ``expected``; of groups ``rank``, ``missing``, ``excess`` and ``unexpected``. The index of rows is that
            of the data. ``attrs["noema"]`` has the threshold, and what the data left open
        :raises MissingPackageError: without pandas
        """
        from . import scoring
        from .columns import columns_of

        columns = columns_of(
            group_by=group_by,
            every=every,
            symbol=symbol,
            number=number,
            vector=vector,
            emotive=emotive,
            label=label,
            time=time,
            decimal_comma=decimal_comma,
            is_series=True,
        )
        return scoring.score(self, data, columns, rows=rows, threshold=threshold, per_day=per_day, skip_bad=skip_bad)


class Session(Memory):
    """A session of a processor. Made by :meth:`Processor.session`. The first call that changes something creates it."""


def checked_record(record: t.Any, what: str) -> types.Gdf:
    """A record whose members are known: the server would ignore another one."""
    if not isinstance(record, t.Mapping):
        raise TypeError(f'{what} must be a dict such as {{"strings": ["hello"]}}, got {record!r:.80}')
    for name in record:
        if name not in _RECORD:
            near = difflib.get_close_matches(str(name), _RECORD, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise TypeError(f"{what} has no member {name!r}{hint} (accepted: {', '.join(_RECORD[:7])})")
    return t.cast("types.Gdf", record if isinstance(record, dict) else dict(record))


def _delivered(delivery: t.Optional[types.Delivery]) -> t.Dict[str, t.Any]:
    if delivery is None:
        return {}
    if not isinstance(delivery, t.Mapping) or set(delivery) != {"source", "number"}:
        raise TypeError(f'delivery must be {{"source": name, "number": number}}, got {delivery!r}')
    name_segment("the name of a source", delivery["source"])
    number = delivery["number"]
    if isinstance(number, bool) or not hasattr(number, "__index__") or not 1 <= number < 2**53:
        raise ValueError(f"the number of a delivery must be a whole number from 1 to 2^53 - 1, got {number!r}")
    return {"delivery": {"source": delivery["source"], "number": int(number)}}
