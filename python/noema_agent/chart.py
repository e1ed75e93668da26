"""Draws what was scored, as SVG: readings as lines, the surprise below them, and what passes marked."""

from __future__ import annotations

import html
import math
import os
import typing as t

from .bins import number_text

if t.TYPE_CHECKING:
    import pandas

#: How many columns of pixels a line has: of more rows, each has the least and the greatest of its part.
_COLUMNS = 900
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 20, 40, 40
_PANEL, _GAP = 90, 22
_BITS = 150
#: The most rows of which their causes are shown beside the mark.
_MAX_NAMED = 12

_Points = t.List[t.Tuple[float, float]]


class Chart:
    """A picture. A notebook shows it; ``save`` writes it to a file."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: t.Union[str, "os.PathLike[str]"]) -> None:
        """Writes the picture to a file, such as ``week.svg``."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def __repr__(self) -> str:
        return f"<Chart, {len(self.svg)} bytes of SVG: save(path) writes it>"


def plot(
    scores: pandas.DataFrame,
    data: t.Optional[pandas.DataFrame] = None,
    *,
    number: t.Union[str, t.Sequence[str]] = (),
    threshold: t.Optional[float] = None,
    title: str = "How unexpected each row was",
) -> Chart:
    """Draws what ``score`` answered: the bits of each row, those that pass, and readings above them.

    :param scores: what ``score`` answered
    :param data: the DataFrame that was scored, for readings
    :param number: the columns of it to draw
    :param threshold: from how many bits on rows are marked; as ``score`` chose it if absent
    """
    columns = [number] if isinstance(number, str) else list(number)
    if columns and data is None:
        raise ValueError("number needs data: the DataFrame that was scored")
    for name in ("row", "bits"):
        if name not in scores.columns:
            raise ValueError(f"scores must be what score answered: it has no column {name!r}")
    chosen = threshold if threshold is not None else scores.attrs.get("noema", {}).get("threshold", math.inf)
    rows = [int(row) for row in scores["row"].tolist()]
    bits = [float(value) for value in scores["bits"].tolist()]
    readings = [(name, _reading(data, name)) for name in columns]
    most = max([*rows, *(len(values) - 1 for _, values in readings), 1])
    least = 0 if readings else min(rows, default=0)
    return Chart(_Drawing(least, max(most, least + 1), title).of(readings, rows, bits, chosen, scores))


def _reading(data: t.Any, name: str) -> t.List[float]:
    if name not in data.columns:
        raise ValueError(f"data has no column {name!r}")
    try:
        return [float(value) if value == value and value is not None else math.nan for value in data[name].tolist()]
    except (TypeError, ValueError):
        raise ValueError(f"the column {name!r} has values that are no numbers") from None


def thinned(values: t.Sequence[float], columns: int) -> t.List[t.Tuple[int, float]]:
    """At most two values for each column: the least and the greatest, in their order, by their places."""
    if len(values) <= 2 * columns:
        return list(enumerate(values))
    kept: t.List[t.Tuple[int, float]] = []
    for part in range(columns):
        begin, end = part * len(values) // columns, (part + 1) * len(values) // columns
        places = [at for at in range(begin, end) if math.isfinite(values[at])]
        if places:
            ends = {min(places, key=lambda at: values[at]), max(places, key=lambda at: values[at])}
            kept += [(at, values[at]) for at in sorted(ends)]
    return kept


