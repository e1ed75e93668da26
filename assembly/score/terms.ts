/**
 * The terms of the entropies, cached: a logarithm calls into the host and costs more than the rest of a score. A term
 * is stored with everything it was computed from, so that a stale one is never used.
 */

import { log, log2 } from "../abi/host";

/** The cache entry of a symbol. */
@unmanaged
class SymbolTerms {
  probability: f64;
  /** -p log2 p */
  entropy: f64;
  /** -p (ln p / ln N) */
  grand: f64;
  /** The N that `grand` was computed for. */
  known: f64;
}

/** The cache entry of a share of a present. */
@unmanaged
class ShareTerm {
  /** -q (ln q / ln N) */
  term: f64;
  /** The N that `term` was computed for. */
  known: f64;
}

const SYMBOL_ENTRIES: i32 = 4096;
const SYMBOL_TERMS_BYTES: i32 = offsetof<SymbolTerms>();
const symbolTerms: usize = memory.data(SYMBOL_ENTRIES * SYMBOL_TERMS_BYTES, 8);

/** Shares are cached for presents shorter than this, and counts up to this. */
const SHARE_LENGTHS: i32 = 256;
const SHARE_COUNTS: i32 = 4;
const SHARE_TERM_BYTES: i32 = offsetof<ShareTerm>();
const shareTerms: usize = memory.data(SHARE_LENGTHS * SHARE_COUNTS * SHARE_TERM_BYTES, 8);

let knownSymbols: f64 = 0;
let logKnown: f64 = 0;

/** Prepares for a query. `known` is N, the number of distinct known symbols. */
export function beginTerms(known: f64): void {
  if (known !== knownSymbols) {
    knownSymbols = known;
    logKnown = log(known);
  }
}

/** -p log2 p, for a symbol of probability p > 0. */
export function entropyTerm(symbol: u32, p: f64): f64 {
  return termsOf(symbol, p).entropy;
}

/** -p (ln p / ln N), for a symbol of probability p > 0. N is greater than 1. */
export function grandTerm(symbol: u32, p: f64): f64 {
  return termsOf(symbol, p).grand;
}

/** -q (ln q / ln N), where q is `count` / `length`. N is greater than 1. */
export function shareTerm(count: u32, length: u32): f64 {
  if (count > <u32>SHARE_COUNTS || length >= <u32>SHARE_LENGTHS) {
    return computeShare(count, length);
  }
  const entry = changetype<ShareTerm>(shareTerms + <usize>(length * SHARE_COUNTS + count - 1) * SHARE_TERM_BYTES);
  if (entry.known !== knownSymbols) {
    entry.term = computeShare(count, length);
    entry.known = knownSymbols;
  }
  return entry.term;
}

function computeShare(count: u32, length: u32): f64 {
  const q = <f64>count / <f64>length;
  return -q * (log(q) / logKnown);
}

function termsOf(symbol: u32, p: f64): SymbolTerms {
  const entry = changetype<SymbolTerms>(symbolTerms + <usize>(symbol & (SYMBOL_ENTRIES - 1)) * SYMBOL_TERMS_BYTES);
  if (entry.probability !== p || entry.known !== knownSymbols) {
    entry.probability = p;
    entry.entropy = -p * log2(p);
    entry.grand = -p * (log(p) / logKnown);
    entry.known = knownSymbols;
  }
  return entry;
}
