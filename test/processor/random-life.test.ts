/** After any sequence of verbs, the counters agree with the models, and a processor opened from the store answers alike. */

import { expect, test } from "vitest";
import { Fault } from "../../src/processor/ports/fault";
import type { Processor } from "../../src/processor/processor";
import { MemoryStore } from "../support/memory-store";
import { openProcessor } from "../support/open-processor";
import { pagesOf } from "../support/processor/knowledge-form";
import { RandomLife } from "../support/processor/random-life";
import { memoryReadingsOf, readingsOf, recount, symbolIds } from "../support/processor/readings";
import { Random } from "../support/random";
import { ScarceOracle } from "../support/scarce-oracle";

const SEEDS = [1, 2, 3, 4, 5, 6];
const STEPS = 800;
/** How many steps are taken from one look at what is stored to the next: to open a processor and to count all takes longer than a step. */
const STEPS_A_LOOK = 2;
const SESSIONS = ["s", "t"];

/** The result of a step; no processor when it may be ahead of the store. */
interface Outcome {
  processor: Processor | undefined;
  refused: boolean;
  /** Whether something of the processor had to be read anew. */
  reread: boolean;
}

/** Everything that the processor answers, with its own memory and in sessions. */
function allReadingsOf(processor: Processor): unknown {
  return [readingsOf(processor), SESSIONS.map((session) => memoryReadingsOf(processor.in(session)))];
}

/** Runs one random verb in a session as an owner does. */
function step(life: RandomLife, processor: Processor, session: string, store: MemoryStore): Outcome {
  const { changes } = store;
  const records = store.recorded.length;
  try {
    store.transaction(() => life.live(processor.in(session)));
    return { processor, refused: false, reread: false };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (store.recorded.length !== records) return { processor: undefined, refused: true, reread: true };
    const reread = store.changes !== changes;
    return { processor: reread ? processor.reread(session) : processor, refused: true, reread };
  }
}

function expectCountersRight(processor: Processor, store: MemoryStore): void {
  const pages = pagesOf(processor, "symbols");
  const counted = recount(processor);
  expect(new Set(pages.flatMap(({ symbols }) => symbols))).toEqual(new Set(counted.symbols));
  expect(pages[0]?.totals).toEqual(counted.totals);
  expect(symbolIds(store).length).toBe(counted.symbols.length);
}

test.each(SEEDS)("life %i", (seed) => {
  const random = new Random(seed);
  const life = new RandomLife(random);
  const store = new MemoryStore();
  let isFull = false;
  const open = () => openProcessor(store, new ScarceOracle(() => isFull));
  let processor = open();
  const seen = { refusals: 0, reread: 0, predictions: 0 };
  let before = allReadingsOf(processor);
  for (let at = 0; at < STEPS; at++) {
    isFull = random.below(10) === 0;
    const outcome = step(life, processor, random.pick(["", "", ...SESSIONS]), store);
    isFull = false;
    processor = outcome.processor ?? open();
    const after = allReadingsOf(processor);
    if (outcome.refused) expect(after).toEqual(before);
    if (at % STEPS_A_LOOK === 0) {
      expect(allReadingsOf(open())).toEqual(after);
      expectCountersRight(processor, store);
    }
    seen.refusals += outcome.refused ? 1 : 0;
    seen.reread += outcome.reread ? 1 : 0;
    seen.predictions += processor.memory.getPredictions("").predictions.length;
    before = after;
  }
  expect(seen.refusals).toBeGreaterThan(20);
  expect(seen.reread).toBeGreaterThan(0);
  expect(seen.predictions).toBeGreaterThan(100);
}, 300_000);
