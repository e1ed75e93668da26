/**
 * The console's connection to the server, and what it knows of the agent there. The key is in key.ts.
 */

import { computed, signal } from "@preact/signals";
import {
  connect,
  getConnection,
  type Memory,
  type Noema,
  NoemaError,
  type Processor,
  processor,
  type Schemas,
  session,
} from "../client";
import { currentKey, setKey } from "./key";
import { place } from "./place";

/** A processor of the genome. */
export interface KnownProcessor {
  readonly id: string;
  readonly name: string;
  /** The client's handle. */
  readonly processor: Processor;
}

/** The agent that a key has opened. */
export interface Agent {
  readonly noema: Noema;
  readonly name: string;
  readonly processors: readonly KnownProcessor[];
  /** The genome when the key opened the agent, or at the last {@link reread}. */
  readonly genome: Schemas.Genome;
  /** What the key allows. */
  readonly rights: Schemas.KeyRights | undefined;
}

/** The agent; `undefined` until a key has opened it. */
export const agent = signal<Agent | undefined>(undefined);

/** Why no agent is open; empty before the first attempt. */
export const refusal = signal("");

/** The current processor. */
export const currentProcessor = computed<KnownProcessor | undefined>(() => {
  const { processors = [] } = agent.value ?? {};
  const wanted = place.value.processor;
  return wanted === undefined ? processors[0] : processors.find(({ id, name }) => id === wanted || name === wanted);
});

/**
 * The current memory: the processor's own, or a session; `undefined` if the session name in the URL is not valid.
 */
export const currentMemory = computed<Memory | undefined>(() => {
  const known = currentProcessor.value;
  const name = place.value.session;
  if (known === undefined || name === undefined) return known?.processor;
  try {
    return session(known.processor, name);
  } catch {
    return undefined;
  }
});

/**
 * Opens the agent with a key. If the key is refused, {@link refusal} says why and any open agent is closed.
 *
 * @param keep whether to keep the key until the tab is closed
 */
export async function open(key: string, keep: boolean): Promise<void> {
  try {
    const noema = connect({ address: location.origin, key, retries: 2 });
    agent.value = await agentOf(noema);
    refusal.value = "";
    setKey(key, keep);
  } catch (error) {
    agent.value = undefined;
    refusal.value = sentenceOf(error);
  }
}

/** Reads the agent again after its genome has changed. @throws NoemaError if there is no answer */
export async function reread(): Promise<void> {
  if (agent.value !== undefined) agent.value = await agentOf(agent.value.noema);
}

/** Opens the agent with the key kept for this tab, if any. */
export async function reopen(): Promise<void> {
  const kept = currentKey();
  if (kept !== "") await open(kept, true);
}

/** Forgets the key and closes the agent. */
export function leave(): void {
  setKey("", false);
  agent.value = undefined;
  refusal.value = "";
}

/** An error as a sentence for the user. */
export function sentenceOf(error: unknown): string {
  if (error instanceof NoemaError && error.status === 500 && error.message.includes("API")) {
    return "The server does not know this key.";
  }
  return error instanceof Error ? error.message : String(error);
}

async function agentOf(noema: Noema): Promise<Agent> {
  const { agent_name: name, genome, rights } = await getConnection(noema, { rights: true });
  const processors = genome.elements.nodes.flatMap(({ data }) =>
    data.type === "primitive" ? [{ id: data.id, name: data.name, processor: processor(noema, data.id) }] : [],
  );
  return { noema, name, genome, rights, processors };
}
