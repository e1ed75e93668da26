"""Says of each row of a table, or of each sequence, how unusual it is, and why. Observes and changes nothing."""

from __future__ import annotations

import array
import collections
import concurrent.futures
import datetime
import itertools
import math
import typing as t

from . import errors
from .bins import Bins, Encoder, Shown, TimeSymbols, number_text, shown_symbol
from .columns import Columns, Values
from .data import Data, Table
from .groups import Group, Record, RecordMaker, Survey, groups_of, survey

if t.TYPE_CHECKING:
    import pandas

    from .client import Processor

#: How many events before it an event is judged by: as far as forecasts look back.
CONTEXT = 16
#: How many events a request asks about besides its context.
PIECE = 360
#: How many requests are under way at a time.
UNDER_WAY = 4
#: The most records of a request about vectors, and the most components, which keep it below the size of a body.
MAX_RECORDS = 500
MAX_COMPONENTS = 20_000
#: With what the symbols of vectors begin.
VECTOR = "VECTOR|"
#: The most symbols of an event that are said to have caused its surprise, and the least bits of each.
MAX_CAUSES = 5
MIN_CAUSE = 1.0
#: The most rows of which it is asked which symbols caused their surprise.
MAX_EXPLAINED = 2_000
#: The most rows a day that may be asked for, as an alert has it.
MAX_PER_DAY = 10_000
#: The most events of a sequence that is judged whole.
MAX_EVENTS = 1_000
#: How many of the symbols that were expected, missing or too many are told.
MAX_TOLD = 3
#: Rows that pass fewer than 10 events apart are one incident, as in the incidents of alerts.
APART = 10
#: Without an option and without times, one row in this number passes.
ROWS_PER_ALARM = 1_000
#: A row with fewer bits came more likely than not: no threshold that chooses itself is below.
MIN_CHOSEN = 1.0
#: How many times the number of rows that were wanted may pass, because their bits are the same.
MAX_TIES = 2

SECONDS_PER_DAY = 86_400
TOO_LARGE = 413

Event = t.List[str]


class Judged:
    """A row, or a sequence, with what is said of it."""

    __slots__ = ("row", "index", "group", "time", "bits", "context", "event", "judgement", "verdict", "rows")

    def __init__(self, row: int, index: t.Any, group: str, time: t.Optional[float], bits: float) -> None:
        self.row = row
        self.index = index
        self.group = group
        self.time = time
        self.bits = bits
        #: Of a row: the events before it, its own, and what is said of it.
        self.context: t.List[Event] = []
        self.event: Event = []
        self.judgement: t.Dict[str, t.Any] = {}
        #: Of a sequence: what is said of it, and of how many rows it is.
        self.verdict: t.Dict[str, t.Any] = {}
        self.rows = 0


def score(
    processor: Processor,
    data: Data,
    columns: Columns,
    *,
    rows: bool,
    threshold: t.Optional[float],
    per_day: t.Optional[float],
    skip_bad: bool,
) -> pandas.DataFrame:
    """Scores a table: see ``Processor.score``."""
    try:
        import pandas
    except ImportError:
        raise errors.MissingPackageError("score answers with a DataFrame: pip install pandas") from None
    _check_options(columns, rows, threshold, per_day)
    if columns.label is None:
        columns = columns._replace(every=None)
    encoders = t.cast(Shown, processor.list_encoders())
    used = _used_encoders(columns, encoders, processor)
    is_grouped = bool(columns.group_by)
    is_sequences = (is_grouped or columns.label is not None) and not rows
    reading = _Reading(Table(data, columns), columns, used, skip_bad)
    judge = _Judge(processor, TimeSymbols(encoders), is_grouped)
    bits_of_all, days = array.array("d"), _Days()
    kept: t.List[Judged] = []
    judged = judge.sequences(reading) if is_sequences else judge.rows(reading, is_grouped)
    for one in judged:
        bits_of_all.append(one.bits)
        days.add(one.time)
        # Of rows that cannot pass, nothing is held: a table without an end fits.
        if threshold is None or one.bits >= threshold:
            kept.append(one)
    if per_day is not None and days.count() is None:
        raise ValueError("per_day needs rows of different times")
    chosen, why = (threshold, "threshold") if threshold is not None else _threshold(bits_of_all, days.count(), per_day)
    passing = [one for one in kept if one.bits >= chosen and one.bits > 0]
    causes = {} if is_sequences else judge.causes(passing[:MAX_EXPLAINED])
    shown = passing if threshold is not None or per_day is not None else kept
    frame = (
        _sequence_frame(pandas, shown, encoders)
        if is_sequences
        else _row_frame(pandas, shown, causes, encoders, is_grouped)
    )
    frame.attrs["noema"] = {
        "threshold": chosen,
        "why": why,
        "scored": len(bits_of_all),
        "passing": len(passing),
        "remarks": [*reading.remarks(), *_time_remarks(columns, judge.times, reading)],
    }
    return frame


