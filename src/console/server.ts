/**
 * The console's connection to the server, and what it knows of the agent there. The key is in key.ts.
 */

import { batch, computed, signal } from "@preact/signals";
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
import { withEarly } from "./sent-early";

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

/** Whether a kept key is being tried: the page needs no other one meanwhile. */
export const isReopening = signal(currentKey() !== "");

/** A server that does not answer. Times in epoch milliseconds. */
export interface Away {
  readonly since: number;
  /** When the server is queried again. */
  readonly nextAt: number;
}

/** Set while an agent cannot be opened because the server does not answer; the query is repeated until it does. */
export const away = signal<Away | undefined>(undefined);

/** The first pause before retrying, which doubles each time, and the longest pause, in milliseconds. */
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;

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

/** The number of the current call of {@link open}: a later call, or {@link leave}, cancels earlier ones. */
let opening = 0;

/**
 * Opens the agent with a key. If the key is refused, {@link refusal} says why and any open agent is closed. While the
 * server does not answer, {@link away} is set and the query is repeated.
 *
 * @param keep whether to keep the key until the tab is closed
 * @param meanwhile called with the connection while its first answer is awaited
 */
export async function open(key: string, keep: boolean, meanwhile?: (noema: Noema) => void): Promise<void> {
  const own = ++opening;
  const isOver = () => own !== opening;
  for (let pause = FIRST_PAUSE_MS; !isOver(); pause = Math.min(MAX_PAUSE_MS, 2 * pause)) {
    try {
      const noema = withEarly(connect({ address: location.origin, key, retries: 2 }));
      const answered = agentOf(noema);
      if (pause === FIRST_PAUSE_MS) meanwhile?.(noema);
      const opened = await answered;
      if (isOver()) return;
      setKey(key, keep);
      show(opened, "");
      return;
    } catch (error) {
      if (isOver()) return;
      if (!isUnanswered(error)) {
        show(undefined, sentenceOf(error));
        return;
      }
      const now = Date.now();
      away.value = { since: away.peek()?.since ?? now, nextAt: now + pause };
      await pauseOf(pause);
    }
  }
}

function show(opened: Agent | undefined, why: string): void {
  batch(() => {
    agent.value = opened;
    refusal.value = why;
    away.value = undefined;
    isReopening.value = false;
  });
}

/** The statuses of a server, or of a proxy before it, that is away or starting. */
const AWAY_STATUSES: readonly number[] = [0, 502, 503, 504];

function isUnanswered(error: unknown): boolean {
  return error instanceof NoemaError && AWAY_STATUSES.includes(error.status);
}

/** Ends a pause of {@link open} early. */
export let tryNow: () => void = () => undefined;

/** Resolves after a time, or as soon as the user asks for it or the network is back. */
function pauseOf(ms: number): Promise<void> {
  return new Promise((resolve) => {
    tryNow = resolve;
    setTimeout(resolve, ms);
  });
}

addEventListener("online", () => tryNow());

/** Reads the agent again after its genome has changed. @throws NoemaError if there is no answer */
export async function reread(): Promise<void> {
  if (agent.value !== undefined) agent.value = await agentOf(agent.value.noema);
}

/** Opens the agent with the key kept for this tab, if any. @param meanwhile as in {@link open} */
export async function reopen(meanwhile?: (noema: Noema) => void): Promise<void> {
  const kept = currentKey();
  if (kept !== "") await open(kept, true, meanwhile);
}

/** Forgets the key and closes the agent. */
export function leave(): void {
  opening++;
  setKey("", false);
  show(undefined, "");
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
