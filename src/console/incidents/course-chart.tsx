/**
 * The lines around an incident: the values of each sensor before, during and after it, and the surprise of each event,
 * on one time axis. The table below shows the same data.
 */

import { useSignal } from "@preact/signals";
import { clock, MS_PER_SECOND, moment, short } from "../parts/figures";
import type { Course, Line } from "./course";

/** In units of the picture: the height of a line, and the width, which is stretched. */
const HEIGHT = 56;
const PAD = 6;
const WIDTH = 1000;
const MARGIN = 12;
/** Faint lines: the greatest, the middle and the least value, and the quarters of the time. */
const GRID = [
  ...[PAD, HEIGHT / 2, HEIGHT - PAD].map((y) => `M0 ${y}H${WIDTH}`),
  ...[0, 0.25, 0.5, 0.75, 1].map((share) => `M${MARGIN + share * (WIDTH - 2 * MARGIN)} 0V${HEIGHT}`),
].join("");

export function CourseChart({ course }: { readonly course: Course }) {
  const pointed = useSignal<number | undefined>(undefined);
  const { points, lines } = course;
  const place = (at: number) => MARGIN + (points.length < 2 ? 0.5 : (points[at]?.x ?? 0)) * (WIDTH - 2 * MARGIN);
  const nearest = (share: number) =>
    points.reduce((best, { x }, at) => (Math.abs(x - share) < Math.abs((points[best]?.x ?? 0) - share) ? at : best), 0);
  const point = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    pointed.value = nearest((event.clientX - left) / width);
  };
  const at = pointed.value ?? course.worst;
  const [first, last] = [points[0], points.at(-1)];
  return (
    <div class="course">
      <p class="course-values" aria-hidden="true">
        {timeOf(points[at])}
      </p>
      {lines.map((line) => (
        <div class="course-line" key={line.name}>
          <span class="course-name">
            {line.name} <b>{line.texts[at] ?? "–"}</b>
          </span>
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`${line.name} around the incident`}
            onPointerMove={point}
            onPointerLeave={() => {
              pointed.value = undefined;
            }}
          >
            <path class="grid" d={GRID} />
            {course.passed.map((each) => (
              <rect key={each} class="passed" x={place(each) - 5} y={0} width={10} height={HEIGHT} />
            ))}
            <path class={line.kind} d={pathOf(line, place)} />
            <path class="pointed" d={`M${place(at)} 0V${HEIGHT}`} />
          </svg>
          <span class="course-scale" aria-hidden="true">
            <span>{line.most}</span>
            <span>{line.least}</span>
          </span>
        </div>
      ))}
      <p class="course-axis" aria-hidden="true">
        <span>{timeOf(first)}</span>
        <span>{course.isTimed && timeOf(middleOf(first, last))}</span>
        <span>{timeOf(last)}</span>
      </p>
    </div>
  );
}

type Point = Course["points"][number];

/** The middle of the time axis, at which a grid line stands. */
function middleOf(first: Point | undefined, last: Point | undefined): Pick<Point, "time"> | undefined {
  if (first?.time == null || last?.time == null) return undefined;
  return { time: (first.time + last.time) / 2 };
}

function timeOf(point: Pick<Point, "time"> | undefined): string {
  if (point?.time == null) return "";
  return Date.now() - MS_PER_SECOND * point.time < 86_400_000
    ? clock(MS_PER_SECOND * point.time)
    : moment(MS_PER_SECOND * point.time);
}

/** A line through the points that are known; bars for bits; steps for words. */
function pathOf({ kind, heights }: Line, place: (at: number) => number): string {
  const y = (height: number) => (HEIGHT - PAD - height * (HEIGHT - 2 * PAD)).toFixed(1);
  let path = "";
  let before: number | undefined;
  for (const [at, height] of heights.entries()) {
    const x = place(at).toFixed(1);
    if (height === undefined) before = undefined;
    else if (kind === "bits") path += `M${x} ${HEIGHT - PAD}V${y(height)}`;
    else {
      if (before === undefined) path += `M${x} ${y(height)}h0.1`;
      else path += kind === "steps" ? `H${x}V${y(height)}` : `L${x} ${y(height)}`;
      before = height;
    }
  }
  return path;
}

/** How many bits as text, for tables. */
export function bitsText(bits: number | null): string {
  return bits === null ? "" : `${short(bits)} bits`;
}
