/** Symbols of numbers as ranges, without insignificant digits. Knows no view and no server. */

import { type ShownEncoders, shownSymbol } from "../../cli/table/ranges";

/** The bin of a number. */
export interface Bin {
  /** What the number is called. */
  readonly name: string;
  /** Infinite for the bins below and above all edges. */
  readonly from: number;
  readonly to: number;
}

/**
 * A symbol in words, without insignificant digits: edges found in data have all the digits of the data.
 *
 * @returns such as `temp 0.864 to 1.967` for a bin from 0.86412345 to 1.9670001; the symbol if no encoder has made it
 */
export function shownRounded(symbol: string, known: ShownEncoders): string {
  const sign = symbol.lastIndexOf("=");
  const [name, edge] = [symbol.slice(0, sign), symbol.slice(sign + 1)];
  const encoder = sign > 0 && Object.hasOwn(known, name) ? known[name] : undefined;
  if (encoder?.kind === "clock" && encoder.of === "hour") return hoursOf(name, Number(edge), encoder.step);
  if (encoder?.kind !== "edges" && encoder?.kind !== "auto") return shownSymbol(symbol, known);
  const { edges } = encoder;
  if (edges === undefined) return symbol;
  const rounded = roundedEdges(edges);
  const at = edge === "" ? -1 : edges.indexOf(Number(edge));
  const written = at < 0 ? symbol : `${name}=${rounded[at]}`;
  return shownSymbol(written, { [name]: { ...encoder, edges: [...rounded] } });
}

/** The hours of a clock symbol, as in `hour 14:00 to 15:00`. */
function hoursOf(name: string, hour: number, step: number): string {
  return `${name} ${hour}:00 to ${Math.min(24, hour + step)}:00`;
}

const ROUNDED = new WeakMap<readonly number[], readonly number[]>();

/** Maximum error of a rounded edge, as a fraction of the narrower bin next to it. */
const MAX_EDGE_ERROR = 0.001;

/** Maximum error of an edge without a bin next to it, as a fraction of the edge. */
const MAX_LONE_EDGE_ERROR = 0.001;

/** Edges with only as many decimals as are needed to tell their bins apart. They stay in order. */
export function roundedEdges(edges: readonly number[]): readonly number[] {
  const known = ROUNDED.get(edges);
  if (known !== undefined) return known;
  const rounded = edges.map((edge, at) => {
    const widths = [
      edge - (edges[at - 1] ?? Number.NEGATIVE_INFINITY),
      (edges[at + 1] ?? Number.POSITIVE_INFINITY) - edge,
    ];
    const width = Math.min(...widths);
    return rounding(edge, Number.isFinite(width) ? MAX_EDGE_ERROR * width : MAX_LONE_EDGE_ERROR * Math.abs(edge));
  });
  ROUNDED.set(edges, rounded);
  return rounded;
}

/** Maximum number of decimals of a double that is not tiny. */
const MAX_DECIMALS = 17;

/** A number with the fewest decimals whose error is at most `slack`. */
function rounding(value: number, slack: number): number {
  for (let decimals = 0; decimals < MAX_DECIMALS; decimals++) {
    const rounded = Number(value.toFixed(decimals));
    if (Math.abs(rounded - value) <= slack) return rounded;
  }
  return value;
}
