/** What a head notes, asks and carries, without objects. */

import { describe, expect, test } from "vitest";
import type { Kernel } from "../../../src/kernel/kernel";
import { ChangeLog } from "../../../src/object/parts/change-log";
import { deliveriesOf, FanOut, MAX_OPEN_CALLS } from "../../../src/object/parts/fan-out";
import { InTurn } from "../../../src/object/parts/in-turn";
import { HeadMemory, Journal, PartsNeeded } from "../../../src/object/parts/journal";
import type { PartDelivery, PartOutcome } from "../../../src/object/parts/messages";
import { type Amount, bytesOf } from "../../../src/object/parts/part-bytes";
import { PartSizes } from "../../../src/object/parts/part-sizes";
import { Fault } from "../../../src/processor/ports/fault";
import type { PartAnswer, PartChange, PartQuestion } from "../../../src/processor/ports/parts";
import { ScratchSymbols } from "../../../src/processor/split/scratch";
import { soleKernel } from "../../support/kernel/sole-kernel";
import { Random } from "../../support/random";

const FAMILY = { agent: "a", id: "p", jurisdiction: "" };

function forgotten(id: number): PartChange {
  return { kind: "remove", id, symbols: 1, events: 1 };
}

/** A question about one symbol. */
function counting(symbol: number, steps: number): PartQuestion {
  return { kind: "count", query: { symbols: Uint32Array.of(symbol), steps } } as unknown as PartQuestion;
}

function counted(count: number): PartAnswer {
  return { steps: 1, counts: [count] };
}

function bodiesOf(...ids: number[]): PartQuestion {
  return { kind: "bodies", ids: Float64Array.from(ids) };
}

/** Models of one event each. */
function bodies(...models: [number, number[] | undefined][]): PartAnswer {
  return {
    steps: 0,
    bodies: {
      ids: Float64Array.from(models, ([id]) => id),
      eventCounts: new Uint32Array(models.length).fill(1),
      lengths: Uint32Array.from(models, ([, symbols = []]) => symbols.length),
      symbols: Uint32Array.from(models.flatMap(([, symbols = []]) => symbols)),
    },
  };
}

describe("messages for many parts", () => {
  test.each([
    1, 6, 7, 42, 43, 64, 300,
  ])("reach %i of them, each once, and no object waits for more than six calls", async (count) => {
    const reached: number[] = [];
    let most = 0;
    const objects = new Map<number, FanOut>();
    const outcomes = async (from: FanOut, deliveries: readonly PartDelivery[]): Promise<PartOutcome[]> =>
      from.carry(FAMILY, deliveries);
    const newObject = () => {
      let open = 0;
      return new FanOut(async (_, { part, onwards }) => {
        most = Math.max(most, ++open);
        reached.push(part);
        const own = objects.get(part) ?? newObject();
        objects.set(part, own);
        await Promise.resolve();
        const replies = await outcomes(own, onwards);
        open--;
        return [{ part, reply: { kind: "failed", reason: "" } }, ...replies];
      });
    };
    const items = Array.from({ length: count }, (_, part) => ({ part, message: { kind: "look" } as const }));
    const replies = await outcomes(newObject(), deliveriesOf(items));
    expect(reached.sort((one, other) => one - other)).toEqual(items.map(({ part }) => part));
    expect(replies.map(({ part }) => part).sort((one, other) => one - other)).toEqual(reached);
    expect(most).toBe(Math.min(count, MAX_OPEN_CALLS));
  });

  test("are lost with the part that was to carry them on, and with one that is silent", async () => {
    const fanOut = new FanOut(
      (_, { part }) => (part === 0 ? Promise.reject(new Error("gone")) : new Promise(() => {})),
      5,
    );
    const items = Array.from({ length: 14 }, (_, part) => ({ part, message: { kind: "look" } as const }));
    const outcomes = await fanOut.carry(FAMILY, deliveriesOf(items));
    expect(outcomes).toHaveLength(14);
    expect(outcomes.every(({ reply }) => reply === undefined)).toBe(true);
  });
});

