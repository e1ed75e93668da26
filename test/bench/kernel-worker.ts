/**
 * A Worker around a kernel and nothing else, to measure the kernel where it will run. The clock of a Worker stands still while it
 * works, so the caller takes the time: each request repeats its work.
 */

import wasm from "../../build/kernel.wasm";
import { Kernel } from "../../src/kernel/kernel";
import { KernelMemory } from "../../src/kernel/memory";
import { NEIGHBOURS, type Store, teach, teachVectors, type VectorStore } from "./kernel-questions";

const LIMIT_BYTES = 128 * 1024 * 1024;

let kernel = Kernel.create(new KernelMemory(wasm, LIMIT_BYTES));
/** Functions that each ask one question and return the answer. */
let questions: (() => unknown[])[] = [];

/** Learns a store and prepares its questions. */
function learn(store: Store): void {
  kernel = Kernel.create(new KernelMemory(wasm, LIMIT_BYTES));
  const queries = teach(kernel, store);
  questions = queries.map((query) => () => kernel.predict(query));
}

/** Learns vectors and prepares questions for the nearest ones. */
function learnVectors(store: VectorStore): void {
  kernel = Kernel.create(new KernelMemory(wasm, LIMIT_BYTES));
  const asked = teachVectors(kernel.neighbours, store);
  questions = asked.map((vector) => () => kernel.neighbours.nearest(vector, NEIGHBOURS));
}

const worker = {
  /**
   * `?workload=A&models=N&count=Q&seed=S` and `?dimensions=D&vectors=N&count=Q&seed=S` learn a store. `?question=I&times=T` asks a
   * question T times and returns how much was found; `?question=I&show=1` returns the answer itself.
   */
  async fetch(request: Request): Promise<Response> {
    // workerd passes the target on as it was sent, without a host.
    const { searchParams } = new URL(request.url, "http://bench");
    const number = (name: string) => Number(searchParams.get(name));
    const workload = searchParams.get("workload");
    if (workload) {
      learn({ workload, models: number("models"), count: number("count"), seed: number("seed") });
    } else if (searchParams.has("vectors")) {
      const [dimensions, vectors] = [number("dimensions"), number("vectors")];
      learnVectors({ dimensions, vectors, count: number("count"), seed: number("seed") });
    }
    const ask = questions[number("question")] ?? (() => []);
    if (searchParams.has("show")) {
      return Response.json(ask());
    }
    let found = 0;
    for (let time = 0; time < number("times"); time++) {
      found += ask().length;
    }
    return Response.json({ found, bytes: kernel.bytes });
  },
};

// biome-ignore lint/style/noDefaultExport: the runtime asks for one
export default worker;