def _check_options(columns: Columns, rows: bool, threshold: t.Optional[float], per_day: t.Optional[float]) -> None:
    for name, value, most in (("threshold", threshold, math.inf), ("per_day", per_day, MAX_PER_DAY)):
        if value is not None and not (
            isinstance(value, (int, float))
            and not isinstance(value, bool)
            and 0 < value <= most
            and math.isfinite(value)
        ):
            limit = f", at most {MAX_PER_DAY}" if name == "per_day" else ""
            raise ValueError(f"{name} must be a number above 0{limit}, got {value!r}")
    if threshold is not None and per_day is not None:
        raise ValueError("threshold and per_day exclude each other: one of them says what passes")
    if per_day is not None and columns.time is None:
        raise ValueError("per_day needs time=: the column that says when a row happened")
    if rows and not columns.group_by:
        raise ValueError("rows=True needs group_by=: without groups, each row is scored anyway")


def _used_encoders(columns: Columns, encoders: Shown, processor: Processor) -> t.Dict[str, Encoder]:
    """The encoders with which the processor has learned the numbers of the columns."""
    used = {}
    for column, _ in columns.numbers:
        encoder = encoders.get(column)
        bins = None if encoder is None else _bins_of(encoder)
        if encoder is None or bins is None:
            why = "has no encoder" if encoder is None else "has not found the bins"
            raise ValueError(f"{processor!r} {why} for the numbers of {column}: let it learn some with train")
        used[column] = Encoder(bins, encoder.get("hysteresis", 0.0), encoder.get("on_change", False))
    return used


def _bins_of(encoder: t.Mapping[str, t.Any]) -> t.Optional[Bins]:
    if encoder["kind"] == "step":
        return Bins(encoder["size"], encoder.get("origin", 0.0))
    if encoder["kind"] in ("edges", "auto") and encoder.get("edges") is not None:
        return Bins(edges=encoder["edges"])
    return None


