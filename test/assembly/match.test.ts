/** Every matcher answers, and as the oracle does. The blocks are those of Python's difflib, for the pairs of scripts/difflib-digest.py. */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { expect, test } from "vitest";
import type { Query } from "../../src/processor/ports/matcher";
import { metricOf, Oracle } from "../oracle/oracle";
import { timesHere } from "../support/engine";
import { Corpus, type Shape } from "../support/kernel/corpus";
import { DebugKernel } from "../support/kernel/debug-kernel";
import { Random } from "../support/random";

const SEED = 20260421;
const PAIRS = 100_000;
/** The pairs of which the other engine finds the same blocks and ratios: the first ones. */
const FIRST_PAIRS = 10_000;
const ALPHABETS = [1, 2, 3, 5, 10, 50, 1000];
/** Printed by the script under Python 3.11. */
const DIGEST = "c05f6f1d37e1dff6b671c764133dbd88f3b8b7036396f0810ed79452366c5299";
/** Of the first pairs, which are the beginning of what the script prints. */
const FIRST_DIGEST = "bab085c1c1f8f262d600adaf82ff21d31f1b02150b804cd7d3d65ddd27cc6b1f";

function longestOf(kind: number): number {
  if (kind < 70) {
    return 16;
  }
  return kind < 98 ? 80 : 300;
}

/** The same draws in the same order as the script's. */
function pair(random: Random): { model: number[]; memory: number[] } {
  const longest = longestOf(random.below(100));
  const alphabet = random.pick(ALPHABETS);
  const draw = () => Array.from({ length: 1 + random.below(longest) }, () => random.below(alphabet));
  const model = draw();
  if (random.below(3) > 0) {
    return { model, memory: draw() };
  }
  const memory: number[] = [];
  for (const symbol of model) {
    const edit = random.below(8);
    if (edit !== 0) {
      memory.push(edit === 1 ? random.below(alphabet) : symbol);
    }
  }
  return { model, memory: memory.length > 0 ? memory : [0] };
}

/** Blocks and ratio of one pair, as the script prints them. */
function line(kernel: DebugKernel, model: number[], memory: number[]): string {
  kernel.clear();
  kernel.add({ id: 1, frequency: 1, symbols: Uint32Array.from(model), lengths: Uint32Array.of(model.length) });
  const [found] = kernel.predict({
    symbols: Uint32Array.from(memory),
    target: undefined,
    recallThreshold: 0,
    maxPredictions: 1,
    sortMetric: "similarity",
    thresholdMetric: "similarity",
    threshold: 0,
    thresholdAtLeast: true,
    totals: { modelFrequencies: 1, memberFrequencies: 1, symbolFrequencies: 1 },
    knownSymbols: 1,
    steps: Number.MAX_SAFE_INTEGER,
  });
  const ratio = found ? metricOf(found, "similarity") : 0;
  const blocks = found ? blocksOf(memory.map((_, at) => kernel.exports.partnerOf(at))) : [];
  return `${blocks.join(";")}|${bits(ratio)}\n`;
}

/** Runs of memory positions whose partners follow each other, as "model,memory,length". */
function blocksOf(partners: number[]): string[] {
  const blocks: [number, number, number][] = [];
  partners.forEach((partner, at) => {
    const last = blocks.at(-1);
    if (partner < 0) {
      return;
    }
    if (last && last[0] + last[2] === partner && last[1] + last[2] === at) {
      last[2]++;
    } else {
      blocks.push([partner, at, 1]);
    }
  });
  return blocks.map((block) => block.join(","));
}

function bits(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

test("blocks and ratios of random pairs are difflib's", { timeout: 300_000 }, () => {
  const random = new Random(SEED);
  const kernel = new DebugKernel();
  const digest = sha256.create();
  const pairs = timesHere(PAIRS, FIRST_PAIRS);
  for (let at = 0; at < pairs; at++) {
    if (at === FIRST_PAIRS) expect(bytesToHex(digest.clone().digest())).toBe(FIRST_DIGEST);
    const { model, memory } = pair(random);
    digest.update(utf8ToBytes(line(kernel, model, memory)));
  }
  expect(bytesToHex(digest.digest())).toBe(pairs === PAIRS ? DIGEST : FIRST_DIGEST);
});

const SHORT_MODELS: Shape = {
  models: 300,
  symbols: 200,
  events: 5,
  eventSymbols: 15,
  memory: 16,
  skew: "steep",
  frequency: 3,
};

/** Models of such frequencies are not batched. */
const FREQUENT_MODELS: Shape = {
  ...SHORT_MODELS,
  models: 2_500,
  symbols: 400,
  events: 3,
  eventSymbols: 8,
  frequency: 1_000_000,
};

/** With such a query the floor is soon high, and two matches do not keep a model. */
const BEST_OF_LONG_MATCHES: Partial<Query> = {
  ...{ target: undefined, recallThreshold: 0.25, maxPredictions: 1 },
  ...{ sortMetric: "potential", thresholdMetric: "potential", threshold: 0, thresholdAtLeast: true },
};

/** What answers, a corpus whose queries it answers, and what the queries have in common. */
const ANSWERS: [string, Shape, Partial<Query>?][] = [
  ["MATCHED_BATCH_SINGLES", SHORT_MODELS],
  ["MATCHED_BATCH_PAIRS", SHORT_MODELS],
  ["DEFERRED_SINGLES", SHORT_MODELS],
  ["MATCHED_LANE_SINGLES", SHORT_MODELS],
  ["MATCHED_LANES_THEN_SHORT", SHORT_MODELS],
  ["MATCHED_SHORT", { ...SHORT_MODELS, models: 60, symbols: 20, memory: 64 }],
  ["MATCHED_LONG", { ...SHORT_MODELS, models: 60, symbols: 40, memory: 150 }],
  ["DECIDED_BY_LANE_SINGLES", FREQUENT_MODELS],
  ["DECIDED_BY_LONGEST_BLOCK", { ...FREQUENT_MODELS, symbols: 60 }, BEST_OF_LONG_MATCHES],
  ["DEFERRED_SHARED", { ...SHORT_MODELS, symbols: 5_000, events: 2, eventSymbols: 4, skew: "flat" }],
];

test.each(ANSWERS)("%s answers, and as the oracle does", (name, shape, asked) => {
  const corpus = new Corpus(new Random(3), shape);
  const kernel = new DebugKernel();
  const oracle = new Oracle();
  corpus.fill(kernel);
  corpus.fill(oracle);
  for (let question = 0; question < 30; question++) {
    const query = { ...corpus.query(), ...asked };
    expect(kernel.predict(query), JSON.stringify(query)).toEqual(oracle.predict(query));
  }
  expect(kernel.answers(name)).toBeGreaterThan(0);
});
