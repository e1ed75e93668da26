/** A memory and a model side by side: rows of events, with shared symbols on one line. Knows no view. */

import type { Standing } from "../parts/chip";

type Events = readonly (readonly string[])[];

/** A line: a symbol of memory, a symbol of the model, or both if they match. */
export interface Line {
  readonly memory?: string;
  readonly model?: string;
  readonly standing: Standing | "past";
}

/** Events shown next to each other: one of memory, one of the model, or several if matches tie them together. */
export interface Step {
  /** The index of the first event of memory in this step, 0 the oldest; `undefined` without one. */
  readonly memoryAt?: number;
  /** The index of the first event of the model in this step, 0 the first; `undefined` without one. */
  readonly modelAt?: number;
  readonly lines: readonly Line[];
}

/** A run of symbols that match, as the server gives it. */
interface Block {
  readonly model: number;
  readonly memory: number;
  readonly length: number;
}

/** A symbol with its event. */
interface Placed {
  readonly symbol: string;
  readonly event: number;
}

/** The input of the alignment. */
export interface Matching {
  readonly memory: Events;
  readonly model: Events;
  readonly blocks: readonly Block[];
  /** The first event of the present, and the first of the future. */
  readonly presentFrom: number;
  readonly presentTo: number;
}

function placed(events: Events): Placed[] {
  return events.flatMap((event, at) => event.map((symbol) => ({ symbol, event: at })));
}

/** The next pairs, and the events before them on both sides. */
class Walk {
  readonly #memory: readonly Placed[];
  readonly #model: readonly Placed[];
  readonly #standingOf: (model: Placed) => Standing | "past";
  #memoryAt = 0;
  #modelAt = 0;
  readonly steps: Step[] = [];

  constructor(memory: readonly Placed[], model: readonly Placed[], standingOf: (model: Placed) => Standing | "past") {
    this.#memory = memory;
    this.#model = model;
    this.#standingOf = standingOf;
  }

