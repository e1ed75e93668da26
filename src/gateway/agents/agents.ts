/**
 * Finds the agent of a request: the agent that the first label of the host names, or the default agent. Owns the agents of one
 * environment, which live as long as the isolate.
 */

import type { Transports } from "../../rpc/transport/transports";
import { excerpt } from "../../text/excerpt";
import { DEFAULT_AGENT, wordsOf } from "../../text/variables";
import { Refusal } from "../refusal";
import { Agent } from "./agent";

/** The part of the Worker's environment that says which agents there are. */
export interface AgentsEnv {
  /** The names of the agents besides the default one, separated by white space or commas. */
  readonly NOEMA_AGENTS?: string;
}

/** Hosts below this domain begin with the name of the Worker, not of an agent. */
const SHARED_DOMAIN = ".workers.dev";

/** A label of a host name. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The agents of one environment. */
export class Agents {
  readonly #agents = new Map<string, Agent>();
  readonly #default: Agent;
  readonly #misnamed: string | undefined;

  constructor({ NOEMA_AGENTS }: AgentsEnv, transports: Transports) {
    const names = wordsOf(NOEMA_AGENTS);
    for (const name of names) this.#agents.set(name, new Agent(name, transports));
    this.#default = this.#agents.get(DEFAULT_AGENT) ?? new Agent(DEFAULT_AGENT, transports);
    this.#agents.set(DEFAULT_AGENT, this.#default);
    this.#misnamed = names.find((name) => !LABEL.test(name));
  }

  /**
   * The agent that a host names by its first label; the default agent when no agent has that name, or when no domain follows
   * the label, as in an address or in `localhost`.
   *
   * @param hostname as URLs have it: lower case, without a port
   */
  at(hostname: string): Agent {
    const dot = hostname.indexOf(".");
    if (dot < 0 || hostname.endsWith(SHARED_DOMAIN)) return this.#default;
    return this.#agents.get(hostname.slice(0, dot)) ?? this.#default;
  }

  /** @throws Refusal 500 when NOEMA_AGENTS holds a name that no host can have; whoever deploys must correct it */
  check(): void {
    if (this.#misnamed === undefined) return;
    throw new Refusal(
      500,
      `the variable NOEMA_AGENTS names the agent ${excerpt(this.#misnamed)}; a name must be a label of a host: lower-case letters, digits and hyphens`,
    );
  }
}
