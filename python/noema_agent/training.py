"""Learns the rows of a table: those that belong together are one sequence. Each sequence is learned exactly once."""

from __future__ import annotations

import collections
import dataclasses
import hashlib
import itertools
import json
import re
import secrets
import time
import typing as t

from . import errors
from .bins import Encoder, number_text, shown_symbol
from .columns import Auto, Columns, Names, Quantiles, Values, columns_of
from .data import Data, Table
from .groups import Group, Record, Survey, groups_of, survey
from .stream import MAX_FRAME_BYTES, MAX_RECORDS, Sent, StreamAnswer

if t.TYPE_CHECKING:
    from .client import Memory, Processor
    from .stream import Stream

MAX_IN_FLIGHT = 256

#: How many failed links in a row a run survives: as many as take some 25 s.
_LINKS = 12

#: How many groups tell one table from another, for a run that is resumed.
_DIGESTED = 100

_ASLEEP = "the processor sleeps and has ignored it; wake it with stop_sleeping(), then train again without resume"


@dataclasses.dataclass
class TrainingResult:
    """What a run has learned. As text, it says so in sentences."""

    rows: int
    #: How many sequences there were.
    groups: int
    #: How many of them were learned, held fewer than two symbols, and had been sent before in this run.
    learned: int
    nothing: int
    redelivered: int
    #: How many rows could not be read and were left out.
    bad: int
    seconds: float
    #: The processor's encoders of the columns with numbers.
    encoders: t.Dict[str, t.Any]
    #: The genes that were changed: rows without an end keep working memory short.
    genes: t.Dict[str, t.Any]
    #: The name of the run.
    run: str
    #: What the table leaves open, and what the table has decided.
    remarks: t.List[str]

    def __str__(self) -> str:
        rate = round(self.rows / max(self.seconds, 0.001))
        lines = [
            f"Learned {self.learned} of {self.groups} sequences, {self.rows} rows, in {self.seconds:.1f} s: "
            f"{rate} rows/s."
        ]
        if self.redelivered:
            lines.append(f"{self.redelivered} had been sent before in this run and were not sent twice.")
        if self.nothing:
            lines.append(f"{self.nothing} hold fewer than two symbols, so there was nothing to learn.")
        return "\n".join([*lines, *self.remarks])


def sequences(
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
) -> t.Iterator[t.Dict[str, t.Any]]:
    """What ``train`` would learn of a table: for each sequence its ``group``, its first ``row`` and its ``sequence``.

    Sends nothing.
    """
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
    for group in _Lessons(Table(data, columns), columns, skip_bad):
        yield {"group": group.name, "row": group.row, "sequence": group.lesson()}


def train(
    processor: Processor,
    data: Data,
    columns: Columns,
    *,
    skip_bad: bool,
    session: t.Optional[str],
    in_flight: int,
    http: bool,
    resume: t.Optional[str],
) -> TrainingResult:
    """Learns a table: see ``Processor.train``."""
    if isinstance(in_flight, bool) or not isinstance(in_flight, int) or not 1 <= in_flight <= MAX_IN_FLIGHT:
        raise ValueError(f"in_flight must be a whole number from 1 to {MAX_IN_FLIGHT}, got {in_flight!r}")
    lessons = _Lessons(Table(data, columns), columns, skip_bad)
    run = _Run.of(columns, processor, session, lessons, resume)
    limit = _MemoryLimit.of(processor)
    if limit is not None:
        lessons.check(limit.check)
    encoders = lessons.found.encoders()
    _put_encoders(processor, encoders)
    _find_edges(processor, columns, lessons.found.samples(), f"train {run.name} numbers")
    memory = processor.session(session if session is not None else f"train {run.name}")
    learning = _Learning(memory, run, in_flight, http or not _has_websockets())
    began = time.monotonic()
    try:
        learning.learn_all(lessons)
    except (errors.NoemaError, _Refused) as error:
        raise errors.TrainingError(str(error), resume=run.text(learning.refused)) from error
    seconds = time.monotonic() - began
    remarks = lessons.found.remarks() + lessons.found.end_remarks() + _plain_edges(columns, encoders)
    if session is None:
        try:
            processor.end_session(f"train {run.name}")
        except errors.NoemaError as error:
            remarks.append(f"The session train {run.name} stays until its session_ttl is over: {error}")
    genes = _make_endless(processor, columns)
    all_encoders: t.Any = processor.list_encoders() if columns.numbers else {}
    names = {column for column, _ in columns.numbers}
    known = {name: encoder for name, encoder in all_encoders.items() if name in names}
    return TrainingResult(
        rows=lessons.found.rows,
        groups=lessons.groups,
        learned=learning.counts["learned"],
        nothing=learning.counts["nothing"],
        redelivered=learning.counts["redelivered"],
        bad=lessons.found.bad,
        seconds=seconds,
        encoders=known,
        genes=genes,
        run=run.text(),
        remarks=[*remarks, *_plain_found(columns, known), *_plain_genes(genes)],
    )