class _Reading:
    """A table that is read for scoring. One that can be read again is checked whole first."""

    def __init__(self, table: Table, columns: Columns, used: t.Mapping[str, Encoder], skip_bad: bool) -> None:
        self.columns = columns
        self.used = used
        self.table = table
        self.is_once = not table.is_repeatable
        #: What is odd about times.
        self.untimed = 0
        self.first_untimed = 0
        if self.is_once:
            self.found = Survey(columns)
            self.on_bad: t.Any = self.found.add_bad if skip_bad else None
        else:
            self.found = survey(table, columns, skip_bad)
            self.on_bad = (lambda _: None) if skip_bad else None

    def groups(self) -> t.Iterator[Group]:
        """The groups, as sequences of symbols."""
        return groups_of(
            self.table,
            self.columns,
            self.used,
            is_together=self.found.is_together,
            on_bad=self.on_bad,
            on_row=self._note,
        )

    def series(self) -> t.Iterator[Values]:
        """All rows as one series, in the order of time where there are times."""
        table = self.table
        if table.is_frame and self.columns.time is not None:
            order = sorted((values.time, values.row) for values, _ in table.rows(self.on_bad))
            places = [row for _, row in order]
            ordered = table.in_order_of_time(places) if places != sorted(places) else table
            for values, _ in ordered.rows(self.on_bad):
                self._note(values)
                yield values._replace(row=places[values.row]) if ordered is not table else values
            return
        last = -math.inf
        for values, _ in table.rows(self.on_bad):
            if values.time < last:
                raise ValueError(
                    f"row {values.row}: its time is before that of the row before it; data in pieces must be in the "
                    "order of time: sort it, or pass one DataFrame"
                )
            last = values.time
            self._note(values)
            yield values

    def _note(self, values: Values) -> None:
        if self.is_once:
            self.found.add(values)
        if self.columns.time is not None and values.seconds is None:
            self.untimed += 1
            self.first_untimed = self.first_untimed if self.untimed > 1 else values.row

    def remarks(self) -> t.List[str]:
        """What the table leaves open."""
        if self.is_once:
            self.found.check_rows()
        return self.found.remarks()


def _time_remarks(columns: Columns, times: TimeSymbols, reading: _Reading) -> t.List[str]:
    if columns.time is None:
        few = ", ".join(times.names[:3])
        return [f"Without time=, the rows have no symbols of the encoders of time: {few}."] if few else []
    if reading.untimed == 0:
        return []
    rows = "1 row has" if reading.untimed == 1 else f"{reading.untimed} rows have"
    return [f"{rows} no time from 1970 to 9999 in {columns.time}, the first in row {reading.first_untimed}."]


