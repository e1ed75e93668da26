"""The groups of a table: rows that belong together, as the events of a sequence."""

from __future__ import annotations

import array
import itertools
import typing as t

from .bins import Binning, Bins, Encoder, quantile_edges
from .columns import Auto, BadCell, Columns, Quantiles, Values
from .data import Table

Record = t.Dict[str, t.Any]

#: How many numbers show a processor what those of a column are like: as many as it waits for.
SAMPLE = 200

#: How many numbers of a column are held to find its bins: of more, every second, fourth and so on.
MAX_HELD = 1_000_000

#: How many rows that cannot be read are told of one by one.
MAX_REASONS = 5

_MINUTES_PER_DAY = 1_440

#: Over fewer days, the times of day at which sequences end may be chance; and so they may if not nearly all of them
#: come each day.
_MIN_DAYS = 2
_NEARLY_ALL = 0.9


class Group(t.NamedTuple):
    """A group, as the events of a sequence."""

    #: What the columns that group say; the number of the group, from 1, where no column does.
    name: str
    #: The place of its first row in the table, from 0.
    row: int
    #: The records, oldest first. Rows that say nothing are left out.
    records: t.List[Record]
    label: t.Optional[str]
    #: What the cells say of which each record is made.
    rows: t.List[Values]

    def lesson(self) -> t.List[Record]:
        """What is learned of it: its records, and its label as an event of its own after them."""
        if self.label is None:
            return self.records
        # The label belongs to what happened, and not to when it is sent.
        time = self.records[-1].get("time") if self.records else None
        return [*self.records, {"strings": [self.label], **({} if time is None else {"time": time})}]