class _Drawing:
    """Draws panels above each other, on one axis of rows."""

    def __init__(self, least: int, most: int, title: str) -> None:
        self._least = least
        self._most = most
        self._title = title
        self._parts: t.List[str] = []
        self._width = _LEFT + _COLUMNS + _RIGHT

    def of(
        self,
        readings: t.Sequence[t.Tuple[str, t.List[float]]],
        rows: t.Sequence[int],
        bits: t.Sequence[float],
        threshold: float,
        scores: t.Any,
    ) -> str:
        """The whole picture."""
        top = _TOP
        for name, values in readings:
            self._panel(top, _PANEL, name, thinned(values, _COLUMNS))
            top += _PANEL + _GAP
        passing = [at for at, value in enumerate(bits) if value >= threshold and value > 0]
        by_row = sorted(zip(rows, bits))
        places = [(by_row[at][0], value) for at, value in thinned([value for _, value in by_row], _COLUMNS)]
        height, scale = self._panel(top, _BITS, "bits", places, zero=True, stems=len(bits) <= 60, mark=threshold)
        causes = scores["causes"].tolist() if "causes" in scores.columns else None
        named = sorted(passing, key=lambda at: -bits[at])[:_MAX_NAMED]
        for at in passing if len(passing) <= 2 * _COLUMNS else named:
            said = f"row {rows[at]}: {bits[at]:.1f} bits" + (f": {causes[at]}" if causes else "")
            x, y = self._x(rows[at]), scale(bits[at])
            self._parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#c62828"><title>{html.escape(said)}</title></circle>'
            )
            if readings:
                self._parts.append(
                    f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{top}" stroke="#c62828" stroke-opacity="0.25"/>'
                )
        times = scores["time"] if "time" in scores.columns else None
        ends = [rows.index(min(rows)), rows.index(max(rows))] if rows and times is not None else []
        known = [times.iloc[at] for at in ends]
        span = (
            ""
            if len(known) < 2 or any(one != one for one in known)
            else f"{known[0]:%Y-%m-%d %H:%M} to {known[1]:%Y-%m-%d %H:%M} UTC"
        )
        return self._whole(top + height, len(passing), span)

    def _x(self, row: float) -> float:
        return _LEFT + _COLUMNS * (row - self._least) / (self._most - self._least)

    def _panel(
        self,
        top: float,
        height: float,
        name: str,
        points: t.Sequence[t.Tuple[int, float]],
        *,
        zero: bool = False,
        stems: bool = False,
        mark: float = math.inf,
    ) -> t.Tuple[float, t.Callable[[float], float]]:
        finite = [value for _, value in points if math.isfinite(value)]
        low, high = (min(finite), max(finite)) if finite else (0.0, 1.0)
        low = 0.0 if zero else low
        high = max(high, mark) if math.isfinite(mark) else high
        high = high if high > low else low + 1

        def y(value: float) -> float:
            return top + height - height * (value - low) / (high - low)

        self._parts.append(
            f'<rect x="{_LEFT}" y="{top}" width="{_COLUMNS}" height="{height}" fill="#f6f7f9"/>'
            f'<text x="{_LEFT}" y="{top - 5}">{html.escape(name)}</text>'
            f'<text x="{_LEFT - 6}" y="{top + 10}" text-anchor="end">{_short(high)}</text>'
            f'<text x="{_LEFT - 6}" y="{top + height}" text-anchor="end">{_short(low)}</text>'
        )
        if math.isfinite(mark):
            self._parts.append(
                f'<line x1="{_LEFT}" x2="{_LEFT + _COLUMNS}" y1="{y(mark):.1f}" y2="{y(mark):.1f}" stroke="#c62828" '
                'stroke-dasharray="4 4"/>'
            )
        drawn = [(self._x(row), y(value) if math.isfinite(value) else None) for row, value in points]
        if stems:
            path = "".join(f"M{x:.1f} {y(low):.1f}V{at:.1f}" for x, at in drawn if at is not None)
        else:
            path = _line(drawn)
        self._parts.append(f'<path d="{path}" fill="none" stroke="#1565c0"/>')
        return height, y

    def _whole(self, bottom: float, passing: int, span: str) -> str:
        total = bottom + _BOTTOM
        said = f"{self._title}: rows {self._least} to {self._most}, {passing} pass"
        axis = (
            f'<text x="{_LEFT}" y="{bottom + 20}">row {self._least}</text>'
            f'<text x="{_LEFT + _COLUMNS / 2}" y="{bottom + 20}" text-anchor="middle">{html.escape(span)}</text>'
            f'<text x="{_LEFT + _COLUMNS}" y="{bottom + 20}" text-anchor="end">row {self._most}</text>'
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self._width} {total}" width="{self._width}" '
            f'height="{total}" font-family="sans-serif" font-size="12" role="img" aria-label="{html.escape(said)}">'
            f'<rect width="100%" height="100%" fill="#fff"/><text x="{_LEFT}" y="18" font-size="14" '
            f'font-weight="bold">{html.escape(self._title)}</text>{"".join(self._parts)}{axis}</svg>\n'
        )


def _line(points: t.Iterable[t.Tuple[float, t.Optional[float]]]) -> str:
    """A path through points, with gaps where there is none."""
    path, is_down = [], False
    for x, y in points:
        if y is not None:
            path.append(f"{'L' if is_down else 'M'}{x:.1f} {y:.1f}")
        is_down = y is not None
    return "".join(path)


def _short(value: float) -> str:
    return number_text(float(f"{value:.4g}"))
