"""Reads tables piece by piece: a DataFrame, pieces of one, or rows as dictionaries. Knows no meaning of a column."""

from __future__ import annotations

import itertools
import typing as t

from .columns import BadCell, Columns, Values, group_name, missing_columns, number_in, texts_in, time_in

if t.TYPE_CHECKING:
    import pandas

#: How many rows are read at a time: what is held of a table besides the table itself.
ROWS = 10_000

Row = t.Mapping[str, t.Any]
Data = t.Union[
    "pandas.DataFrame",
    t.Iterable["pandas.DataFrame"],
    t.Iterable[Row],
    t.Callable[[], t.Union[t.Iterable["pandas.DataFrame"], t.Iterable[Row]]],
]
"""A table: a DataFrame, an iterable of DataFrames or of dictionaries, or a function that makes one anew."""


class Chunk(t.NamedTuple):
    """Some rows of a table."""

    #: The place of its first row in the table, from 0.
    start: int
    length: int
    #: The cells of each column that is needed.
    cells: t.Mapping[str, t.Sequence[t.Any]]
    #: What the index has of each row; None where there is no index.
    labels: t.Optional[t.Sequence[t.Any]]


class Table:
    """A table of which some columns are needed."""

    def __init__(self, data: Data, columns: Columns) -> None:
        self._data = data
        self._columns = columns
        self._names = columns.named()
        is_frame = _is_frame(data)
        #: Whether it can be read again. What can be read only once is checked as it is sent.
        self.is_repeatable = is_frame or callable(data) or isinstance(data, (list, tuple))
        self.is_frame = is_frame
        if (
            not is_frame
            and not callable(data)
            and (isinstance(data, (str, bytes, dict)) or not hasattr(data, "__iter__"))
        ):
            raise TypeError(
                "data must be a DataFrame, an iterable of DataFrames or of dictionaries, or a function that makes one, "
                f"got {type(data).__name__}"
            )

    def chunks(self) -> t.Iterator[Chunk]:
        """The table, piece by piece."""
        data: t.Any = self._data() if callable(self._data) and not self.is_frame else self._data
        start = 0
        for piece in self._pieces(data):
            if piece.length:
                yield piece._replace(start=start)
            start += piece.length

    def _pieces(self, data: t.Any) -> t.Iterator[Chunk]:
        if _is_frame(data):
            yield from self._of_frame(data)
            return
        rows: t.List[t.Any] = []
        for item in data:
            if _is_frame(item):
                yield from self._of_frame(item)
                continue
            if not isinstance(item, t.Mapping):
                raise TypeError(f"data must hold DataFrames or dictionaries, got {type(item).__name__}")
            rows.append(item)
            if len(rows) == ROWS:
                yield self._of_rows(rows)
                rows = []
        if rows:
            yield self._of_rows(rows)

    def _of_frame(self, frame: t.Any) -> t.Iterator[Chunk]:
        there, levels = list(frame.columns), list(frame.index.names)
        missing = [name for name in self._names if name not in there and name not in levels]
        if missing:
            raise missing_columns(missing, there)
        for name in self._names:
            if there.count(name) > 1:
                raise ValueError(f"{there.count(name)} columns are named {name!r}: rename one")
        for begin in range(0, max(len(frame), 1), ROWS):
            piece = frame.iloc[begin : begin + ROWS]
            cells = {
                name: (piece[name] if name in there else piece.index.get_level_values(name)).tolist()
                for name in self._names
            }
            yield Chunk(0, len(piece), cells, piece.index.tolist())

    def _of_rows(self, rows: t.List[t.Any]) -> Chunk:
        # As in lines of JSON, a member that is absent from one row is absent from the table.
        for row in rows:
            missing = [name for name in self._names if name not in row]
            if missing:
                raise missing_columns(missing, list(row))
        return Chunk(0, len(rows), {name: [row[name] for row in rows] for name in self._names}, None)

    def rows(self, on_bad: t.Optional[t.Callable[[BadCell], None]]) -> t.Iterator[t.Tuple[Values, str]]:
        """The rows, each with the name of its group, where columns say it.

        :param on_bad: hears of rows that cannot be read, which are left out; without it they are raised
        """
        for chunk in self.chunks():
            for at in range(chunk.length):
                try:
                    values = _values(chunk, at, self._columns)
                    by = self._columns.group_by
                    name = group_name([chunk.cells[column][at] for column in by], values.row, by) if by else ""
                except BadCell as error:
                    if on_bad is None:
                        raise
                    on_bad(error)
                    continue
                yield values, name

    def in_order_of_time(self, rows: t.Sequence[int]) -> Table:
        """The same DataFrame with its rows in another order."""
        return Table(t.cast(t.Any, self._data).iloc[list(rows)], self._columns)


def _is_frame(data: t.Any) -> bool:
    # pandas need not be installed for other data.
    return hasattr(data, "iloc") and hasattr(data, "columns")


def _values(chunk: Chunk, at: int, columns: Columns) -> Values:
    cells, row = chunk.cells, chunk.start + at
    comma = columns.is_decimal_comma
    numbers: t.Dict[str, float] = {}
    for column, _ in columns.numbers:
        number = number_in(cells[column][at], row, column, comma)
        if number is not None:
            numbers[column] = number
    emotives = {name: number_in(cells[name][at], row, name, comma) for name in columns.emotives}
    order, seconds, lacks_zone = 0.0, None, False
    if columns.time is not None:
        order, seconds, lacks_zone = time_in(cells[columns.time][at], row, columns.time)
    label = None
    if columns.label is not None:
        label = next(iter(texts_in(cells[columns.label.column][at], row, columns.label)), None)
    return Values(
        row=row,
        label_of_index=row if chunk.labels is None else chunk.labels[at],
        symbols=[(column.column, texts_in(cells[column.column][at], row, column)) for column in columns.symbols],
        numbers=numbers,
        vectors=[vector for names in columns.vectors for vector in _vector(cells, at, row, names, comma)],
        emotives={name: value for name, value in emotives.items() if value is not None},
        label=label,
        time=order,
        seconds=seconds,
        lacks_zone=lacks_zone,
    )


def _vector(
    cells: t.Mapping[str, t.Sequence[t.Any]], at: int, row: int, names: t.Sequence[str], comma: bool
) -> t.List[t.List[float]]:
    """The vector of a row; none if all its cells are empty."""
    values = [number_in(cells[name][at], row, name, comma) for name in names]
    if all(value is None for value in values):
        return []
    whole = [value for value in values if value is not None]
    if len(whole) < len(values):
        empty = names[values.index(None)]
        raise BadCell(f"row {row}: {empty} is empty; accepted is a number, because other components are there")
    return [whole]
