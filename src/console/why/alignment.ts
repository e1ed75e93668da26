/** A memory and a model side by side: rows of events, with the symbols that they share on one line. Knows no view. */

import type { Standing } from "../parts/chip";

type Events = readonly (readonly string[])[];

/** A line: a symbol of memory, one of the model, or both where they match. */
export interface Line {
  readonly memory?: string;
  readonly model?: string;
  readonly standing: Standing | "past";
}

/** Events that stand beside each other: one of memory, one of the model, or several where matches tie them together. */
export interface Step {
  /** The number of the first event of memory here, 0 the oldest; `undefined` without one. */
  readonly memoryAt?: number;
  /** The number of the first event of the model here, 0 the first; `undefined` without one. */
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

/** What is to be laid side by side. */
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

/** Pairs that come next, and what stands before them on both sides. */
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

  /** Takes whole events that match nothing, up to the events of these symbols. */
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

  /** Takes the events that some pairs tie together. */
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

  /** What matches nothing, up to these symbols. */
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

/** Lays a memory beside the model that matches it. */
export function aligned({ memory, model, blocks, presentFrom, presentTo }: Matching): Step[] {
  const [asked, own] = [placed(memory), placed(model)];
  const pairs = blocks.flatMap((block) =>
    Array.from({ length: block.length }, (_, at) => [block.memory + at, block.model + at] as const),
  );
  const matched = new Set(pairs.map(([, at]) => own[at]?.symbol));
  const walk = new Walk(asked, own, ({ symbol, event }) => {
    if (event < presentFrom) return "past";
    if (event >= presentTo) return "expected";
    // A symbol that matched elsewhere is not missing: it goes by value.
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

/** How a forecast lays a context on a model: the newest event on one of the model's. */
export interface Laid {
  readonly steps: readonly Step[];
  /** The event of the model, 0 the first, that says the symbol. */
  readonly says: number;
  /** The event of the model behind the one that the newest event lies on, or the last one that is shared. */
  readonly presentTo: number;
}

/** How many of the symbols of two events are the same. */
function shared(one: readonly string[] | undefined, other: readonly string[] | undefined): number {
  return new Set(one?.filter((symbol) => other?.includes(symbol))).size;
}

/**
 * Lays a context on a model that says a symbol: where most of it agrees and the symbol is as far ahead as asked; else
 * with the last event that they share before the symbol.
 *
 * @param first the nearest event ahead that may hold the symbol, 1 or more
 * @param last the farthest
 * @returns `undefined` when the model does not hold the symbol behind anything that it shares with the context
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

/** The symbol stands somewhere behind the last event that model and context share. */
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
  // What is older than the first thing that they share says nothing here.
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
