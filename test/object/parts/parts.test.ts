/** What a head notes, asks and carries, without objects. */

import { describe, expect, test } from "vitest";
import { ChangeLog } from "../../../src/object/parts/change-log";
import { deliveriesOf, FanOut, MOST_OPEN_CALLS } from "../../../src/object/parts/fan-out";
import { InTurn } from "../../../src/object/parts/in-turn";
import { Journal, PartsNeeded } from "../../../src/object/parts/journal";
import type { PartDelivery, PartOutcome } from "../../../src/object/parts/messages";
import { Fault } from "../../../src/processor/ports/fault";
import type { PartAnswer, PartChange, PartQuestion } from "../../../src/processor/ports/parts";

const FAMILY = { agent: "a", id: "p", jurisdiction: "" };

function forgotten(id: number): PartChange {
  return { kind: "remove", id };
}

function question(id: number): PartQuestion {
  return { kind: "bodies", ids: Float64Array.of(id) };
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
    expect(most).toBe(Math.min(count, MOST_OPEN_CALLS));
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
  test("answers the same questions again, at the same place in its changes", () => {
    const journal = new Journal();
    journal.begins();
    expect(() => journal.answersTo(question(1), 0)).toThrow(PartsNeeded);
    expect(journal.open).toEqual(question(1));
    journal.answered([]);
    journal.begins();
    expect(journal.answersTo(question(1), 0)).toEqual([]);
    expect(() => journal.answersTo(question(1), 0)).toThrow(PartsNeeded);
    journal.begins();
    expect(() => journal.answersTo(question(1), 3)).toThrow(PartsNeeded);
    journal.begins();
    expect(() => journal.answersTo(question(2), 0)).toThrow(PartsNeeded);
  });

  test("keeps what was asked, whatever becomes of it", () => {
    const journal = new Journal();
    const ids = Float64Array.of(7);
    journal.begins();
    expect(() => journal.answersTo({ kind: "bodies", ids }, 0)).toThrow(PartsNeeded);
    ids[0] = 8;
    expect(journal.open).toEqual(question(7));
  });

  test("asks nothing more once the parts are away, and not without end", () => {
    const journal = new Journal();
    journal.begins();
    expect(() => journal.answersTo(question(1), 0)).toThrow(PartsNeeded);
    journal.failed(new Fault("unavailable", "away"));
    journal.begins();
    expect(() => journal.answersTo(question(1), 0)).toThrow("away");
    const endless = new Journal();
    endless.begins();
    for (let asked = 0; asked < 4_096; asked++) {
      expect(() => endless.answersTo(question(asked), 0)).toThrow(PartsNeeded);
      endless.answered([]);
      expect(endless.answersTo(question(asked), 0)).toEqual([]);
    }
    expect(() => endless.answersTo(question(0), 0)).toThrow("more than 4096 questions");
    const large = new Journal();
    large.begins();
    expect(() => large.answersTo(question(1), 0)).toThrow(PartsNeeded);
    const ids = new Float64Array(7 * 1024 ** 2);
    large.answered([{ steps: 0, models: [], ids } as unknown as PartAnswer]);
    expect(large.answersTo(question(1), 0)).toHaveLength(1);
    expect(() => large.answersTo(question(2), 0)).toThrow("with more than 48 MiB");
  });
});

test("calls wait for those before them, and run at once when none waits", async () => {
  const inTurn = new InTurn();
  const done: number[] = [];
  const note = (number: number) => {
    done.push(number);
    return number;
  };
  expect(inTurn.run(() => note(1))).toBe(1);
  const slow = inTurn.run(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return note(2);
  });
  const failing = inTurn.run(() => {
    note(3);
    throw new Error("refused");
  });
  const last = inTurn.run(() => note(4));
  expect(done).toEqual([1]);
  await expect(failing).rejects.toThrow("refused");
  expect(await Promise.all([slow, last])).toEqual([2, 4]);
  expect(done).toEqual([1, 2, 3, 4]);
  expect(inTurn.run(() => note(5))).toBe(5);
});
