/** A part of a split processor: answers the questions to all parts, from the models of one kernel. */

import { type Matcher, METRIC, type ModelBatch } from "../processor/ports/matcher";
import {
  bytesOf,
  type PartAnswer,
  type PartAnswers,
  type PartChange,
  type PartContext,
  type PartNeighbours,
  type PartQuestion,
  type PartQuestionKind,
  type PartQuestionOf,
  stepsOf,
} from "../processor/ports/parts";
import { comparePart, gatherPart, weighPart } from "./comparison";
import { KeptCandidates } from "./left-candidates";
import type { TenantMemory } from "./tenant-memory";

/** The candidates kept by the parts of this isolate. */
const candidatesKept = new KeptCandidates();

/** A kernel that takes the frequencies of many symbols at once. */
export interface PartKernel extends Omit<Matcher, "remove"> {
  /** As {@link Matcher.remove}. */
  remove(id: number): void;
  /** As {@link Matcher.setSymbolFrequency}. */
  setSymbolFrequencies(symbols: Uint32Array, frequencies: Float64Array): void;
}

/** See the head of the file. */
export class KernelPart {
  readonly #kernel: PartKernel;
  readonly #memory: TenantMemory;
  readonly #kept: KeptCandidates;

  /**
   * @param kernel changed only by this part @param memory the kernel's @param kept the kept candidates; shared by the
   *   isolate if absent
   */
  constructor(kernel: PartKernel, memory: TenantMemory, kept = candidatesKept) {
    this.#kernel = kernel;
    this.#memory = memory;
    this.#kept = kept;
  }

  /** Number of its models. */
  get models(): number {
    return this.#memory.exports.liveModels() >>> 0;
  }

  /** Bytes of its models and symbols. */
  get bytes(): number {
    return this.#kernel.bytes;
  }

  /** Maximum of these bytes. */
  get limitBytes(): number {
    return this.#kernel.limitBytes;
  }

  /** Forgets all models and symbols. */
  clear(): void {
    this.#kept.drop(this);
    this.#kernel.clear();
  }

  /** Adds models, as {@link Matcher.addBatch}. */
  addBatch(batch: ModelBatch): void {
    this.#kept.drop(this);
    this.#kernel.addBatch(batch);
  }

  /** Applies a change for this part. @throws Fault `exhausted`, changing nothing, when memory is used up */
  apply(change: PartChange): void {
    this.#kept.drop(this);
    if (change.kind === "add") this.#kernel.add(change.model);
    else if (change.kind === "remove") this.#kernel.remove(change.id);
    else if (change.kind === "frequency") this.#kernel.setFrequency(change.id, change.frequency);
    else this.#tellSymbols(change);
  }

  /** Answers a question. */
  answer<Kind extends PartQuestionKind>(question: PartQuestionOf<Kind>): PartAnswers[Kind] {
    return this.#answer(question) as PartAnswers[Kind];
  }

  #answer(question: PartQuestion): PartAnswers[PartQuestionKind] {
    switch (question.kind) {
      case "sums":
        return this.#sums(question);
      case "predict":
        return this.#predict(question);
      case "explain":
        return this.#explain(question);
      case "count": {
        const counts = this.#kernel.countMatching(question.query, question.thresholds);
        return { counts, steps: this.#kernel.steps };
      }
      case "any": {
        const any = this.#kernel.matchesAny(question.query);
        return { any, steps: this.#kernel.steps };
      }
      case "neighbours":
        return this.#neighbours(question);
      case "bodies":
        return this.#bodies(question);
      case "compare":
        return comparePart(this.#memory, question.sequence);
      case "weigh":
        return weighPart(this.#memory, question);
      case "gather":
        return gatherPart(this.#memory, question);
      default:
        return this.#several(question);
    }
  }

  #several({ questions, mostBytes }: PartQuestionOf<"several">): PartAnswers["several"] {
    const answers: PartAnswer[] = [];
    // Those that say nothing of steps take few.
    let stepsLeft = questions
      .map(stepsOf)
      .reduce((most, steps) => (steps > most && steps < Infinity ? steps : most), 0);
    let bytesLeft = mostBytes;
    let steps = 0;
    for (const question of questions) {
      const isOver = bytesLeft < 0 || (stepsLeft < 0 && stepsOf(question) < Infinity);
      if (answers.length > 0 && isOver) break;
      const answer = this.#answer(question);
      answers.push(answer);
      stepsLeft -= answer.steps;
      steps = Math.max(steps, answer.steps);
      bytesLeft -= bytesOf(answer);
    }
    return { answers, steps };
  }

  #tellSymbols({ ids, frequencies }: Extract<PartChange, { kind: "symbols" }>): void {
    this.#kernel.setSymbolFrequencies(ids, frequencies);
  }

  #sums({ query }: PartQuestionOf<"sums">): PartAnswers["sums"] {
    const { exports, shared } = this.#memory;
    shared.writeQuery(query);
    const isWhole = Boolean(exports.sumUp());
    const answer = {
      keptFrequencies: exports.keptFrequencies(),
      weighs: Uint8Array.from(query.symbols, (_, at) => exports.weighs(at)),
      floors: Float64Array.from({ length: exports.rankedCount() >>> 0 }, (_, place) => exports.rankedValue(place)),
      steps: query.steps - exports.stepsLeft(),
    };
    if (isWhole) this.#keep(query);
    exports.endQuery();
    return answer;
  }

  /** Keeps the candidates that the kernel's pass has left. */
  #keep(query: PartQuestionOf<"sums">["query"]): void {
    const { exports, shared } = this.#memory;
    const survivors = shared.readBytes(exports.survivorsStart(), exports.survivorsSize());
    const sharing = shared.readBytes(exports.sharedStart(), exports.sharedSize());
    const singles = shared.readBytes(exports.singlesStart(), exports.singlesSize());
    const bytes = new Uint8Array(survivors.length + sharing.length + singles.length);
    bytes.set(survivors);
    bytes.set(sharing, survivors.length);
    bytes.set(singles, survivors.length + sharing.length);
    const sizes = { survivors: survivors.length, shared: sharing.length, singles: singles.length };
    this.#kept.keep(this, query, { bytes, ...sizes });
  }

