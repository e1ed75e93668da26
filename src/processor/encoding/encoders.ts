/** The encoders of a processor: keeps them by name, records changes of them, and encodes the numbers of a record. */

import type { NamedNumber } from "../../gen/plain";
import { nameRefusal } from "../../text/chosen-names";
import { compareCodePoints } from "../../text/code-points";
import { excerpt } from "../../text/excerpt";
import { Fault } from "../ports/fault";
import type { CollectedNumbers, EncoderRow, KeptBin, Store } from "../ports/store";
import {
  Collection,
  collectedFor,
  MAX_NUMBERS_IN_MEMORY,
  NUMBERS_TO_COLLECT,
  type StoredDefinition,
  storedDefinitionOf,
  storedDefinitionText,
} from "./collecting";
import { definitionOf, definitionText } from "./definition-text";
import { Encoder, type LearnedSymbols } from "./encoder";
import { foundEdges } from "./found-edges";
import { isTimeDefinition } from "./kinds";
import { encoderNameIn } from "./symbol";
import { type EventTime, TimeEncoder } from "./time-encoder";

/** Maximum number of encoders of one processor. */
const MAX_ENCODERS = 1_000;

/** Maximum total length of the definitions of one processor's encoders, in characters. */
const MAX_TEXT = 4_000_000;

/**
 * Refuses an encoder that would exceed the limits.
 *
 * @param others the definitions of the other encoders
 * @throws Fault `over-limit`
 */
export function assertRoomFor(definition: string, others: readonly string[]): void {
  if (others.length >= MAX_ENCODERS) {
    throw new Fault("over-limit", `a processor may have ${MAX_ENCODERS} encoders, and this one has: delete some`);
  }
  const length = others.reduce((sum, text) => sum + text.length, definition.length);
  if (length <= MAX_TEXT) return;
  throw new Fault(
    "over-limit",
    `the encoders of a processor may take ${MAX_TEXT} characters, with this one they take ${length}: delete some, ` +
      "or give fewer edges",
  );
}

/** An encoder as it is stored. */
function encoderOf(row: EncoderRow): Encoder | TimeEncoder {
  return isTimeDefinition(storedDefinitionOf(row.definition).definition) ? new TimeEncoder(row) : new Encoder(row);
}

/** The result of encoding the numbers of a record. */
export interface EncodedNumbers {
  /** In the order of their names. */
  readonly symbols: string[];
  /** The bins to keep for the next record. */
  readonly bins: KeptBin[];
  /** The numbers to keep for encoders that have not found their edges. */
  readonly collected: readonly CollectedNumbers[];
}

/** What a memory keeps of the numbers that it has observed. */
export interface KeptNumbers {
  /** The name of the session; empty for the processor's own memory. */
  readonly session: string;
  readonly bins: readonly KeptBin[];
  readonly collected: readonly CollectedNumbers[];
}

/** Whether two memories have collected the same numbers. */
function isSame(one: readonly CollectedNumbers[], other: readonly CollectedNumbers[]): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  return one.every(({ encoder, values }, at) => {
    const { encoder: like, values: others = [] } = other[at] ?? {};
    return encoder === like && values.length === others.length && values.every((value, each) => value === others[each]);
  });
}

/** All encoders of a processor. */
export class Encoders {
  #store: Store;
  /** Whether anything has changed that may be taken back. */
  #isChanged = false;
  /** By name. Loaded on first use, since most processors have no encoders. */
  #byName: Map<string, Encoder | TimeEncoder> | undefined;
  /**
   * Encoders as they were before the latest addition, by number. Reusing them avoids parsing up to a thousand
   * definitions again for each encoder added, which takes seconds.
   */
  #before = new Map<number, Encoder | TimeEncoder>();
  /** Encoders of time, by name. */
  #ofTime: TimeEncoder[] = [];
  /** Loaded once an encoder collects. */
  #collection: Collection | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** From now on, {@link takeBack} knows whether anything has changed. Call it between verbs. */
  keepChanges(): void {
    this.#isChanged = false;
  }