class _Judge:
    """Asks a processor how unusual events are, each by those before it, and sequences as a whole."""

    def __init__(self, processor: Processor, times: TimeSymbols, is_grouped: bool) -> None:
        self._processor = processor
        self.times = times
        self._is_grouped = is_grouped
        #: How long pieces are; shorter from then on where one takes too many steps.
        self._extent = PIECE

    def rows(self, reading: _Reading, is_grouped: bool) -> t.Iterator[Judged]:
        """Judges rows, a few requests at a time, in their order."""
        with concurrent.futures.ThreadPoolExecutor(UNDER_WAY, "noema-score") as workers:
            try:
                pieces = self._pieces(reading, is_grouped)
                yield from _in_order(workers, pieces, self._judged_piece)
            except BaseException:
                # What was not begun is not asked any more.
                workers.shutdown(wait=True, **_CANCELLED)
                raise

    def _pieces(self, reading: _Reading, is_grouped: bool) -> t.Iterator[_Piece]:
        """Rows as events, in pieces, each with the events before it."""
        if is_grouped:
            for group in self._groups(reading):
                yield from self._cut(self._events(group))
        else:
            yield from self._cut(self._series(reading))

    def _events(self, group: Group) -> t.Iterator[Judged]:
        self.times.clear()
        for values, record in zip(group.rows, group.records):
            event = self._event(record)
            if event:
                yield _row_of(values, group.name, event)

    def _series(self, reading: _Reading) -> t.Iterator[Judged]:
        maker = RecordMaker(reading.used, is_sorted=False)
        self.times.clear()
        made = ((values, maker.record(values)) for values in reading.series())
        kept = ((values, record) for values, record in made if record is not None)
        # Without vectors, nothing is asked before the pieces: a row at a time.
        for pairs in _batches(kept, MAX_RECORDS if reading.columns.vectors else 1):
            records = self._without_vectors([record for _, record in pairs])
            for (values, _), record in zip(pairs, records):
                event = self._event(record)
                if event:
                    yield _row_of(values, "", event)

    def _groups(self, reading: _Reading) -> t.Iterator[Group]:
        """The groups, with symbols in place of vectors. Small groups share a request."""
        if not reading.columns.vectors:
            yield from reading.groups()
            return
        for groups in _filled(reading.groups()):
            records = iter(self._without_vectors([record for group in groups for record in group.records]))
            for group in groups:
                yield group._replace(records=list(itertools.islice(records, len(group.records))))

    def _without_vectors(self, records: t.Sequence[Record]) -> t.List[Record]:
        """Records with the symbols of their vectors, as the processor would make them; first, as in events."""
        given = [record["vectors"] for record in records if "vectors" in record]
        names: t.List[Event] = []
        while len(names) < len(given):
            piece = _piece_of(given[len(names) : len(names) + MAX_RECORDS])
            events = self._processor.record_symbols([{"vectors": vectors} for vectors in piece])
            # A record without a time gets symbols of the present one.
            names += [[symbol for symbol in event if symbol.startswith(VECTOR)] for event in events]
        found = iter(names)
        return [
            {**record, "strings": [*next(found), *record.get("strings", [])]} if "vectors" in record else record
            for record in records
        ]

    def _event(self, record: t.Mapping[str, t.Any]) -> Event:
        strings = record.get("strings", [])
        return [*strings, *self.times.next(record.get("time"))] if strings else []

    def _cut(self, rows: t.Iterator[Judged]) -> t.Iterator[_Piece]:
        context: t.List[Event] = []
        piece: t.List[Judged] = []
        for row in rows:
            piece.append(row)
            if len(piece) >= self._extent:
                yield _Piece(context, piece)
                context = [*context, *(one.event for one in piece)][-CONTEXT:]
                piece = []
        if piece:
            yield _Piece(context, piece)

    def _judged_piece(self, piece: _Piece) -> t.List[Judged]:
        """Judges a piece; in halves where it takes too many steps as a whole."""
        context, rows = piece
        sequence = [*context, *(row.event for row in rows)]
        try:
            verdict = _known(self._processor.sequence_surprise(sequence=sequence, complete=False))
        except errors.RefusedError as error:
            if error.status != TOO_LARGE or len(rows) == 1:
                raise
            middle = len(rows) // 2
            self._extent = min(self._extent, middle)
            first = self._judged_piece(_Piece(context, rows[:middle]))
            before = [*context, *(row.event for row in rows[:middle])][-CONTEXT:]
            return [*first, *self._judged_piece(_Piece(before, rows[middle:]))]
        for at, (row, judgement) in enumerate(zip(rows, verdict["events"][len(context) :])):
            row.bits = judgement["bits"]
            row.judgement = judgement
            row.context = sequence[max(0, len(context) + at - CONTEXT) : len(context) + at]
        return rows

    def sequences(self, reading: _Reading) -> t.Iterator[Judged]:
        """Judges whole sequences, a few requests at a time, in their order."""
        with concurrent.futures.ThreadPoolExecutor(UNDER_WAY, "noema-score") as workers:
            try:
                yield from _in_order(workers, self._whole(self._groups(reading)), self._judged_sequence)
            except BaseException:
                workers.shutdown(wait=True, **_CANCELLED)
                raise

    def _whole(self, groups: t.Iterator[Group]) -> t.Iterator[t.Tuple[Judged, t.List[Event]]]:
        for group in groups:
            self.times.clear()
            events = [event for event in map(self._event, group.lesson()) if event]
            if len(events) > MAX_EVENTS:
                raise ValueError(
                    f"the group {group.name} from row {group.row} has {len(events)} events; a sequence that is judged "
                    f"whole has at most {MAX_EVENTS}: rows=True scores each row"
                )
            if events:
                time = group.rows[0].seconds if group.rows else None
                one = Judged(group.row, None, group.name, time, 0.0)
                one.rows = len(group.rows)
                yield one, events

    def _judged_sequence(self, task: t.Tuple[Judged, t.List[Event]]) -> t.List[Judged]:
        one, events = task
        one.verdict = _known(self._processor.sequence_surprise(sequence=events))
        one.bits = one.verdict["bits"]
        return [one]

    def causes(self, rows: t.Sequence[Judged]) -> t.Dict[int, t.List[str]]:
        """The symbols that brought the surprise of rows, by the rows, those with the most bits first."""
        with concurrent.futures.ThreadPoolExecutor(UNDER_WAY, "noema-score") as workers:
            found = workers.map(self._causes_of, rows)
            return {row.row: causes for row, causes in zip(rows, found)}

    def _causes_of(self, row: Judged) -> t.List[str]:
        explained: t.Any = self._processor.explain_surprise(event=row.event, sequence=row.context or None)
        factors = [] if explained is None else explained["factors"]
        causes = [(-math.log2(one["factor"]), one["symbol"]) for one in factors if one["factor"] > 0]
        counted = [(bits, symbol) for bits, symbol in causes if bits >= MIN_CAUSE]
        counted.sort(key=lambda cause: -cause[0])
        return [symbol for _, symbol in counted[:MAX_CAUSES]]


