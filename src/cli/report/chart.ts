/** Draws a line of numbers as an SVG that fills its container's width, with bands behind it. Knows no page. */

import { escaped } from "./escape";

/** What is drawn. */
export interface Line {
  /** What the chart shows, for screen readers. */
  readonly label: string;
  /** `undefined` for a gap. */
  readonly values: readonly (number | undefined)[];
  /** The horizontal position of each value, rising. */
  readonly at: readonly number[];
  /** Marked ranges of positions. */
  readonly bands: readonly { readonly from: number; readonly to: number }[];
  /** A value to mark with a horizontal line. */
  readonly mark?: number;
  /** The line's class, for its colour. */
  readonly kind: "reading" | "surprise";
}

/** The size of the drawing, in its own units; the page scales it. */
const [WIDTH, HEIGHT] = [1_000, 100];

/** Minimum width of a band, so that one row among many is visible. */
const MIN_BAND = 4;

/** Number of columns with a point of their own: more than a screen can show. */
const COLUMNS = 1_000;

/** The vertical range of a chart. A constant is in the middle of its range. */
export function rangeOf(values: readonly (number | undefined)[]): readonly [number, number] | undefined {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value === undefined) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return least > most ? undefined : [least, most];
}

const short = (value: number) => String(Math.round(value * 10) / 10);

/** The smallest and the largest value in each column of the drawing, in the order in which they occur. */
function* points({ values, at }: Line, x: (place: number) => number): Generator<[number, number] | undefined> {
  let column = -1;
  let seen: { first: number; last: number; least: number; most: number } | undefined;
  function* flush(): Generator<[number, number]> {
    if (seen === undefined) return;
    const place = ((column + 0.5) * WIDTH) / COLUMNS;
    const between = seen.first <= seen.last ? [seen.least, seen.most] : [seen.most, seen.least];
    for (const value of new Set([seen.first, ...between, seen.last])) yield [place, value];
    seen = undefined;
  }
  const isSparse = values.length <= COLUMNS;
  for (const [index, value] of values.entries()) {
    const place = x(at[index] ?? 0);
    if (value === undefined) {
      yield* flush();
      yield undefined;
    } else if (isSparse) yield [place, value];
    else {
      const next = Math.min(COLUMNS - 1, Math.floor((place * COLUMNS) / WIDTH));
      if (next !== column) yield* flush();
      column = next;
      seen ??= { first: value, last: value, least: value, most: value };
      seen = { first: seen.first, last: value, least: Math.min(seen.least, value), most: Math.max(seen.most, value) };
    }
  }
  yield* flush();
}

function pathOf(line: Line, x: (place: number) => number, y: (value: number) => number): string {
  let text = "";
  let isDown = false;
  for (const point of points(line, x)) {
    if (point === undefined) {
      isDown = false;
      continue;
    }
    text += `${isDown ? "L" : "M"}${short(point[0])} ${short(y(point[1]))}`;
    // A single point would not be visible.
    if (!isDown) text += "h.1";
    isDown = true;
  }
  return text;
}

/** A line as an SVG. @param from the position of its left end @param to the position of its right end */
export function chartOf(line: Line, from: number, to: number): string {
  const x = (place: number) => (to > from ? ((place - from) / (to - from)) * WIDTH : WIDTH / 2);
  const [least, most] = rangeOf(line.mark === undefined ? line.values : [...line.values, line.mark, 0]) ?? [0, 1];
  const margin = 4;
  const y = (value: number) =>
    most > least ? HEIGHT - margin - ((value - least) / (most - least)) * (HEIGHT - 2 * margin) : HEIGHT / 2;
  const bands = line.bands.map((band) => {
    const [left, right] = [Math.max(0, x(band.from)), Math.min(WIDTH, x(band.to))];
    const width = Math.max(MIN_BAND, right - left);
    const begin = Math.max(0, Math.min(WIDTH - width, (left + right - width) / 2));
    return `<rect x="${short(begin)}" y="0" width="${short(width)}" height="${HEIGHT}"/>`;
  });
  const middle = `<path class="grid" d="M0 ${HEIGHT / 2}H${WIDTH}"/>`;
  const across = line.mark === undefined ? "" : `<path class="mark" d="M0 ${short(y(line.mark))}H${WIDTH}"/>`;
  return (
    `<svg class="${line.kind}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" ` +
    `aria-label="${escaped(line.label)}">` +
    `${middle}${bands.join("")}${across}<path d="${pathOf(line, x, y)}"/></svg>`
  );
}
