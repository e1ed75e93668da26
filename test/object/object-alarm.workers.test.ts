/** The one alarm of an object: it rings as early as anybody wants, and is set as seldom as possible. */

import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { ObjectAlarm, type ScheduledTask } from "../../src/object/object-alarm";
import { billed } from "../../src/store/database/database";

const DAY_MS = 86_400_000;

function onStorage<Outcome>(work: (storage: DurableObjectStorage) => Promise<Outcome>): Promise<Outcome> {
  return runInDurableObject(env.PROCESSORS.getByName(crypto.randomUUID()) as DurableObjectStub, (_, { storage }) =>
    work(storage),
  );
}

/** Wants to be woken at a time that a test can change. */
class Wish implements ScheduledTask {
  at: number | undefined;
  woken = 0;

  constructor(at?: number) {
    this.at = at;
  }

  wake(): Promise<void> {
    this.woken++;
    return Promise.resolve();
  }

  nextWake(): number | undefined {
    return this.at;
  }
}

test("is moved to an earlier time, never to a later one, and set no more often than that", async () => {
  const now = Date.now();
  const outcome = await onStorage(async (storage) => {
    const alarm = new ObjectAlarm(storage);
    const before = billed.alarms;
    for (const at of [now + 5_000, now + 9_000, now + 5_000, now + 4_000]) alarm.ringBy(at);
    return [await storage.getAlarm(), billed.alarms - before];
  });
  expect(outcome).toEqual([now + 4_000, 2]);
});

test("in a new life, what is far asks first what is set, and what is near does not wait for that", async () => {
  const now = Date.now();
  const outcome = await onStorage(async (storage) => {
    await storage.setAlarm(now + DAY_MS);
    const seen: (number | null)[] = [];
    const look = async () => {
      // What is far is set once it is known what is set.
      await new Promise((resolve) => setTimeout(resolve, 5));
      seen.push(await storage.getAlarm());
    };
    const later = new ObjectAlarm(storage);
    await later.ringSome(() => now + 2 * DAY_MS);
    await look();
    new ObjectAlarm(storage).ringBy(now + 2 * DAY_MS);
    await look();
    new ObjectAlarm(storage).ringBy(now + DAY_MS / 2);
    await look();
    new ObjectAlarm(storage).ringBy(now + 5_000);
    await look();
    return seen;
  });
  expect(outcome).toEqual([now + DAY_MS, now + DAY_MS, now + DAY_MS / 2, now + 5_000]);
});

test("is set some time when none is set, once", async () => {
  const now = Date.now();
  const outcome = await onStorage(async (storage) => {
    const alarm = new ObjectAlarm(storage);
    await alarm.ringSome(() => undefined);
    const none = await storage.getAlarm();
    await Promise.all([alarm.ringSome(() => now + DAY_MS), alarm.ringSome(() => now + 2 * DAY_MS)]);
    return [none, await storage.getAlarm()];
  });
  expect(outcome).toEqual([null, now + DAY_MS]);
});

test("wakes all, and then rings when the first of them wants it", async () => {
  const now = Date.now();
  const outcome = await onStorage(async (storage) => {
    const alarm = new ObjectAlarm(storage);
    const wishes = [new Wish(), new Wish(now + 2 * DAY_MS), new Wish(now + DAY_MS)];
    for (const wish of wishes) alarm.add(wish);
    await alarm.ring();
    const first = await storage.getAlarm();
    await storage.deleteAlarm();
    for (const wish of wishes) wish.at = undefined;
    await alarm.ring();
    return [first, await storage.getAlarm(), wishes.map(({ woken }) => woken)];
  });
  expect(outcome).toEqual([now + DAY_MS, null, [2, 2, 2]]);
});

test("when one of them fails, the others are woken, the next alarm is set, and the runtime hears of it", async () => {
  const now = Date.now();
  const outcome = await onStorage(async (storage) => {
    const alarm = new ObjectAlarm(storage);
    const other = new Wish(now + DAY_MS);
    alarm.add({ wake: () => Promise.reject(new Error("defect")), nextWake: () => undefined });
    alarm.add(other);
    const failure = await alarm.ring().catch((error: unknown) => String(error));
    return [failure, other.woken, await storage.getAlarm()];
  });
  expect(outcome).toEqual(["Error: defect", 1, now + DAY_MS]);
});

test("after the storage was deleted with its alarm, it is set anew", async () => {
  const now = Date.now();
  const outcome = await onStorage(async (storage) => {
    const alarm = new ObjectAlarm(storage);
    alarm.ringBy(now + 4_000);
    await storage.deleteAlarm();
    await storage.deleteAll();
    alarm.forget();
    alarm.ringBy(now + 5_000);
    return storage.getAlarm();
  });
  expect(outcome).toBe(now + 5_000);
});

describe("after the clock was set back, at the next call", () => {
  /** When the alarm rings after a call, in milliseconds from now. It was set when the clock was a day ahead. */
  function ringOf(isSameLife: boolean, ...tasks: ScheduledTask[]): Promise<number | undefined> {
    return onStorage(async (storage) => {
      const clock = { ms: Date.now() + DAY_MS };
      const first = new ObjectAlarm(storage, () => clock.ms);
      first.lookAtClock();
      first.ringBy(clock.ms + 60_000);
      await storage.sync();
      clock.ms -= DAY_MS;
      const alarm = isSameLife ? first : new ObjectAlarm(storage, () => clock.ms);
      for (const task of tasks) alarm.add(task);
      alarm.lookAtClock();
      await new Promise((resolve) => setTimeout(resolve, 5));
      const set = await storage.getAlarm();
      return set === null ? undefined : set - clock.ms;
    });
  }

  const wish = (ms: number) => ({ wake: async () => undefined, nextWake: () => Date.now() + ms });

  test.each([
    ["in the same life of the object", true],
    ["in its next life", false],
  ])("it rings when the first of them wants it, %s", async (_, isSameLife) => {
    const ms = await ringOf(isSameLife, new Wish(), wish(60_000), wish(20_000));
    expect(ms).toBeGreaterThan(15_000);
    expect(ms).toBeLessThan(21_000);
  });

  test("a task says cheaply when it wants it at the latest", async () => {
    const nextWake = () => {
      throw new Error("not asked");
    };
    const ms = await ringOf(false, { ...wish(0), nextWake, latestWake: () => Date.now() + 30_000 });
    expect(ms).toBeLessThan(31_000);
  });

  test("it is left alone when it is as early as it is wanted", async () => {
    const ms = await ringOf(false, wish(2 * DAY_MS));
    expect(ms).toBe(DAY_MS + 60_000);
  });
});

test("calls set no alarm while the clock goes on", async () => {
  const set = await onStorage(async (storage) => {
    const clock = { ms: Date.now() };
    const alarm = new ObjectAlarm(storage, () => clock.ms);
    alarm.add(new Wish(clock.ms + 5_000));
    const before = billed.alarms;
    alarm.lookAtClock();
    for (const step of [10, DAY_MS, -900, 1_000]) {
      clock.ms += step;
      alarm.lookAtClock();
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
    return [billed.alarms - before, await storage.getAlarm()];
  });
  expect(set).toEqual([0, null]);
});