#: Python 3.9 brought `cancel_futures`.
_CANCELLED: t.Dict[str, t.Any] = {"cancel_futures": True}


class _Piece(t.NamedTuple):
    """Rows that follow each other, and the events before them."""

    context: t.List[Event]
    rows: t.List[Judged]


Task = t.TypeVar("Task")
Item = t.TypeVar("Item")


def _batches(items: t.Iterator[Item], size: int) -> t.Iterator[t.List[Item]]:
    while True:
        batch = list(itertools.islice(items, size))
        if not batch:
            return
        yield batch


def _filled(groups: t.Iterator[Group]) -> t.Iterator[t.List[Group]]:
    """Some groups at a time, until their records fill a request."""
    waiting: t.List[Group] = []
    count = 0
    for group in groups:
        waiting.append(group)
        count += len(group.records)
        if count >= MAX_RECORDS:
            yield waiting
            waiting, count = [], 0
    if waiting:
        yield waiting


def _piece_of(given: t.Sequence[t.List[t.List[float]]]) -> t.Sequence[t.List[t.List[float]]]:
    """The first vectors of records, as far as they fit into a request; those of one record in any case."""
    components = 0
    for end, vectors in enumerate(given):
        components += sum(map(len, vectors))
        if components > MAX_COMPONENTS and end > 0:
            return given[:end]
    return given


def _in_order(
    workers: concurrent.futures.ThreadPoolExecutor,
    tasks: t.Iterator[Task],
    work: t.Callable[[Task], t.List[Judged]],
) -> t.Iterator[Judged]:
    """The results in the order of the tasks. Reads only a few tasks ahead."""
    under_way: t.Deque[concurrent.futures.Future[t.List[Judged]]] = collections.deque()
    for task in tasks:
        under_way.append(workers.submit(work, task))
        if len(under_way) > 2 * UNDER_WAY:
            yield from under_way.popleft().result()
    while under_way:
        yield from under_way.popleft().result()


def _row_of(values: Values, group: str, event: Event) -> Judged:
    row = Judged(values.row, values.label_of_index, group, values.seconds, 0.0)
    row.event = event
    return row


def _known(verdict: t.Any) -> t.Dict[str, t.Any]:
    if verdict is None:
        raise ValueError("the processor has no models to compare with: learn normal rows first, with train")
    return t.cast("t.Dict[str, t.Any]", verdict)


class _Days:
    """How many days times span."""

    def __init__(self) -> None:
        self._least, self._most = math.inf, -math.inf

    def add(self, time: t.Optional[float]) -> None:
        """Notes a time."""
        if time is not None:
            self._least, self._most = min(self._least, time), max(self._most, time)

    def count(self) -> t.Optional[float]:
        """None without two different times."""
        return (self._most - self._least) / SECONDS_PER_DAY if self._most > self._least else None


