/**
 * Finds the agent of a request: the agent named by the first label of the host, or the default agent. Owns the agents
 * of one environment, which live as long as the isolate.
 */

import type { Transports } from "../../rpc/transport/transports";
import { excerpt } from "../../text/excerpt";
import { isBelow, LOCAL_DOMAIN } from "../../text/hosts";
import { DEFAULT_AGENT, wordsOf } from "../../text/variables";
import { Refusal } from "../refusal";
import { Agent } from "./agent";

/** The part of the Worker's environment that names the agents. */
export interface AgentsEnv {
  /** The names of the agents in addition to the default one, separated by white space or commas. */
  readonly NOEMA_AGENTS?: string;
  /** The domain under which the agents have their hosts. Other names below it are refused. */
  readonly NOEMA_DOMAIN?: string;
  /**
   * The region near which the platform creates objects without a place of their own, if the gateway is the first to
   * call them.
   */
  readonly NOEMA_LOCATION_HINT?: string | null;
}

/** Hosts below this domain begin with the name of the Worker, not with an agent's. */
const SHARED_DOMAIN = "workers.dev";

const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";

/** The name of an agent: a label of a host name. */
const AGENT_NAME = new RegExp(`^${LABEL}$`);

const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);

/** The agents of one environment. */
export class Agents {
  readonly #agents = new Map<string, Agent>();
  /** The domains whose names belong to agents alone. */
  readonly #domains = [LOCAL_DOMAIN];
  /** What is wrong with the variables; `undefined` for nothing. */
  readonly #misconfigured: string | undefined;

  constructor({ NOEMA_AGENTS, NOEMA_DOMAIN, NOEMA_LOCATION_HINT }: AgentsEnv, transports: Transports) {
    const names = [...wordsOf(NOEMA_AGENTS), DEFAULT_AGENT];
    for (const name of names) this.#agents.set(name, new Agent(name, transports, NOEMA_LOCATION_HINT || ""));
    if (NOEMA_DOMAIN) this.#domains.push(NOEMA_DOMAIN);
    this.#misconfigured = wrongAgents(names) ?? wrongDomain(NOEMA_DOMAIN);
  }

  /**
   * The name of the agent that a host refers to, even if there is no such agent: the first label if an agent has that
   * name or the host lies below a domain of agents; else the default agent.
   *
   * @param host from a URL: lower case, without a port, and without a final dot
   */
  nameAt(host: string): string {
    const dot = host.indexOf(".");
    if (dot < 0 || isBelow(host, SHARED_DOMAIN)) return DEFAULT_AGENT;
    const label = host.slice(0, dot);
    if (this.#agents.has(label) || this.#domains.some((domain) => isBelow(host, domain))) return label;
    return DEFAULT_AGENT;
  }

  /** The agent of a name; `undefined` for none. */
  find(name: string): Agent | undefined {
    return this.#agents.get(name);
  }

  /**
   * The agent of a name.
   *
   * @throws Refusal 404 when there is no such agent; 500 when a variable names an agent or a domain that no host can
   *   have, which must be corrected in the deployment
   */
  named(name: string): Agent {
    if (this.#misconfigured !== undefined) throw new Refusal(500, this.#misconfigured);
    const agent = this.#agents.get(name);
    if (agent !== undefined) return agent;
    throw new Refusal(
      404,
      `there is no agent ${excerpt(name)}; the host must begin with the name of an agent, or be the domain alone, ` +
        `which means the agent ${excerpt(DEFAULT_AGENT)}`,
    );
  }
}

function wrongAgents(names: readonly string[]): string | undefined {
  const wrong = names.find((name) => !AGENT_NAME.test(name));
  if (wrong === undefined) return undefined;
  return (
    `the variable NOEMA_AGENTS names the agent ${excerpt(wrong)}; a name must be a label of a host: ` +
    "lower-case letters, digits and hyphens"
  );
}

function wrongDomain(domain: string | undefined): string | undefined {
  if (!domain || DOMAIN.test(domain)) return undefined;
  return (
    `the variable NOEMA_DOMAIN is ${excerpt(domain)}; it must be one domain such as example.org: ` +
    "labels of lower-case letters, digits and hyphens, with dots between them"
  );
}
