/**
 * A Worker around a kernel and nothing else, to measure the kernel where it will run. A runtime's clock stands still while it works,
 * so whoever asks measures: each request does its work so many times.
 */

import wasm from "../../build/kernel.wasm";
import { Kernel } from "../../src/kernel/kernel";
import type { Query } from "../../src/processor/matcher";
import { Random } from "../kernel/random";
import { A, B, C, Generator, type Workload } from "./workload";

const WORKLOADS: Record<string, Workload> = { A, B, C };
const LIMIT_BYTES = 128 * 1024 * 1024;

let kernel = Kernel.create(wasm, LIMIT_BYTES);
let questions: (() => number)[] = [];

/** Learns models, and prepares questions about memories. */
function learn(workload: Workload, models: number, count: number, seed: number): void {
  kernel = Kernel.create(wasm, LIMIT_BYTES);
  const generator = new Generator(workload, seed);
  const frequencies = new Float64Array(workload.vocabulary);
  const totals = { modelFrequencies: models, memberFrequencies: 0, symbolFrequencies: 0 };
  for (let id = 1; id <= models; id++) {
    const model = generator.model(id);
    kernel.add(model);
    totals.memberFrequencies += new Set(model.symbols).size;
    totals.symbolFrequencies += model.symbols.length;
    for (const symbol of model.symbols) {
      frequencies[symbol] = (frequencies[symbol] ?? 0) + 1;
    }
  }
  frequencies.forEach((frequency, symbol) => {
    kernel.setSymbolFrequency(symbol, frequency);
  });
  questions = Array.from({ length: count }, () => {
    const query: Query = {
      memory: generator.memory(),
      target: undefined,
      recallThreshold: 0.1,
      maxPredictions: 100,
      sortMetric: "potential",
      thresholdMetric: "potential",
      threshold: 0,
      thresholdAtLeast: true,
      totals,
      knownSymbols: frequencies.filter((frequency) => frequency > 0).length,
    };
    return () => kernel.predict(query).length;
  });
}

/** Learns vectors of fractions, and prepares questions for the three nearest. */
function learnVectors(dimensions: number, vectors: number, count: number, seed: number): void {
  kernel = Kernel.create(wasm, LIMIT_BYTES);
  const random = new Random(seed);
  const draw = () => Float64Array.from({ length: dimensions }, () => random.fraction());
  for (let at = 0; at < vectors; at++) {
    kernel.neighbours.add(draw());
  }
  questions = Array.from({ length: count }, () => {
    const vector = draw();
    return () => kernel.neighbours.nearest(vector, 3).length;
  });
}

const worker = {
  /** `?workload=A&models=N&count=Q&seed=S` or `?dimensions=D&vectors=N&count=Q&seed=S` learns; `?question=I&times=T` asks. */
  async fetch(request: Request): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const number = (name: string) => Number(searchParams.get(name));
    const workload = WORKLOADS[searchParams.get("workload") ?? ""];
    if (workload) {
      learn(workload, number("models"), number("count"), number("seed"));
    } else if (searchParams.has("vectors")) {
      learnVectors(number("dimensions"), number("vectors"), number("count"), number("seed"));
    }
    let found = 0;
    for (let time = 0; time < number("times"); time++) {
      found += questions[number("question")]?.() ?? 0;
    }
    return Response.json({ found, bytes: kernel.bytes });
  },
};

// biome-ignore lint/style/noDefaultExport: the runtime asks for one
export default worker;
