/**
 * A processor as the wire contract describes it: slow, plain, and written from PROTOCOL's words alone. Each operation is a method that
 * returns the message of the answer, or throws Refused.
 */

import { allGenes, DEFAULT_GENES, oneGene, settingOf } from "./genes.mjs";
import { cut, fitted, Knowledge, recordOf, vectorRecord } from "./knowledge.mjs";
import { ensembleOf } from "./predictions.mjs";
import { byCodePoint, Raw, sixDecimals, vectorName } from "./text.mjs";

/** An answer that is not okay. */
export class Refused extends Error {
  constructor(http) {
    super(`refused with ${http}`);
    this.http = http;
  }
}

const NOTHING_SEEN = {
  command: "",
  emotives: {},
  metadata: new Raw("{}"),
  path: [],
  strings: [],
  symbols: [],
  unique_id: "",
  vectors: [],
};

/** One processor. */
export class ModelProcessor {
  time = 0;
  knowledge = new Knowledge();
  genes = { ...DEFAULT_GENES };
  flags = { PREDICT: true, AUTOLEARN: false, SLEEPING: false };
  target = "";
  blacklist = [];
  #id;
  #name;
  #events = [];
  #observes = 0;
  #emotives = {};
  #metadata = [];
  #vectors = [];
  #statusEmotives = {};
  #seen = NOTHING_SEEN;
  /** The memory that the ensemble is about; undefined for none. */
  #about;
  #lastModel = "";
  #dimensionality = -1;

  constructor(id, name) {
    this.#id = id;
    this.#name = name;
  }

