/**
 * Makes symbols of numbers: a number falls into a bin, and the bin's lower edge names the symbol. Text and
 * rounding are those of the wire contract, so a server that has the same encoder makes the same symbols.
 * Knows no file and no column.
 */

import Big from "big.js";

/** Which bins a number falls into, and when it makes a symbol. Edges and sizes are in the number's own unit. */
export interface Encoder {
  /** Bins of one size, from an origin in both directions; or bins between edges, which rise. */
  readonly bins:
    | { readonly kind: "step"; readonly size: number; readonly origin: number }
    | { readonly kind: "edges"; readonly edges: readonly number[] };
  /** How far beyond its bin a number may go and still count as in it; 0 or more. */
  readonly hysteresis: number;
  /** Whether only a number in another bin than the last one makes a symbol. */
  readonly onChange: boolean;
}

/** A bin: from `from`, up to and without `to`. */
interface Bin {
  readonly from: number;
  readonly to: number;
}

/** Makes symbols of the numbers of one name, and keeps the last bin, as a working memory does. */
export class Binning {
  readonly #name: string;
  readonly #encoder: Encoder;
  #last: Bin | undefined;
  /** Where a number still counts as in the last bin. */
  #stay: Bin | undefined;

  /** @param name goes before the edge in every symbol */
  constructor(name: string, encoder: Encoder) {
    this.#name = name;
    this.#encoder = encoder;
  }

  /** Forgets the last bin, as a memory does when it is cleared. */
  clear(): void {
    [this.#last, this.#stay] = [undefined, undefined];
  }

  /**
   * The symbol of a number: `<name>=<edge>`, with the greatest edge that is not above it, or `-inf` below all edges.
   *
   * @param value a finite number
   * @returns `undefined` if the encoder makes symbols on a change only, and there is none
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

/** A bin with a margin on both sides. In decimal: 0.1 below 0.8 is 0.7, and not 0.7000000000000001. */
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
  // The division rounds, too: the edge may be the one beside.
  const k = [near + 1, near, near - 1].find((each) => edge(each) <= value && value < edge(each + 1));
  if (k !== undefined) return { from: edge(k), to: edge(k + 1) };
  throw new RangeError(`${value} is too far from ${origin} for steps of ${size}`);
}

/** The most decimals that `toFixed` takes. */
const MOST_DECIMALS = 100;

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(Math.min(decimals, MOST_DECIMALS)));
}

/** How many decimals the shortest text of a number has. */
function decimalsOf(value: number): number {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  const fraction = mantissa.split(".")[1]?.length ?? 0;
  return Math.max(0, fraction - Number(exponent));
}

/**
 * The edges that put about as many of the values into each bin: `count` bins have `count - 1` edges, fewer where values
 * repeat. Each edge is one of the values: the one at the place i · n / count of the n values in order, from 0, rounded
 * down. Equal values have one edge, themselves.
 *
 * @param values finite numbers; they are sorted in place
 * @param count how many bins, 2 or more
 */
export function quantileEdges(values: number[], count: number): number[] {
  values.sort((a, b) => a - b);
  const edges = Array.from({ length: count - 1 }, (_, at) => values[Math.floor(((at + 1) * values.length) / count)]);
  const [least] = values;
  const rising = [...new Set(edges)].filter((edge): edge is number => edge !== undefined && edge !== least);
  return rising.length === 0 && least !== undefined ? [least] : rising;
}
