/**
 * Charts on one time axis, one above the other: a line for each number, and below them the surprise as bars. After the
 * last reading, boxes show the ranges in which a number is expected; the more probable a range, the darker its box. All
 * charts share one pointer and the dragged range. Draws on canvases, so it reads its colours from the style.
 */

import uPlot from "uplot";
import { chance, short } from "../parts/figures";
import type { ExpectedBin } from "./ahead";
import { endOf, type Readings, type Span } from "./readings";

/** Heights in pixels; the last chart includes the time axis. */
const HEIGHT = 88;
const AXIS_HEIGHT = 26;

/** Padding around the lines, in pixels: the same on the right of all charts, and half a label above and below. */
const PADDING: uPlot.Padding = [6, 20, 6, 0];

/** Width of the value axis in pixels, the same in all charts, so that their times line up. */
const AXIS_WIDTH = 52;

/** Up to this many events, each is drawn as a dot on its line. */
const MAX_DOTS = 250;

/** Minimum length of a drag, in pixels; a shorter one is a click. */
const MIN_DRAG = 6;

/** Minimum height of the surprise chart, in bits, so that calm hours do not look like faults. */
const MIN_BITS = 16;

/** Minimum width of a box, and the size from which it shows its probability, in pixels. */
const MIN_BOX_WIDTH = 6;
const LABEL_WIDTH = 34;
const LABEL_HEIGHT = 15;

/** Opacity of boxes: the minimum, and the increase up to a probability of 1. */
const MIN_OPACITY = 0.08;
const OPACITY_GAIN = 0.5;

/** Boxes with a lower probability do not extend the value axis. */
const MIN_AXIS_PROBABILITY = 0.1;

/** Callbacks for the user's actions in the charts. */
export interface ChartEvents {
  /** The pointer is at an event, or at none (`undefined`). */
  readonly onPoint: (at: number | undefined) => void;
  /** A range was dragged; `undefined` to show everything. */
  readonly onSpan: (span: Span | undefined) => void;
}

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Draws into elements until it is closed. */
export class TimeCharts {
  readonly #charts: readonly uPlot[];
  readonly #lines: readonly HTMLElement[];
  #readings: Readings;
  #marks: readonly Span[] = [];
  readonly #theme = matchMedia("(prefers-color-scheme: dark)");
  readonly #sized: ResizeObserver;

