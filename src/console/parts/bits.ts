/** Bits of surprise as text and colour. */

/** Minimum number of bits shown next to a symbol. */
export const MIN_SHOWN_BITS = 3.95;

/** Bits with one decimal. */
export function bitsText(bits: number): string {
  return bits < 99.95 ? String(Number(bits.toFixed(1))) : bits.toFixed(0);
}

/** How strongly a symbol is coloured by the bits that it adds; the number is shown next to it. */
export function heatOf(bits: number): string {
  if (bits < 1) return "";
  if (bits < 4) return "heat-1";
  return bits < 10 ? "heat-2" : "heat-3";
}