def _threshold(bits: t.Sequence[float], days: t.Optional[float], per_day: t.Optional[float]) -> t.Tuple[float, str]:
    """The bits that ``per_day`` rows a day reach; one a day by default, one row in a thousand without times."""
    if days is None:
        return _reached_by(bits, max(1, math.floor(len(bits) / ROWS_PER_ALARM + 0.5))), "share"
    wanted = 1.0 if per_day is None else per_day
    return _reached_by(bits, max(1, math.floor(wanted * days + 0.5))), "per_day"


def _reached_by(bits: t.Sequence[float], count: int) -> float:
    """The bits that ``count`` rows reach; if many more rows have the same, the next higher bits."""
    if not bits:
        return MIN_CHOSEN
    falling = sorted(bits, reverse=True)
    value = falling[min(count, len(falling)) - 1]
    first = falling.index(value)
    last = first + falling.count(value) - 1
    chosen = falling[first - 1] if last >= MAX_TIES * count and first > 0 else value
    return max(MIN_CHOSEN, chosen)


def _percent(probability: float) -> str:
    return f"{number_text(float(f'{100 * probability:.1f}'))} %"


def _utc(pandas: t.Any, times: t.Sequence[t.Optional[float]]) -> t.Any:
    dates = [None if time is None else datetime.datetime.fromtimestamp(time, datetime.timezone.utc) for time in times]
    return pandas.to_datetime(pandas.Series(dates, dtype="object"), utc=True).array


def _row_frame(
    pandas: t.Any,
    rows: t.Sequence[Judged],
    causes: t.Mapping[int, t.List[str]],
    encoders: Shown,
    is_grouped: bool,
) -> t.Any:
    def words(symbols: t.Iterable[str]) -> str:
        return "; ".join(shown_symbol(symbol, encoders) for symbol in symbols)

    def instead(row: Judged) -> str:
        came = set(row.event)
        expected = [one for one in row.judgement["expected"] if one["symbol"] not in came][:MAX_TOLD]
        return "; ".join(f"{shown_symbol(one['symbol'], encoders)} {_percent(one['probability'])}" for one in expected)

    columns: t.Dict[str, t.Any] = {"group": [row.group for row in rows]} if is_grouped else {}
    columns["row"] = [row.row for row in rows]
    columns["time"] = _utc(pandas, [row.time for row in rows])
    columns["bits"] = [row.bits for row in rows]
    columns["causes"] = [words(causes.get(row.row, row.judgement["unexpected"])) for row in rows]
    columns["expected"] = [instead(row) for row in rows]
    frame = pandas.DataFrame(columns)
    frame.index = pandas.Index([row.index for row in rows], dtype=None if rows else "int64")
    return frame.astype({"row": "int64", "bits": "float64"})


def _sequence_frame(pandas: t.Any, rows: t.Sequence[Judged], encoders: Shown) -> t.Any:
    def words(symbols: t.Iterable[str]) -> str:
        return "; ".join(shown_symbol(symbol, encoders) for symbol in symbols)

    def unexpected(row: Judged) -> t.List[str]:
        symbols = [symbol for event in row.verdict["events"] for symbol in event["unexpected"]]
        return list(dict.fromkeys(symbols))[:MAX_TOLD]

    frame = pandas.DataFrame(
        {
            "group": [row.group for row in rows],
            "row": [row.row for row in rows],
            "rows": [row.rows for row in rows],
            "bits": [row.bits for row in rows],
            "rank": [math.nan if row.verdict["rank"] is None else row.verdict["rank"] for row in rows],
            "missing": [
                "; ".join(
                    f"{shown_symbol(one['symbol'], encoders)} {_percent(one['probability'])}"
                    for one in row.verdict["missing"][:MAX_TOLD]
                )
                for row in rows
            ],
            "excess": [
                "; ".join(
                    f"{shown_symbol(one['symbol'], encoders)} {one['count']} times"
                    for one in row.verdict["excess"][:MAX_TOLD]
                )
                for row in rows
            ],
            "unexpected": [words(unexpected(row)) for row in rows],
        }
    )
    return frame.astype({"row": "int64", "rows": "int64", "bits": "float64", "rank": "float64"})
