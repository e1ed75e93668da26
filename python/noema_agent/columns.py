"""What the columns of a table mean, by the names and rules of the command line. Checks every cell."""

from __future__ import annotations

import datetime
import decimal
import difflib
import json
import math
import re
import typing as t

from .bins import Bins, Encoder, number_text

Names = t.Union[str, t.Sequence[str]]
"""One column, or several."""

#: How many bins an encoder finds where nothing is said, as the server has it.
USUAL_BINS = 8
MAX_AUTO = 100
MAX_QUANTILES = 1000


class Auto(t.NamedTuple):
    """Bins that the processor finds."""

    bins: int
    #: Whether an encoder that the processor has stays, whatever it is: nothing was said about the bins.
    is_default: bool
    hysteresis: float = 0.0
    on_change: bool = False


class Quantiles(t.NamedTuple):
    """Bins into which about as many numbers fall."""

    bins: int
    hysteresis: float = 0.0
    on_change: bool = False


Rule = t.Union[Auto, Encoder, Quantiles]


class SymbolColumn(t.NamedTuple):
    """A column whose cells are symbols: the cell alone, or ``<column>=<cell>``."""

    column: str
    is_named: bool


class Columns(t.NamedTuple):
    """What the columns mean."""

    group_by: t.Tuple[str, ...]
    #: How many rows a group has, where no column says it.
    every: t.Optional[int]
    symbols: t.Tuple[SymbolColumn, ...]
    numbers: t.Tuple[t.Tuple[str, Rule], ...]
    vectors: t.Tuple[t.Tuple[str, ...], ...]
    emotives: t.Tuple[str, ...]
    label: t.Optional[SymbolColumn]
    time: t.Optional[str]
    is_decimal_comma: bool

    def named(self) -> t.List[str]:
        """All columns that are named, each once."""
        every = [
            *self.group_by,
            *(column for column, _ in self.symbols),
            *(column for column, _ in self.numbers),
            *(column for vector in self.vectors for column in vector),
            *self.emotives,
            *([self.label.column] if self.label else []),
            *([self.time] if self.time is not None else []),
        ]
        return list(dict.fromkeys(every))


class Values(t.NamedTuple):
    """What the cells of a row say."""

    #: Its place in the table, from 0.
    row: int
    #: What the index has of it.
    label_of_index: t.Any
    symbols: t.List[t.Tuple[str, t.List[str]]]
    numbers: t.Dict[str, float]
    vectors: t.List[t.List[float]]
    emotives: t.Dict[str, float]
    label: t.Optional[str]
    #: Rows with a smaller one come first; 0 where there is no such column.
    time: float
    #: When it happened, in epoch seconds; None where there is no such column, or its number is no such time.
    seconds: t.Optional[float]
    lacks_zone: bool


def columns_of(
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
    is_series: bool = False,
) -> Columns:
    """Reads what the columns mean.

    :param is_series: whether all rows may belong together; else something must say what a group is
    :raises ValueError: if an option is not accepted, no column is named, or nothing says what a group is
    """
    symbols = _names("symbol", symbol)
    rules: t.Any = number
    if isinstance(number, t.Mapping):
        rules = [f"{name}:{rule}" if rule else name for name, rule in number.items()]
    numbers = _names("number", rules)
    vectors = _vectors(vector)
    if not (symbols or numbers or vectors):
        raise ValueError("no column makes symbols: name one with symbol=, number= or vector=")
    if group_by is not None and every is not None:
        raise ValueError("group_by and every exclude each other: a column says what a group is, or a number of rows")
    if every is not None and (isinstance(every, bool) or not isinstance(every, int) or every < 1):
        raise ValueError(f"every must be a whole number from 1, got {every!r}")
    if group_by is None and every is None and label is None and not is_series:
        raise ValueError(
            "nothing says which rows belong together: name a column with group_by=, or a number of rows with every="
        )
    groups = tuple(group_by.split(",")) if isinstance(group_by, str) else tuple(_names("group_by", group_by or ()))
    by_name = sorted((_number_column(text) for text in numbers), key=lambda pair: pair[0].encode())
    return Columns(
        group_by=groups,
        every=None if groups else every if every is not None else 1 if label is not None else None,
        symbols=tuple(map(_symbol_column, symbols)),
        # A server puts the symbols of numbers in the order of their names.
        numbers=tuple(by_name),
        vectors=vectors,
        emotives=tuple(_names("emotive", emotive)),
        label=None if label is None else _symbol_column(label),
        time=time,
        is_decimal_comma=decimal_comma,
    )


