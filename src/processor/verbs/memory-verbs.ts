/** The verbs of MemoryService: what a processor observes, remembers and predicts. */

import type {
  CountMatchingModelsResponse,
  Delivery,
  Event,
  EventSurprise,
  Forecast,
  ForecastExplanation,
  Gdf,
  GetCognitionResponse,
  PackedEnsemble,
  Prediction,
  PredictionExplanation,
  Session,
  SurpriseExplanation,
} from "../../gen/plain";
import {
  checkForecastDoubt,
  checkForecastQuestion,
  checkJudged,
  checkMatchingQuestion,
  checkQuestion,
  checkSurpriseDoubt,
  type ForecastDoubt,
  type ForecastQuestion,
  type MatchingQuestion,
  type Question,
  type SurpriseDoubt,
} from "../input/question-input";
import { type AskedSymbols, askedSequence } from "../memory/asked-sequence";
import type { Mind } from "../mind";
import { newestScores, rankOf } from "../prediction/sequence/learn-scores";
import type { ExplainedJudgement } from "../prediction/sequence/sequence-judge";
import type { Sessions } from "../sessions";
import { clearAllMemory, clearWorkingMemory } from "./clearing";
import { lastNumber } from "./deliveries";
import { askedSymbols } from "./event-symbols";
import { learn } from "./learning";
import {
  type ObserveOutcome,
  observe,
  observeSequence,
  type SequenceObserved,
  type SequenceRequest,
  takeFrame,
} from "./observing";
import { recordSymbols } from "./record-symbols";
import { isNearlyFull } from "./room";

/** The last observation as the processor interpreted it. All members are empty before the first one. */
export type Cognition = Omit<GetCognitionResponse, "packed" | "stamp">;

/** Number of matching models by recall threshold. */
export type MatchingCounts = Omit<CountMatchingModelsResponse, "stamp">;

/** How unusual a whole sequence is, and why. */
export interface SequenceSurprise extends Pick<ExplainedJudgement, "bits" | "missing" | "excess"> {
  /** The surprise of the end; absent if more may come. */
  end?: { bits: number };
  /** The surprise of each event given those before it; of the first, by how the models begin. */
  events: EventSurprise[];
  /** The fraction of the newest learns with fewer bits; absent when there are too few learns. */
  rank?: number;
}

/** All memories of a processor. */
interface Memories {
  /** The processor's own. */
  own: Mind;
  sessions: Sessions;
}

/** One method per rpc of MemoryService. */
export class MemoryVerbs {
  readonly #mind: Mind;
  readonly #all: Memories;

  /** @param mind the memory that most verbs are about, one of `all` */
  constructor(mind: Mind, all: Memories) {
    this.#mind = mind;
    this.#all = all;
  }