  /** Goes back to what is stored, after the changes since {@link keepChanges} were rolled back there. */
  takeBack(store: Store): void {
    this.#store = store;
    for (const encoder of this.#byName?.values() ?? []) if (encoder instanceof Encoder) encoder.forgetLearned();
    if (!this.#isChanged) return;
    this.#byName = undefined;
    this.#before.clear();
    this.#ofTime = [];
    this.#collection = undefined;
    this.#isChanged = false;
  }

  /** Approximate heap bytes. */
  get heapBytes(): number {
    let bytes = this.#collection?.heapBytes ?? 0;
    for (const encoder of this.#byName?.values() ?? []) bytes += encoder.heapBytes;
    return bytes;
  }

  /** All encoders, by name in the order of UTF-8 bytes. */
  all(): (Encoder | TimeEncoder)[] {
    return [...this.#known().values()].sort((a, b) => compareCodePoints(a.name, b.name));
  }

  /** An encoder; `undefined` when no encoder has the name. */
  get(name: string): Encoder | TimeEncoder | undefined {
    return this.#known().get(name);
  }

  /**
   * Adds or replaces an encoder. An unchanged definition changes nothing: memories keep their bins, and the encoder
   * keeps the edges it has found.
   *
   * @param text the definition as JSON text
   * @returns the definition as canonical JSON text
   * @throws Fault `invalid` when the name or the definition is wrong; `over-limit` when there are too
   *   many encoders for a new one
   */
  put(name: string, text: string): string {
    const refusal = nameRefusal(name);
    if (refusal !== undefined) throw new Fault("invalid", `an encoder must have ${refusal}, got ${excerpt(name)}`);
    const wanted = definitionOf(text);
    const definition = definitionText(wanted);
    const known = this.#known();
    const before = known.get(name);
    if (before?.isAs(wanted)) return before.text;
    const others = [...known.values()].filter((encoder) => encoder !== before).map((encoder) => encoder.text);
    assertRoomFor(definition, others);
    this.#isChanged = true;
    this.#store.record({ kind: "encoder-put", name, definition });
    this.#before = new Map([...known.values()].map((encoder) => [encoder.number, encoder]));
    this.#byName = undefined;
    this.#collection = undefined;
    return definition;
  }

  /** Deletes an encoder. Does nothing if it does not exist. */
  delete(name: string): void {
    const known = this.#known();
    if (!known.has(name)) return;
    this.#isChanged = true;
    this.#store.record({ kind: "encoder-deleted", name });
    known.delete(name);
    this.#ofTime = this.#ofTime.filter((encoder) => encoder.name !== name);
  }

  /** @throws Fault `invalid` naming the first number that has no encoder */
  assertKnown(numbers: readonly NamedNumber[]): void {
    for (const { name } of numbers) this.#encoderOf(name);
  }

  /**
   * Encodes the numbers of a record.
   *
   * @param numbers finite, each name once
   * @param kept the memory's state for its encoders
   * @throws Fault `invalid` naming the first number that has no encoder
   */
  encode(numbers: readonly NamedNumber[], kept: KeptNumbers): EncodedNumbers {
    let collected = kept.collected;
    const encoded = this.#encode(numbers, kept.bins, (encoder, value) => {
      collected = this.#collect(encoder, value, kept.session, collected);
    });
    return { ...encoded, collected: this.#bounded(collected) };
  }

  /** Encodes a record that is not observed, without collecting its numbers. @throws Fault as {@link encode} */
  encodeUnseen(numbers: readonly NamedNumber[], bins: readonly KeptBin[]): Omit<EncodedNumbers, "collected"> {
    return this.#encode(numbers, bins, () => undefined);
  }

  #encode(
    numbers: readonly NamedNumber[],
    kept: readonly KeptBin[],
    collect: (encoder: Encoder, value: number) => void,
  ): Omit<EncodedNumbers, "collected"> {
    const bins = new Map<string, KeptBin>();
    for (const bin of kept) if (this.get(bin.name)?.number === bin.encoder) bins.set(bin.name, bin);
    const symbols: string[] = [];
    for (const { name, value } of [...numbers].sort((a, b) => compareCodePoints(a.name, b.name))) {
      const encoder = this.#encoderOf(name);
      if (encoder.isCollecting) {
        collect(encoder, value);
        continue;
      }
      const { symbol, bin } = encoder.encode(value, bins.get(name));
      if (symbol !== undefined) symbols.push(symbol);
      if (bin !== undefined) bins.set(name, bin);
    }
    return { symbols, bins: [...bins.values()] };
  }

  /**
   * What the probability of a symbol that no model holds is divided by: more than 1 for a number's bin that is far from
   * all bins of its encoder that models hold.
   */
  remotenessOf(symbol: string, learned: LearnedSymbols): number {
    const encoder = this.get(encoderNameIn(symbol));
    return encoder instanceof Encoder ? encoder.remotenessOf(symbol, learned) : 1;
  }

  /**
   * The stored form of all encoders, including the numbers that memories have collected, for a backup. In the order of
   * their numbers.
   */
  storedWhole(): { name: string; number: number; definition: string }[] {
    const all = [...this.#known().values()].sort((a, b) => a.number - b.number);
    return all.map((encoder) => {
      const values = [...encoder.collected, ...(this.#collection?.valuesBeside(undefined, encoder.number) ?? [])];
      const collected = encoder.isCollecting ? values : [];
      const { name, number } = encoder;
      return { name, number, definition: storedDefinitionText(encoder.storedWith(collected)) };
    });
  }

  /** Notes the collected numbers that the store now holds for a memory. Call it once they are recorded. */
  noteCollected(session: string, collected: readonly CollectedNumbers[]): void {
    // Where they are read later in the same verb, they are read with these.
    if (this.#collection === undefined) this.#isChanged ||= collected.length > 0;
    else if (!isSame(this.#collection.of(session), collected)) {
      this.#isChanged = true;
      this.#collection.set(session, collected);
    }
  }

  /** Moves a session's collected numbers to their encoders, because the session ends. */
  keepCollectedOf(session: string): void {
    this.#known();
    const collected = this.#collection?.of(session) ?? [];
    if (collected.length === 0) return;
    this.#isChanged = true;
    this.#moveToEncoders(collected);
    this.#collection?.set(session, []);
  }

  /** Does the same for all sessions. */
  keepCollectedOfSessions(): void {
    this.#known();
    for (const session of this.#collection?.sessions() ?? []) if (session !== "") this.keepCollectedOf(session);
  }

  /**
   * Adds a number to those that a memory has collected. With the last number that an encoder needs, it finds its edges.
   *
   * @returns the memory's collected numbers afterwards
   */
  #collect(
    encoder: Encoder,
    value: number,
    session: string,
    collected: readonly CollectedNumbers[],
  ): readonly CollectedNumbers[] {
    const { number } = encoder;
    // The addition turns -0 into 0: JSON cannot tell them apart.
    const own = [...collectedFor(collected, number), value + 0];
    const others = collected.filter((one) => one.encoder !== number);
    const total = encoder.collected.length + (this.#collection?.countBeside(session, number) ?? 0) + own.length;
    if (total < NUMBERS_TO_COLLECT) return [...others, { encoder: number, values: own }];
    const all = [...encoder.collected, ...(this.#collection?.valuesBeside(session, number) ?? []), ...own];
    this.#change(encoder, encoder.storedWithEdges(foundEdges(all, encoder.wantedBins)));
    return others;
  }

  /** The numbers that a memory keeps: as many as fit into its row, and none of encoders that have found their edges. */
  #bounded(collected: readonly CollectedNumbers[]): readonly CollectedNumbers[] {
    if (collected.length === 0) return collected;
    const open = new Set([...this.#known().values()].filter((one) => one.isCollecting).map(({ number }) => number));
    const needed = collected.every(({ encoder }) => open.has(encoder))
      ? collected
      : collected.filter(({ encoder }) => open.has(encoder));
    if (needed.reduce((sum, { values }) => sum + values.length, 0) <= MAX_NUMBERS_IN_MEMORY) return needed;
    this.#moveToEncoders(needed);
    return [];
  }

  #moveToEncoders(collected: readonly CollectedNumbers[]): void {
    const byNumber = new Map([...this.#known().values()].map((encoder) => [encoder.number, encoder]));
    for (const { encoder: number, values } of collected) {
      const encoder = byNumber.get(number);
      if (!encoder?.isCollecting) continue;
      const all = [...encoder.collected, ...values].slice(0, NUMBERS_TO_COLLECT);
      this.#change(encoder, encoder.storedWith(all));
    }
  }

  /** Records a new stored form of an encoder under its number. */
  #change({ name, number }: Encoder, stored: StoredDefinition): void {
    const definition = storedDefinitionText(stored);
    this.#isChanged = true;
    this.#store.record({ kind: "encoder-changed", name, definition });
    this.#known().set(name, new Encoder({ name, number, definition }));
  }

  /**
   * The symbols of an event's time, in the order of the encoders' names.
   *
   * @param event when it happened; called only if an encoder reads the time
   */
  encodeTime(event: () => EventTime): string[] {
    this.#known();
    if (this.#ofTime.length === 0) return [];
    const moment = event();
    return this.#ofTime.flatMap((encoder) => encoder.encode(moment) ?? []);
  }

  #known(): Map<string, Encoder | TimeEncoder> {
    if (this.#byName !== undefined) return this.#byName;
    const encoders = this.#store.encoders().map((row) => this.#before.get(row.number) ?? encoderOf(row));
    this.#before.clear();
    const ofTime = encoders.filter((encoder) => encoder instanceof TimeEncoder);
    this.#ofTime = ofTime.sort((a, b) => compareCodePoints(a.name, b.name));
    this.#byName = new Map(encoders.map((encoder) => [encoder.name, encoder]));
    const isAny = encoders.some((encoder) => encoder.isCollecting);
    this.#collection = isAny ? new Collection(this.#store.memories.collectedNumbers()) : undefined;
    return this.#byName;
  }

  #encoderOf(name: string): Encoder {
    const encoder = this.get(name);
    if (encoder instanceof Encoder) return encoder;
    if (encoder !== undefined) {
      throw new Fault(
        "invalid",
        `the number ${excerpt(name)} has an encoder of the kind ${encoder.kind}, which reads the time of events: ` +
          "give the number another name, or put another encoder",
      );
    }
    const known = this.#known().size === 0 ? "this processor has no encoders" : "GET encoders lists them";
    throw new Fault(
      "invalid",
      `the number ${excerpt(name)} has no encoder: put one with PUT encoders/<name>; ${known}`,
    );
  }
}
