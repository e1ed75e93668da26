/** Observes sequences with predictions on: how long that takes, and for how many records it is not found out whether there is one. */

import { Kernel } from "../../src/kernel/kernel";
import { KernelMemory } from "../../src/kernel/memory";
import { PoolingForecaster } from "../../src/processor/prediction/estimator/pooling-forecaster";
import { Processor } from "../../src/processor/processor";
import { DEFAULT_BUDGETS } from "../../src/text/budgets";
import { MemoryStore } from "../support/memory-store";
import { gdfOf, geneChangesOf } from "../support/processor/calls";
import { Random } from "../support/random";

/** What is taught: models and how many symbols each has, of how many different ones, drawn how. */
export interface Lesson {
  models: number;
  length: number;
  symbols: number;
  /** Chance, 0 to 1, that the next symbol is the one that usually follows. */
  habit: number;
  recall: number;
  /** How many sequences are asked about, each record for itself. */
  asked: number;
}

/** What a lesson took. */
export interface Effort {
  records: number;
  /** Records with a prediction, as a question with all steps finds it. */
  predicted: number;
  /** Records for which it was not found out; and among them those that have a prediction. */
  unknown: number;
  wrong: number;
  /** Milliseconds of a sequence of records, median and most. */
  medianMs: number;
  mostMs: number;
}

/** Symbols of which each is usually followed by the same one. */
function sequenceOf({ length, symbols, habit }: Lesson, random: Random): string[] {
  let last = random.below(symbols);
  return Array.from({ length }, () => {
    last = random.fraction() < habit ? (last * 7 + 1) % symbols : random.below(symbols);
    return `s${last}`;
  });
}

function open(module: WebAssembly.Module, matchingSteps: number): Processor {
  const matcher = Kernel.create(new KernelMemory(module));
  const parts = { store: new MemoryStore(), matcher, neighbours: matcher.neighbours };
  const forecaster = new PoolingForecaster(matcher.forecastRules);
  const budgets = { ...DEFAULT_BUDGETS, matchingSteps };
  return Processor.open({ id: "p1", name: "P1", ...parts, forecaster, budgets });
}

function taught(module: WebAssembly.Module, lesson: Lesson, matchingSteps: number, random: Random): Processor {
  const processor = open(module, matchingSteps);
  processor.genes.change(geneChangesOf({ recall_threshold: lesson.recall }));
  for (let model = 0; model < lesson.models; model++) {
    const events = sequenceOf(lesson, random).map((symbol) => ({ symbols: [symbol] }));
    processor.knowledge.addModel({ sequence: { events } });
  }
  return processor;
}

/** Measures one lesson. */
export function measure(module: WebAssembly.Module, lesson: Lesson): Effort {
  const bounded = taught(module, lesson, DEFAULT_BUDGETS.matchingSteps, new Random(3));
  const exact = taught(module, lesson, 4_000_000_000, new Random(3));
  const random = new Random(4);
  const effort = { records: 0, predicted: 0, unknown: 0, wrong: 0 };
  const times: number[] = [];
  for (let at = 0; at < lesson.asked; at++) {
    const sequence = sequenceOf(lesson, random).map((symbol) => gdfOf({ strings: [symbol] }));
    const begun = performance.now();
    const { observed, omitted } = bounded.memory.observeSequence({ sequence, learn: false, clear: true });
    times.push(performance.now() - begun);
    const truth = exact.memory.observeSequence({ sequence, learn: false, clear: true });
    if (truth.omitted.prediction > 0) throw new Error("the lesson is too large to find out what is right");
    effort.records += observed.length;
    effort.unknown += omitted.prediction;
    truth.observed.forEach(({ predictionMade }, place) => {
      effort.predicted += predictionMade ? 1 : 0;
      effort.wrong += predictionMade !== observed[place]?.predictionMade ? 1 : 0;
    });
  }
  times.sort((one, other) => one - other);
  return { ...effort, medianMs: times[times.length >> 1] ?? 0, mostMs: times.at(-1) ?? 0 };
}
