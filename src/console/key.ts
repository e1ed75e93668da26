/**
 * Keeps the key for the page's requests: in memory, or in sessionStorage if the user asks for that. Never in
 * a URL, never for longer.
 */

const PLACE = "noema.key";

let inMemory = "";

/** The key; empty if there is none. */
export function currentKey(): string {
  return sessionStorage.getItem(PLACE) ?? inMemory;
}

/** Whether the key is kept until the tab is closed. */
export function isKept(): boolean {
  return sessionStorage.getItem(PLACE) !== null;
}

/**
 * Sets the key.
 *
 * @param keep whether to keep it until the tab is closed; else a reload forgets it
 */
export function setKey(key: string, keep: boolean): void {
  inMemory = key;
  if (keep) sessionStorage.setItem(PLACE, key);
  else sessionStorage.removeItem(PLACE);
}