def _has_websockets() -> bool:
    try:
        import websockets  # noqa: F401
    except ImportError:
        return False
    return True


class _Lessons:
    """The groups of a table. One that can be read again is checked whole before anything is sent of it."""

    def __init__(self, table: Table, columns: Columns, skip_bad: bool) -> None:
        self._table = table
        self._columns = columns
        self._skip_bad = skip_bad
        #: How many groups were read.
        self.groups = 0
        self._begun: t.List[Group] = []
        #: What each group is checked by when it is read.
        self._check: t.Callable[[Group], None] = _ignore
        if table.is_repeatable:
            self.found = survey(table, columns, skip_bad)
            self._all = self._groups(None, None)
            return
        if any(isinstance(rule, Quantiles) for _, rule in columns.numbers):
            raise ValueError(
                "quantiles need all numbers before the first is learned, and this data can be read only once: pass a "
                "function that makes it anew, or edges of your own"
            )
        self.found = Survey(columns)
        self._all = self._groups(self.found.add_bad if skip_bad else None, self.found.add)
        # The processor finds bins in what comes first: some thousand rows.
        for group in self._all:
            self._begun.append(group)
            if self.found.rows >= 10_000:
                break
        self.found.check_rows()

    def _groups(self, on_bad: t.Any, on_row: t.Optional[t.Callable[[Values], None]]) -> t.Iterator[Group]:
        if self._table.is_repeatable and self._skip_bad:
            # The survey has counted them.
            on_bad = _ignore
        return groups_of(
            self._table,
            self._columns,
            {},
            is_together=self.found.is_together,
            on_bad=on_bad,
            on_row=on_row,
        )

    def first(self, count: int) -> t.List[Group]:
        """The first groups, which are still among all."""
        missing = max(0, count - len(self._begun))
        self._begun += itertools.islice(self._all, missing)
        return self._begun[:count]

    def check(self, check: t.Callable[[Group], None]) -> None:
        """Checks all groups now; where the data can be read only once, those that were read, and the others later."""
        repeated = self._groups(None, None) if self._table.is_repeatable else self._begun
        for group in repeated:
            check(group)
        self._check = _ignore if self._table.is_repeatable else check

    def __iter__(self) -> t.Iterator[Group]:
        while self._begun:
            self.groups += 1
            yield self._begun.pop(0)
        for group in self._all:
            self._check(group)
            self.groups += 1
            yield group


def _ignore(_: t.Any) -> None:
    pass


class _Refused(Exception):
    """The server has refused a sequence."""


class _MemoryLimit(t.NamedTuple):
    """How much of a sequence working memory holds: only that would be learned."""

    length: int
    #: What it counts: symbols or events.
    what: str

    @classmethod
    def of(cls, processor: Processor) -> t.Optional[_MemoryLimit]:
        """The limit; None where there is none, where autolearning learns what memory would drop, or for a key that may
        not read it."""
        try:
            genes: t.Any = processor.get_all_genes()
            length = int(genes["max_sequence_length"])
            if length == 0 or (genes["auto_learn_metric"] == "wm_size" and processor.get_status()["AUTOLEARN"]):
                return None
        except errors.MissingRoleError:
            return None
        return cls(length, "events" if genes["wm_resolution"] == "event" else "symbols")

    def check(self, group: Group) -> None:
        """:raises ValueError: if a part of the group would not be learned"""
        records = group.lesson()
        count = len(records)
        if self.what == "symbols":
            parts = ("strings", "numbers", "vectors")
            count = sum(len(record.get(part, ())) for record in records for part in parts)
        if count > self.length:
            raise ValueError(
                f"of the {count} {self.what} of the group {group.name} from row {group.row}, only the newest "
                f"{self.length} would be learned, because of the gene max_sequence_length; set it to 0 or to at least "
                f"{count} first"
            )


