/**
 * Turns numbers into symbols: a number falls into a bin, and the bin's lower edge names the symbol. Text and rounding
 * are those of the wire contract, so a server with the same encoder makes the same symbols. Knows no file and no
 * column.
 */

import Big from "big.js";
import { MAX_DECIMALS } from "./ranges";

/** The bins of a number, and when the number makes a symbol. Edges and sizes are in the number's own unit. */
export interface Encoder {
  /** Bins of one size, in both directions from an origin; or bins between rising edges. */
  readonly bins:
    | { readonly kind: "step"; readonly size: number; readonly origin: number }
    | { readonly kind: "edges"; readonly edges: readonly number[] };
  /** How far a number may leave its bin and still count as in it; 0 or more. */
  readonly hysteresis: number;
  /** Whether a number makes a symbol only if its bin differs from that of the last number. */
  readonly onChange: boolean;
}

/** A bin: from `from` inclusive to `to` exclusive. */
interface Bin {
  readonly from: number;
  readonly to: number;
}

/** Makes the symbols of the numbers of one name, and remembers the last bin, as a working memory does. */
export class Binning {
  readonly #name: string;
  readonly #encoder: Encoder;
  #last: Bin | undefined;
  /** The range in which a number still counts as in the last bin. */
  #stay: Bin | undefined;

  /** @param name precedes the edge in every symbol */
  constructor(name: string, encoder: Encoder) {
    this.#name = name;
    this.#encoder = encoder;
  }

  /** Forgets the last bin, as a memory does when it is cleared. */
  clear(): void {
    [this.#last, this.#stay] = [undefined, undefined];
  }

  /**
   * The symbol of a number: `<name>=<edge>`, where the edge is the greatest one that is not above the number, or `-inf`
   * below all edges.
   *
   * @param value a finite number
   * @returns `undefined` if the encoder makes symbols only on a change, and the bin has not changed
   * @throws RangeError if the number is too far from the origin for steps of this size
   */
  symbol(value: number): string | undefined {
    const { bins, hysteresis, onChange } = this.#encoder;
    const [last, stay] = [this.#last, this.#stay];
    const stays = last !== undefined && stay !== undefined && stay.from <= value && value < stay.to;
    const bin = stays ? last : binOf(bins, value);
    if (!stays) [this.#last, this.#stay] = [bin, widened(bin, hysteresis)];
    if (onChange && last !== undefined && bin.from === last.from) return undefined;
    return `${this.#name}=${bin.from === Number.NEGATIVE_INFINITY ? "-inf" : bin.from}`;
  }
}

/** A bin with a margin on both sides. Computed in decimal: 0.1 below 0.8 is 0.7, and not 0.7000000000000001. */
function widened({ from, to }: Bin, margin: number): Bin {
  if (margin === 0) return { from, to };
  return {
    from: Number.isFinite(from) ? new Big(from).minus(margin).toNumber() : from,
    to: Number.isFinite(to) ? new Big(to).plus(margin).toNumber() : to,
  };
}

function binOf(bins: Encoder["bins"], value: number): Bin {
  if (bins.kind === "step") return stepOf(bins.size, bins.origin, value);
  const next = bins.edges.findIndex((edge) => edge > value);
  const at = next < 0 ? bins.edges.length : next;
  return {
    from: bins.edges[at - 1] ?? Number.NEGATIVE_INFINITY,
    to: bins.edges[at] ?? Number.POSITIVE_INFINITY,
  };
}

function stepOf(size: number, origin: number, value: number): Bin {
  const decimals = Math.max(decimalsOf(size), decimalsOf(origin));
  const edge = (k: number) => rounded(origin + k * size, decimals);
  const near = Math.floor((value - origin) / size);
  // The division rounds, too: the right edge may be a neighbour of this one.
  const k = [near + 1, near, near - 1].find((each) => edge(each) <= value && value < edge(each + 1));
  if (k !== undefined) return { from: edge(k), to: edge(k + 1) };
  throw new RangeError(`${value} is too far from ${origin} for steps of ${size}`);
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(Math.min(decimals, MAX_DECIMALS)));
}

/** How many decimals the shortest text of a number has. */
function decimalsOf(value: number): number {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const fraction = mantissa.split(".")[1]?.length ?? 0;
  return Math.max(0, fraction - Number(exponent));
}

/**
 * The edges that put roughly the same number of values into each bin: `count` bins have `count - 1` edges, or fewer if
 * values repeat. Each edge is one of the values: the one at index floor(i · n / count) of the n sorted values. If all
 * values are equal, that value is the only edge.
 *
 * @param values finite numbers; they are sorted in place
 * @param count number of bins, 2 or more
 */
export function quantileEdges(values: number[], count: number): number[] {
  values.sort((a, b) => a - b);
  const edges = Array.from({ length: count - 1 }, (_, at) => values[Math.floor(((at + 1) * values.length) / count)]);
  const [least] = values;
  const rising = [...new Set(edges)].filter((edge): edge is number => edge !== undefined && edge !== least);
  return rising.length === 0 && least !== undefined ? [least] : rising;
}
