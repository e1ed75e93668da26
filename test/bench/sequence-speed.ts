/**
 * Times a verdict on a whole sequence beside forecasts about its events, in turns, in processor time; or makes requests
 * of both.
 */

import { Kernel } from "../../src/kernel/kernel";
import { KernelMemory } from "../../src/kernel/memory";
import { askedSequence } from "../../src/processor/memory/asked-sequence";
import { Mind } from "../../src/processor/mind";
import type { MatchableModel } from "../../src/processor/ports/matcher";
import { PoolingForecaster } from "../../src/processor/prediction/estimator/pooling-forecaster";
import { ProcessorCore } from "../../src/processor/processor-core";
import { OracleNeighbours } from "../oracle/neighbours";
import { MemoryStore } from "../support/memory-store";
import { Random } from "../support/random";
import { eventsOf, type KnowledgeText, knowledgeText } from "./knowledge-base";

/** Events of the sequence that is judged, and of a context of a forecast. */
const EVENTS = 50;
const CONTEXT = 10;
/** Events of a learned sequence. */
const LEARNED_EVENTS = 10;
/** Different symbols. Each is followed by one of some others, by Zipf's law, or, rarely, by any. */
const SYMBOLS = 220;
const FOLLOWERS = 8;
const ANY_FRACTION = 0.1;
const LIMIT_BYTES = 400_000_000;
const SEQUENCES = 5;
const ROUNDS = 5;

/** Milliseconds of processor time, means over some sequences of the least of some rounds. */
export interface SequenceSpeed {
  /** Of a verdict without the surprises of its events; of these; and of one forecast after ten events. */
  evidence: number;
  series: number;
  forecast: number;
}

/** Draws sequences of a process. */
class Process {
  readonly #random: Random;
  readonly #followers: number[][];

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#followers = Array.from({ length: SYMBOLS }, () =>
      Array.from({ length: FOLLOWERS }, () => this.#random.below(SYMBOLS)),
    );
  }

  sequence(events: number): string[][] {
    return eventsOf(this.model(0, events));
  }

  /** A sequence as a model, one symbol an event. */
  model(id: number, events = LEARNED_EVENTS): MatchableModel {
    let last = this.#random.below(SYMBOLS);
    const symbols = Uint32Array.from({ length: events }, () => {
      const isAny = this.#random.fraction() < ANY_FRACTION;
      const place = Math.floor(FOLLOWERS ** this.#random.fraction()) - 1;
      last = isAny ? this.#random.below(SYMBOLS) : (this.#followers[last]?.[place] ?? 0);
      return last;
    });
    return { id, frequency: 1, symbols, lengths: new Uint32Array(events).fill(1) };
  }
}

/** The bodies of requests about sequences of fifty events, and the knowledge that they are judged by. */
export interface SequenceRequests {
  knowledge: KnowledgeText;
  verdicts: string[];
  /** As many for each sequence as it has whole contexts. */
  forecasts: string[];
}

/** Draws what {@link speedOf} learns and judges. */
export function requestsOf(models: number): SequenceRequests {
  const source = new Process(1);
  const knowledge = knowledgeText(source, models);
  const sequences = Array.from({ length: SEQUENCES }, () => source.sequence(EVENTS));
  const forecasts = sequences.flatMap((events) =>
    Array.from({ length: EVENTS - CONTEXT }, (_, at) => ({ sequence: events.slice(at, at + CONTEXT) })),
  );
  const bodyOf = (data: object) => JSON.stringify({ data });
  return { knowledge, verdicts: sequences.map((sequence) => bodyOf({ sequence })), forecasts: forecasts.map(bodyOf) };
}

/** Learns sequences of ten events and judges some of fifty. */
export function speedOf(module: WebAssembly.Module, models: number): SequenceSpeed {
  const kernel = Kernel.create(new KernelMemory(module, LIMIT_BYTES));
  const forecaster = new PoolingForecaster(kernel.forecastRules);
  const parts = { store: new MemoryStore(), matcher: kernel, neighbours: new OracleNeighbours(), forecaster };
  const mind = new Mind(new ProcessorCore({ id: "p46b6b076c", name: "P1", ...parts }), "", undefined);
  const source = new Process(1);
  while (mind.knowledge.models < models) {
    const events = eventsOf(source.model(0));
    const metadata = events.map(() => "{}");
    mind.knowledge.learn({ events, frequency: 1, emotives: [], metadata, learnedAt: undefined }, 0);
  }
  const { forecasts, knowledge, shared } = mind;
  const speeds = Array.from({ length: SEQUENCES }, () => {
    const events = source.sequence(EVENTS);
    const asked = askedSequence(events, knowledge.symbols);
    const contexts = Array.from({ length: EVENTS - CONTEXT }, (_, at) =>
      askedSequence(events.slice(at, at + CONTEXT), knowledge.symbols),
    );
    const [evidence = 0, series = 0, all = 0] = leastOf([
      () => shared.judge.explain(events, true),
      () => forecasts.surprisesWithin(asked, events),
      () => contexts.map((context) => forecasts.forecast({ horizon: 1, top: 10 }, context)),
    ]);
    return { evidence, series, forecast: all / contexts.length };
  });
  kernel.release();
  const mean = (figure: keyof SequenceSpeed) => speeds.reduce((sum, each) => sum + each[figure], 0) / speeds.length;
  return { evidence: mean("evidence"), series: mean("series"), forecast: mean("forecast") };
}

/** The least processor time that each of some works takes, in turns. */
function leastOf(works: readonly (() => unknown)[]): number[] {
  const least = works.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, work] of works.entries()) {
      const { user, system } = process.cpuUsage();
      work();
      const taken = process.cpuUsage({ user, system });
      // The first round compiles.
      if (round > 0) least[at] = Math.min(least[at] ?? 0, (taken.user + taken.system) / 1000);
    }
  }
  return least;
}