class _Run(t.NamedTuple):
    """A run of training, which ``resume`` names."""

    name: str
    #: The numbers of sequences that the server has refused so far.
    refused: t.FrozenSet[int]

    @classmethod
    def of(
        cls,
        columns: Columns,
        processor: Processor,
        session: t.Optional[str],
        lessons: _Lessons,
        resume: t.Optional[str],
    ) -> _Run:
        """A new run, or the one to resume. Its name has a digest of what decides which sequence is which."""
        begin = [group.lesson() for group in lessons.first(_DIGESTED)]
        parts = json.dumps([repr(columns), processor._path, session, begin], default=str)
        digest = hashlib.sha256(parts.encode(errors="surrogatepass")).hexdigest()[:8]
        if resume is None:
            return cls(f"{secrets.token_hex(4)}-{digest}", frozenset())
        found = re.fullmatch(r"([0-9a-f]{8}-[0-9a-f]{8})((?:\+\d+)*)", resume)
        if found is None or not found[1].endswith(f"-{digest}"):
            raise ValueError(
                f"resume={resume!r} was a run of other data, or with other options; give those that it had, or leave "
                "resume out"
            )
        return cls(found[1], frozenset(int(number) for number in found[2].split("+")[1:]))

    def text(self, more: t.Iterable[int] = ()) -> str:
        """What ``resume`` takes."""
        return "+".join([self.name, *map(str, sorted({*self.refused, *more}))])


class _Learning:
    """Sends sequences in order, as frames with their numbers, or as requests with them."""

    def __init__(self, memory: Memory, run: _Run, in_flight: int, is_http: bool) -> None:
        self._memory = memory
        self._run = run
        self._in_flight = in_flight
        self._source = f"train {run.name}"
        self._is_http = is_http
        self._link: t.Optional[Stream] = None
        self._under_way: t.Deque[t.Tuple[int, Group, Sent]] = collections.deque()
        self.counts = {"learned": 0, "nothing": 0, "redelivered": 0}
        self.refused: t.List[int] = []
        self._first: t.Optional[t.Tuple[str, errors.NoemaError]] = None

    def learn_all(self, lessons: t.Iterable[Group]) -> None:
        """Learns all sequences.

        :raises _Refused: that names the first one that the server refused. No further ones are sent then
        :raises NoemaError: if the stream ends, or a request is not answered
        """
        if not self._is_http:
            self._link = self._memory.stream(self._source, frames=self._in_flight, retries=_LINKS)
        try:
            number = 0
            for group in lessons:
                records = group.lesson()
                if not records:
                    continue
                number += 1
                self._learn(number, group, records)
                if self._first is not None:
                    break
            self._settle(0)
            if self._link is not None and self._first is None:
                self._link.close()
        finally:
            if self._link is not None:
                self._link.abort()
        if self._first is not None:
            raise _Refused(f"{self._first[0]}: {self._first[1]}") from self._first[1]

    def _learn(self, number: int, group: Group, records: t.List[Record]) -> None:
        if self._link is None or number in self._run.refused or not _fits_frame(records):
            self._settle(0)
            if self._first is None:
                self._learn_by_request(number, group, records)
            return
        sent = self._link.send(t.cast(t.Any, records), clear=True, learn=True, number=number)
        self._under_way.append((number, group, sent))
        self._settle(self._in_flight - 1)

    def _settle(self, most: int) -> None:
        """Waits until no more than some sequences are under way."""
        while len(self._under_way) > most:
            number, group, sent = self._under_way.popleft()
            try:
                self._take(sent.result())
            except errors.RefusedError as error:
                self._note(number, group, error)

    def _learn_by_request(self, number: int, group: Group, records: t.List[Record]) -> None:
        # The stream has taken later numbers than one that was refused before.
        again = {"source": f"{self._source} {number}", "number": 1}
        delivery: t.Any = again if number in self._run.refused else {"source": self._source, "number": number}
        try:
            answer = self._memory.observe_sequence(t.cast(t.Any, records), clear=True, learn=True, delivery=delivery)
        except errors.RefusedError as error:
            return self._note(number, group, error)
        observed = t.cast(t.Any, answer["observed"])
        self._take(
            {
                "observed": observed,
                "learned": answer["learned"],
                "redelivered": bool(observed and observed[0].get("redelivered")),
            }
        )

    def _take(self, answer: StreamAnswer) -> None:
        observed = t.cast(t.Any, answer.get("observed"))
        if observed and observed[0].get("status") == "asleep":
            raise errors.RefusedError(_ASLEEP, operation="train", status=200)
        if answer.get("redelivered"):
            self.counts["redelivered"] += 1
        else:
            self.counts["nothing" if answer.get("learned") is None else "learned"] += 1

    def _note(self, number: int, group: Group, error: errors.NoemaError) -> None:
        self.refused.append(number)
        if self._first is None:
            self._first = (f"the group {group.name} from row {group.row}", error)