def _names(option: str, given: t.Any) -> t.List[str]:
    names = [given] if isinstance(given, str) else list(given)
    for name in names:
        if not isinstance(name, str) or name == "":
            raise ValueError(f"{option} must be the name of a column, or a list of names, got {name!r}")
    return names


def _vectors(given: t.Any) -> t.Tuple[t.Tuple[str, ...], ...]:
    if isinstance(given, str):
        return (tuple(given.split(",")),)
    parts = list(given)
    if parts and all(isinstance(part, str) and "," not in part for part in parts):
        return (tuple(parts),)
    return tuple(tuple(part.split(",")) if isinstance(part, str) else tuple(_names("vector", part)) for part in parts)


def _symbol_column(text: str) -> SymbolColumn:
    is_named = text.endswith(":named") and text != ":named"
    return SymbolColumn(text[: -len(":named")] if is_named else text, is_named)


def _number_column(text: str) -> t.Tuple[str, Rule]:
    column, colon, rule = text.rpartition(":")
    if not colon:
        return text, Auto(USUAL_BINS, True)
    if not column:
        raise ValueError(f"number {text} names no column; accepted is <column>:<bins>")
    return column, number_rule(column, rule)


_DECIMAL = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_RULE = re.compile(
    rf"(?:step=(?P<size>{_DECIMAL})(?:,origin=(?P<origin>{_DECIMAL}))?|edges=(?P<edges>{_DECIMAL}(?:,{_DECIMAL})*)"
    rf"|quantiles=(?P<quantiles>\d+)|(?P<auto>auto)(?:=(?P<bins>\d+))?)"
    rf"(?:,hysteresis=(?P<hysteresis>{_DECIMAL}))?(?P<change>,on-change)?",
    re.ASCII,
)


def number_rule(column: str, text: str) -> Rule:
    """Reads how numbers become symbols: ``auto``, ``step=0.5``, ``edges=1,2,5``, ``quantiles=8`` and so on."""

    def refusal(accepted: str) -> ValueError:
        return ValueError(f"number {column}:{text} is not accepted; accepted is {accepted}")

    found = _RULE.fullmatch(text)
    if found is None:
        raise refusal(
            f"auto[=<bins>], step=<size>[,origin=<number>], edges=<number>,<number>,... or "
            f"quantiles=<2 to {MAX_QUANTILES}>, then [,hysteresis=<number>][,on-change]"
        )
    parts = found.groupdict()
    hysteresis, on_change = float(parts["hysteresis"] or 0), parts["change"] is not None
    if not 0 <= hysteresis < math.inf:
        raise refusal("a hysteresis of 0 or more")
    if parts["size"] is not None:
        size, origin = float(parts["size"]), float(parts["origin"] or 0)
        if not (0 < size < math.inf and math.isfinite(origin)):
            raise refusal("a step above 0")
        return Encoder(Bins(size, origin), hysteresis, on_change)
    if parts["auto"] is not None:
        bins = int(parts["bins"] or USUAL_BINS)
        if not 2 <= bins <= MAX_AUTO:
            raise refusal(f"auto=<2 to {MAX_AUTO}>")
        return Auto(bins, False, hysteresis, on_change)
    if parts["edges"] is not None:
        edges = [float(edge) for edge in parts["edges"].split(",")]
        if not all(map(math.isfinite, edges)) or any(one >= other for one, other in zip(edges, edges[1:])):
            raise refusal("edges in ascending order")
        return Encoder(Bins(edges=edges), hysteresis, on_change)
    count = int(parts["quantiles"])
    if not 2 <= count <= MAX_QUANTILES:
        raise refusal(f"quantiles=<2 to {MAX_QUANTILES}>")
    return Quantiles(count, hysteresis, on_change)


