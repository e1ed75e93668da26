/**
 * The terms of the entropies, remembered: logarithms cross into the host and cost more than all the rest of a score. A term is kept
 * with all it was computed from, so a stale one is never used.
 */

import { log, log2 } from "../abi/host";

/** An entry: the probability, then the term of the entropy and that of the grand hamiltonian with the N it holds for. */
const ENTRIES: u32 = 4096;
const ENTRY_BYTES: usize = 32;
const symbolTerms: usize = memory.data(131072, 8);

/** Per length of a present and count of a symbol up to these, the term of the symbol, and the N it holds for. */
const SHARE_LENGTHS: u32 = 256;
const SHARE_COUNTS: u32 = 4;
const shareTerms: usize = memory.data(16384, 8);

let knownSymbols: f64 = 0;
let logKnown: f64 = 0;

/** Says how many distinct symbols are known: N. */
export function openTerms(known: f64): void {
  if (known !== knownSymbols) {
    knownSymbols = known;
    logKnown = log(known);
  }
}

/** -p log2 p, for a symbol of probability p > 0. */
export function entropyTerm(symbol: u32, p: f64): f64 {
  return load<f64>(entryOf(symbol, p), 8);
}

/** -p (ln p / ln N), for a symbol of probability p > 0. N is greater than 1. */
export function grandTerm(symbol: u32, p: f64): f64 {
  return load<f64>(entryOf(symbol, p), 16);
}

/** -q (ln q / ln N), where q is `count` / `length`. N is greater than 1. */
export function shareTerm(count: u32, length: u32): f64 {
  if (count > SHARE_COUNTS || length >= SHARE_LENGTHS) {
    return computeShare(count, length);
  }
  const entry = shareTerms + ((<usize>(length * SHARE_COUNTS + count - 1)) << 4);
  if (load<f64>(entry, 8) !== knownSymbols) {
    store<f64>(entry, computeShare(count, length));
    store<f64>(entry, knownSymbols, 8);
  }
  return load<f64>(entry);
}

function computeShare(count: u32, length: u32): f64 {
  const q = <f64>count / <f64>length;
  return -q * (log(q) / logKnown);
}

function entryOf(symbol: u32, p: f64): usize {
  const entry = symbolTerms + <usize>(symbol & (ENTRIES - 1)) * ENTRY_BYTES;
  if (load<f64>(entry) !== p || load<f64>(entry, 24) !== knownSymbols) {
    store<f64>(entry, p);
    store<f64>(entry, -p * log2(p), 8);
    store<f64>(entry, -p * (log(p) / logKnown), 16);
    store<f64>(entry, knownSymbols, 24);
  }
  return entry;
}