  /** @param hosts an element for each number, in the order of the readings, and one for the surprise */
  constructor(hosts: readonly HTMLElement[], readings: Readings, events: ChartEvents) {
    this.#lines = hosts;
    this.#readings = readings;
    const sync = uPlot.sync(crypto.randomUUID());
    this.#charts = hosts.map((host, at) => {
      const isLast = at === hosts.length - 1;
      const chart = new uPlot(this.#optionsOf(host, at, isLast, sync.key, events), dataOf(readings, at), host);
      sync.sub(chart);
      return chart;
    });
    this.#theme.addEventListener("change", this.#draw);
    this.#sized = new ResizeObserver(() => this.#resize());
    for (const host of hosts) this.#sized.observe(host);
  }

  /** Shows readings of the same numbers as before. @param span the range to show; `undefined` for everything */
  show(readings: Readings, marks: readonly Span[], span: Span | undefined): void {
    this.#readings = readings;
    this.#marks = marks;
    const [min, max] = [span?.from ?? readings.times[0] ?? 0, span?.to ?? endOf(readings)];
    for (const [at, chart] of this.#charts.entries()) {
      chart.batch(() => {
        chart.setData(dataOf(readings, at), false);
        // A single moment has no width, so it gets a margin.
        chart.setScale("x", min < max ? { min, max } : { min: min - 1, max: max + 1 });
      });
    }
  }

  /** Moves the pointer of all charts to an event or an expected event. @param at `undefined` to hide the pointer */
  point(at: number | undefined): void {
    const time = at === undefined ? undefined : allTimes(this.#readings)[at];
    for (const chart of this.#charts) {
      chart.setCursor(time === undefined ? { left: -10, top: -10 } : { left: chart.valToPos(time, "x"), top: 1 });
    }
  }

  /** Removes the charts. */
  close(): void {
    this.#theme.removeEventListener("change", this.#draw);
    this.#sized.disconnect();
    for (const chart of this.#charts) chart.destroy();
  }

  readonly #draw = (): void => {
    for (const chart of this.#charts) chart.redraw(false, true);
  };

  #resize(): void {
    for (const [at, chart] of this.#charts.entries()) {
      const width = this.#lines[at]?.clientWidth ?? 0;
      if (width > 0 && width !== chart.width) chart.setSize({ width, height: chart.height });
    }
  }

  #optionsOf(
    host: HTMLElement,
    at: number,
    isLast: boolean,
    key: string,
    { onPoint, onSpan }: ChartEvents,
  ): uPlot.Options {
    return {
      width: Math.max(100, host.clientWidth),
      height: isLast ? HEIGHT + AXIS_HEIGHT : HEIGHT,
      padding: PADDING,
      legend: { show: false },
      cursor: {
        y: false,
        sync: { key },
        drag: { x: true, y: false, setScale: false },
        points: { size: 7 },
        bind: { dblclick: () => wholeRange(onSpan) },
      },
      scales: {
        y: { range: (_, min, max) => (isLast ? [0, Math.max(MIN_BITS, max ?? 0)] : this.#rangeOf(at, min, max)) },
      },
      axes: [timeAxis(isLast), valueAxis()],
      series: [{}, isLast ? barSeries() : lineSeries()],
      hooks: {
        drawClear: [(chart) => this.#drawMarks(chart), (chart) => this.#drawAhead(chart, at)],
        setCursor: [({ cursor: { idx, left = -1 } }) => onPoint(left < 0 || idx === null ? undefined : idx)],
        setSelect: [(chart) => select(chart, onSpan)],
      },
    };
  }

  /** The value range of an axis: that of the line and of its expected bins. */
  #rangeOf(at: number, min: number | null, max: number | null): uPlot.Range.MinMax {
    const bins = this.#readings.lines[at]?.expected.flat() ?? [];
    const edges = bins
      .filter(({ probability }) => probability >= MIN_AXIS_PROBABILITY)
      .flatMap(({ from, to }) => [from, to])
      .filter(Number.isFinite);
    const values = [...edges, ...(min === null ? [] : [min]), ...(max === null ? [] : [max])];
    return values.length === 0
      ? [0, 1]
      : uPlot.rangeNum(Math.min(...values), Math.max(...values), edges.length === 0 ? 0.1 : 0.04, true);
  }

  /** Draws the expected bins after the last reading. */
  #drawAhead(chart: uPlot, at: number): void {
    const { ahead, lines, times } = this.#readings;
    const last = times.at(-1);
    if (ahead.length === 0 || last === undefined) return;
    const { ctx, bbox } = chart;
    const now = Math.max(bbox.left, chart.valToPos(last, "x", true));
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.fillStyle = colour("--box");
    ctx.fillRect(now, bbox.top, bbox.left + bbox.width - now, bbox.height);
    for (const [step, { from, to }] of ahead.entries()) {
      for (const bin of lines[at]?.expected[step] ?? []) drawBin(chart, bin, from, to);
    }
    ctx.restore();
  }

  /** Draws the times of incidents behind the lines. */
  #drawMarks(chart: uPlot): void {
    const { ctx, bbox } = chart;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.globalAlpha = 0.18;
    ctx.fillStyle = colour("--surprise");
    for (const { from, to } of this.#marks) {
      const [left, right] = [chart.valToPos(from, "x", true), chart.valToPos(to, "x", true)];
      const spare = 3 * devicePixelRatio;
      ctx.fillRect(left - spare, bbox.top, right - left + 2 * spare, bbox.height);
    }
    ctx.restore();
  }
}

