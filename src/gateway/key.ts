/**
 * Checks the API key of a request against the accepted ones, in time that does not depend on how much of a key is right.
 * Owns the parsing of the configured keys; never logs or shows a key.
 */

import { Refusal } from "./refusal";

/** The part of the Worker's environment that says which keys are accepted. */
export interface KeyEnv {
  /** The keys that open every agent, separated by white space or commas. */
  readonly API_KEYS?: string;
  /** The keys that open one agent each, as `agent:key`, separated by white space or commas. */
  readonly AGENT_KEYS?: string;
  /** "true" in local use and in tests only: the local key is accepted too. */
  readonly NOEMA_LOCAL?: string;
}

/** The key of local use; never accepted in a deployment, not even when it is configured there. */
export const LOCAL_KEY = "ABCD-1234";

const encoder = new TextEncoder();

/** A key that is accepted, as its digest. */
interface AcceptedKey {
  readonly digest: Uint8Array;
  /** The one agent that it opens; `undefined` when it opens all. */
  readonly agent: string | undefined;
}

/** The accepted keys, worked out once per environment. */
const accepted = new WeakMap<KeyEnv, AcceptedKey[]>();

/**
 * Passes when the header X-API-KEY holds a key that opens an agent.
 *
 * @param agent the name of the agent that the request is for
 * @throws Refusal 500, as the interface specification asks, when it does not
 */
export async function checkKey(request: Request, env: KeyEnv, agent: string): Promise<void> {
  const keys = accepted.get(env) ?? (await acceptedKeys(env));
  if (keys.length === 0) {
    throw new Refusal(500, "no API key is configured here; set one with: npx wrangler secret put API_KEYS");
  }
  const key = request.headers.get("x-api-key");
  if (key === null) throw new Refusal(500, "the request header X-API-KEY is missing; it must hold an accepted API key");
  const digest = await digestOf(key);
  let matches = 0;
  for (const other of keys) {
    const opens = other.agent === undefined || other.agent === agent;
    // The comparison comes first, so that it is made for every key alike.
    matches += equal(digest, other.digest) && opens ? 1 : 0;
  }
  if (matches === 0) throw new Refusal(500, "the request header X-API-KEY does not hold an accepted API key");
}

async function acceptedKeys(env: KeyEnv): Promise<AcceptedKey[]> {
  // The local key stands in a public README: somebody who configures it has copied an example, not chosen a secret.
  const open = words(env.API_KEYS).filter((key) => key !== LOCAL_KEY);
  if (env.NOEMA_LOCAL === "true") open.push(LOCAL_KEY);
  const keys = await Promise.all([
    ...open.map(async (key) => ({ digest: await digestOf(key), agent: undefined })),
    ...words(env.AGENT_KEYS).map(agentKey),
  ]);
  accepted.set(env, keys);
  return keys;
}

/** @throws Refusal 500 when the entry names no agent: to be mended by whoever deploys */
async function agentKey(entry: string): Promise<AcceptedKey> {
  const colon = entry.indexOf(":");
  const key = entry.slice(colon + 1);
  if (key === LOCAL_KEY)
    throw new Refusal(500, "the secret AGENT_KEYS holds the local key, which is public; choose another");
  if (colon > 0 && key !== "") return { digest: await digestOf(key), agent: entry.slice(0, colon) };
  throw new Refusal(500, "the secret AGENT_KEYS has an entry that is not of the form agent:key");
}

function words(text: string | undefined): string[] {
  return (text ?? "").split(/[\s,]+/).filter((word) => word !== "");
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
