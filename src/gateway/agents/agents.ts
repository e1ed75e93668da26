/**
 * Which agent a request is for: the one that the first label of the host names, or the default agent. Owns the agents of one
 * environment, which live as long as the isolate.
 */

import { excerpt } from "../../text/excerpt";
import { wordsOf } from "../../text/words";
import { Refusal } from "../json/refusal";
import { Agent, type Switchboard } from "./agent";

/** The part of the Worker's environment that says which agents there are. */
export interface AgentsEnv {
  /** The agents besides the default one, separated by white space or commas. */
  readonly NOEMA_AGENTS?: string;
}

/** The agent of every request whose host names no other. */
export const DEFAULT_AGENT = "simple";

/** Hosts below this domain begin with the name of the Worker, which is no agent's. */
const SHARED_DOMAIN = ".workers.dev";

/** What can stand as a label in the name of a host. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The agents of one environment. */
export class Agents {
  readonly #agents = new Map<string, Agent>();
  readonly #default: Agent;
  readonly #misnamed: string | undefined;

  constructor({ NOEMA_AGENTS }: AgentsEnv, switchboard: Switchboard) {
    const names = wordsOf(NOEMA_AGENTS);
    for (const name of names) this.#agents.set(name, new Agent(name, switchboard));
    this.#default = this.#agents.get(DEFAULT_AGENT) ?? new Agent(DEFAULT_AGENT, switchboard);
    this.#agents.set(DEFAULT_AGENT, this.#default);
    this.#misnamed = names.find((name) => !LABEL.test(name));
  }

  /**
   * The agent that a host names by its first label; the default agent when the label is no agent's, or there is no domain
   * behind it, as in an address or in `localhost`.
   *
   * @param hostname lower case and without a port, as URLs have it
   */
  at(hostname: string): Agent {
    const dot = hostname.indexOf(".");
    if (dot < 0 || hostname.endsWith(SHARED_DOMAIN)) return this.#default;
    return this.#agents.get(hostname.slice(0, dot)) ?? this.#default;
  }

  /** @throws Refusal 500 when the deployment names an agent that no host could: to be mended by whoever deploys */
  check(): void {
    if (this.#misnamed === undefined) return;
    throw new Refusal(
      500,
      `the variable NOEMA_AGENTS names the agent ${excerpt(this.#misnamed)}; a name must be a label of a host: lower-case letters, digits and hyphens`,
    );
  }
}
