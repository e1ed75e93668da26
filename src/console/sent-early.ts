/**
 * The first requests, which early.ts sends while the page's modules are loading, and their answers for the client.
 * Imports only types, because the script in the page holds this file, too.
 */

import type { Noema } from "../client";

/** Where the key is in sessionStorage, if the user lets the tab keep it. */
export const KEY_PLACE = "noema.key";

/** Number of devices read first, so that the page is not empty for long: those that need attention come first. */
export const FIRST_DEVICES = 200;

/** Maximum number of devices that the server lists at once. */
export const MAX_DEVICES = 10_000;

/** Age from which an answer is too old to be taken, in milliseconds: the time that the client waits for one. */
const STALE_MS = 30_000;

/** A request under way. */
interface Sent {
  readonly answer: Promise<Response>;
  /** Ends the request. */
  readonly over: AbortController;
}

/** The requests that were sent. The time is that of `performance.now()`. */
interface Early {
  readonly key: string;
  readonly at: number;
  /** By URL; each is taken once. */
  readonly sent: Map<string, Sent>;
}

declare global {
  /** Set by early.ts, if the tab has kept a key. */
  var noemaEarly: Early | undefined;
}

function urlOf(path: string): string {
  return `${location.origin}/${path}`;
}

function devicesPath(limit: number): string {
  return `devices?limit=${limit}`;
}

/** Sends what the page needs first: what the key allows, and on Home the devices. */
export function sendEarly(key: string, isHome: boolean): void {
  const paths = ["connect?rights=true", ...(isHome ? [FIRST_DEVICES, MAX_DEVICES].map(devicesPath) : [])];
  const sent = paths.map((path): [string, Sent] => {
    const over = new AbortController();
    // As the client sends it.
    const headers = { accept: "application/json", "x-api-key": key };
    const answer = fetch(urlOf(path), { headers, redirect: "manual", signal: over.signal });
    // The client reports a failure when it takes the answer.
    answer.catch(() => undefined);
    return [urlOf(path), { answer, over }];
  });
  globalThis.noemaEarly = { key, at: performance.now(), sent: new Map(sent) };
}

/** Whether a list of devices is under way, or was answered, and nothing has taken it yet. */
export function isListedEarly(noema: Noema, limit: number): boolean {
  return noema.key() === globalThis.noemaEarly?.key && globalThis.noemaEarly.sent.has(urlOf(devicesPath(limit)));
}

/** A connection whose calls take the answers to requests that were sent early, each once. */
export function withEarly(noema: Noema): Noema {
  return { ...noema, fetch: (url, init) => taken(url, noema.key(), init.signal) ?? noema.fetch(url, init) };
}

function taken(url: string, key: string, signal: AbortSignal): Promise<Response> | undefined {
  const early = globalThis.noemaEarly;
  if (early === undefined || early.key !== key || performance.now() - early.at > STALE_MS) return undefined;
  const found = early.sent.get(url);
  early.sent.delete(url);
  if (found === undefined) return undefined;
  signal.addEventListener("abort", () => found.over.abort(signal.reason));
  return found.answer;
}
