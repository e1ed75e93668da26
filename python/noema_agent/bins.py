"""Makes symbols of numbers and times, as a processor with the same encoders makes them. Knows no table."""

from __future__ import annotations

import bisect
import datetime
import decimal
import math
import re
import typing as t

#: The most decimals that are kept.
_MAX_DECIMALS = 100


def number_text(value: float) -> str:
    """The shortest decimal text of a number, as in JSON that a browser or Noema writes: 20 for 20.0, 1e+21, 1e-7."""
    if isinstance(value, int):
        return str(value) if abs(value) < 10**21 else number_text(float(value))
    if value == 0:
        return "0"
    sign, digits, exponent = decimal.Decimal(repr(value)).normalize().as_tuple()
    # The place of the point after the first digit.
    place = len(digits) + t.cast(int, exponent)
    text = "".join(map(str, digits))
    if 0 < place <= 21:
        text = text.ljust(place, "0") if place >= len(text) else f"{text[:place]}.{text[place:]}"
    elif -6 < place <= 0:
        text = f"0.{'0' * -place}{text}"
    else:
        power = place - 1
        text = f"{text[0]}{'.' if text[1:] else ''}{text[1:]}e{'+' if power > 0 else '-'}{abs(power)}"
    return f"-{text}" if sign else text


class Bins(t.NamedTuple):
    """Which bins a number falls into: of one size, or between edges that rise."""

    size: float = 0.0
    origin: float = 0.0
    #: None: the bins have a size.
    edges: t.Optional[t.Sequence[float]] = None


class Encoder(t.NamedTuple):
    """Bins, how far beyond its bin a number still counts as in it, and whether only another bin makes a symbol."""

    bins: Bins
    hysteresis: float = 0.0
    on_change: bool = False


_Bin = t.Tuple[float, float]


class Binning:
    """Makes symbols of the numbers of one name, and keeps the last bin, as a working memory does."""

    def __init__(self, name: str, encoder: Encoder) -> None:
        self._name = name
        self._encoder = encoder
        self._last: t.Optional[_Bin] = None
        self._stay: t.Optional[_Bin] = None

    def clear(self) -> None:
        """Forgets the last bin, as a memory does when it is cleared."""
        self._last = self._stay = None

    def symbol(self, value: float) -> t.Optional[str]:
        """The symbol of a number; None if only a change makes one, and there is none."""
        bins, hysteresis, on_change = self._encoder
        last, stay = self._last, self._stay
        if last is not None and stay is not None and stay[0] <= value < stay[1]:
            found = last
        else:
            found = _bin_of(bins, value)
            self._last, self._stay = found, _widened(found, hysteresis)
        if on_change and last is not None and found[0] == last[0]:
            return None
        return f"{self._name}={'-inf' if found[0] == -math.inf else number_text(found[0])}"


def _widened(found: _Bin, margin: float) -> _Bin:
    """A bin with a margin on both sides. In decimal: 0.1 below 0.8 is 0.7, and not 0.7000000000000001."""
    if margin == 0:
        return found
    by = decimal.Decimal(repr(margin))
    low, high = found
    return (
        float(decimal.Decimal(repr(low)) - by) if math.isfinite(low) else low,
        float(decimal.Decimal(repr(high)) + by) if math.isfinite(high) else high,
    )


def _bin_of(bins: Bins, value: float) -> _Bin:
    if bins.edges is None:
        return _step_of(bins.size, bins.origin, value)
    at = bisect.bisect_right(bins.edges, value)
    return (
        bins.edges[at - 1] if at > 0 else -math.inf,
        bins.edges[at] if at < len(bins.edges) else math.inf,
    )


def _step_of(size: float, origin: float, value: float) -> _Bin:
    decimals = min(_MAX_DECIMALS, max(_decimals_of(size), _decimals_of(origin)))

    def edge(k: int) -> float:
        return float(f"{origin + k * size:.{decimals}f}")

    quotient = (value - origin) / size
    if math.isfinite(quotient):
        near = math.floor(quotient)
        # The division rounds, too: the edge may be the one beside.
        for k in (near + 1, near, near - 1):
            if edge(k) <= value < edge(k + 1):
                return edge(k), edge(k + 1)
    raise ValueError(f"{number_text(value)} is too far from {number_text(origin)} for steps of {number_text(size)}")


def _decimals_of(value: float) -> int:
    """How many decimals the shortest text of a number has."""
    exponent = decimal.Decimal(repr(value)).normalize().as_tuple().exponent
    return max(0, -t.cast(int, exponent))