test("a part that never answers keeps no place, and is named; those behind it are not asked", async () => {
  const fanOut = new FanOut((_, { part }) => (part < 6 ? new Promise(() => {}) : Promise.resolve([])), 5);
  const items = Array.from({ length: 12 }, (_, part) => ({ part: part % 6, message: { kind: "look" } as const }));
  for (let round = 0; round < 2; round++) {
    const outcomes = await fanOut.carry(FAMILY, deliveriesOf(items));
    expect(outcomes.filter(({ isSilent }) => isSilent)).toHaveLength(6);
  }
  expect(await fanOut.carry(FAMILY, deliveriesOf([{ part: 6, message: { kind: "look" } }]))).toEqual([]);
});

describe("the log of a part", () => {
  test("expects the changes of a verb that runs again", () => {
    const log = new ChangeLog(16 * 1024 * 1024);
    const { epoch } = log;
    log.add(forgotten(1));
    log.add(forgotten(2));
    expect(log.from(0)).toEqual([forgotten(1), forgotten(2)]);
    log.begins();
    expect([log.now, log.stored]).toEqual([0, 0]);
    log.add(forgotten(1));
    log.add(forgotten(2));
    log.add(forgotten(3));
    log.commits();
    expect([log.epoch, log.stored, log.needsFill]).toEqual([epoch, 3, false]);
    expect(log.isAt(2)).toBe(true);
    expect(log.from(log.begin)).toEqual([forgotten(3)]);
  });

  test.each([
    ["makes another change", (log: ChangeLog) => log.add(forgotten(9))],
    ["makes none", () => {}],
  ])("begins anew where a verb that was told to the part %s the next time", (_, again) => {
    const log = new ChangeLog(16 * 1024 * 1024);
    const { epoch } = log;
    log.add(forgotten(1));
    log.from(0);
    log.begins();
    again(log);
    log.commits();
    expect(log.epoch).not.toBe(epoch);
    expect(log.needsFill).toBe(true);
  });

  test("goes on after a verb that failed untold, and begins anew after one that was told", () => {
    const log = new ChangeLog(16 * 1024 * 1024);
    const { epoch } = log;
    log.add(forgotten(1));
    log.fails();
    expect([log.epoch, log.now]).toEqual([epoch, 0]);
    log.begins();
    log.add(forgotten(2));
    log.from(0);
    log.fails();
    expect(log.epoch).not.toBe(epoch);
    log.isFilled();
    expect([log.needsFill, log.known, log.stored]).toEqual([false, 0, 0]);
  });

  test("keeps no more for a part than it may", () => {
    const log = new ChangeLog(16 * 1024 * 1024);
    const model = { id: 1, frequency: 1, symbols: new Uint32Array(100_000), lengths: Uint32Array.of(100_000) };
    for (let learned = 0; learned < 30 && !log.needsFill; learned++) {
      log.begins();
      log.add({ kind: "add", model: { ...model, id: learned } });
      log.commits();
    }
    expect(log.needsFill).toBe(true);
    expect(log.pendingBytes).toBe(0);
  });
});

