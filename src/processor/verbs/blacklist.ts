/** The symbols that are dropped from observations. */

import { takeSymbols } from "../input/gdf-input";
import type { Mind } from "../mind";

/** Adds symbols that are not blacklisted yet, in order. @throws Fault `invalid` when one is malformed */
export function addToBlacklist(mind: Mind, symbols: readonly string[]): void {
  const added = [...new Set(takeSymbols(symbols, "a symbol"))].filter((symbol) => !mind.blacklist.has(symbol));
  if (added.length === 0) return;
  mind.store.record({ kind: "blacklist-added", symbols: added });
  for (const symbol of added) mind.blacklist.add(symbol);
}

/** Takes symbols from the blacklist. @returns those that were not on it */
export function removeFromBlacklist(mind: Mind, symbols: readonly string[]): string[] {
  const distinct = [...new Set(symbols)];
  const removed = distinct.filter((symbol) => mind.blacklist.has(symbol));
  const unknown = distinct.filter((symbol) => !mind.blacklist.has(symbol));
  if (removed.length > 0) mind.store.record({ kind: "blacklist-removed", symbols: removed });
  for (const symbol of removed) mind.blacklist.delete(symbol);
  return unknown;
}