def quantile_edges(values: t.List[float], count: int) -> t.List[float]:
    """Edges that put about as many of the values into each bin: one fewer than bins, fewer where values repeat."""
    values.sort()
    if not values:
        return []
    edges = [values[math.floor((at + 1) * len(values) / count)] for at in range(count - 1)]
    rising = [edge for edge in dict.fromkeys(edges) if edge != values[0]]
    return rising or [values[0]]


def next_edge(edge: float, size: float) -> float:
    """The edge after one, rounded to the decimals that both have."""
    decimals = min(_MAX_DECIMALS, max(_decimals_of(edge), _decimals_of(size)))
    return float(f"{edge + size:.{decimals}f}")


_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")

Shown = t.Mapping[str, t.Mapping[str, t.Any]]
"""Encoders by the name of their numbers, as a processor shows them."""


def shown_symbol(symbol: str, encoders: Shown) -> str:
    """A symbol in words: the range of its bin, such as ``temp 18.5 to 21``, or the symbol itself."""
    name, sign, edge = symbol.rpartition("=")
    encoder = encoders.get(name)
    if not sign or encoder is None or not (edge == "-inf" or _NUMBER.fullmatch(edge)):
        return symbol
    if encoder["kind"] == "step":
        if edge == "-inf":
            return symbol
        return f"{name} {edge} to {number_text(next_edge(float(edge), encoder['size']))}"
    edges = list(encoder.get("edges") or [])
    unit = " s" if encoder["kind"] == "elapsed" else ""
    if edge == "-inf":
        return f"{name} below {number_text(edges[0])}{unit}" if edges else symbol
    if float(edge) not in edges:
        return symbol
    at = edges.index(float(edge)) + 1
    return f"{name} {edge} to {number_text(edges[at])}{unit}" if at < len(edges) else f"{name} {edge}{unit} and above"


class TimeSymbols:
    """Makes the symbols of encoders that read the time of events: of one memory."""

    def __init__(self, encoders: Shown) -> None:
        self._readers = [
            (name, reader)
            for name, encoder in encoders.items()
            for reader in [_reader_of(encoder)]
            if reader is not None
        ]
        self._before: t.Optional[float] = None

    @property
    def names(self) -> t.List[str]:
        """The names of the encoders that read the time."""
        return [name for name, _ in self._readers]

    def clear(self) -> None:
        """Forgets the event before."""
        self._before = None

    def next(self, time: t.Optional[float]) -> t.List[str]:
        """The symbols of the next event, which has another symbol; none without a time."""
        if time is None:
            return []
        before, self._before = self._before, time
        values = [(name, reader(time, before)) for name, reader in self._readers]
        return [
            f"{name}={'-inf' if value == -math.inf else number_text(value)}"
            for name, value in values
            if value is not None
        ]


_Reader = t.Callable[[float, t.Optional[float]], t.Optional[float]]


def _reader_of(encoder: t.Mapping[str, t.Any]) -> t.Optional[_Reader]:
    if encoder["kind"] == "clock":
        return _clock(encoder["of"], encoder.get("step", 1), encoder.get("zone", "UTC"))
    if encoder["kind"] != "elapsed":
        return None
    edges = list(encoder.get("edges") or [])

    def elapsed(time: float, before: t.Optional[float]) -> t.Optional[float]:
        if before is None:
            return None
        # In decimal: from 0.1 to 0.3 are 0.2 seconds, which belong to an edge of 0.2.
        seconds = float(decimal.Decimal(repr(time)) - decimal.Decimal(repr(before)))
        at = bisect.bisect_right(edges, seconds)
        return t.cast(float, edges[at - 1]) if at > 0 else -math.inf

    return elapsed


def _clock(part: str, step: int, zone: str) -> _Reader:
    import zoneinfo

    from .errors import MissingPackageError

    try:
        place: datetime.tzinfo = datetime.timezone.utc if zone == "UTC" else zoneinfo.ZoneInfo(zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        message = f"this machine does not know the zone {zone} of the processor's clock: pip install tzdata"
        raise MissingPackageError(message) from None

    def clock(time: float, _: t.Optional[float]) -> t.Optional[float]:
        local = datetime.datetime.fromtimestamp(math.floor(time), place)
        value = local.isoweekday() if part == "weekday" else t.cast(int, getattr(local, part))
        least = 0 if part in ("hour", "minute") else 1
        return value - (value - least) % step

    return clock