def _fits_frame(records: t.List[Record]) -> bool:
    if len(records) > MAX_RECORDS:
        return False
    # Most sequences are far smaller: their text need not be made for that.
    sizes = sum(sum(map(len, record.get("strings", ()))) + 24 * len(record) for record in records)
    vectors = sum(len(vector) for record in records for vector in record.get("vectors", ()))
    return 6 * sizes + 25 * vectors + 64 * len(records) < MAX_FRAME_BYTES or (
        len(json.dumps(records, ensure_ascii=False).encode()) < MAX_FRAME_BYTES - 1024
    )


def _put_encoders(processor: Processor, encoders: t.Mapping[str, Encoder]) -> None:
    for name, (bins, hysteresis, on_change) in encoders.items():
        wanted: t.Any = {"hysteresis": hysteresis, "on_change": on_change}
        if bins.edges is None:
            wanted.update(kind="step", size=bins.size, origin=bins.origin)
        elif bins.edges:
            wanted.update(kind="edges", edges=list(bins.edges))
        else:
            # The column has no numbers.
            continue
        processor.put_encoder(name, wanted)


def _find_edges(processor: Processor, columns: Columns, samples: t.Mapping[str, t.List[float]], session: str) -> None:
    """Puts the encoders that find their edges, and lets them find these in numbers of the table."""
    wanted = [
        column
        for column, rule in columns.numbers
        if isinstance(rule, Auto) and _is_to_be_found(processor, column, rule)
    ]
    found = {column: samples.get(column, []) for column in wanted}
    count = max((len(numbers) for numbers in found.values()), default=0)
    if count == 0:
        return
    records: t.Any = [
        {"numbers": {column: numbers[at] for column, numbers in found.items() if at < len(numbers)}}
        for at in range(count)
    ]
    processor.session(session).observe_sequence(records)
    processor.end_session(session)


def _is_to_be_found(processor: Processor, column: str, rule: Auto) -> bool:
    """Whether the encoder of a column must still find its edges. Puts it where there is none, or another is wanted."""
    try:
        known: t.Any = processor.get_encoder(column)
    except errors.OldServerError:
        raise
    except errors.NotFoundError:
        known = None
    if known is not None and rule.is_default:
        return known["kind"] == "auto" and known.get("edges") is None
    wanted: t.Any = {"kind": "auto", "bins": rule.bins, "hysteresis": rule.hysteresis, "on_change": rule.on_change}
    put: t.Any = processor.put_encoder(column, wanted)
    return put["kind"] == "auto" and put.get("edges") is None


def _make_endless(processor: Processor, columns: Columns) -> t.Dict[str, t.Any]:
    """Where rows come without an end, lets working memory keep the newest ones: else what observes later would fill it.

    Leaves a processor alone whose genes say something about it.
    """
    if columns.every is None or columns.every < 2 or columns.label is not None:
        return {}
    genes: t.Any = processor.get_all_genes()
    if int(genes["max_sequence_length"]) != 0 or "wm_mode" in genes:
        return {}
    wanted: t.Any = {"max_sequence_length": columns.every, "wm_mode": "rolling", "wm_resolution": "event"}
    processor.change_genes(wanted)
    return t.cast("t.Dict[str, t.Any]", wanted)


def _plain_genes(genes: t.Mapping[str, t.Any]) -> t.List[str]:
    if not genes:
        return []
    length = genes["max_sequence_length"]
    return [
        f"Rows without an end: working memory keeps its newest {length} events from now on (genes max_sequence_length "
        f"{length}, wm_mode rolling, wm_resolution event)."
    ]


def _plain_edges(columns: Columns, encoders: t.Mapping[str, Encoder]) -> t.List[str]:
    """What the table has decided, so that the next table can be given the same."""
    decided = [column for column, rule in columns.numbers if isinstance(rule, Quantiles)]
    found = {column: encoders[column].bins.edges or [] for column in decided}
    return [
        f"The numbers of {column} fell into number={column}:edges={','.join(map(number_text, edges))}"
        for column, edges in found.items()
    ]


def _plain_found(columns: Columns, encoders: t.Mapping[str, t.Any]) -> t.List[str]:
    lines = []
    for name, rule in columns.numbers:
        encoder = encoders.get(name)
        if not isinstance(rule, Auto) or encoder is None:
            continue
        if encoder["kind"] != "auto":
            lines.append(f"{name} keeps its encoder, of the kind {encoder['kind']}.")
            continue
        edges = encoder.get("edges") or []
        ranges = [shown_symbol(f"{name}={number_text(edge)}", encoders)[len(name) + 1 :] for edge in edges]
        has_none = f"{name} has no bins yet: the table has no numbers of it."
        lines.append(f"{name} falls into the bins {', '.join(ranges)}." if ranges else has_none)
    return lines
