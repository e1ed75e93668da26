/**
 * Shows the symbols of numbers as ranges: `temp=18.5` is a bin, and with its encoder it is "temp 18.5 to 21". Knows no
 * server; other symbols stay unchanged.
 */

import type { Schemas } from "../../client";

/** Encoders by the name of their numbers, in the processor's format. */
export type ShownEncoders = { readonly [name: string]: Schemas.Encoder };

/** Maximum number of decimals that `toFixed` accepts. */
export const MAX_DECIMALS = 100;

function decimalsOf(value: number): number {
  const [mantissa = "", exponent = "0"] = String(value).split("e");
  return Math.max(0, (mantissa.split(".")[1]?.length ?? 0) - Number(exponent));
}

/** The next edge, rounded to the decimals of both numbers. */
function nextEdge(edge: number, size: number): number {
  const decimals = Math.min(MAX_DECIMALS, Math.max(decimalsOf(edge), decimalsOf(size)));
  return Number((edge + size).toFixed(decimals));
}

const NUMBER = /^-?(?:\d+(?:\.\d+)?)(?:e[+-]?\d+)?$/;

/** The known edges of an encoder; `undefined` for an encoder that does not read numbers. */
function edgesOf(encoder: Schemas.Encoder): readonly number[] | undefined {
  return "edges" in encoder ? encoder.edges : undefined;
}

/** @param unit follows the numbers, such as ` s` */
function betweenEdges(name: string, edge: string, edges: readonly number[], unit: string): string | undefined {
  if (edge === "-inf") return edges[0] === undefined ? undefined : `${name} below ${edges[0]}${unit}`;
  const at = edges.indexOf(Number(edge));
  if (at < 0) return undefined;
  const next = edges[at + 1];
  return next === undefined ? `${name} ${edge}${unit} and above` : `${name} ${edge} to ${next}${unit}`;
}

/**
 * A symbol in words.
 *
 * @param symbol any symbol
 * @param encoders the encoders of the processor that made the symbol
 * @returns the range of its bin, such as `temp 18.5 to 21`; the symbol itself if none of the encoders made it
 */
export function shownSymbol(symbol: string, encoders: ShownEncoders): string {
  const sign = symbol.lastIndexOf("=");
  const [name, edge] = [symbol.slice(0, sign), symbol.slice(sign + 1)];
  if (sign < 0 || !Object.hasOwn(encoders, name) || !(edge === "-inf" || NUMBER.test(edge))) return symbol;
  const encoder = encoders[name];
  if (encoder?.kind === "step") {
    return edge === "-inf" ? symbol : `${name} ${edge} to ${nextEdge(Number(edge), encoder.size)}`;
  }
  if (encoder === undefined) return symbol;
  return betweenEdges(name, edge, edgesOf(encoder) ?? [], encoder.kind === "elapsed" ? " s" : "") ?? symbol;
}