  #predict({ query, sums }: PartQuestionOf<"predict">): PartAnswers["predict"] {
    const { exports, shared } = this.#memory;
    const left = this.#kept.take(this, query);
    shared.writeSums(query, sums.weighs, left?.bytes ?? new Uint8Array());
    exports.takeSums(sums.keptFrequencies);
    const count =
      left === undefined
        ? exports.rankAll(sums.floor)
        : exports.rankLeft(sums.floor, left.survivors, left.shared, left.singles);
    const matches = shared.readPacked(count >>> 0, METRIC[query.sortMetric]);
    const steps = query.steps - exports.stepsLeft();
    exports.endQuery();
    return { matches, steps };
  }

  #explain({ query, sums, id }: PartQuestionOf<"explain">): PartAnswers["explain"] {
    const { exports, shared } = this.#memory;
    shared.writeSums(query, sums.weighs, new Uint8Array());
    exports.takeSums(sums.keptFrequencies);
    const explained = shared.readExplainedMatch(id, query.symbols.length);
    const steps = query.steps - exports.stepsLeft();
    exports.endQuery();
    return { explained, steps };
  }

  #neighbours({ contexts }: PartQuestionOf<"neighbours">): PartAnswers["neighbours"] {
    const found = contexts.map((context) => this.#neighboursOf(context));
    return { found, steps: found.reduce((sum, { steps }) => sum + steps, 0) };
  }

  #neighboursOf(context: PartContext): PartNeighbours {
    const { exports, shared } = this.#memory;
    const { excluded, lengths, steps, totals } = context;
    shared.writeContext(context);
    const candidates = exports.beginForecast(lengths.length, excluded, totals.symbolFrequencies) >>> 0;
    const count = exports.neighbours() >>> 0;
    const neighbours = {
      ids: new Float64Array(count),
      similarities: new Uint16Array(count),
      shared: new Uint16Array(count),
      frequencies: new Float64Array(count),
      lengths: new Uint32Array(count),
      candidates,
    };
    for (let place = 0; place < count; place++) {
      neighbours.ids[place] = exports.neighbourId(place);
      neighbours.similarities[place] = exports.neighbourSimilarity(place);
      neighbours.shared[place] = exports.neighbourShared(place);
      neighbours.frequencies[place] = exports.neighbourFrequency(place);
      neighbours.lengths[place] = exports.neighbourLength(place);
    }
    exports.endForecast();
    return { ...neighbours, steps: steps - exports.stepsLeft() };
  }

  #bodies({ ids }: PartQuestionOf<"bodies">): PartAnswers["bodies"] {
    const { exports, shared } = this.#memory;
    shared.writeDoubles(ids);
    const count = exports.writeBodies(ids.length) >>> 0;
    const words = new Uint32Array(shared.readBytes(exports.bodiesStart(), count * 4).buffer);
    exports.dropBodies();
    return { bodies: bodiesIn(words, ids), steps: 0 };
  }
}

/** Parses the bodies that the kernel wrote. @param ids of the requested models, including missing ones */
function bodiesIn(words: Uint32Array, ids: Float64Array): PartAnswers["bodies"]["bodies"] {
  const found = { ids: new Float64Array(ids.length), eventCounts: new Uint32Array(ids.length) };
  // Both are no longer than what the kernel has written.
  const lengths = new Uint32Array(words.length);
  const symbols = new Uint32Array(words.length);
  let models = 0;
  let events = 0;
  let count = 0;
  let at = 0;
  for (const id of ids) {
    const [symbolCount = 0, eventCount = 0] = [words[at], words[at + 1]];
    at += 2;
    for (const end = count + symbolCount; count < end; at++) symbols[count++] = words[at] ?? 0;
    for (const end = events + eventCount; events < end; at++) lengths[events++] = words[at] ?? 0;
    if (eventCount === 0) continue;
    found.ids[models] = id;
    found.eventCounts[models++] = eventCount;
  }
  return {
    ids: found.ids.slice(0, models),
    eventCounts: found.eventCounts.slice(0, models),
    lengths: lengths.slice(0, events),
    symbols: symbols.slice(0, count),
  };
}
