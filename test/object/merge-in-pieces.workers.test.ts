/** A merge in pieces: all of it or nothing, in memory and on disk, whatever comes between two pieces. */

import { env, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { modelName, vectorName } from "../../src/processor/knowledge/names";
import type { Processor } from "../../src/processor/processor";
import { type HostAtOnce, hostOn, newHostOn } from "../support/object/hosts";
import { pagesOf } from "../support/processor/knowledge-form";

/** More than two pieces. */
const MODELS = 600;
const VECTORS = 300;

const eventsOf = (at: number) => [`s${at % 40}`, `t${at}`].map((symbol) => ({ symbols: [symbol] }));

function modelOf(at: number) {
  const sequence = eventsOf(at);
  const name = modelName(sequence.map(({ symbols }) => symbols));
  return { name, sequence, frequency: 1 + (at % 3), emotives: [], metadataJson: [] };
}

function vectorOf(at: number) {
  const components = [at, 1];
  return { name: vectorName(Float64Array.from(components)), components };
}

/** Loads some models and stages many: some of these are known. Learned ones would say when. */
function stage({ knowledge }: Processor): void {
  knowledge.beginLoad("known");
  const known = [3, 400, 599, 900].map((at) => ({ ...modelOf(at), frequency: 5 }));
  knowledge.loadKnowledge({ loadId: "known", models: known, vectors: [] });
  knowledge.commitLoad("known");
  const { loadId } = knowledge.beginLoad("load");
  for (let from = 0; from < MODELS; from += 100) {
    const models = Array.from({ length: 100 }, (_, at) => modelOf(from + at));
    const vectors = Array.from({ length: VECTORS / 6 }, (_, at) => vectorOf(from / 2 + at));
    knowledge.loadKnowledge({ loadId, models, vectors });
  }
}

/** Runs `work` on the host of a processor that has staged a merge, in an object of its own. */
function onStaged<Outcome>(work: (host: HostAtOnce, storage: DurableObjectStorage) => Outcome): Promise<Outcome> {
  return runInDurableObject(env.PROCESSORS.getByName(crypto.randomUUID()), (_, { storage }) => {
    const host = newHostOn(storage);
    host.run(true, stage);
    return work(host, storage);
  });
}

/** Merges in pieces. @param between called before each piece @returns the number of pieces */
async function merge(host: HostAtOnce, between: (pieces: number) => void = () => undefined): Promise<number> {
  let pieces = 0;
  let merging: ReturnType<Processor["knowledge"]["beginMerge"]> | undefined;
  await host.inPieces(() => {
    between(pieces++);
    return host.run(true, ({ knowledge }) => {
      merging ??= knowledge.beginMerge("load");
      knowledge.mergePart(merging);
      return merging.isDone;
    });
  });
  return pieces;
}

function viewOf(host: HostAtOnce): unknown[] {
  return host.run(false, (processor) => [
    ...(["models", "symbols", "vectors"] as const).flatMap((section) => pagesOf(processor, section, true)),
    processor.inspection.getStatus(),
  ]);
}

test("gives what one piece gives, in memory and on disk", async () => {
  const whole = await onStaged((host) => {
    host.run(true, ({ knowledge }) => knowledge.mergeLoad("load"));
    return viewOf(host);
  });
  const [pieces, after, reopened] = await onStaged(async (host, storage) => {
    const count = await merge(host);
    return [count, viewOf(host), viewOf(hostOn(storage))];
  });
  expect(pieces).toBeGreaterThan(3);
  expect(after).toStrictEqual(whole);
  expect(reopened).toStrictEqual(whole);
});

test("goes on when the processor has left memory between two pieces", async () => {
  const [inOne, after] = [
    await onStaged(async (host) => {
      await merge(host);
      return viewOf(host);
    }),
    await onStaged(async (host) => {
      await merge(host, (pieces) => {
        if (pieces === 2) host.kernelReleased();
      });
      return viewOf(host);
    }),
  ];
  expect(after).toStrictEqual(inOne);
});

test("that fails in a later piece leaves everything as it was, and what is staged can be merged again", async () => {
  const [error, before, after, reopened, merged] = await onStaged(async (host, storage) => {
    const seen = viewOf(host);
    const failing = merge(host, (pieces) => {
      if (pieces === 2) throw new Error("defect");
    });
    const thrown = await failing.catch((reason: unknown) => reason);
    const views = [viewOf(host), viewOf(hostOn(storage))];
    return [thrown, seen, ...views, await merge(host)];
  });
  expect(error).toMatchObject({ message: "defect" });
  expect(after).toStrictEqual(before);
  expect(reopened).toStrictEqual(before);
  expect(merged).toBeGreaterThan(3);
});