  /** Takes whole events without matches, up to the events of these symbols. */
  skipTo(memoryEvent: number, modelEvent: number): void {
    for (const { event } of this.#memory.slice(this.#memoryAt)) {
      if (event >= memoryEvent) break;
      if (this.#memory[this.#memoryAt]?.event === event) this.#addStep(event, undefined);
    }
    for (const { event } of this.#model.slice(this.#modelAt)) {
      if (event >= modelEvent) break;
      if (this.#model[this.#modelAt]?.event === event) this.#addStep(undefined, event);
    }
  }

  /** Takes the events that a run of pairs ties together. */
  takeTied(pairs: readonly (readonly [number, number])[]): void {
    const lines: Line[] = [];
    const [memoryAt, modelAt] = [this.#memory[this.#memoryAt]?.event, this.#model[this.#modelAt]?.event];
    for (const [memory, model] of pairs) {
      this.#takeAlone(lines, memory, model);
      const symbol = this.#memory[memory]?.symbol ?? "";
      lines.push({ memory: symbol, model: symbol, standing: "matched" });
      this.#memoryAt = memory + 1;
      this.#modelAt = model + 1;
    }
    const [last] = pairs.slice(-1);
    if (last === undefined) return;
    const ends = [this.#memory, this.#model].map((all, side) => {
      const event = all[last[side] ?? 0]?.event;
      return all.findLastIndex((one) => one.event === event) + 1;
    });
    this.#takeAlone(lines, ends[0] ?? 0, ends[1] ?? 0);
    this.steps.push({
      ...(memoryAt !== undefined && { memoryAt }),
      ...(modelAt !== undefined && { modelAt }),
      lines,
    });
  }

  /** Takes the symbols without matches, up to these. */
  #takeAlone(lines: Line[], memoryEnd: number, modelEnd: number): void {
    for (; this.#modelAt < modelEnd; this.#modelAt++) {
      const own = this.#model[this.#modelAt];
      if (own !== undefined) lines.push({ model: own.symbol, standing: this.#standingOf(own) });
    }
    for (; this.#memoryAt < memoryEnd; this.#memoryAt++) {
      const symbol = this.#memory[this.#memoryAt]?.symbol;
      if (symbol !== undefined) lines.push({ memory: symbol, standing: "extra" });
    }
  }

  #addStep(memoryEvent: number | undefined, modelEvent: number | undefined): void {
    const lines: Line[] = [];
    const endOf = (all: readonly Placed[], event: number | undefined, from: number) =>
      event === undefined ? from : all.findLastIndex((one) => one.event === event) + 1;
    this.#takeAlone(
      lines,
      endOf(this.#memory, memoryEvent, this.#memoryAt),
      endOf(this.#model, modelEvent, this.#modelAt),
    );
    this.steps.push({
      ...(memoryEvent !== undefined && { memoryAt: memoryEvent }),
      ...(modelEvent !== undefined && { modelAt: modelEvent }),
      lines,
    });
  }
}

/** Aligns a memory with the model that matches it. */
export function aligned({ memory, model, blocks, presentFrom, presentTo }: Matching): Step[] {
  const [asked, own] = [placed(memory), placed(model)];
  const pairs = blocks.flatMap((block) =>
    Array.from({ length: block.length }, (_, at) => [block.memory + at, block.model + at] as const),
  );
  const matched = new Set(pairs.map(([, at]) => own[at]?.symbol));
  const walk = new Walk(asked, own, ({ symbol, event }) => {
    if (event < presentFrom) return "past";
    if (event >= presentTo) return "expected";
    // A symbol that matched elsewhere is not missing, because symbols are compared by value.
    return matched.has(symbol) ? "past" : "missing";
  });
  let tied: (readonly [number, number])[] = [];
  const flush = () => {
    walk.takeTied(tied);
    tied = [];
  };
  for (const pair of pairs) {
    const [last] = tied.slice(-1);
    const [memoryEvent, modelEvent] = [asked[pair[0]]?.event ?? 0, own[pair[1]]?.event ?? 0];
    const isTied = last !== undefined && (asked[last[0]]?.event === memoryEvent || own[last[1]]?.event === modelEvent);
    if (!isTied) {
      flush();
      walk.skipTo(memoryEvent, modelEvent);
    }
    tied.push(pair);
  }
  flush();
  walk.skipTo(memory.length, model.length);
  return walk.steps;
}

/** How a forecast aligns a context with a model: the newest event with one of the model's events. */
export interface Laid {
  readonly steps: readonly Step[];
  /** The index of the model's event that contains the symbol, 0 the first. */
  readonly says: number;
  /** The model's event after the one aligned with the newest event, or after the last shared one. */
  readonly presentTo: number;
}

/** The number of symbols that two events share. */
function shared(one: readonly string[] | undefined, other: readonly string[] | undefined): number {
  return new Set(one?.filter((symbol) => other?.includes(symbol))).size;
}

/**
 * Aligns a context with a model that contains a symbol: where the most symbols agree and the symbol is as far ahead as
 * requested; otherwise by the last event that both share before the symbol.
 *
 * @param first the nearest event ahead that may hold the symbol, 1 or more
 * @param last the farthest
 * @returns `undefined` if the model does not contain the symbol after anything that it shares with the context
 */
export function laid(context: Events, model: Events, symbol: string, first: number, last: number): Laid | undefined {
  const newest = context.length - 1;
  const says = model.flatMap((event, at) => (event.includes(symbol) ? [at] : []));
  const agreement = (under: number) =>
    context.reduce((sum, event, back) => sum + shared(event, model[under - newest + back]), 0);
  let best: { under: number; offset: number; says: number; agrees: number } | undefined;
  for (const at of says) {
    for (let under = at - first; under >= Math.max(0, at - last); under--) {
      const agrees = shared(context[newest], model[under]) > 0 ? agreement(under) : 0;
      if (agrees > 0 && agrees >= (best?.agrees ?? 0)) best = { under, offset: under - newest, says: at, agrees };
    }
  }
  best ??= behind(context, model, says);
  if (best === undefined) return undefined;
  return { steps: stepsOf(context, model, best), says: best.says, presentTo: best.under + 1 };
}

/** Aligns by the last event that model and context share before the symbol. */
function behind(context: Events, model: Events, says: readonly number[]) {
  for (const at of says.toReversed()) {
    for (let under = at - 1; under >= 0; under--) {
      const asked = context.findLastIndex((event) => shared(event, model[under]) > 0);
      if (asked >= 0) return { under, offset: under - asked, says: at, agrees: 0 };
    }
  }
  return undefined;
}

function stepsOf(
  context: Events,
  model: Events,
  { under, offset, says }: { under: number; offset: number; says: number },
): Step[] {
  // Events older than the first shared one are irrelevant here.
  const from = context.findIndex((event, at) => at + offset <= under && shared(event, model[at + offset]) > 0);
  const all: Step[] = context.map((event, memoryAt) => {
    const modelAt = memoryAt + offset;
    const own = modelAt > under ? undefined : model[modelAt];
    return { memoryAt, ...(own !== undefined && { modelAt }), lines: linesOf(event, own ?? []) };
  });
  const steps = all.slice(Math.max(0, from));
  for (let modelAt = under + 1; modelAt <= says; modelAt++) {
    steps.push({ modelAt, lines: (model[modelAt] ?? []).map((symbol) => ({ model: symbol, standing: "expected" })) });
  }
  return steps;
}

function linesOf(memory: readonly string[], model: readonly string[]): Line[] {
  const both = [...new Set(memory)].filter((symbol) => model.includes(symbol));
  return [
    ...both.map((symbol): Line => ({ memory: symbol, model: symbol, standing: "matched" })),
    ...model.filter((symbol) => !both.includes(symbol)).map((symbol): Line => ({ model: symbol, standing: "missing" })),
    ...memory.filter((symbol) => !both.includes(symbol)).map((symbol): Line => ({ memory: symbol, standing: "extra" })),
  ];
}