/** Draws a box for an expected bin between two times. */
function drawBin(chart: uPlot, { from: low, to: high, probability }: ExpectedBin, from: number, to: number): void {
  const { ctx, bbox } = chart;
  const least = MIN_BOX_WIDTH * devicePixelRatio;
  const [begin, end] = [chart.valToPos(from, "x", true), chart.valToPos(to, "x", true)];
  const width = Math.max(least, end - begin);
  const left = (begin + end - width) / 2;
  const bottom = Number.isFinite(low) ? chart.valToPos(low, "y", true) : bbox.top + bbox.height;
  const top = Number.isFinite(high) ? chart.valToPos(high, "y", true) : bbox.top;
  ctx.globalAlpha = MIN_OPACITY + OPACITY_GAIN * probability;
  ctx.fillStyle = colour("--link");
  ctx.fillRect(left, top, width, Math.max(2, bottom - top));
  ctx.globalAlpha = 1;
  if (width < LABEL_WIDTH * devicePixelRatio || bottom - top < LABEL_HEIGHT * devicePixelRatio) return;
  ctx.fillStyle = colour("--text");
  ctx.font = `${11 * devicePixelRatio}px system-ui`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillText(chance(probability), left + width / 2, (top + bottom) / 2);
}

/** The times of all events, including the expected ones. */
function allTimes({ times, ahead }: Readings): readonly number[] {
  return [...times, ...ahead.map(({ time }) => time)];
}

/** The data of a chart: the times, and a number or the surprise; empty for the expected events. */
function dataOf(readings: Readings, at: number): uPlot.AlignedData {
  const values = readings.lines[at]?.values ?? readings.bits;
  return [allTimes(readings), [...values, ...readings.ahead.map(() => null)]] as unknown as uPlot.AlignedData;
}

function timeAxis(isShown: boolean): uPlot.Axis {
  return {
    stroke: () => colour("--soft"),
    grid: { stroke: () => colour("--edge"), width: 1 },
    ticks: { show: false },
    size: isShown ? AXIS_HEIGHT : 0,
    values: (_chart, splits, _axis, _space, step) => splits.map((time) => (isShown ? timeText(time, step) : "")),
  };
}

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const SECONDS = new Intl.DateTimeFormat(undefined, { minute: "2-digit", second: "2-digit" });
const DAY = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });

/** A label of the time axis. @param step time between two labels, in seconds */
function timeText(seconds: number, step: number): string {
  const time = new Date(1000 * seconds);
  const isMidnight = time.getHours() === 0 && time.getMinutes() === 0;
  if (step < 60) return (time.getSeconds() === 0 ? CLOCK : SECONDS).format(time);
  return (isMidnight ? DAY : CLOCK).format(time);
}

function valueAxis(): uPlot.Axis {
  return {
    stroke: () => colour("--soft"),
    grid: { stroke: () => colour("--edge"), width: 1 },
    ticks: { show: false },
    size: AXIS_WIDTH,
    space: 24,
    values: (_, splits) => splits.map(short),
  };
}

function lineSeries(): uPlot.Series {
  return {
    stroke: () => colour("--link"),
    width: 1.5,
    spanGaps: true,
    points: { show: ({ data }) => data[0].length <= MAX_DOTS, size: 4 },
  };
}

function barSeries(): uPlot.Series {
  const paths = uPlot.paths.bars?.({ size: [0.6, 6] });
  return {
    stroke: () => colour("--surprise"),
    fill: () => colour("--surprise"),
    width: 0,
    points: { show: false },
    ...(paths === undefined ? {} : { paths }),
  };
}

/** The handler of a double click. */
function wholeRange(onSpan: ChartEvents["onSpan"]): () => null {
  return () => {
    onSpan(undefined);
    return null;
  };
}

/** Reports the dragged range, and removes the drag's mark. */
function select(chart: uPlot, onSpan: ChartEvents["onSpan"]): void {
  const { left, width } = chart.select;
  if (width === 0) return;
  chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  if (width < MIN_DRAG) return;
  onSpan({ from: chart.posToVal(left, "x"), to: chart.posToVal(left + width, "x") });
}
