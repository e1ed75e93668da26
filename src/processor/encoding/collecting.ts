/**
 * The numbers that encoders of the kind auto collect until they can find their edges. A memory keeps those that it has
 * observed in its own state, so that collecting writes no row more; those of a memory that ends, or that holds too
 * many, move into the row of the encoder.
 */

import { excerpt } from "../../text/excerpt";
import { Fault } from "../ports/fault";
import type { CollectedNumbers, MemoryNumbers } from "../ports/store";
import { definitionOf, definitionText } from "./definition-text";
import type { Definition } from "./kinds";

/** How many numbers, of all memories, an encoder collects before it finds its edges. */
export const NUMBERS_TO_COLLECT = 200;

/** Maximum number of collected numbers in the state of one memory. 20 characters each make 400 kB of the row's 2 MB. */
export const MOST_IN_A_MEMORY = 20_000;

/** The member of a stored definition that holds the numbers that are in no memory. Clients never see it. */
const COLLECTED = "collected";

/** An encoder as its row holds it. */
export interface StoredDefinition {
  readonly definition: Definition;
  /** The collected numbers that are in no memory. */
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
 * Reads a stored definition, or that of a backup.
 *
 * @throws Fault `invalid` when the text is none
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
  /** By the number of the encoder. */
  readonly #counts = new Map<number, number>();

  constructor(memories: readonly MemoryNumbers[]) {
    for (const { session, collected } of memories) this.set(session, collected);
  }

  /** About how many bytes of heap it takes. */
  get heapBytes(): number {
    let numbers = 0;
    for (const count of this.#counts.values()) numbers += count;
    return 16 * numbers + 128 * this.#bySession.size;
  }

  /** The numbers of a memory. */
  of(session: string): readonly CollectedNumbers[] {
    return this.#bySession.get(session) ?? [];
  }

  /** Notes what is stored of a memory from now on. */
  set(session: string, collected: readonly CollectedNumbers[]): void {
    this.#count(this.of(session), -1);
    this.#count(collected, 1);
    if (collected.length === 0) this.#bySession.delete(session);
    else this.#bySession.set(session, collected);
  }

  /** How many numbers of an encoder the memories hold, except one. */
  countBeside(session: string, encoder: number): number {
    return (this.#counts.get(encoder) ?? 0) - collectedFor(this.of(session), encoder).length;
  }

  /** The numbers of an encoder in all memories, except one. */
  valuesBeside(session: string | undefined, encoder: number): number[] {
    const values: number[] = [];
    for (const [name, collected] of this.#bySession) {
      if (name !== session) values.push(...collectedFor(collected, encoder));
    }
    return values;
  }

  /** The names of the memories that hold any. */
  sessions(): string[] {
    return [...this.#bySession.keys()];
  }

  #count(collected: readonly CollectedNumbers[], sign: 1 | -1): void {
    for (const { encoder, values } of collected) {
      this.#counts.set(encoder, (this.#counts.get(encoder) ?? 0) + sign * values.length);
    }
  }
}
