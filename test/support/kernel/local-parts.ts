/** A split processor's matcher and rules whose parts are kernels of this process. */

import wasm from "../../../build/kernel.wasm";
import { Kernel } from "../../../src/kernel/kernel";
import { KernelMemory } from "../../../src/kernel/memory";
import type { KernelPart } from "../../../src/kernel/part";
import { matchesIn } from "../../../src/kernel/record";
import { KeptBodies } from "../../../src/object/parts/kept-bodies";
import type { ForecastRules } from "../../../src/processor/ports/forecaster";
import type { ModelBatch } from "../../../src/processor/ports/matcher";
import {
  type ModelBody,
  type PartAnswers,
  type PartChange,
  type PartQuestionKind,
  type PartQuestionOf,
  type Parts,
  partOf,
} from "../../../src/processor/ports/parts";
import { SplitForecastRules } from "../../../src/processor/split/split-forecast-rules";
import { SplitMatcher } from "../../../src/processor/split/split-matcher";
import { soleKernel } from "./sole-kernel";

/** Asks at once. What goes to a part and comes from it is copied, as between objects. */
export class LocalParts implements Parts {
  readonly parts: readonly KernelPart[];
  /** The kinds of questions asked, in order. */
  readonly asked: PartQuestionKind[] = [];
  /** Everything is answered at once. */
  readonly isAhead = false;
  readonly #frequencies = new Map<number, number>();
  readonly #lengths = new Map<number, number>();

  /** @param count how many parts @param isShared whether they share a memory, as in one isolate */
  constructor(count: number, isShared = true) {
    const shared = new KernelMemory(wasm);
    const memoryOf = () => (isShared ? shared : new KernelMemory(wasm));
    this.parts = Array.from({ length: count }, () => Kernel.create(memoryOf()).asPart());
  }

  ask<Kind extends PartQuestionKind>(question: PartQuestionOf<Kind>): PartAnswers[Kind][] {
    this.asked.push(question.kind);
    return this.parts.map((part, at) => {
      // Every third part has forgotten what it kept of the question before, as one that was evicted.
      if (at % 3 === 2) part.apply({ kind: "symbols", ids: new Uint32Array(), frequencies: new Float64Array() });
      return structuredClone(part.answer(structuredClone(question)));
    });
  }

  bodiesOf(ids: Float64Array): ModelBody[] {
    const bodies = new KeptBodies();
    bodies.putAll(this.ask<"bodies">({ kind: "bodies", ids }));
    const all = bodies.all(ids);
    if (all === undefined) throw new Error("the parts do not have a model that they named before");
    return all;
  }

  changed(change: PartChange): void {
    if (change.kind === "symbols") {
      for (const part of this.parts) part.apply(change);
      for (const [at, id] of change.ids.entries()) this.#frequencies.set(id, change.frequencies[at] ?? 0);
      return;
    }
    const id = change.kind === "add" ? change.model.id : change.id;
    this.parts[partOf(id, this.parts.length)]?.apply(structuredClone(change));
    if (change.kind === "add") this.#lengths.set(id, change.model.symbols.length);
    if (change.kind === "remove") this.#lengths.delete(id);
  }

  replaced(): void {
    for (const part of this.parts) part.clear();
    this.#frequencies.clear();
    this.#lengths.clear();
  }

  /** Does nothing: {@link LocalSplit} adds what is stored. */
  holds(): void {}

  frequencyOf(symbol: number): number {
    return this.#frequencies.get(symbol) ?? 0;
  }

  get symbolCount(): number {
    return [...this.#lengths.values()].reduce((sum, length) => sum + length, 0);
  }

  get bytes(): number {
    return this.parts.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get limitBytes(): number {
    return this.parts.reduce((sum, { limitBytes }) => sum + limitBytes, 0);
  }
}

/** A split matcher that is used as a kernel is. */
export class LocalSplit extends SplitMatcher {
  readonly parts: LocalParts;
  readonly forecastRules: ForecastRules;

  constructor(parts: LocalParts) {
    super(parts, matchesIn);
    this.parts = parts;
    this.forecastRules = new SplitForecastRules(parts, soleKernel());
  }

  /** As a kernel does. Nothing here counts what the parts are to hold. */
  override remove(id: number): void {
    super.remove(id, { symbols: new Uint32Array(), lengths: new Uint32Array() });
  }

  /** Fills the parts, as their owner does from the store. */
  override addBatch({ ids, frequencies, eventCounts, lengths, symbols }: ModelBatch): void {
    let event = 0;
    let symbol = 0;
    for (const [at, id] of ids.entries()) {
      const own = Uint32Array.from(lengths.subarray(event, event + (eventCounts[at] ?? 0)));
      const count = own.reduce((sum, length) => sum + length, 0);
      const held = Uint32Array.from(symbols.subarray(symbol, symbol + count));
      this.add({ id, frequency: frequencies[at] ?? 0, symbols: held, lengths: own });
      event += own.length;
      symbol += count;
    }
  }
}
