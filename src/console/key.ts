/**
 * Keeps the key for the page's requests: in memory, or in sessionStorage if the user asks for that. Never in
 * a URL, never for longer.
 */

import { KEY_PLACE } from "./sent-early";

let inMemory = "";

/** The key; empty if there is none. */
export function currentKey(): string {
  return sessionStorage.getItem(KEY_PLACE) ?? inMemory;
}

/** Whether the key is kept until the tab is closed. */
export function isKept(): boolean {
  return sessionStorage.getItem(KEY_PLACE) !== null;
}

/**
 * Sets the key.
 *
 * @param keep whether to keep it until the tab is closed; else a reload forgets it
 */
export function setKey(key: string, keep: boolean): void {
  inMemory = key;
  if (keep) sessionStorage.setItem(KEY_PLACE, key);
  else sessionStorage.removeItem(KEY_PLACE);
}
