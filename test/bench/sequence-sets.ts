/**
 * How well whole sequences are judged: blocks of log lines, of which some are known to be abnormal, and cases of processes in which something was
 * made wrong. The files belong to others and are no part of the repository.
 */

import { Kernel } from "../../src/kernel/kernel";
import { KernelMemory } from "../../src/kernel/memory";
import { askedSequence } from "../../src/processor/memory/asked-sequence";
import { Mind } from "../../src/processor/mind";
import { PoolingForecaster } from "../../src/processor/prediction/estimator/pooling-forecaster";
import { ProcessorCore } from "../../src/processor/processor-core";
import { OracleNeighbours } from "../oracle/neighbours";
import { MemoryStore } from "../support/memory-store";
import { hashOf, type TextOf } from "./forecast-data";

type Symbols = readonly string[];

/** What may be said of a sequence: the greater, the less usual. */
export interface Scores {
  verdict: number;
  counts: number;
  /** Of the surprises of its events. */
  mean: number;
  greatest: number;
}

/** A processor that has learned sequences. It grades no forecasts: verdicts do not depend on them. */
class Learned {
  readonly #kernel: Kernel;
  readonly #mind: Mind;
  readonly #known = new Map<string, Scores>();

  constructor(module: WebAssembly.Module, sequences: readonly Symbols[]) {
    this.#kernel = Kernel.create(new KernelMemory(module));
    const forecaster = new PoolingForecaster(this.#kernel.forecastRules);
    const parts = { store: new MemoryStore(), matcher: this.#kernel, neighbours: new OracleNeighbours(), forecaster };
    this.#mind = new Mind(new ProcessorCore({ id: "p46b6b076c", name: "P1", ...parts }), "", undefined);
    const frequencies = new Map<string, number>();
    for (const sequence of sequences) {
      const key = sequence.join(" ");
      frequencies.set(key, (frequencies.get(key) ?? 0) + 1);
    }
    for (const [key, frequency] of frequencies) {
      const events = key.split(" ").map((symbol) => [symbol]);
      const draft = { events, frequency, emotives: [], metadata: events.map(() => "{}"), learnedAt: undefined };
      this.#mind.knowledge.learn(draft, 0);
    }
  }

  /** @param withSurprises whether surprises are wanted, each of which is a forecast */
  scoresOf(sequence: Symbols, withSurprises: boolean): Scores {
    const key = sequence.join(" ");
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const events = sequence.map((symbol) => [symbol]);
    const { forecasts, knowledge, shared } = this.#mind;
    const { bits, counts } = shared.judge.judge(events);
    const asked = askedSequence(events, knowledge.symbols);
    const surprises = withSurprises ? forecasts.surprisesWithin(asked, events).map((surprise) => surprise.bits) : [];
    const mean = surprises.reduce((sum, one) => sum + one, 0) / Math.max(1, surprises.length);
    const scores = { verdict: bits, counts, mean, greatest: Math.max(0, ...surprises) };
    this.#known.set(key, scores);
    return scores;
  }

  release(): void {
    this.#kernel.release();
  }
}

/** How good a detector is. */
export interface Detection {
  f1: number;
  /** At the best threshold: how many normal sequences are taken for abnormal, and how many abnormal ones are found. */
  falseAlarms: number;
  found: number;
  threshold: number;
}

const FOLDS = 5;
/** All normal blocks of the log, of which the file holds a part. */
const ALL_NORMAL = 552_640;

/** The sequences of a file of `id,event event …`, one a line. */
function blocksOf(text: string): Symbols[] {
  return text
    .trim()
    .split("\n")
    .map((line) => (line.split(",")[1] ?? "").trim().split(" "));
}

/** Learns normal blocks, four of five folds, and finds abnormal ones: the protocol of ../shared/logs/README.md. */
export function measureBlocks(module: WebAssembly.Module, textOf: TextOf): Detection {
  const normal = blocksOf(textOf("logs/normal.txt"));
  const abnormal = blocksOf(textOf("logs/abnormal.txt"));
  const usual: number[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const learned = new Learned(
      module,
      normal.filter((_, line) => line % FOLDS !== fold),
    );
    for (const [line, block] of normal.entries()) {
      if (line % FOLDS === fold) usual.push(learned.scoresOf(block, false).verdict);
    }
    learned.release();
  }
  const all = new Learned(module, normal);
  const unusual = abnormal.map((block) => all.scoresOf(block, false).verdict);
  all.release();
  return bestThreshold(usual, unusual);
}

function bestThreshold(usual: number[], unusual: number[]): Detection {
  usual.sort((one, other) => other - one);
  unusual.sort((one, other) => other - one);
  let best: Detection = { f1: 0, falseAlarms: 0, found: 0, threshold: 0 };
  let falseAlarms = 0;
  for (const [at, threshold] of unusual.entries()) {
    if (unusual[at + 1] === threshold) continue;
    const found = at + 1;
    while (falseAlarms < usual.length && (usual[falseAlarms] ?? 0) >= threshold) falseAlarms++;
    const f1 = (2 * found) / (unusual.length + found + (falseAlarms / usual.length) * ALL_NORMAL);
    if (f1 > best.f1) best = { f1, falseAlarms, found, threshold };
  }
  return best;
}

/** What is made wrong in a case. @param at a place @param other a symbol that it does not have */
const FAULTS: Readonly<Record<string, (own: Symbols, at: number, other: string) => Symbols>> = {
  "two swapped": (own, at) => {
    const places = own.slice(1).flatMap((symbol, place) => (symbol === own[place] ? [] : [place]));
    const place = places[at % places.length] ?? 0;
    return [...own.slice(0, place), own[place + 1] ?? "", own[place] ?? "", ...own.slice(place + 2)];
  },
  "one dropped": (own, at) => own.filter((_, place) => place !== at),
  "end cut": (own, at) => own.slice(0, Math.max(1, own.length - 1 - (at % Math.ceil(own.length / 2)))),
  "one repeated": (own, at) => [...own.slice(0, at + 1), ...own.slice(at)],
  "a foreign one": (own, at, other) => [...own.slice(0, at), other, ...own.slice(at)],
};

/** The areas under the curves of one kind of fault, by what is said of sequences. */
export interface Areas {
  fault: string;
  areas: Scores;
}

const CASES = 300;
/** A case of fewer events is not asked, and neither is one of more. */
const MIN_EVENTS = 3;
const MAX_EVENTS = 100;

/** Learns the first two thirds of the cases of a process, and tells those of the last third from the same with a fault. */
export function measureProcess(module: WebAssembly.Module, textOf: TextOf, file: string): Areas[] {
  const byCase = new Map<string, string[]>();
  for (const line of textOf(file).trim().split("\n").slice(1)) {
    const [name = "", activity = ""] = line.split(",");
    byCase.set(name, [...(byCase.get(name) ?? []), activity]);
  }
  const cases = [...byCase.values()];
  const border = Math.floor((cases.length * 2) / 3);
  const learned = new Learned(module, cases.slice(0, border));
  const activities = [...new Set(cases.flat())].sort();
  const asked = cases
    .slice(border)
    .filter((own) => own.length >= MIN_EVENTS && own.length <= MAX_EVENTS && new Set(own).size > 1)
    .filter((_, at, all) => hashOf(at) % all.length < 2 * CASES);
  const scored = (each: Symbols) => learned.scoresOf(each, true);
  const half = (rest: number) => asked.filter((_, at) => at % 2 === rest);
  const usual = half(0).map(scored);
  const areas = Object.entries(FAULTS).map(([fault, make]) => {
    const wrong = half(1).map((own, at) => {
      const hash = hashOf(at + 1);
      const others = activities.filter((activity) => !own.includes(activity));
      return scored(make(own, hash % own.length, others[hash % Math.max(1, others.length)] ?? "another"));
    });
    const by = (score: keyof Scores) =>
      areaUnder(
        usual.map((one) => one[score]),
        wrong.map((one) => one[score]),
      );
    return {
      fault,
      areas: { verdict: by("verdict"), counts: by("counts"), mean: by("mean"), greatest: by("greatest") },
    };
  });
  learned.release();
  return areas;
}

/** How likely a greater number is among the wrong ones than among the usual ones; ties count half. */
function areaUnder(usual: readonly number[], wrong: readonly number[]): number {
  let area = 0;
  for (const one of wrong) {
    for (const other of usual) area += (Math.sign(one - other) + 1) / 2;
  }
  return area / (usual.length * wrong.length);
}