describe("the journal of a verb", () => {
  test("answers the same questions again, at the same place in its changes, whatever steps they allow", () => {
    const journal = new Journal();
    journal.begins();
    expect(journal.answersTo(counting(1, 100), 0)).toEqual([]);
    expect(journal.open).toEqual([counting(1, 100)]);
    expect(journal.isAhead).toBe(true);
    journal.answered([[{ steps: 50, counts: [7] }]]);
    journal.begins();
    expect(journal.answersTo(counting(1, 100), 0)).toEqual([{ steps: 50, counts: [7] }]);
    expect(journal.answersTo(counting(1, 60), 0)).toHaveLength(1);
    expect(journal.answersTo(counting(1, 200), 0)).toHaveLength(1);
    expect(journal.isAhead).toBe(false);
    expect(journal.answersTo(counting(1, 100), 3)).toEqual([]);
    journal.begins();
    expect(journal.answersTo(counting(2, 100), 0)).toEqual([]);
    expect(journal.isAhead).toBe(true);
    // One that has ended early is asked again by who may take more.
    journal.answered([[{ steps: 101, counts: [] }]]);
    journal.begins();
    expect(journal.answersTo(counting(2, 90), 0)).toHaveLength(1);
    expect(journal.answersTo(counting(2, 200), 0)).toEqual([]);
  });

  test("goes on after a question that is open, and ends where changes follow", () => {
    const journal = new Journal();
    journal.begins();
    for (const symbol of [1, 2, 3]) expect(journal.answersTo(counting(symbol, 9), 0)).toEqual([]);
    expect(() => journal.answersTo(counting(1, 9), 2)).toThrow(PartsNeeded);
    expect(journal.open).toEqual([1, 2, 3].map((symbol) => counting(symbol, 9)));
    // The parts may answer some of them only.
    journal.answered([[counted(1)], [counted(2)]]);
    journal.begins();
    expect(journal.answersTo(counting(1, 9), 0)).toEqual([counted(1)]);
    expect(journal.answersTo(counting(2, 9), 0)).toEqual([counted(2)]);
    expect(journal.answersTo(counting(3, 9), 0)).toEqual([]);
  });

  test("asks no further ahead than was right", () => {
    const journal = new Journal();
    const asked = () => {
      journal.begins();
      try {
        for (let symbol = 0; symbol < 4_000; symbol++) journal.answersTo(counting(symbol + 4_000 * ++round, 9), 0);
      } catch (error) {
        if (!(error instanceof PartsNeeded)) throw error;
      }
      const { length } = journal.open;
      journal.answered(journal.open.map((_, at) => [counted(at)]));
      return length;
    };
    let round = 0;
    expect([asked(), asked(), asked(), asked()]).toEqual([256, 512, 1, 1]);
    const right = new Journal();
    const open: number[] = [];
    for (let run = 0; run < 5; run++) {
      right.begins();
      expect(() => {
        for (let symbol = 0; ; symbol++) right.answersTo(counting(symbol, 9), 0);
      }).toThrow(PartsNeeded);
      open.push(right.open.length);
      right.answered(right.open.map((_, at) => [counted(at)]));
    }
    expect(open).toEqual([256, 512, 1024, 1024, 1024]);
  });

  test("rehearses what will surely ask more, and nothing behind changes", () => {
    const neighbours = { kind: "neighbours", contexts: [] } as PartQuestion;
    const found = [{ found: [{ ids: Float64Array.of(7) }], steps: 1 }] as unknown as PartAnswer[];
    for (const [place, isRehearsed] of [
      [0, true],
      [3, false],
    ] as const) {
      const journal = new Journal();
      const isAhead = (): boolean => {
        journal.begins();
        return journal.isAhead;
      };
      expect(isAhead()).toBe(false);
      for (const symbol of [1, 2]) journal.answersTo(counting(symbol, 9), place);
      // One question is left.
      journal.answered([[counted(1)]]);
      expect(isAhead()).toBe(isRehearsed);
      for (const symbol of [1, 2]) journal.answersTo(counting(symbol, 9), place);
      journal.answersTo(neighbours, place);
      // The events of a neighbour are unknown.
      journal.answered([[counted(2)], found]);
      expect(isAhead()).toBe(isRehearsed);
      journal.answersTo(neighbours, place);
      journal.bodiesOf(Float64Array.of(7), place);
      journal.answered([[bodies([7, [1]])]]);
      expect(isAhead()).toBe(false);
    }
  });

  test("asks for the events of a model once, and knows those of the verb's own", () => {
    const journal = new Journal();
    const events = { lengths: Uint32Array.of(2), symbols: Uint32Array.of(4, 5) };
    journal.begins();
    journal.adds(9, events);
    expect(journal.bodiesOf(Float64Array.of(9), 1)).toEqual([events]);
    expect(journal.bodiesOf(Float64Array.of(1, 2, 9), 1)).toBeUndefined();
    expect(journal.bodiesOf(Float64Array.of(2, 3), 1)).toBeUndefined();
    expect(journal.open).toEqual([bodiesOf(1, 2), bodiesOf(3)]);
    const [one, two, three] = [1, 2, 3].map((id) => [id, id + 1]);
    journal.answered([
      [bodies([2, two]), bodies([1, one])],
      [bodies([3, three]), bodies()],
    ]);
    journal.begins();
    expect(journal.bodiesOf(Float64Array.of(1, 3, 9), 1)?.map(({ symbols }) => [...symbols])).toEqual([
      one,
      three,
      [4, 5],
    ]);
    journal.bodiesOf(Float64Array.of(7), 1);
    journal.answered([[bodies()]]);
    journal.begins();
    expect(() => journal.bodiesOf(Float64Array.of(7), 1)).toThrow("have 0 of the 1 models that they named before");
  });

  test("keeps what was asked, whatever becomes of it", () => {
    const journal = new Journal();
    const ids = Float64Array.of(7);
    const question = { kind: "explain", query: { symbols: ids }, id: 1 } as unknown as PartQuestion;
    journal.begins();
    journal.answersTo(question, 0);
    ids[0] = 8;
    expect(journal.open).toEqual([{ kind: "explain", query: { symbols: Float64Array.of(7) }, id: 1 }]);
  });

  test("asks nothing more once the parts are away, and not without end", () => {
    const journal = new Journal();
    journal.begins();
    journal.answersTo(counting(1, 9), 0);
    journal.failed(new Fault("unavailable", "away"));
    journal.begins();
    expect(() => journal.answersTo(counting(1, 9), 0)).toThrow("away");
    const endless = new Journal();
    for (let asked = 0; asked < 4_096; asked++) {
      endless.begins();
      for (let before = Math.max(0, asked - 3); before < asked; before++) endless.answersTo(counting(before, 9), 0);
      expect(endless.answersTo(counting(asked, 9), 0)).toEqual([]);
      endless.answered([[counted(asked)]]);
    }
    endless.begins();
    expect(() => endless.answersTo(counting(4_096, 9), 0)).toThrow("more than 4096 times");
    const large = new Journal();
    large.begins();
    large.answersTo(counting(1, 9), 0);
    large.answered([[{ steps: 0, counts: new Float64Array(7 * 1024 ** 2) } as unknown as PartAnswer]]);
    large.begins();
    expect(large.answersTo(counting(1, 9), 0)).toHaveLength(1);
    expect(() => large.answersTo(counting(2, 9), 0)).toThrow("with more than 48 MiB");
  });
});

