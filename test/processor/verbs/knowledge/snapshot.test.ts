import { describe, expect, it, test } from "vitest";
import { SnapshotBudget, Snapshots } from "../../../../src/processor/knowledge/snapshots";
import { Fault } from "../../../../src/processor/ports/fault";
import type { Processor } from "../../../../src/processor/processor";
import type { KnowledgePage } from "../../../../src/processor/verbs/knowledge/knowledge-page";
import { MemoryStore } from "../../../support/memory-store";
import { openProcessor } from "../../../support/open-processor";
import { gdfOf } from "../../../support/processor/calls";
import { exportForm, formOf, loadAll, pagesOf, type SentKnowledge } from "../../../support/processor/knowledge-form";
import { membersOf } from "../../../support/processor/message-form";
import { add } from "../../../support/processor/model-calls";
import { RandomLife } from "../../../support/processor/random-life";
import { SnapshotReader } from "../../../support/processor/snapshot-reader";
import { Random } from "../../../support/random";
import { ScarceOracle } from "../../../support/scarce-oracle";

const SEEDS = [1, 2, 3, 4, 5];
const EXPORTS = 12;
const LARGE = 1024 ** 3;
const FILLING = "x".repeat(9000);

/** Adds models that are large enough for pages of some ten of them, and symbols alike. */
function fill(processor: Processor, random: Random): void {
  for (let at = 0; at < 40; at++) {
    const own = at % 2 === 0 ? `${random.below(60)}${FILLING}` : `s${random.below(60)}`;
    const sent = { sequence: [["a", own]], metadata: [{ filling: FILLING }], emotives: { u: [at] }, vector: [at, 1] };
    processor.knowledge.addModel(membersOf(sent));
  }
}

/** Every record of all pages, in their order. */
function recordsOf(pages: readonly KnowledgePage[]): string {
  const totals = new Set(pages.map((page) => JSON.stringify([page.revision, page.totals])));
  const models = pages.flatMap((page) => page.models);
  const symbols = pages.flatMap((page) => page.symbols);
  return JSON.stringify({ totals: [...totals], models, symbols, vectors: pages.flatMap((page) => page.vectors) });
}

/** The same of the knowledge base as it is now. */
function recordsNow(processor: Processor): string {
  return recordsOf((["models", "symbols", "vectors"] as const).flatMap((section) => pagesOf(processor, section)));
}

/** A page more of an export; whether the processor refused. */
function readOn(reader: SnapshotReader, processor: Processor): string {
  try {
    reader.read(processor);
    return "";
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.message;
  }
}

test.each(SEEDS)("an export is of the moment of its first page, whatever happens meanwhile (%i)", (seed) => {
  const random = new Random(seed);
  const life = new RandomLife(random);
  const store = new MemoryStore();
  const snapshots = new Snapshots(new SnapshotBudget(LARGE), () => 0);
  let isFull = false;
  const open = () => openProcessor(store, new ScarceOracle(() => isFull), snapshots);
  let processor = open();
  const live = () => {
    const before = store.recorded.length;
    isFull = random.below(6) === 0;
    try {
      store.transaction(() => (random.below(30) === 0 ? processor.memory.clearAllMemory(true) : life.live(processor)));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      isFull = false;
      if (store.recorded.length !== before) processor = open();
    } finally {
      isFull = false;
    }
  };
  let pages = 0;
  for (let count = 0; count < EXPORTS; count++) {
    fill(processor, random);
    const readers: { reader: SnapshotReader; expected: string }[] = [];
    for (let begun = 0; begun < 2; begun++) {
      readers.push({ reader: new SnapshotReader(`${count}-${begun}`), expected: recordsNow(processor) });
      readers.at(-1)?.reader.read(processor);
      for (let steps = random.below(6); steps > 0; steps--) live();
    }
    while (readers.some(({ reader }) => !reader.isDone)) {
      const { reader } = random.pick(readers.filter(({ reader: { isDone } }) => !isDone));
      expect(readOn(reader, processor)).toBe("");
      pages++;
      for (let steps = random.below(6); steps > 0; steps--) live();
    }
    for (const { reader, expected } of readers) {
      expect(recordsOf(reader.pages)).toBe(expected);
    }
    expect(snapshots.isEmpty).toBe(true);
    const loaded = openProcessor();
    const form = formOf(readers[0]?.reader.pages ?? []);
    loadAll(loaded, form as unknown as SentKnowledge);
    expect(JSON.stringify(exportForm(loaded))).toBe(JSON.stringify(form));
  }
  expect(pages).toBeGreaterThan(EXPORTS * 8);
});

/** A processor whose models need several pages, and the clock of its snapshots. */
function filled(limitBytes = LARGE) {
  const store = new MemoryStore();
  const clock = { now: 0 };
  const snapshots = new Snapshots(new SnapshotBudget(limitBytes), () => clock.now);
  const processor = openProcessor(store, undefined, snapshots);
  fill(processor, new Random(1));
  const open = () => openProcessor(store, undefined, new Snapshots(new SnapshotBudget(limitBytes), () => clock.now));
  return { processor, clock, snapshots, open };
}

