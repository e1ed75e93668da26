/**
 * The numbers that encoders of the kind auto collect until they can find their edges. A memory keeps the numbers it has
 * observed in its own state, so collecting writes no extra row. When a memory ends, or holds too many, its numbers move
 * to the encoder's row.
 */

import { excerpt } from "../../text/excerpt";
import { Fault } from "../ports/fault";
import type { CollectedNumbers, MemoryNumbers } from "../ports/store";
import { definitionOf, definitionText } from "./definition-text";
import type { Definition } from "./kinds";

/** Collected numbers, over all memories, from which an encoder finds its edges. */
export const NUMBERS_TO_COLLECT = 200;

/**
 * Maximum number of collected numbers in the state of one memory. At 20 characters a number, that is 400 kB of the
 * row's 2 MB.
 */
export const MAX_NUMBERS_IN_MEMORY = 20_000;

/** The member of a stored definition for collected numbers that belong to no memory. Clients never see it. */
const COLLECTED = "collected";

/** An encoder as its row holds it. */
export interface StoredDefinition {
  readonly definition: Definition;
  /** Collected numbers that belong to no memory. */
  readonly collected: readonly number[];
}

/** Whether encoders of this definition collect numbers. */
export function isCollecting(definition: Definition): boolean {
  return definition.kind === "auto" && definition.edges === undefined;
}

function isCollectedList(value: unknown): value is number[] {
  return Array.isArray(value) && value.length <= NUMBERS_TO_COLLECT && value.every((one) => Number.isFinite(one));
}

/**
 * Reads the definition of a row or of a backup.
 *
 * @throws Fault `invalid` when the text is not a definition
 */
export function storedDefinitionOf(text: string): StoredDefinition {
  if (!text.includes(`"${COLLECTED}"`)) return { definition: definitionOf(text), collected: [] };
  const { [COLLECTED]: collected, ...rest } = JSON.parse(text) as Record<string, unknown>;
  const definition = definitionOf(JSON.stringify(rest));
  if (isCollecting(definition) && isCollectedList(collected)) return { definition, collected };
  throw new Fault(
    "invalid",
    `${COLLECTED} must be at most ${NUMBERS_TO_COLLECT} finite numbers of an encoder of the kind auto without ` +
      `edges, got ${excerpt(collected)}`,
  );
}

/** The reverse of {@link storedDefinitionOf}. */
export function storedDefinitionText({ definition, collected }: StoredDefinition): string {
  const text = definitionText(definition);
  return collected.length === 0 ? text : `{"${COLLECTED}":${JSON.stringify(collected)},${text.slice(1)}`;
}

/** The numbers that a memory has collected for one encoder. */
export function collectedFor(collected: readonly CollectedNumbers[], encoder: number): readonly number[] {
  return collected.find((one) => one.encoder === encoder)?.values ?? [];
}

/** The collected numbers of all memories, as they are stored. */
export class Collection {
  readonly #bySession = new Map<string, readonly CollectedNumbers[]>();
  /** By the encoder's id. */
  readonly #counts = new Map<number, number>();

  constructor(memories: readonly MemoryNumbers[]) {
    for (const { session, collected } of memories) this.set(session, collected);
  }

  /** Approximate heap bytes. */
  get heapBytes(): number {
    let numbers = 0;
    for (const count of this.#counts.values()) numbers += count;
    return 16 * numbers + 128 * this.#bySession.size;
  }

  /** The numbers of a memory. */
  of(session: string): readonly CollectedNumbers[] {
    return this.#bySession.get(session) ?? [];
  }

  /** Notes what is now stored for a memory. */
  set(session: string, collected: readonly CollectedNumbers[]): void {
    this.#count(this.of(session), -1);
    this.#count(collected, 1);
    if (collected.length === 0) this.#bySession.delete(session);
    else this.#bySession.set(session, collected);
  }

  /** How many numbers all other memories hold for an encoder. */
  countBeside(session: string, encoder: number): number {
    return (this.#counts.get(encoder) ?? 0) - collectedFor(this.of(session), encoder).length;
  }

  /** The numbers of an encoder in all memories, or in all but one. */
  valuesBeside(session: string | undefined, encoder: number): number[] {
    const values: number[] = [];
    for (const [name, collected] of this.#bySession) {
      if (name !== session) values.push(...collectedFor(collected, encoder));
    }
    return values;
  }

  /** The names of the memories that hold numbers. */
  sessions(): string[] {
    return [...this.#bySession.keys()];
  }

  #count(collected: readonly CollectedNumbers[], sign: 1 | -1): void {
    for (const { encoder, values } of collected) {
      this.#counts.set(encoder, (this.#counts.get(encoder) ?? 0) + sign * values.length);
    }
  }
}