describe("what a head knows between verbs", () => {
  test("is of the models as they are stored", () => {
    const memory = new HeadMemory();
    const verb = (place: number, ask: (journal: Journal) => void, end: (journal: Journal) => void) => {
      const journal = new Journal(memory);
      journal.begins();
      ask(journal);
      const { open } = journal;
      if (journal.isAhead) journal.answered(open.map((_, at) => [counted(place + at)]));
      journal.begins();
      ask(journal);
      end(journal);
      return open.length;
    };
    const ask = (journal: Journal) => journal.answersTo(counting(1, 9), 0);
    const commit = (journal: Journal) => journal.commits(0);
    expect([verb(0, ask, commit), verb(0, ask, commit)]).toEqual([1, 0]);
    const change = (journal: Journal) => journal.answersTo(counting(1, 9), 4);
    expect(verb(4, change, (journal) => journal.fails())).toBe(1);
    expect(verb(0, ask, commit)).toBe(0);
    // After changes, what was asked behind all of them is known.
    expect(verb(4, change, (journal) => journal.commits(4))).toBe(1);
    expect(new Journal(memory).answersTo(counting(1, 9), 0)).toEqual([counted(4)]);
    expect(verb(0, change, (journal) => journal.commits(5))).toBe(1);
    expect(verb(0, ask, commit)).toBe(1);
  });

  test("takes no more bytes than it may", () => {
    const memory = new HeadMemory();
    const journal = new Journal(memory);
    const symbols = new Uint32Array(1024 ** 2);
    for (let id = 1; id <= 4; id++) journal.adds(id, { lengths: Uint32Array.of(symbols.length), symbols });
    journal.answersTo(counting(1, 9), 0);
    journal.answered([[{ steps: 0, counts: new Float64Array(1024 ** 2) } as unknown as PartAnswer]]);
    journal.commits(0);
    expect(memory.heapBytes).toBeLessThan(8 * 1024 ** 2);
    expect([1, 2, 3, 4].map((id) => memory.bodies.has(id))).toEqual([false, false, false, true]);
  });
});