class BadCell(ValueError):
    """A cell is not accepted. ``skip_bad`` leaves its row out."""


def plain(cell: t.Any) -> t.Any:
    """A cell as Python has it: a scalar or an array of numpy becomes a number, a text, a time or a list."""
    if hasattr(cell, "tolist") and hasattr(cell, "dtype"):
        if cell.dtype.kind in "mM":
            # In nanoseconds it would become a whole number.
            return None if str(cell) == "NaT" else cell.astype(f"{cell.dtype.kind}8[us]").tolist()
        return cell.tolist()
    return cell


def is_empty(cell: t.Any) -> bool:
    """Whether a cell says nothing: None, NaN, NaT, NA or an empty text."""
    if cell is None or (isinstance(cell, str) and cell == ""):
        return True
    if isinstance(cell, (str, int, list, tuple)):
        return False
    if type(cell).__name__ == "NAType":
        return True
    return bool(cell != cell)


def _bad(row: int, column: str, cell: t.Any, accepted: str) -> BadCell:
    return BadCell(f"row {row}: {column} is {str(cell)[:80]!r} ({type(cell).__name__}); accepted is {accepted}")


def texts_in(cell: t.Any, row: int, column: SymbolColumn) -> t.List[str]:
    """The symbols of a cell, which may be a list."""
    cell = plain(cell)
    cells = cell if isinstance(cell, (list, tuple)) else [cell]
    texts = [symbol_text(plain(one), row, column.column) for one in cells if not is_empty(one)]
    return [f"{column.column}={text}" for text in texts] if column.is_named else texts


def symbol_text(cell: t.Any, row: int, column: str) -> str:
    """A cell as a symbol: numbers and truth values as in JSON."""
    if isinstance(cell, str):
        if not cell.isascii():
            try:
                cell.encode()
            except UnicodeEncodeError:
                raise _bad(row, column, ascii(cell), "well-formed Unicode") from None
        return cell
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, (int, float)):
        if isinstance(cell, float) and not math.isfinite(cell):
            raise _bad(row, column, cell, "a string, a finite number, true, false or a list of these")
        return number_text(cell)
    # Ranges of pandas.cut, and months or days of pandas.
    if type(cell).__name__ in ("Interval", "Period", "Decimal"):
        return str(cell)
    if isinstance(cell, (datetime.date, datetime.timedelta, datetime.time)):
        raise _bad(row, column, cell, "no time: name its column with time=, or make texts of it with .astype(str)")
    raise _bad(row, column, cell, "a string, a number, true, false or a list of these")


_PLAIN_NUMBER = re.compile(_DECIMAL, re.ASCII)
_WITH_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?", re.ASCII)


def number_in(cell: t.Any, row: int, column: str, is_decimal_comma: bool) -> t.Optional[float]:
    """The number of a cell; None where it is empty."""
    if type(cell) is float:
        if math.isfinite(cell):
            return cell
        if cell != cell:
            return None
    cell = plain(cell)
    if is_empty(cell):
        return None
    advice = ""
    if isinstance(cell, str):
        text = cell.strip()
        has_comma = _WITH_COMMA.fullmatch(text) is not None
        if has_comma and is_decimal_comma:
            text = text.replace(",", ".")
        elif has_comma:
            advice = "; decimal_comma=True reads a comma as the decimal point"
        if _PLAIN_NUMBER.fullmatch(text) and math.isfinite(float(text)):
            return float(text)
    elif isinstance(cell, (int, float, decimal.Decimal)) and not isinstance(cell, bool):
        try:
            value = float(cell)
        except OverflowError:
            value = math.inf
        if math.isfinite(value):
            return int(cell) if isinstance(cell, int) and abs(cell) < 2**53 else value
    elif isinstance(cell, datetime.timedelta):
        advice = "; .dt.total_seconds() makes numbers of durations"
    elif isinstance(cell, datetime.date):
        advice = "; name the column of a time with time="
    raise _bad(row, column, cell, f"a finite number{advice}")


