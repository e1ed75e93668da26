/**
 * Which devices have a memory that is nearly full, found without a question for each: a list of sessions has the size
 * of each memory, and the largest one's status has the limit. Asks the server; draws nothing.
 */

import {
  getStatus,
  listSessions,
  MAX_LISTED_DEVICES,
  MAX_LISTED_SESSIONS,
  type Memory,
  type Processor,
  type Schemas,
  session,
} from "../../client";
import { keyOf } from "./device-key";

/** A processor that has devices. */
interface Used {
  readonly id: string;
  readonly processor: Processor;
}

/** Share of a limit from which the server calls it nearly reached. */
const NEARLY_FULL = 0.9;

/** What limits a memory by its symbols. */
const SYMBOLS = "working_memory_symbols";

/**
 * The keys of all devices of some processors whose memory is nearly full. Memories that are full by their bytes and not
 * by their symbols are found if they are the processor's own or its largest.
 *
 * @param before what was found last: it stays for a processor that does not answer
 */
export async function fullMemories(
  processors: readonly Used[],
  before: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const full = new Set<string>();
  for (const known of processors) {
    try {
      for (const name of await fullOf(known, signal)) full.add(keyOf(known.id, name));
    } catch {
      signal.throwIfAborted();
      for (const key of before) if (key.startsWith(keyOf(known.id, ""))) full.add(key);
    }
  }
  return full;
}

/** The names of the full sessions, with null for the processor's own memory. */
async function fullOf({ processor }: Used, signal: AbortSignal): Promise<(string | null)[]> {
  const [own, sessions] = await Promise.all([nearOf(processor, signal), sessionsOf(processor, signal)]);
  const full: (string | null)[] = own.length > 0 ? [null] : [];
  const [first] = sessions;
  if (first === undefined) return full;
  const largest = sessions.reduce((one, other) => (other.symbols > one.symbols ? other : one), first);
  const near = largest.symbols === 0 ? [] : await nearOf(session(processor, largest.name), signal);
  const limit = near.find(({ limit }) => limit === SYMBOLS);
  if (limit === undefined) return near.length > 0 ? [...full, largest.name] : full;
  // One limit holds for all memories, so the sizes of the others say whether they reach it.
  const names = sessions.filter(({ symbols }) => symbols >= NEARLY_FULL * limit.most).map(({ name }) => name);
  return [...full, ...names];
}

async function sessionsOf(processor: Parameters<typeof listSessions>[0], signal: AbortSignal) {
  const all: Schemas.Session[] = [];
  for (;;) {
    const after = all.at(-1)?.name;
    const page = await listSessions(
      processor,
      { limit: MAX_LISTED_SESSIONS, ...(after !== undefined && { after }) },
      { signal },
    );
    all.push(...page);
    if (page.length < MAX_LISTED_SESSIONS || all.length >= MAX_LISTED_DEVICES) return all;
  }
}

/** The limits of a memory itself that are nearly reached. */
async function nearOf(memory: Memory, signal: AbortSignal): Promise<NonNullable<Schemas.Status["near_limits"]>> {
  const status = await getStatus(memory, { signal });
  return status.near_limits?.filter(({ limit }) => limit.startsWith("working_memory")) ?? [];
}