describe("calls of a processor", () => {
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  test("wait for those before them, and run at once when none waits", async () => {
    const inTurn = new InTurn();
    const asking = { key: "k", bytes: 0 };
    const done: number[] = [];
    const note = (number: number) => {
      done.push(number);
      return number;
    };
    expect(inTurn.run((hasWaited) => note(Number(hasWaited)), asking)).toBe(0);
    const slow = inTurn.run(async () => {
      await pause(5);
      return note(2);
    }, asking);
    const failing = inTurn.run(() => {
      note(3);
      throw new Error("refused");
    }, asking);
    const last = inTurn.run((hasWaited) => note(hasWaited ? 4 : 9), asking);
    expect(done).toEqual([0]);
    await expect(failing).rejects.toThrow("refused");
    expect(await Promise.all([slow, last])).toEqual([2, 4]);
    expect(done).toEqual([0, 2, 3, 4]);
    expect(inTurn.run(() => note(5), asking)).toBe(5);
    const refused = () =>
      inTurn.run(() => {
        throw new Error("at once");
      }, asking);
    expect(refused).toThrow("at once");
    expect(inTurn.run(() => note(6), asking)).toBe(6);
  });

  test("take turns by key: one that asks for much does not keep others waiting", async () => {
    let now = 0;
    const inTurn = new InTurn(undefined, () => now);
    const order: string[] = [];
    const call = (key: string, ms: number) =>
      inTurn.run(
        async () => {
          await Promise.resolve();
          now += ms;
          order.push(key);
        },
        { key, bytes: 0 },
      );
    const calls = [call("busy", 100), call("busy", 100), call("busy", 100), call("rare", 1), call("rare", 1)];
    await Promise.all(calls);
    expect(order).toEqual(["busy", "rare", "rare", "busy", "busy"]);
  });

  test.each([
    ["in number", { pieces: 2, bytes: 1_000 }, 1],
    ["in bytes", { pieces: 100, bytes: 20 }, 10],
  ])("are bounded %s: what is too much is refused, and waits no longer counts", async (_, most, bytes) => {
    const inTurn = new InTurn(most);
    let end = () => {};
    const slow = inTurn.run(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
      { key: "a", bytes },
    );
    const waiting = [1, 2].map((number) => inTurn.run(() => number, { key: "b", bytes }));
    expect(() => inTurn.run(() => 3, { key: "c", bytes })).toThrow("too many calls wait for their turn");
    end();
    await slow;
    expect(await Promise.all(waiting)).toEqual([1, 2]);
    expect(inTurn.run(() => 4, { key: "c", bytes })).toBe(4);
  });
});

test("the numbers that a forecast gives to symbols take bytes by the largest symbol and by how many there are", () => {
  const symbols = new ScratchSymbols();
  const before = symbols.bytes;
  for (let symbol = 0; symbol < 4_096; symbol++) symbols.numberOf(symbol);
  expect(symbols.bytes).toBe(before);
  symbols.numberOf(100_000);
  expect(symbols.bytes).toBe(4 * (2 ** 17 + 2 ** 13));
  symbols.clear();
  expect(symbols.bytes).toBe(4 * (2 ** 17 + 2 ** 13));
});

