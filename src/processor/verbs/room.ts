/**
 * Enforces the budgets of a memory: refuses an observation that would exceed them, unless the memory shrinks
 * automatically.
 */

import type { NearLimit } from "../../gen/plain";
import { eventBytes } from "../knowledge/counting";
import { vectorBytes } from "../memory/held-bytes";
import type { Mind } from "../mind";
import { Fault } from "../ports/fault";
import { bytesAfter, isRolling, learnsByEntropy } from "./learning";

/** The parts that an observation adds to a memory. */
export interface Addition {
  /** The symbols of its event; empty if it makes no event. */
  readonly symbols: readonly string[];
  /** The metadata of the event. */
  readonly metadata: string;
  /** The vector that will wait to be learned, with its name; `undefined` if there is none. */
  readonly waiting: { readonly name: string; readonly vector: Float64Array } | undefined;
}

/**
 * Refuses an event that would make working memory longer than its budget of symbols, or the memory larger than its
 * budget of bytes. Events that the gene max_sequence_length drops or autolearn by size learns do not count.
 *
 * @returns whether it may exceed its budget for now, because autolearn by entropy may learn it,
 *   which is not known in advance
 * @throws Fault `too-large`; `over-limit` if the processor has reached its storage budget
 */
export function assertRoom(mind: Mind, { symbols, metadata, waiting }: Addition): boolean {
  const { memorySymbols, memoryBytes } = mind.budgets;
  mind.assertRead();
  if (mind.memory.size + symbols.length > memorySymbols) throw tooManySymbols(mind, symbols.length);
  const event = symbols.length === 0 ? 0 : eventBytes({ symbols, metadata });
  const vector = waiting === undefined ? 0 : vectorBytes(waiting.vector);
  mind.shared.assertStorage(event + vector);
  const added = event + (waiting === undefined || mind.waiting.has(waiting.name) ? 0 : vector);
  if (added === 0 || mind.heldBytes + added <= memoryBytes) return false;
  if (event + vector <= memoryBytes) {
    if (becomesSmaller(mind, symbols.length, event, vector)) return false;
    if (learnsByEntropy(mind)) return true;
  }
  throw tooManyBytes(mind, added);
}

/**
 * Completes an observation that {@link assertRoom} accepted: a memory that drops its oldest events automatically also
 * drops the longest-waiting vectors until it is within its budget.
 *
 * @param waiting the vector that the observation has added
 * @param mayExceed the result of assertRoom
 * @throws Fault `too-large` if the memory exceeds its budget and must not
 */
export function keepWithin(mind: Mind, waiting: Addition["waiting"], mayExceed: boolean): void {
  const { memoryBytes } = mind.budgets;
  if (mind.heldBytes <= memoryBytes) return;
  if (isRolling(mind)) mind.waiting.dropOldest(mind.heldBytes - memoryBytes, waiting?.name);
  if (mayExceed && mind.heldBytes > memoryBytes) throw tooManyBytes(mind, 0);
}

/**
 * Whether a memory is within its budget after adding an event, thanks to what it drops or learns.
 *
 * @param vector the bytes of its vector
 */
function becomesSmaller(mind: Mind, symbols: number, event: number, vector: number): boolean {
  const { memory, waiting, budgets } = mind;
  const after = event === 0 ? { events: memory.bytes, learns: false } : bytesAfter(mind, symbols, event);
  if (after.learns) return after.events <= budgets.memoryBytes;
  const waits = isRolling(mind) ? vector : waiting.bytes + vector;
  return after.events + waits <= budgets.memoryBytes;
}

/** The fraction of a limit from which on it counts as nearly reached. */
const NEARLY_FULL = 0.9;

/** Whether a memory is nine tenths full or more. Needs no query. */
export function isNearlyFull({ budgets, heldBytes, memory }: Mind): boolean {
  return memory.size >= NEARLY_FULL * budgets.memorySymbols || heldBytes >= NEARLY_FULL * budgets.memoryBytes;
}

/** The limits of a memory, and of its processor, that are nine tenths used or more, by name. */
export function nearLimits(mind: Mind): NearLimit[] {
  const { budgets, heldBytes, memory, matcher, store } = mind;
  const all: NearLimit[] = [
    { limit: "knowledge_bytes", most: matcher.limitBytes, used: matcher.bytes },
    { limit: "sessions", most: budgets.sessions, used: store.memories.sessionCount() },
    { limit: "storage_bytes", most: budgets.storageBytes, used: store.storedBytes() },
    { limit: "working_memory_bytes", most: budgets.memoryBytes, used: heldBytes },
    { limit: "working_memory_symbols", most: budgets.memorySymbols, used: memory.size },
  ];
  return all.filter(({ most, used }) => most > 0 && used >= NEARLY_FULL * most);
}

const ROOM_ADVICE = "learn or clear working memory, or limit it with the gene max_sequence_length";

function tooManySymbols({ budgets, memory }: Mind, symbols: number): Fault {
  const { memorySymbols: most } = budgets;
  return new Fault(
    "too-large",
    `working memory may hold ${most} symbols (NOEMA_MEMORY_SYMBOLS); it holds ${memory.size}, and the event has ` +
      `${symbols}: ${ROOM_ADVICE}`,
  );
}

function tooManyBytes({ budgets, heldBytes }: Mind, added: number): Fault {
  const { memoryBytes: most } = budgets;
  return new Fault(
    "too-large",
    `a memory may hold ${most} bytes of events and waiting vectors (NOEMA_MEMORY_BYTES); it holds ${heldBytes}, and ` +
      `the observation adds ${added}: ${ROOM_ADVICE}`,
  );
}