  /**
   * Observes one record. Asleep, only the number of the delivery changes.
   * @param gdf the record; its `uniqueId` is not empty
   * @param path the stations that the record passed before
   * @param delivery given by a sender that may repeat the record, which then takes effect once
   * @param explain whether to compute the surprise of the event
   * @throws Fault `invalid` when the record is wrong; `too-large` when a budget does not allow it; `over-limit` when
   *   there are too many sessions for a new one; `exhausted` when it led to a model for which there is no memory
   */
  observe(gdf: Gdf, path: readonly string[], delivery?: Delivery, explain = false): ObserveOutcome {
    return observe(this.#mind, gdf, path, delivery, explain);
  }

  /** Observes several records, all or none. @throws Fault as {@link observe} */
  observeSequence(request: SequenceRequest): SequenceObserved {
    return observeSequence(this.#mind, request);
  }

  /** Clears, observes and learns as a frame of a stream requests, all or nothing. @throws Fault as {@link observe} */
  takeFrame(request: SequenceRequest): SequenceObserved {
    return takeFrame(this.#mind, request);
  }

  /**
   * Runs several verbs of this memory as one request: their queries share its steps of matching.
   * @returns the result of `work`
   */
  asOneRequest<Result>(work: () => Result): Result {
    return this.#mind.steps.share(work);
  }

  /** The number of the last delivery accepted from a client's source; 0 if there is none. */
  lastNumber(source: string): number {
    return lastNumber(this.#mind, "client", source);
  }

  /**
   * Learns working memory and clears it.
   * @returns the model's name without prefix, empty when fewer than two symbols were in memory
   * @throws Fault `exhausted` when there is no memory for the model
   */
  learn(): { model: string } {
    const model = learn(this.#mind);
    this.#mind.recordState();
    return { model };
  }

  /** The events of working memory, oldest first. */
  getWorkingMemory(): { events: Event[] } {
    return { events: this.#mind.memory.events().map(({ symbols }) => ({ symbols })) };
  }

  /** Empties working memory. */
  clearWorkingMemory(): Record<string, never> {
    clearWorkingMemory(this.#mind);
    this.#mind.recordState();
    return {};
  }

  /**
   * The ensemble, or what a sequence would predict; best first.
   *
   * @param uniqueId if not empty, there are predictions only if the last observation had this identifier
   * @throws Fault `invalid` when the query is wrong; `too-large` when it exceeds a budget
   */
  getPredictions(uniqueId: string, question: Question = {}): { predictions: Prediction[] } {
    const { ensemble } = this.#mind;
    const asked = this.#asked(uniqueId, question);
    return { predictions: asked ? ensemble.predictionsOf(asked, question.top) : ensemble.predictions() };
  }

  /** The same as {@link getPredictions}, as columns. */
  getPackedPredictions(uniqueId: string, question: Question = {}): { packed: PackedEnsemble } {
    const { ensemble } = this.#mind;
    const asked = this.#asked(uniqueId, question);
    return { packed: asked ? ensemble.packedOf(asked, question.top) : ensemble.packed() };
  }

  /**
   * Forecasts what comes next: after the ensemble's events, or after a sequence.
   *
   * @throws Fault as {@link getPredictions}
   */
  getForecast(question: ForecastQuestion = {}): { forecast: Forecast } {
    const { budgets, forecasts } = this.#mind;
    const extent = checkForecastQuestion(question, budgets.memorySymbols);
    const { sequence } = question;
    const asked = sequence === undefined ? undefined : this.#askedSequence(sequence.events);
    return { forecast: forecasts.forecast(extent, asked) };
  }

  /**
   * The inputs of a prediction's numbers.
   *
   * @param model its name, without prefix
   * @param sequence what to predict from; the ensemble's events if absent
   * @returns no explanation when the model does not match, or the target class does not admit it
   * @throws Fault `unknown` when there is no such model; as {@link getPredictions}
   */
  explainPrediction(model: string, sequence?: Question["sequence"]): { explanation?: PredictionExplanation } {
    const explanation = this.#mind.ensemble.explain(model, this.#memoryOrSequence(sequence));
    return explanation === undefined ? {} : { explanation };
  }

  /**
   * Why a symbol has its probability in a forecast.
   *
   * @returns no explanation when there is nothing to forecast from, or no model contributes
   * @throws Fault as {@link getForecast}; `invalid` when the symbol is empty
   */
  explainForecast(question: ForecastDoubt): { explanation?: ForecastExplanation } {
    const { budgets, forecasts } = this.#mind;
    const { horizon } = checkForecastDoubt(question, budgets.memorySymbols);
    const { sequence, symbol, within } = question;
    const asked = sequence === undefined ? undefined : this.#askedSequence(sequence.events);
    const explanation = forecasts.explain({ symbol, horizon, within }, asked);
    return explanation === undefined ? {} : { explanation };
  }

  /**
   * The number of models that would match at each recall threshold, given the ensemble's events, or a sequence.
   *
   * @returns the thresholds in the order of the query with a count for each, and the number of models
   * @throws Fault as {@link getPredictions}
   */
  countMatchingModels(question: MatchingQuestion = {}): MatchingCounts {
    const { budgets, ensemble, knowledge } = this.#mind;
    const recallThresholds = checkMatchingQuestion(question, budgets.memorySymbols);
    const { sequence } = question;
    const asked = sequence === undefined ? undefined : this.#askedSequence(sequence.events);
    const ascending = Float64Array.from(new Set(recallThresholds)).sort();
    const counts = ensemble.countMatching(ascending, asked);
    const countOf = new Map(counts.map((count, at) => [ascending[at], count]));
    return {
      recallThresholds: [...recallThresholds],
      counts: recallThresholds.map((threshold) => countOf.get(threshold) ?? 0),
      models: knowledge.models,
    };
  }

  /**
   * The surprise that an event would be, and why.
   *
   * @returns no explanation if there is nothing to base an expectation on: no event left without blacklisted symbols,
   *   no memory before it, or no knowledge
   * @throws Fault as {@link getPredictions}
   */
  explainSurprise(doubt: SurpriseDoubt): { explanation?: SurpriseExplanation } {
    const symbols = checkSurpriseDoubt(doubt, this.#mind.budgets.memorySymbols);
    const asked = this.#memoryOrSequence(doubt.sequence);
    const explanation = this.#mind.forecasts.explainSurprise(askedSymbols(this.#mind, symbols), asked);
    return explanation === undefined ? {} : { explanation };
  }

  /**
   * How unusual a whole sequence would be, from an empty memory, and why.
   *
   * @param complete whether the sequence has ended
   * @returns no surprise without knowledge, or when no event is left without blacklisted symbols
   * @throws Fault `invalid` when the sequence is wrong; `too-large` when it is too long, or takes too many steps
   */
  getSequenceSurprise(sequence: readonly Event[], complete: boolean): { surprise?: SequenceSurprise } {
    const { budgets, knowledge, steps } = this.#mind;
    checkJudged(sequence, budgets.memorySymbols);
    const observed = sequence.map(({ symbols }) => askedSymbols(this.#mind, symbols));
    const events = observed.filter(({ length }) => length > 0);
    if (events.length === 0 || knowledge.models === 0) return {};
    return { surprise: steps.share(() => this.#judged(events, complete)) };
  }

  /**
   * The symbols of the events that records would make, one after the other from an empty memory.
   *
   * @throws Fault `invalid` when a record is wrong; `too-large` when there are too many
   */
  getRecordSymbols(records: readonly Gdf[]): { events: Event[] } {
    return { events: recordSymbols(this.#mind, records).map((symbols) => ({ symbols })) };
  }

  /**
   * Forgets everything learned and observed, ends all sessions, and forgets the blacklist unless `keepBlacklist`.
   * Genes, flags, the target class and the numbers of deliveries stay.
   */
  clearAllMemory(keepBlacklist: boolean): Record<string, never> {
    const { own, sessions } = this.#all;
    clearAllMemory(own, sessions, keepBlacklist);
    own.recordState();
    return {};
  }

  /** The last observation as the sender gave it; no `gdf` before the first one and after a clear. */
  getPercept(): { gdf?: Gdf; path: string[] } {
    const { percept } = this.#mind.state;
    return percept === undefined ? { path: [] } : { gdf: percept.gdf, path: percept.path };
  }

  /** The last observation as the processor interpreted it. */
  getCognition(): Cognition {
    return {
      ...this.getPercept(),
      symbols: this.#mind.state.percept?.symbols ?? [],
      workingMemory: this.getWorkingMemory().events,
      predictions: this.#mind.ensemble.predictions(),
    };
  }

  /**
   * A part of at most `limit` sessions whose name follows `after`, by name in the order of UTF-8 bytes. It may be
   * short, or empty, although there are more.
   *
   * @param after "" for the first
   * @param limit 1 or more
   * @returns `last`: after which the next part begins; `undefined` when there are no more
   */
  listSessions(after: string, limit: number): { sessions: Session[]; last: string | undefined } {
    const { rows, last } = this.#all.sessions.list(after, limit);
    const sessions = rows.map(({ name, events, symbols, time, lastObserved }) => ({
      name,
      events,
      symbols,
      time,
      ...(lastObserved === undefined ? {} : { lastObserved }),
    }));
    return { sessions, last };
  }

  /** Whether the memory is nine tenths full or more. */
  get isNearlyFull(): boolean {
    return isNearlyFull(this.#mind);
  }

  /** Ends a session and deletes its memory. What it has learned stays. Does nothing if there is none. */
  endSession(name: string): Record<string, never> {
    this.#all.sessions.end(name);
    return {};
  }

  /**
   * The symbols of a query; `undefined` if it is about the cached ensemble.
   * @throws Fault when it is wrong
   */
  #asked(uniqueId: string, question: Question): AskedSymbols | undefined {
    const { budgets, knowledge, state } = this.#mind;
    checkQuestion(question, uniqueId, budgets.memorySymbols);
    const { sequence, top } = question;
    if (sequence !== undefined) return this.#askedSequence(sequence.events);
    const isLast = uniqueId === "" || uniqueId === state.percept?.gdf.uniqueId;
    if (isLast && top === undefined) return undefined;
    return isLast ? this.#memoryOrSequence(undefined) : askedSequence([], knowledge.symbols);
  }

  /**
   * The symbols of a sequence, or the ensemble's; none if there is no ensemble.
   *
   * @throws Fault as {@link getPredictions}
   */
  #memoryOrSequence(sequence: Question["sequence"]): AskedSymbols {
    const { budgets, knowledge, memory } = this.#mind;
    checkQuestion({ sequence }, "", budgets.memorySymbols);
    if (sequence !== undefined) return this.#askedSequence(sequence.events);
    return memory.hasEnsemble
      ? { numbers: memory.ensembleNumbers(), lengths: memory.ensembleLengths(), nameOf: (id) => memory.nameOf(id) }
      : askedSequence([], knowledge.symbols);
  }

  /** @param events one or more, none empty. The processor must have knowledge. */
  #judged(events: readonly string[][], complete: boolean): SequenceSurprise {
    const { forecasts, knowledge, shared, steps } = this.#mind;
    const { judge } = shared;
    if (judge.evidenceSteps > steps.left) {
      const question = `to compare the ${events.length} events of the sequence with the ${knowledge.models} models`;
      throw steps.exceededBy(question, "forget models that are no longer needed");
    }
    steps.spend(judge.evidenceSteps);
    const { bits, end, first, missing, excess } = judge.explain(events, complete);
    const rank = this.#rankOf(bits);
    return {
      bits,
      ...(end !== undefined && { end: { bits: end } }),
      events: [first, ...forecasts.surprisesWithin(askedSequence(events, knowledge.symbols), events)],
      missing,
      excess,
      ...(rank !== undefined && { rank }),
    };
  }

  #rankOf(bits: number): number | undefined {
    const { shared, store } = this.#mind;
    return rankOf(bits, newestScores(shared.state.learnScores, store.scoreBlocks()));
  }

  /** A sequence as if it had been observed: without blacklisted symbols, and without events that become empty. */
  #askedSequence(events: readonly Event[]): AskedSymbols {
    const observed = events.map(({ symbols }) => askedSymbols(this.#mind, symbols));
    const eventful = observed.filter(({ length }) => length > 0);
    return askedSequence(eventful, this.#mind.knowledge.symbols);
  }
}