  /** The model's ensemble as it is when it is read. */
  get #ensemble() {
    return this.#about === undefined ? [] : this.#predict(this.#about);
  }

  #predict(events) {
    return ensembleOf(events, this.knowledge.models, this.genes, this.target);
  }

  observe(gdf) {
    this.#checkVectors([gdf]);
    return this.#observe(gdf);
  }

  sequenceObserve({ sequence, learn, clear }) {
    this.#checkVectors(sequence, clear);
    if (clear) this.clearWorkingMemory();
    const messages = sequence.map((gdf) => this.#observe(gdf));
    if (learn) this.learn();
    return messages;
  }

  /** All vectors that are observed, waiting or learned have one length; asleep, only those of one record are looked at. */
  #checkVectors(records, clear = false) {
    const isUneven = ({ vectors }) => new Set(vectors.map((vector) => vector.length)).size > 1;
    if (records.some(isUneven)) throw new Refused(400);
    if (!this.flags.SLEEPING) this.#checkLengths(records, clear);
  }

  #checkLengths(records, clear = false) {
    const waiting = clear ? [] : this.#vectors;
    const learned = this.knowledge.vectors.map(({ vector }) => vector);
    const all = [...learned, ...waiting, ...records.flatMap(({ vectors }) => vectors)];
    if (new Set(all.map((vector) => vector.length)).size > 1) throw new Refused(400);
  }

  #observe(gdf) {
    const message = { auto_learned_model: "", prediction_made: false, status: "observed", unique_id: gdf.unique_id };
    if (this.flags.SLEEPING) return { ...message, status: "asleep" };
    this.time++;
    this.#observes++;
    this.#statusEmotives = gdf.emotives;
    for (const [name, value] of Object.entries(gdf.emotives)) {
      this.#emotives[name] = (this.#emotives[name] ?? 0) + value;
    }
    const symbols = this.#symbolsOf(gdf);
    this.#seen = { ...gdf, command: "", path: [`${this.#name}-${this.#id}-process`], symbols };
    if (symbols.length > 0) {
      this.#events.push(symbols);
      this.#metadata.push(gdf.metadata);
    }
    const bySize = this.genes.auto_learn_metric === "wm_size";
    if (!this.flags.AUTOLEARN || !bySize) this.#dropOldest();
    if (gdf.strings.length > 0 || gdf.vectors.length > 0) {
      const onBeat = this.#observes % this.genes.predict_on_nth_event === 0;
      this.#about = this.flags.PREDICT && onBeat ? this.#events.map((event) => [...event]) : undefined;
      message.prediction_made = this.#ensemble.length > 0;
    }
    if (this.flags.AUTOLEARN && bySize && this.#isFull()) message.auto_learned_model = this.#autoLearn();
    return message;
  }

  #symbolsOf({ strings, vectors }) {
    const sum =
      vectors.length === 0 ? undefined : vectors[0].map((_, at) => vectors.reduce((all, v) => all + v[at], 0));
    if (sum !== undefined) this.#vectors.push(sum);
    const sorted = (symbols) => (this.genes.SORT ? symbols.sort(byCodePoint) : symbols);
    const isSeen = (symbol) => !this.blacklist.includes(symbol);
    const fromVector = sum === undefined ? [] : this.#nearest(sum);
    return [...sorted(fromVector.filter(isSeen)), ...sorted(strings.filter(isSeen))];
  }

  /** The nearest learned vectors and then the vector itself, without repeats. */
  #nearest(vector) {
    const distance = (other) => Math.sqrt(other.reduce((sum, x, at) => sum + (x - vector[at]) ** 2, 0));
    const near = this.knowledge.vectors
      .map((known) => ({ name: known.name, far: distance(known.vector) }))
      .sort((a, b) => a.far - b.far)
      .slice(0, this.genes.near_vector_count);
    return [...new Set([...near.map(({ name }) => name), vectorName(vector)])].map((name) => `VECTOR|${name}`);
  }

  #length(events = this.#events) {
    return this.genes.wm_resolution === "event" ? events.length : events.flat().length;
  }

  #isFull() {
    return this.genes.max_sequence_length > 0 && this.#length() >= this.genes.max_sequence_length;
  }

  #dropOldest() {
    const limit = this.genes.max_sequence_length;
    while (limit > 0 && this.#events.length > 1 && this.#length() > limit) {
      this.#events.shift();
      this.#metadata.shift();
    }
  }

  /** Learns the whole memory. Its last event stays, unless it was the only one; rolling, all that is below the limit. */
  #autoLearn() {
    if (this.genes.wm_mode === "rolling") return this.#rollOn();
    const [last, metadata] = [this.#events.at(-1), this.#metadata.at(-1)];
    const isOnly = this.#events.length < 2;
    const name = this.#learn();
    if (!isOnly) {
      this.#events = [last];
      this.#metadata = [metadata];
    }
    return name === null ? "" : name;
  }

  /** Learns the whole memory, and drops the oldest events until it is below the limit. */
  #rollOn() {
    const [events, metadata, observes] = [this.#events, this.#metadata, this.#observes];
    const name = this.#learn();
    [this.#events, this.#metadata, this.#observes] = [[...events], [...metadata], observes];
    while (this.#isFull()) {
      this.#events.shift();
      this.#metadata.shift();
    }
    return name === null ? "" : name;
  }

  learn() {
    const name = this.#learn();
    this.#about = undefined;
    return name;
  }

  /** Stores what memory holds and empties it. */
  #learn() {
    const [events, metadata, emotives] = [this.#events, this.#metadata, this.#emotives];
    for (const vector of this.#vectors) {
      this.knowledge.learnVector(vector);
      this.#dimensionality = vector.length;
    }
    this.#emptyMemory();
    if (events.flat().length < 2) return null;
    const values = Object.fromEntries(Object.entries(emotives).map(([name, value]) => [name, [value]]));
    this.#lastModel = this.knowledge.learn(events, { emotives: values, metadata }, this.genes.persistence);
    this.knowledge.limit(this.genes.max_models, this.#lastModel);
    return `MODEL|${this.#lastModel}`;
  }

  #emptyMemory() {
    this.#events = [];
    this.#metadata = [];
    this.#emotives = {};
    this.#vectors = [];
    this.#observes = 0;
  }

  clearWorkingMemory() {
    this.#emptyMemory();
    this.#about = undefined;
    this.#seen = NOTHING_SEEN;
    return "wm-cleared";
  }

  clearAllMemory(keepBlacklist) {
    this.clearWorkingMemory();
    this.time = 0;
    this.knowledge = new Knowledge();
    this.#lastModel = "";
    this.#statusEmotives = {};
    this.#dimensionality = -1;
    if (!keepBlacklist) this.blacklist = [];
    return "all-cleared";
  }

  predictions(uniqueId) {
    return uniqueId === undefined || uniqueId === this.#seen.unique_id ? this.#ensemble : [];
  }

  workingMemory() {
    return this.#events;
  }

  percept() {
    if (this.#seen === NOTHING_SEEN) return {};
    const { emotives, metadata, path, strings, unique_id, vectors } = this.#seen;
    return { emotives, metadata, path, strings, unique_id, vectors };
  }

  cognition() {
    return { ...this.#seen, predictions: this.#ensemble, working_memory: this.#events };
  }

  status() {
    return {
      ...this.flags,
      HYPOTHESIZED: false,
      SNAPSHOT: false,
      emotives: this.#statusEmotives,
      last_learned_model_name: this.#lastModel,
      models_kb: `{KB| objects: ${this.knowledge.models.length}}`,
      name: this.#name,
      num_observe_call: this.#observes,
      size_WM: this.#events.flat().length,
      target: this.target,
      time: this.time,
      vector_dimensionality: this.#dimensionality,
      vectors_kb: `{KB| objects: ${this.knowledge.vectors.length}}`,
    };
  }

  /** @param {boolean} on @param {string} said the answer */
  setFlag(flag, on, said) {
    this.flags[flag] = on;
    if (flag === "SLEEPING" && on) this.clearWorkingMemory();
    return said;
  }

  changeGenes(changes) {
    for (const [name, value] of Object.entries(changes)) this.genes[name] = settingOf(name, value);
    return "updated-genes";
  }

  incrementRecallThreshold(increment) {
    const threshold = this.genes.recall_threshold + increment;
    if (threshold < 0 || threshold > 1) throw new Refused(400);
    this.genes.recall_threshold = threshold;
    return sixDecimals(threshold);
  }

  allGenes() {
    return { genes: allGenes(this.genes) };
  }

  gene(name) {
    return oneGene(this.genes, name);
  }

  model(name) {
    const known = this.knowledge.find(name);
    return known === undefined ? {} : { ...recordOf(known), predecessor_model: [] };
  }

  deleteModel(name) {
    return this.knowledge.delete(name) ? "deleted" : "model-not-found";
  }

  addModel({ sequence, frequency, emotives, metadata, vector }) {
    if (vector !== undefined) {
      this.#checkLengths([{ vectors: [vector] }]);
      this.knowledge.learnVector(vector);
      this.#dimensionality = vector.length;
    }
    const members = { frequency, emotives, metadata };
    const name = this.knowledge.learn(sequence, members, this.genes.persistence);
    this.knowledge.limit(this.genes.max_models, name);
    return { name };
  }

  updateModel(name, { sequence, frequency, emotives, metadata }) {
    const { persistence } = this.genes;
    const known = this.knowledge.find(name);
    if (known === undefined) return "failed-to-update-model";
    if (frequency !== undefined) known.frequency = frequency;
    known.emotives = cut(emotives ?? known.emotives, persistence);
    if (metadata !== undefined) known.metadata = fitted(metadata, (sequence ?? known.sequence).length);
    return sequence === undefined ? name : this.knowledge.resequence(known, sequence, persistence);
  }

  modelsWith(tests) {
    const holdsAll = ({ sequence }) => tests.every((test) => sequence.flat().some(test));
    return {
      model_list: this.knowledge.models
        .filter(holdsAll)
        .map(({ name }) => name)
        .sort(),
    };
  }

  removeSymbols(isRemoved) {
    const models = this.knowledge.remove(isRemoved, this.genes.persistence);
    return Object.keys(models).length === 0 ? {} : { models };
  }

  forgetModels(choice) {
    return { models: this.knowledge.forget(choice) };
  }

  /** Removes symbols, and sees to it that they are not observed again. */
  forget(symbols) {
    this.addToBlacklist(symbols);
    return this.removeSymbols((symbol) => symbols.includes(symbol));
  }

  addToBlacklist(symbols) {
    this.blacklist = [...new Set([...this.blacklist, ...symbols])];
    return "added-blacklisted-symbols";
  }

  removeFromBlacklist(symbols) {
    const all = symbols.every((symbol) => this.blacklist.includes(symbol));
    this.blacklist = this.blacklist.filter((symbol) => !symbols.includes(symbol));
    return all ? "removed-blacklisted-symbols" : "failed-to-remove-some-symbols-from-blacklist";
  }

  symbol(name) {
    return this.knowledge.base().symbols_kb.get(name) ?? null;
  }

  vector(name) {
    const known = this.knowledge.vectors.find((vector) => `VECTOR|${vector.name}` === name);
    if (known === undefined) throw new Refused(200);
    return vectorRecord(known);
  }

  predictionsForModel(name) {
    const known = this.knowledge.find(name);
    return known === undefined ? [] : this.#predict(known.sequence);
  }

  loadKnowledge(models, vectors) {
    this.knowledge = new Knowledge();
    // A file is kept as it is, so that what a processor wrote it can read.
    for (const { sequence, ...members } of models) this.knowledge.learn(sequence, members, Number.POSITIVE_INFINITY);
    for (const vector of vectors) this.knowledge.learnVector(vector);
    this.#dimensionality = -1;
    return "success";
  }

  /** Adds what a file holds to what is known. */
  mergeKnowledge(models, vectors) {
    for (const { sequence, ...members } of models) this.knowledge.merge(sequence, members, this.genes.persistence);
    for (const vector of vectors) {
      this.knowledge.learnVector(vector);
      this.#dimensionality = vector.length;
    }
    return "success";
  }
}