class Survey:
    """What a reading of a table finds."""

    def __init__(self, columns: Columns) -> None:
        self.rows = 0
        self.groups = 0
        #: How many rows cannot be read, and why, of the first few.
        self.bad = 0
        self.reasons: t.List[str] = []
        self.lacks_zone = False
        self.is_together = True
        self.columns = columns
        self._ends = Ends()
        self._held = {column: Held() for column, rule in columns.numbers if not isinstance(rule, Encoder)}

    def add_bad(self, error: BadCell) -> None:
        """Notes a row that cannot be read."""
        self.bad += 1
        if len(self.reasons) < MAX_REASONS:
            self.reasons.append(str(error))

    def add(self, values: Values) -> None:
        """Notes a row."""
        self.rows += 1
        self.lacks_zone = self.lacks_zone or values.lacks_zone
        every = self.columns.every
        if every is not None and self.rows % every == 0 and values.seconds is not None:
            self._ends.add(int(values.seconds // 60))
        for column, held in self._held.items():
            if column in values.numbers:
                held.add(values.numbers[column])

    def encoders(self) -> t.Dict[str, Encoder]:
        """How the numbers of each column become symbols, as far as the options or the table say it."""
        found: t.Dict[str, Encoder] = {}
        for column, rule in self.columns.numbers:
            if isinstance(rule, Encoder):
                found[column] = rule
            elif isinstance(rule, Quantiles):
                edges = quantile_edges(self._held[column].numbers(), rule.bins)
                found[column] = Encoder(Bins(edges=edges), rule.hysteresis, rule.on_change)
        return found

    def samples(self) -> t.Dict[str, t.List[float]]:
        """Numbers of the columns whose bins the processor finds, rising, as they are spread over the column."""
        found: t.Dict[str, t.List[float]] = {}
        for column, rule in self.columns.numbers:
            numbers = sorted(self._held[column].numbers()) if isinstance(rule, Auto) else []
            if numbers:
                last = len(numbers) - 1
                # Halves are rounded up, as the command line does.
                found[column] = [numbers[int(at * last / (SAMPLE - 1) + 0.5)] for at in range(SAMPLE)]
        return found

    def remarks(self) -> t.List[str]:
        """What the table leaves open."""
        lines = []
        if self.bad:
            lines.append(f"{self.bad} of {self.bad + self.rows} rows cannot be read and are left out:")
            lines += [f"  {reason}" for reason in self.reasons]
            if self.bad > len(self.reasons):
                lines.append(f"  and {self.bad - len(self.reasons)} more")
        return [*lines, "Times without a zone count as UTC."] if self.lacks_zone else lines

    def end_remarks(self) -> t.List[str]:
        """What sequences of a number of rows leave out that end at the same times of every day: no sequence holds
        what comes next there."""
        every = self.columns.every
        if every is None or every < 2 or not self._ends.are_daily():
            return []
        return [
            f"The sequences of {every} rows all end {self._ends}: what follows there is never learned, and will seem "
            f"unusual every day. Other numbers of rows, such as {every + 1}, end at different times."
        ]

    def check_rows(self) -> None:
        """:raises ValueError: if there is no row"""
        if self.rows == 0 and self.bad:
            raise ValueError(f"the table has no row that can be read; the first of {self.bad}: {self.reasons[0]}")
        if self.rows == 0:
            raise ValueError("the table has no rows")


class Ends:
    """When sequences end. As text, it says at which times of day."""

    def __init__(self) -> None:
        self._minutes: t.Set[int] = set()
        self._count = 0
        self._first = 0
        self._last = 0

    def add(self, minute: int) -> None:
        """Adds an end, in minutes since 1970."""
        self._minutes.add(minute % _MINUTES_PER_DAY)
        self._first = min(self._first, minute) if self._count else minute
        self._last = max(self._last, minute) if self._count else minute
        self._count += 1

    def are_daily(self) -> bool:
        """Whether they are at the same times of every day."""
        days = (self._last - self._first) / _MINUTES_PER_DAY
        return days >= _MIN_DAYS and self._count >= _NEARLY_ALL * len(self._minutes) * days

    def __str__(self) -> str:
        hour, minute = divmod(min(self._minutes), 60)
        if len(self._minutes) > 1:
            return f"at the same {len(self._minutes)} times of day"
        return f"at {hour:02}:{minute:02} UTC"


class Held:
    """Numbers of a column, in a bounded space."""

    def __init__(self) -> None:
        self._numbers = array.array("d")
        self._stride = 1
        self._count = 0

    def add(self, number: float) -> None:
        """Adds a number."""
        if self._count % self._stride == 0:
            self._numbers.append(number)
            if len(self._numbers) >= 2 * MAX_HELD:
                self._numbers = self._numbers[::2]
                self._stride *= 2
        self._count += 1

    def numbers(self) -> t.List[float]:
        """Those that are held."""
        return self._numbers.tolist()


def survey(table: Table, columns: Columns, skip_bad: bool) -> Survey:
    """Reads a table once, and checks every row, so that nothing is sent of one that is wrong."""
    found = Survey(columns)
    labels: t.Dict[str, t.Optional[str]] = {}
    last: t.Optional[str] = None
    for values, name in table.rows(found.add_bad if skip_bad else None):
        found.add(values)
        if not columns.group_by:
            continue
        if name in labels:
            found.is_together = found.is_together and name == last
            _check_label(labels[name], values, name, columns)
        else:
            labels[name] = values.label
        last = name
    found.check_rows()
    every = columns.every or 1
    found.groups = len(labels) if columns.group_by else -(-found.rows // every)
    return found


def _check_label(label: t.Optional[str], values: Values, name: str, columns: Columns) -> None:
    if columns.label is not None and values.label != label:
        raise ValueError(
            f"row {values.row}: {columns.label.column} is {values.label or ''!r}, but it is {label or ''!r} in an "
            f"earlier row of the group {name}; accepted is one label for a group"
        )


def groups_of(
    table: Table,
    columns: Columns,
    encoders: t.Mapping[str, Encoder],
    *,
    is_together: bool,
    on_bad: t.Optional[t.Callable[[BadCell], None]],
    on_row: t.Optional[t.Callable[[Values], None]] = None,
) -> t.Iterator[Group]:
    """Reads a table group by group, in the order of their first rows.

    :param encoders: of columns whose numbers become symbols here; others stay numbers
    :param is_together: whether the rows of each group stand together; else all of the table is held
    :param on_row: hears of each row that is read
    """
    maker = RecordMaker(encoders, is_sorted=columns.every is None)
    rows = _told(table.rows(on_bad), on_row)
    if not columns.group_by:
        numbered = _numbered(rows, columns.every)
    elif is_together:
        numbered = _together(rows, columns, is_checked=not table.is_repeatable)
    else:
        numbered = _gathered(rows)
    for name, members in numbered:
        yield maker.group(name, members)


_Named = t.Tuple[str, t.List[Values]]


def _told(
    rows: t.Iterator[t.Tuple[Values, str]], on_row: t.Optional[t.Callable[[Values], None]]
) -> t.Iterator[t.Tuple[Values, str]]:
    for values, name in rows:
        if on_row is not None:
            on_row(values)
        yield values, name


def _numbered(rows: t.Iterator[t.Tuple[Values, str]], every: t.Optional[int]) -> t.Iterator[_Named]:
    for number in itertools.count(1):
        members = [values for values, _ in itertools.islice(rows, every)]
        if not members:
            return
        yield str(number), members


def _together(rows: t.Iterator[t.Tuple[Values, str]], columns: Columns, *, is_checked: bool) -> t.Iterator[_Named]:
    # Eight bytes of each name are enough to know it again.
    ended: t.Set[int] = set()
    for name, pairs in itertools.groupby(rows, key=lambda pair: pair[1]):
        members = [values for values, _ in pairs]
        if is_checked:
            if hash(name) in ended:
                raise ValueError(
                    f"row {members[0].row}: rows of the group {name} came before, and do not stand together; data that "
                    "can be read only once must have them together: sort it, or pass a function that makes it anew"
                )
            ended.add(hash(name))
            for values in members:
                _check_label(members[0].label, values, name, columns)
        yield name, members


def _gathered(rows: t.Iterator[t.Tuple[Values, str]]) -> t.Iterator[_Named]:
    groups: t.Dict[str, t.List[Values]] = {}
    for values, name in rows:
        groups.setdefault(name, []).append(values)
    yield from groups.items()


class RecordMaker:
    """Makes records of rows. Keeps the last bin of each column within a group."""

    def __init__(self, encoders: t.Mapping[str, Encoder], *, is_sorted: bool) -> None:
        self._is_sorted = is_sorted
        self._binnings = {column: Binning(column, encoder) for column, encoder in encoders.items()}

    def clear(self) -> None:
        """Begins another group."""
        for binning in self._binnings.values():
            binning.clear()

    def group(self, name: str, rows: t.List[Values]) -> Group:
        """A group of rows."""
        # Equal times keep the order of the table: sorting is stable.
        members = sorted(rows, key=lambda values: values.time) if self._is_sorted else rows
        self.clear()
        made = [(values, self.record(values)) for values in members]
        kept = [(values, record) for values, record in made if record is not None]
        return Group(
            name, rows[0].row, [record for _, record in kept], members[0].label, [values for values, _ in kept]
        )

    def record(self, values: Values) -> t.Optional[Record]:
        """The record of a row; None where it says nothing."""
        strings = [text for _, texts in values.symbols for text in texts]
        sent: t.Dict[str, float] = {}
        for column, number in values.numbers.items():
            binning = self._binnings.get(column)
            if binning is None:
                sent[column] = number
                continue
            try:
                symbol = binning.symbol(number)
            except ValueError as error:
                raise BadCell(f"row {values.row}: {column}: {error}") from None
            if symbol is not None:
                strings.append(symbol)
        record: Record = {}
        if strings:
            record["strings"] = strings
        if values.vectors:
            record["vectors"] = values.vectors
        if sent:
            record["numbers"] = sent
        if values.emotives:
            record["emotives"] = values.emotives
        if record and values.seconds is not None:
            record["time"] = values.seconds
        return record or None
