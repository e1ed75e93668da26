"""Makes JSON of Python's values, those of numpy and pandas among them. Refuses what JSON cannot carry, by its place."""

from __future__ import annotations

import datetime
import decimal
import json
import math
import typing as t


def encoded(value: t.Any, what: str = "") -> bytes:
    """A value as JSON in UTF-8.

    Scalars and arrays of numpy become numbers and lists, a datetime with a zone becomes RFC 3339 text.

    :param what: names the value in errors; empty for a body, whose members name themselves
    :raises ValueError: for a number that is not finite, or text that is not Unicode
    :raises TypeError: for a value of another type
    """
    try:
        text = json.dumps(value, allow_nan=False, default=_plain, ensure_ascii=False, separators=(",", ":"))
        return text.encode()
    except (TypeError, ValueError, UnicodeEncodeError):
        _explain(value, what)
        raise


def _plain(value: t.Any) -> t.Any:
    """The JSON value for one of another type."""
    if isinstance(value, datetime.datetime) and value == value and value.tzinfo is not None:
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return float(value)
    # numpy's scalars and arrays, and pandas' columns: known by what they can, so that neither need be there.
    if hasattr(value, "tolist") and hasattr(value, "dtype") and getattr(value.dtype, "kind", "") in "biufUO":
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is no JSON value")


def _explain(value: t.Any, where: str) -> None:
    """Raises an error that names the first value that is not accepted."""
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{where} must be a finite number, got {value!r}")
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{where} must be well-formed Unicode, got {value!r}") from None
    elif isinstance(value, dict):
        for name, member in value.items():
            if not isinstance(name, str):
                raise TypeError(f"the names in {where} must be strings, got {name!r}")
            _explain(name, f"a name in {where or 'the body'}")
            _explain(member, f"{where}.{name}" if where else name)
    elif isinstance(value, (list, tuple)):
        for at, item in enumerate(value):
            _explain(item, f"{where}[{at}]")
    elif value is not None and not isinstance(value, (bool, int, float)):
        if isinstance(value, datetime.datetime) and value == value and value.tzinfo is None:
            raise TypeError(f"{where} is a time without a zone; say which, such as value.replace(tzinfo=timezone.utc)")
        try:
            plain = _plain(value)
        except TypeError:
            raise TypeError(
                f"{where} must be a JSON value, an array of numpy or a time, got {type(value).__name__} {value!r:.80}"
            ) from None
        _explain(plain, where)
