/**
 * The keys that the deployment configures, which have all rights. Comparison takes the same time however much of a key
 * is right. Owns the parsing of the variables. Never logs or shows a key.
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { excerpt } from "../../text/excerpt";
import { isBelow, isLoopback, LOCAL_DOMAIN } from "../../text/hosts";
import { wordsOf } from "../../text/variables";
import { keyRefusal, Refusal } from "../refusal";
import { areEqual } from "./constant-time";

/** The part of the Worker's environment that lists the accepted keys. */
export interface KeyEnv {
  /** The keys that open every agent, separated by white space or commas. */
  readonly API_KEYS?: string;
  /** The keys that open one agent each, as `agent:key`, separated by white space or commas. */
  readonly AGENT_KEYS?: string;
  /**
   * "true" in local use and in tests only: accepts the local key, from this machine, as long as no
   * other key is configured.
   */
  readonly NOEMA_LOCAL?: string;
}

/** The key of local use. A deployment never accepts it, even if it is configured there. */
const LOCAL_KEY = "ABCD-1234";

const encoder = new TextEncoder();

/** An accepted key. */
interface AcceptedKey {
  /** Its UTF-8, padded with zeros to the length at which keys are compared. */
  readonly padded: Uint8Array;
  /** Number of these bytes that belong to the key. */
  readonly length: number;
  /** The one agent that it opens; `undefined` if it opens every agent. */
  readonly agent: string | undefined;
  /** Whether it is the local key, which is accepted only at hosts that mean this machine. */
  readonly isLocal: boolean;
  /** Its {@link configuredRef}, made when it is first needed. */
  ref: string | undefined;
}

/** The keys that an environment accepts, and the buffer for the key of a request. */
interface AcceptedKeys {
  readonly keys: readonly AcceptedKey[];
  /** As long as the longest accepted key, so that a comparison takes the same time for every key. */
  readonly given: Uint8Array;
}

/** The accepted keys of each environment, parsed once. */
const accepted = new WeakMap<KeyEnv, AcceptedKeys>();

/** Whether the deployment configures any key, or accepts the local one. @throws Refusal 500 if a variable is wrong */
export function hasConfiguredKeys(env: KeyEnv): boolean {
  return (accepted.get(env) ?? acceptedKeys(env)).keys.length > 0;
}

/**
 * Whether a configured key opens an agent.
 *
 * @param key the key of the request
 * @param agent the name of the agent that the request is for
 * @param host the host of the request's URL: lower case, without a port, and without a final dot
 * @throws Refusal 500 when it is the local key and the host does not mean this machine
 */
export function isConfiguredKey(key: string, env: KeyEnv, agent: string, host: string): boolean {
  const { keys, given } = accepted.get(env) ?? acceptedKeys(env);
  given.fill(0);
  const { read, written } = encoder.encodeInto(key, given);
  const fits = read === key.length;
  let matches = 0;
  let localMatches = 0;
  for (const { padded, length, agent: only, isLocal } of keys) {
    const opens = fits && written === length && (only === undefined || only === agent);
    // Compare first, so that every key is compared and the time stays the same.
    const matched = areEqual(given, padded) && opens ? 1 : 0;
    matches += matched;
    if (isLocal) localMatches += matched;
  }
  if (matches === 0) return false;
  if (localMatches === matches) checkLocalHost(host);
  return true;
}

/** A reference to a configured key for places that must not hold the key itself: half of its SHA-256, as hex digits. */
export function configuredRef(key: string): string {
  return refOf(encoder.encode(key));
}

/** Whether the key of a {@link configuredRef} still opens an agent. */
export function isConfiguredRef(ref: string, env: KeyEnv, agent: string): boolean {
  const { keys } = accepted.get(env) ?? acceptedKeys(env);
  return keys.some((key) => (key.agent === undefined || key.agent === agent) && refOfAccepted(key) === ref);
}

function refOfAccepted(key: AcceptedKey): string {
  key.ref ??= refOf(key.padded.subarray(0, key.length));
  return key.ref;
}

const REF_BYTES = 16;

function refOf(key: Uint8Array): string {
  return bytesToHex(sha256(key).subarray(0, REF_BYTES));
}

/**
 * A web page may point its own host at 127.0.0.1 and then call this server as if it were the page's own (DNS
 * rebinding). The request still names the page's host.
 *
 * @throws Refusal 500 when the host does not mean this machine
 */
function checkLocalHost(host: string): void {
  if (isLoopback(host) || isBelow(host, LOCAL_DOMAIN)) return;
  throw keyRefusal(
    `the local key is not accepted at the host ${excerpt(host)}, only at localhost, names below it, ` +
      "and loopback addresses; set API_KEYS to be called by other names",
  );
}

function acceptedKeys(env: KeyEnv): AcceptedKeys {
  // The local key is in a public README: configuring it means an example was copied, not a secret chosen.
  const open = wordsOf(env.API_KEYS).filter((key) => key !== LOCAL_KEY);
  const ofAgents = wordsOf(env.AGENT_KEYS);
  // If keys are configured, the operator expects the server to ask for them.
  if (env.NOEMA_LOCAL === "true" && open.length + ofAgents.length === 0) open.push(LOCAL_KEY);
  const entries = [
    ...open.map((key) => ({ key: encoder.encode(key), agent: undefined, isLocal: key === LOCAL_KEY })),
    ...ofAgents.map((entry) => ({ ...agentKey(entry), isLocal: false })),
  ];
  const longest = entries.reduce((most, { key }) => Math.max(most, key.length), 0);
  const keys = entries.map(({ key, agent, isLocal }) => {
    const padded = new Uint8Array(longest);
    padded.set(key);
    return { padded, length: key.length, agent, isLocal, ref: undefined };
  });
  const parsed = { keys, given: new Uint8Array(longest) };
  accepted.set(env, parsed);
  return parsed;
}

/** @throws Refusal 500 if the entry names no agent or holds the local key, which must be corrected in the deployment */
function agentKey(entry: string): { key: Uint8Array; agent: string } {
  const colon = entry.indexOf(":");
  const key = entry.slice(colon + 1);
  if (key === LOCAL_KEY)
    throw new Refusal(500, "the secret AGENT_KEYS holds the local key, which is public; choose another");
  if (colon > 0 && key !== "") return { key: encoder.encode(key), agent: entry.slice(0, colon) };
  throw new Refusal(500, "the secret AGENT_KEYS has an entry that is not of the form agent:key");
}
