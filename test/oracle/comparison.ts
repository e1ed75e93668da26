/** A slow, obvious twin of the comparison of a sequence with all models: model by model, symbol by symbol. */

import type { ComparedSequence, Comparison, Gathered, ModelTerms } from "../../src/processor/ports/comparison";
import type { MatchableModel } from "../../src/processor/ports/matcher";

const UNITS = 1024;

/** The kind of what stands before the first event, and of an event that the sequence does not have. */
const BEGINNING = 0;
const OTHER = -1;

/** What stands at a place of a model: the symbols of an event, or the end. */
type Place = readonly number[] | "end";

/** Compares when it is made. */
export class SlowComparison implements Comparison {
  readonly having: Float64Array;
  readonly followers: Float64Array;
  readonly beginnings: Float64Array;
  readonly #sequence: ComparedSequence;
  readonly #models: readonly MatchableModel[];
  #terms: ModelTerms = { deepest: 0, base: 0, having: new Float64Array(), holding: new Float64Array() };

  constructor(sequence: ComparedSequence, models: readonly MatchableModel[]) {
    this.#sequence = sequence;
    this.#models = models;
    this.having = Float64Array.from(sequence.ids, (_, number) =>
      models.reduce((sum, model) => sum + (this.#has(model, number) ? model.frequency : 0), 0),
    );
    this.beginnings = new Float64Array(sequence.begins ? this.#symbols : 0);
    for (const model of sequence.begins ? models : []) {
      for (const id of new Set(eventsOf(model)[0])) this.beginnings[id] = (this.beginnings[id] ?? 0) + model.frequency;
    }
    this.followers = Float64Array.from([...sequence.kinds, "end"].flatMap((_, place) => this.#followersAt(place)));
  }

  weigh(terms: ModelTerms, visit: (weighed: Float64Array) => void): void {
    this.#terms = terms;
    for (const model of this.#models) visit(Float64Array.of(this.#unitsOf(model), model.frequency));
  }

  gather(least: number, weightOf: (units: number) => number): Gathered {
    const column = (length: number) => new Float64Array(length);
    const { length } = this.#sequence.ids;
    const [having, havingTimes, otherTimes] = [column(length), column(length), column(length)];
    const gathered = { having, havingTimes, otherTimes, holding: column(this.#symbols), all: 0 };
    for (const model of this.#models) {
      const units = this.#unitsOf(model);
      const weight = units < least ? 0 : weightOf(units) * model.frequency;
      gathered.all += weight;
      for (const id of new Set(model.symbols)) this.#gatherSymbol(gathered, model, id, weight);
    }
    return gathered;
  }

  #gatherSymbol(
    { having, havingTimes, otherTimes, holding }: Gathered,
    model: MatchableModel,
    id: number,
    weight: number,
  ) {
    const number = this.#sequence.ids.indexOf(id);
    const count = countIn(model, id);
    const add = (column: Float64Array, at: number, by: number) => {
      column[at] = (column[at] ?? 0) + by;
    };
    if (number < 0) add(holding, id, weight);
    else if (this.#has(model, number)) {
      add(having, number, weight);
      add(havingTimes, number, weight * count);
    } else add(otherTimes, number, weight * count);
  }

  get #symbols(): number {
    return this.#models.reduce((most, { symbols }) => Math.max(most, ...symbols), 0) + 1;
  }

  /** Whether a model that holds a symbol has the count of it. */
  #has(model: MatchableModel, number: number): boolean {
    const wanted = this.#sequence.counts[number] ?? 0;
    const count = countIn(model, this.#sequence.ids[number] ?? -1);
    return count > 0 && (this.#sequence.complete ? count === wanted : count >= wanted);
  }

  /** First the symbols that the model shares are added, then the others, each in the order in which they come first. */
  #unitsOf(model: MatchableModel): number {
    const { base, having, holding } = this.#terms;
    const distinct = [...new Set(model.symbols)];
    const numbers = distinct.map((id) => this.#sequence.ids.indexOf(id));
    let sum = base;
    for (const number of numbers) if (number >= 0 && this.#has(model, number)) sum += having[number] ?? 0;
    for (const [at, id] of distinct.entries()) {
      if (numbers[at] === -1 && this.#sequence.complete) sum += holding[id] ?? 0;
    }
    return Math.round(sum * UNITS);
  }

  #followersAt(place: number): number[] {
    const { ids, kindNumbers, kinds } = this.#sequence;
    const kind = kinds[place];
    const symbols = kind === undefined ? ["end" as const] : [...new Set(kindNumbers[kind - 1])];
    const contexts = place === 0 ? [1, 1] : [1, 2];
    const following = contexts.map((depth) => this.#following(place, depth));
    const sum = (of: readonly { at: Place; frequency: number }[]) => of.reduce((all, one) => all + one.frequency, 0);
    const holds = (at: Place, symbol: number | "end") =>
      symbol === "end" ? at === "end" : at !== "end" && at.includes(ids[symbol] ?? -1);
    return [
      ...following.map(sum),
      ...symbols.flatMap((symbol) => following.map((all) => sum(all.filter(({ at }) => holds(at, symbol))))),
    ];
  }

  /** All that stands behind the last events before a place, in all models. @param depth how many events these are */
  #following(place: number, depth: number): { at: Place; frequency: number }[] {
    const wanted = [OTHER, BEGINNING, ...this.#sequence.kinds].slice(place + 2 - depth, place + 2).join();
    return this.#models.flatMap((model) => {
      const events = eventsOf(model);
      const kinds = [OTHER, BEGINNING, ...events.map((event) => this.#kindOf(event))];
      const places: Place[] = [...events, "end"];
      const isSame = (at: number) => kinds.slice(at + 2 - depth, at + 2).join() === wanted;
      return places.filter((_, at) => isSame(at)).map((at) => ({ at, frequency: model.frequency }));
    });
  }

  #kindOf(event: readonly number[]): number {
    const numbers = event.map((id) => this.#sequence.ids.indexOf(id)).sort((one, other) => one - other);
    const kind = this.#sequence.kindNumbers.findIndex((own) => own.join() === numbers.join());
    return kind < 0 ? OTHER : kind + 1;
  }
}

function countIn({ symbols }: MatchableModel, id: number): number {
  return symbols.filter((one) => one === id).length;
}

function eventsOf({ lengths, symbols }: MatchableModel): number[][] {
  let from = 0;
  return [...lengths].map((length) => {
    from += length;
    return [...symbols.subarray(from - length, from)];
  });
}
