/**
 * A small chart of the last minutes, with the newest value of each line and the greatest in words beside it. Lines
 * differ by stroke, not by colour alone.
 */

import type { Point } from "./metrics-history";
import type { Values } from "./readings";

/** One line of a chart. */
export interface Line {
  readonly name: string;
  readonly value: keyof Values;
}

/** What a chart shows. */
export interface ChartOf {
  readonly title: string;
  /** Unit after the name of each line, as in "a second". */
  readonly unit: string;
  /** At most four; the first is the one that matters most. */
  readonly lines: readonly Line[];
  /** Formats a value. */
  readonly format: (value: number) => string;
  /** A note below the values. */
  readonly note?: string | undefined;
}

/** The strokes of the lines, first to fourth. */
const STROKES = ["first", "second", "third", "fourth"];

const WIDTH = 300;
const HEIGHT = 56;

/** Lines at the top value, at half of it and at 0, and at each quarter of the time. */
const GRID = [
  ...[1, HEIGHT / 2, HEIGHT - 1].map((y) => `M0 ${y}H${WIDTH}`),
  ...[1, 2, 3].map((quarter) => `M${(quarter * WIDTH) / 4} 0V${HEIGHT}`),
].join("");

/** Minimum time span of a chart, in milliseconds: the first points must not look like an hour. */
const MIN_SPAN_MS = 120_000;

export function Chart({ chart, points }: { readonly chart: ChartOf; readonly points: readonly Point[] }) {
  const { title, unit, lines, format, note } = chart;
  const known = lines.flatMap(({ value }) => points.map(({ values }) => values[value])).filter(isDrawn);
  const most = Math.max(0, ...known);
  const until = points.at(-1)?.at ?? 0;
  const span = Math.max(MIN_SPAN_MS, until - (points[0]?.at ?? 0));
  const minutes = Math.round(span / 60_000);
  const x = (at: number) => WIDTH - ((until - at) / span) * WIDTH;
  return (
    <figure class="chart">
      <figcaption>
        <h3>{title}</h3>
        <dl>
          {lines.map(({ name, value }, at) => (
            <Newest
              key={name}
              name={name}
              unit={unit}
              stroke={at}
              value={points.at(-1)?.values[value]}
              format={format}
            />
          ))}
        </dl>
        {note !== undefined && <p class="facts">{note}</p>}
      </figcaption>
      <div class="plot">
        <p class="plot-values" aria-hidden="true">
          <span>{most > 0 && format(most)}</span>
          <span>{most > 0 && format(most / 2)}</span>
          <span>0</span>
        </p>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img">
          <title>{`${title}: the last ${minutes} minutes, at most ${format(most)} ${unit}`}</title>
          <path class="grid" d={GRID} />
          {points.map(({ at, isAnotherLife }) =>
            isAnotherLife ? <path key={at} class="restart" d={`M${x(at).toFixed(1)} 0V${HEIGHT}`} /> : null,
          )}
          {lines.map(({ name, value }, at) => (
            <path key={name} class={STROKES[at]} d={pathOf(points, value, x, most)} />
          ))}
        </svg>
      </div>
      <p class="facts scale" aria-hidden="true">
        <span>{minutes} min ago</span>
        <span>now</span>
      </p>
    </figure>
  );
}

/** The newest value of a line, under a sample of its stroke. */
function Newest({
  name,
  unit,
  stroke,
  value,
  format,
}: {
  readonly name: string;
  readonly unit: string;
  readonly stroke: number;
  readonly value: number | undefined;
  readonly format: (value: number) => string;
}) {
  return (
    <div>
      <dt>
        <svg class="sample" viewBox="0 0 20 4" aria-hidden="true">
          <path class={STROKES[stroke]} d="M0 2H20" />
        </svg>
        {name}
      </dt>
      <dd title={value === undefined ? undefined : String(value)}>
        {value === undefined ? "–" : format(value)} <small>{unit}</small>
      </dd>
    </div>
  );
}

function isDrawn(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value);
}

/**
 * A line through the points. It breaks where a value is missing and where another isolate life began. Infinite
 * values leave at the top.
 */
export function pathOf(points: readonly Point[], name: keyof Values, x: (at: number) => number, most: number): string {
  let path = "";
  let isDown = false;
  for (const { at, isAnotherLife, values } of points) {
    const value = values[name];
    if (isAnotherLife) isDown = false;
    if (value === undefined) {
      isDown = false;
      continue;
    }
    const y = most === 0 ? HEIGHT - 1 : HEIGHT - 1 - (Math.min(value, most) / most) * (HEIGHT - 2);
    // A line of zero length with round ends draws a single value as a dot.
    path += `${isDown ? "L" : `M${x(at).toFixed(1)} ${y.toFixed(1)}L`}${x(at).toFixed(1)} ${y.toFixed(1)}`;
    isDown = true;
  }
  return path;
}