function begun(processor: Processor, name = "one"): SnapshotReader {
  const reader = new SnapshotReader(name);
  reader.read(processor);
  return reader;
}

function readAll(reader: SnapshotReader, processor: Processor): string {
  while (!reader.isDone) {
    const refusal = readOn(reader, processor);
    if (refusal !== "") return refusal;
  }
  return "";
}

const names = (processor: Processor) =>
  pagesOf(processor, "models").flatMap(({ models }) => models.map((one) => one.name));

describe("a snapshot", () => {
  it("ends, and only it, when what it keeps is more than the budget", () => {
    const { processor } = filled(150_000);
    const before = exportForm(processor);
    const [first, quick] = [begun(processor), begun(processor, "two")];
    expect(readAll(quick, processor)).toBe("");
    for (const name of names(processor)) processor.knowledge.deleteModel(name);
    expect(readAll(first, processor)).toContain("the export was lost between two pages");
    expect(readAll(first, processor)).toContain("150000 bytes");
    expect(formOf(quick.pages)).toEqual(before);
    expect(readAll(begun(processor, "three"), processor)).toBe("");
  });

  it("leaves its budget to others when it is read, or ends", () => {
    const { processor } = filled(1_500_000);
    for (let count = 0; count < 20; count++) {
      const reader = begun(processor, `${count}`);
      for (const name of names(processor)) processor.knowledge.deleteModel(name);
      expect(readAll(reader, processor)).toBe("");
      fill(processor, new Random(count));
    }
  });

  it("forgets what its reader has, so that a long export needs no more than a short one", () => {
    const { processor } = filled(650_000);
    const reader = begun(processor);
    const all = names(processor);
    while (reader.pages.at(-1)?.more) {
      const last = reader.pages.at(-1)?.models.at(-1)?.name ?? "";
      for (const name of all.filter((each) => each > last).slice(0, 6)) {
        processor.knowledge.updateModel({ name, frequency: 9 });
      }
      expect(readOn(reader, processor)).toBe("");
    }
    expect(readAll(reader, processor)).toBe("");
  });

  it("is opened again after an eviction if nothing has changed, and is lost otherwise", () => {
    const { processor, open } = filled();
    const before = exportForm(processor);
    const [still, moved] = [begun(processor), begun(processor, "two")];
    const again = open();
    again.memory.observe(gdfOf({ strings: ["a", "b"] }), []);
    expect(readAll(still, again)).toBe("");
    expect(formOf(still.pages)).toEqual(before);
    again.memory.learn();
    expect(readAll(moved, again)).toContain("begin again");
  });

  it("is given up at the next change when its reader is away for longer than a minute", () => {
    const { processor, clock, snapshots } = filled();
    const reader = begun(processor);
    clock.now = 61_000;
    expect(snapshots.isEmpty).toBe(false);
    add(processor, { sequence: [["n"], ["m"]] });
    expect(snapshots.isEmpty).toBe(true);
    expect(readAll(reader, processor)).toContain("the reader paused for too long");
  });

  it("is refused when 16 are being read, and takes the place of one whose reader has paused for 2 seconds", () => {
    const { processor, clock } = filled();
    for (let count = 0; count < 16; count++) begun(processor, `${count}`);
    expect(() => begun(processor, "more")).toThrow("16 exports of this processor are being read");
    clock.now = 2000;
    begun(processor, "more");
  });

  it("is read forwards, and the same page twice", () => {
    const { processor } = filled();
    const { revision, models } = processor.knowledge.exportKnowledge({
      section: "models",
      after: "",
      revision: 0,
      snapshot: "s",
    });
    const next = { section: "models", after: models.at(-1)?.name ?? "", revision, snapshot: "s" } as const;
    const page = processor.knowledge.exportKnowledge(next);
    for (const name of names(processor)) processor.knowledge.deleteModel(name);
    expect(processor.knowledge.exportKnowledge(next)).toEqual(page);
    expect(() => processor.knowledge.exportKnowledge({ ...next, after: "" })).toThrow("read in order");
  });

  it("has a name of at most 64 characters", () => {
    expect(() => begun(filled().processor, "n".repeat(65))).toThrow("at most 64 characters, got 65");
  });
});

test.each([
  86_400_000,
  3_650 * 86_400_000,
])("when the clock was %d ms ahead for a moment, an export that is not read on makes room as soon after as ever", (ms) => {
  const { processor, clock } = filled();
  clock.now = ms;
  for (let at = 0; at < 16; at++) begun(processor, `e${at}`);
  clock.now = 0;
  expect(() => begun(processor, "more")).toThrow("16 exports");
  clock.now = 1_999;
  expect(() => begun(processor, "more")).toThrow("16 exports");
  clock.now = 2_001;
  begun(processor, "more");
});
