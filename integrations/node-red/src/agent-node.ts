/** The configuration node: where Noema is, and the key, which Node-RED keeps among its credentials. */

import { connect, type Memory, type Noema, processor, session } from "../../../src/client";
import type { FlowNode, Runtime } from "./runtime";

/** The type of the configuration node. */
export const AGENT = "noema-agent";

/** What its form keeps. */
interface AgentConfig {
  readonly address: string;
}

/** A configuration node that was made. */
interface AgentNode extends FlowNode {
  noema?: Noema;
}

/** Registers the configuration node. */
export function registerAgent(red: Runtime): void {
  function construct(this: AgentNode, config: AgentConfig): void {
    red.nodes.createNode(this, config);
    this.noema = connect({ address: config.address, key: this.credentials?.key ?? "" });
  }
  red.nodes.registerType(AGENT, construct, { credentials: { key: { type: "password" } } });
}

/**
 * The server that a node uses.
 *
 * @param id the configuration node's
 * @throws Error when none is chosen
 */
export function noemaOf(red: Runtime, id: string): Noema {
  const noema = (red.nodes.getNode(id) as AgentNode | null)?.noema;
  if (noema === undefined) throw new Error("choose the agent in the node's settings: an address and a key");
  return noema;
}

/**
 * A memory of that server.
 *
 * @param name the session's; `null` for the processor's own memory
 */
export function memoryOf(noema: Noema, processorName: string, name: string | null): Memory {
  const place = processor(noema, processorName);
  return name === null ? place : session(place, name);
}
