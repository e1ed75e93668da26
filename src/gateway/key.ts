/**
 * Checks the API key of a request against the accepted ones, in time that does not depend on how much of a key is right.
 * Owns the parsing of the configured keys; never logs or shows a key.
 */

import { Refusal } from "./refusal";

/** The part of the Worker's environment that says which keys are accepted. */
export interface KeyEnv {
  /** The accepted keys, separated by white space or commas. */
  readonly API_KEYS?: string;
  /** "true" in local use and in tests only: the local key is accepted too. */
  readonly NOEMA_LOCAL?: string;
}

/** The key of local use; never accepted in a deployment. */
export const LOCAL_KEY = "ABCD-1234";

const encoder = new TextEncoder();

/** What is worked out once per environment. */
interface Accepted {
  /** Digests of the accepted keys. */
  readonly digests: readonly Uint8Array[];
  /** Accepted keys that were seen. Looking one up compares a seeded hash of the whole text first, and tells nothing of its parts. */
  readonly seen: Set<string>;
}

const accepted = new WeakMap<KeyEnv, Accepted>();

/**
 * Passes when the header X-API-KEY holds an accepted key.
 *
 * @throws Refusal 500, as the interface specification asks, when it does not
 */
export async function checkKey(request: Request, env: KeyEnv): Promise<void> {
  const { digests, seen } = accepted.get(env) ?? (await digestKeys(env));
  const key = request.headers.get("x-api-key");
  if (key !== null && seen.has(key)) return;
  if (digests.length === 0) {
    throw new Refusal(500, "no API key is configured here; set one with: npx wrangler secret put API_KEYS");
  }
  if (key === null) throw new Refusal(500, "the request header X-API-KEY is missing; it must hold an accepted API key");
  const digest = await digestOf(key);
  let matches = 0;
  for (const other of digests) matches += equal(digest, other) ? 1 : 0;
  if (matches === 0) throw new Refusal(500, "the request header X-API-KEY does not hold an accepted API key");
  seen.add(key);
}

async function digestKeys(env: KeyEnv): Promise<Accepted> {
  const keys = (env.API_KEYS ?? "").split(/[\s,]+/).filter((key) => key !== "");
  if (env.NOEMA_LOCAL === "true") keys.push(LOCAL_KEY);
  const working = { digests: await Promise.all(keys.map(digestOf)), seen: new Set<string>() };
  accepted.set(env, working);
  return working;
}

async function digestOf(key: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(key)));
}

/** Compares two digests without stopping at the first difference. */
function equal(a: Uint8Array, b: Uint8Array): boolean {
  if (typeof crypto.subtle.timingSafeEqual === "function") return crypto.subtle.timingSafeEqual(a, b);
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
  return difference === 0;
}
