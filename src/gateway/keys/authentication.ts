/**
 * Identifies the key of a request, and its rights. A configured key costs no promise and no allocation. Knows nothing
 * of operations.
 */

import { API_KEY_HEADER } from "../../rpc/transport/endpoint-transport";
import { keyRefusal, Refusal } from "../refusal";
import { offeredKey } from "../streams/upgrade";
import { hasConfiguredKeys, isConfiguredKey, type KeyEnv } from "./configured-keys";
import { areEqual } from "./constant-time";
import { type IssuedKey, IssuedKeys, type KeySource, type Lifetime } from "./issued-keys";
import { hashOf, partsOfKey } from "./new-key";
import { bearerIn } from "./offered-key";
import { ALL_RIGHTS, type Rights } from "./rights";

/** Knows the keys of one deployment. */
export class Authentication {
  readonly #env: KeyEnv;
  readonly #agentNamed: (name: string) => KeySource | undefined;
  readonly #now: () => number;
  /** An entry disappears with its agent. */
  readonly #issued = new WeakMap<KeySource, IssuedKeys>();

  /**
   * @param agentNamed the agent with a name; `undefined` for none
   * @param now the time in milliseconds since 1970
   */
  constructor(env: KeyEnv, agentNamed: (name: string) => KeySource | undefined, now = Date.now) {
    this.#env = env;
    this.#agentNamed = agentNamed;
    this.#now = now;
  }

  /**
   * The rights of a request's key.
   *
   * @param agent the name of the agent that the request is for
   * @param host the host of the request's URL: lower case, without a port, and without a final dot
   * @param lifetime keeps the gateway asking for keys after the answer has left
   * @throws Refusal, or rejects with it: 500, as the interface specification asks, when there is no key or it is not
   *   accepted; 429 when the key has made too many requests; 503 when the agent that may have issued it cannot be
   *   reached
   */
  rightsOf(request: Request, agent: string, host: string, lifetime?: Lifetime): Rights | Promise<Rights> {
    const given = request.headers.get(API_KEY_HEADER);
    const bearer = given ?? bearerIn(request);
    return this.#rightsOf(bearer ?? offeredKey(request), agent, host, placeOf(given, bearer), lifetime);
  }

  /**
   * {@link rightsOf} for a key that was not in a header.
   *
   * @param place where it was, for a sentence
   */
  rightsOfKey(key: string, agent: string, host: string, place: string): Rights | Promise<Rights> {
    return this.#rightsOf(key, agent, host, place);
  }

  /**
   * The rights of an issued key that was accepted before; no request is counted.
   *
   * @returns `undefined` if it is no longer valid
   * @throws Refusal 503 when that cannot be found out
   */
  async rightsOfId(id: string, agent: string): Promise<Rights | undefined> {
    const source = this.#agentNamed(agent);
    const found = source && this.#keysOf(source).find(id);
    const key = found instanceof Promise ? await found : found;
    try {
      await key?.confirm();
      return key;
    } catch (reason) {
      if (reason instanceof Refusal && reason.extras.isOfKey) return undefined;
      throw reason;
    }
  }

  #rightsOf(
    key: string | undefined,
    agent: string,
    host: string,
    place: string,
    lifetime?: Lifetime,
  ): Rights | Promise<Rights> {
    if (key !== undefined && isConfiguredKey(key, this.#env, agent, host)) return ALL_RIGHTS;
    const parts = key === undefined ? undefined : partsOfKey(key);
    if (parts === undefined && !hasConfiguredKeys(this.#env)) {
      throw new Refusal(500, "no API key is configured here; set one with: npx wrangler secret put API_KEYS");
    }
    if (key === undefined) {
      throw keyRefusal("the request header X-API-KEY is missing; it must hold an accepted API key");
    }
    const source = parts === undefined ? undefined : this.#agentNamed(agent);
    if (parts === undefined || source === undefined) throw notAccepted(place);
    return this.#issuedRights(this.#keysOf(source), parts, place, lifetime);
  }

  #issuedRights(
    keys: IssuedKeys,
    { id, secret }: { readonly id: string; readonly secret: string },
    place: string,
    lifetime: Lifetime | undefined,
  ): Rights | Promise<Rights> {
    const hash = hashOf(secret);
    const fits = (key: IssuedKey) => areEqual(hash, key.secretSha256);
    const accept = (key: IssuedKey | undefined): Rights => {
      if (key === undefined || !fits(key)) throw notAccepted(place);
      key.count(this.#now());
      return key;
    };
    const found = keys.find(id, lifetime, fits);
    return found instanceof Promise ? found.then(accept) : accept(found);
  }

  #keysOf(source: KeySource): IssuedKeys {
    let keys = this.#issued.get(source);
    if (keys === undefined) {
      keys = new IssuedKeys(source, this.#now);
      this.#issued.set(source, keys);
    }
    return keys;
  }
}

/** The place of a request's key. */
function placeOf(apiKey: string | null, bearer: string | undefined): string {
  if (apiKey !== null) return "request header X-API-KEY";
  return bearer === undefined ? "request header Sec-WebSocket-Protocol" : "request header Authorization";
}

/** @param place the place of the request's key */
function notAccepted(place: string): Refusal {
  return keyRefusal(`the ${place} does not hold an accepted API key`);
}
