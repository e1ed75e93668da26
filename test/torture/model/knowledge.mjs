/** What the model has learned: models in the order of their age, and vectors. Counters are made from them whenever they are asked for. */

import { countersOf } from "./predictions.mjs";
import { modelName, Raw, vectorName } from "./text.mjs";

/** How many models one learning forgets at most. */
const MAX_FORGOTTEN = 100;

const EMPTY_METADATA = new Raw("{}");

/** The newest values of a list. */
const newest = (values, persistence) => values.slice(-persistence);

/** Models, oldest first, and vectors, oldest first. */
export class Knowledge {
  /** @type {{ name: string, sequence: string[][], frequency: number, emotives: Record<string, number[]>, metadata: Raw[] }[]} */
  models = [];
  /** @type {{ name: string, vector: number[] }[]} */
  vectors = [];

  find(name) {
    return this.models.find((model) => model.name === name);
  }

  /**
   * Learns a sequence, as a new model or once more.
   *
   * @param {string[][]} sequence
   * @param {{ frequency?: number, emotives?: Record<string, number[]>, metadata?: Raw[] }} members
   * @returns {string} the model's name
   */
  learn(sequence, { frequency = 1, emotives = {}, metadata = [] }, persistence) {
    const name = modelName(sequence);
    const known = this.find(name);
    if (known === undefined) {
      const model = { name, sequence, frequency, emotives: {}, metadata: fitted(metadata, sequence.length) };
      this.models.push(model);
      appendEmotives(model, emotives, persistence);
    } else {
      known.frequency += frequency;
      appendEmotives(known, emotives, persistence);
    }
    return name;
  }

  /** Learns a vector unless it is known. Returns whether it is new. */
  learnVector(vector) {
    const name = vectorName(vector);
    const isNew = !this.vectors.some((known) => known.name === name);
    if (isNew) this.vectors.push({ name, vector });
    return isNew;
  }

  delete(name) {
    const known = this.find(name);
    this.models = this.models.filter((model) => model !== known);
    return known !== undefined;
  }

  /** The models that would go first: the least frequent ones, of equals the oldest. */
  #leastFrequent(models, count) {
    return models.toSorted((a, b) => a.frequency - b.frequency).slice(0, Math.max(count, 0));
  }

  /** Forgets what is beyond a limit after a model was learned, which stays. @param {number} limit 0 for none */
  limit(limit, learned) {
    if (limit === 0) return;
    const others = this.models.filter(({ name }) => name !== learned);
    const gone = this.#leastFrequent(others, Math.min(this.models.length - limit, MAX_FORGOTTEN));
    this.models = this.models.filter((model) => !gone.includes(model));
  }

  /** Forgets what was learned too few times, and then what is too many. Returns how many models that are. */
  forget({ frequency_below: below = 0, keep_at_most: most = Number.POSITIVE_INFINITY, dry_run: isDry = false }) {
    const often = this.models.filter(({ frequency }) => frequency >= below);
    const gone = this.#leastFrequent(often, often.length - most);
    const kept = often.filter((model) => !gone.includes(model));
    const count = this.models.length - kept.length;
    if (!isDry) this.models = kept;
    return count;
  }

  /**
   * Gives a model another sequence: it becomes the newest, or part of the model that has the sequence. Of every emotive the newest values
   * stay, whatever persistence was before.
   *
   * @returns {string} its new name
   */
  resequence(model, sequence, persistence) {
    if (modelName(sequence) === model.name) return model.name;
    this.models = this.models.filter((other) => other !== model);
    return this.merge(sequence, model, persistence);
  }

  /**
   * Adds a model that was learned elsewhere: as the newest, or to the model that has the sequence. Of every emotive the
   * newest values stay, whatever persistence was before.
   *
   * @returns {string} its name
   */
  merge(sequence, { frequency, emotives = {}, metadata = [] }, persistence) {
    const other = this.find(modelName(sequence));
    if (other !== undefined) other.emotives = cut(other.emotives, persistence);
    return this.learn(sequence, { frequency, emotives: cut(emotives, persistence), metadata }, persistence);
  }

  /**
   * Takes symbols out of all models.
   *
   * @param {(symbol: string) => boolean} isRemoved
   * @returns {Record<string, string>} each changed model's new name, or "deleted"
   */
  remove(isRemoved, persistence) {
    const changes = {};
    for (const model of [...this.models]) {
      if (!model.sequence.flat().some(isRemoved)) continue;
      const old = model.name;
      const events = model.sequence.map((event) => event.filter((symbol) => !isRemoved(symbol)));
      model.metadata = model.metadata.filter((_, at) => events[at].length > 0);
      const left = events.filter((event) => event.length > 0);
      if (left.length === 0) this.delete(old);
      changes[old] = left.length === 0 ? "deleted" : this.resequence(model, left, persistence);
    }
    return changes;
  }

  /** The knowledge base as get_kb tells it. */
  base() {
    const { symbols, totals } = countersOf(this.models);
    return {
      metadata: totals,
      models_kb: new Map(this.models.map((model) => [model.name, recordOf(model)])),
      symbols_kb: symbols,
      vectors_kb: new Map(this.vectors.map((vector) => [vector.name, vectorRecord(vector)])),
    };
  }
}

/** One object per event. */
export function fitted(metadata, length) {
  return Array.from({ length }, (_, at) => metadata[at] ?? EMPTY_METADATA);
}

/** The newest values of every emotive. */
export function cut(emotives, persistence) {
  return Object.fromEntries(Object.entries(emotives).map(([name, values]) => [name, newest(values, persistence)]));
}

function appendEmotives(model, emotives, persistence) {
  for (const [name, values] of Object.entries(emotives)) {
    model.emotives[name] = newest([...(model.emotives[name] ?? []), ...values], persistence);
  }
}

/** A model as it is read. */
export function recordOf({ name, sequence, frequency, emotives, metadata }) {
  return { emotives, frequency, length: sequence.flat().length, metadata, name, sequence };
}

/** A vector as it is read. */
export function vectorRecord({ name, vector }) {
  return { hash: name, length: Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0)), name: `VECTOR|${name}`, vector };
}