#: The latest time of a record, 9999-12-31T23:59:59Z, as the server has it.
_LATEST = 253_402_300_799
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?", re.ASCII
)


def time_in(cell: t.Any, row: int, column: str) -> t.Tuple[float, t.Optional[float], bool]:
    """When a row happened: by what rows are ordered, epoch seconds, and whether it lacks a zone. Then it is in UTC."""
    cell = plain(cell)
    if isinstance(cell, datetime.datetime) and cell == cell:
        lacks_zone = cell.tzinfo is None
        at = cell.replace(tzinfo=datetime.timezone.utc) if lacks_zone else cell
        return _ordered((at - _EPOCH).total_seconds(), lacks_zone)
    if isinstance(cell, datetime.date) and cell == cell:
        return _ordered((datetime.date.toordinal(cell) - datetime.date.toordinal(_EPOCH)) * 86_400.0, False)
    text = cell.strip() if isinstance(cell, str) else ""
    if text and _PLAIN_NUMBER.fullmatch(text):
        cell = float(text)
    if isinstance(cell, (int, float, decimal.Decimal)) and not isinstance(cell, bool) and math.isfinite(cell):
        return _counted(float(cell))
    found = _TIME.fullmatch(text)
    parsed = None if found is None else _iso(found)
    if parsed is None:
        raise _bad(row, column, cell, "a time such as 2026-11-22T08:30:00Z, a number, or a datetime")
    has_clock, has_zone = found is not None and found[4] is not None, found is not None and found[8] is not None
    return _ordered(parsed, has_clock and not has_zone)


def _ordered(seconds: float, lacks_zone: bool) -> t.Tuple[float, t.Optional[float], bool]:
    return seconds, seconds if 0 <= seconds <= _LATEST else None, lacks_zone


def _counted(number: float) -> t.Tuple[float, t.Optional[float], bool]:
    """A number beyond the latest time is milliseconds, then micro-, then nanoseconds."""
    for parts in (1, 1e3, 1e6, 1e9):
        if 0 <= number / parts <= _LATEST:
            return number / parts, number / parts, False
    return number, None, False


def _iso(found: t.Match[str]) -> t.Optional[float]:
    year, month, day, hour, minute, second, fraction, zone = found.groups()
    try:
        at = datetime.datetime(
            int(year),
            int(month),
            int(day),
            int(hour or 0),
            int(minute or 0),
            int(second or 0),
            tzinfo=datetime.timezone.utc,
        )
    except ValueError:
        return None
    offset = 0
    if zone not in (None, "Z"):
        hours, minutes = int(zone[1:3]), int(zone[3:].lstrip(":") or 0)
        if hours > 23 or minutes > 59:
            return None
        offset = (60 * hours + minutes) * (-60 if zone[0] == "-" else 60)
    return (at - _EPOCH).total_seconds() - offset + float(f"0.{fraction or 0}")


def group_name(cells: t.Sequence[t.Any], row: int, columns: t.Sequence[str]) -> str:
    """The group that a row is of: one text, equal for rows of one group only."""
    texts = [
        "" if is_empty(plain(cell)) else _group_text(plain(cell), row, column) for cell, column in zip(cells, columns)
    ]
    return texts[0] if len(texts) == 1 else json.dumps(texts, ensure_ascii=False)


def _group_text(cell: t.Any, row: int, column: str) -> str:
    if isinstance(cell, (datetime.date, datetime.timedelta, datetime.time)):
        return str(cell)
    return symbol_text(cell, row, column)


def missing_columns(missing: t.Sequence[str], there: t.Sequence[t.Any]) -> ValueError:
    """The error for columns that a table does not have."""
    quoted = ", ".join(map(repr, missing))
    names = {str(name).lower(): str(name) for name in there}
    near = difflib.get_close_matches(missing[0].lower(), list(names), 1)
    hint = f"; did you mean {names[near[0]]!r}?" if near else ""
    shown = ", ".join(repr(str(name)) for name in there) or "none"
    return ValueError(f"there is no column {quoted}; there are {shown}{hint}")