describe("how much parts are to hold", () => {
  test.each<[string, KnowledgeOfSize]>([
    ["of long models", { models: 3_000, length: 31, events: 1, symbols: 200, frequency: 1 }],
    ["of many symbols", { models: 4_000, length: 10, events: 1, symbols: 9_000, frequency: 1 }],
    ["of short models", { models: 20_000, length: 2, events: 1, symbols: 900, frequency: 1 }],
    ["of few symbols", { models: 3_000, length: 40, events: 4, symbols: 5, frequency: 9_000 }],
    ["of nothing but symbols", { models: 0, length: 1, events: 1, symbols: 30_000, frequency: 1 }],
  ])("is known before they hold it: %s", (_, size) => {
    const kernel = soleKernel();
    const amount = fillKernel(kernel, size);
    const expected = bytesOf(amount, size.symbols);
    expect(expected / kernel.bytes).toBeGreaterThan(1);
    expect(expected / kernel.bytes).toBeLessThan(1.5);
  });

  test("is counted as it is stored, and as a verb changes it", () => {
    const sizes = new PartSizes(3);
    const batch = {
      ids: Float64Array.of(1, 2, 3, 4),
      frequencies: Float64Array.of(1, 1, 1, 1),
      eventCounts: Uint8Array.of(1, 1, 2, 1),
      lengths: Uint8Array.of(1, 2, 1, 1, 3),
      symbols: Uint8Array.of(1, 1, 2, 1, 2, 1, 2, 3),
    };
    sizes.addBatch(batch);
    sizes.commits();
    expect(sizes.models).toEqual([1, 2, 1]);
    sizes.begins();
    sizes.add({ id: 6, frequency: 1, symbols: Uint32Array.of(1), lengths: Uint32Array.of(1) });
    sizes.remove({ kind: "remove", id: 1, symbols: 1, events: 1 });
    expect(sizes.models).toEqual([2, 1, 1]);
    // What is left of part 1 is model 4, and not an average one.
    const only = new PartSizes(3);
    only.add({ id: 4, frequency: 1, symbols: Uint32Array.of(1, 2, 3), lengths: Uint32Array.of(3) });
    expect(sizes.bytesOf(1, 4)).toBe(only.bytesOf(1, 4));
    sizes.begins();
    expect(sizes.models).toEqual([1, 2, 1]);
    expect(sizes.fittingParts(4, sizes.bytesOf(1, 4), 8)).toBeLessThanOrEqual(3);
    expect(sizes.fittingParts(4, 1, 8)).toBeUndefined();
  });
});

/** Random models, all alike. */
interface KnowledgeOfSize {
  readonly models: number;
  /** Symbols of a model on average, and of an event. */
  readonly length: number;
  readonly events: number;
  /** How many different symbols there are. */
  readonly symbols: number;
  readonly frequency: number;
}

/** Fills a kernel as a part is filled. */
function fillKernel(kernel: Kernel, { models, length, events, symbols, frequency }: KnowledgeOfSize): Amount {
  const random = new Random(3);
  for (let id = 0; id < symbols; id++) kernel.setSymbolFrequency(id, 0);
  const amount = { models, symbols: 0, events: 0 };
  const lengths: number[] = [];
  const counts: number[] = [];
  for (let model = 0; model < models; model++) {
    let left = 1 + random.below(2 * length - 1);
    amount.symbols += left;
    counts.push(Math.ceil(left / events));
    for (; left > 0; left -= events) lengths.push(Math.min(left, events));
  }
  amount.events = lengths.length;
  kernel.addBatch({
    ids: Float64Array.from({ length: models }, (_, at) => 1 + 3 * at),
    frequencies: Float64Array.from({ length: models }, () => 1 + random.below(frequency)),
    eventCounts: Uint32Array.from(counts),
    lengths: Uint32Array.from(lengths),
    symbols: Uint32Array.from({ length: amount.symbols }, () => random.below(symbols)),
  });
  return amount;
}
