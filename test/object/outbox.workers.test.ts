/** The outbox of an object that is lost between any two steps: no event is lost or observed twice, and the order holds. */

import { env, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { ObjectAlarm } from "../../src/object/object-alarm";
import { Outbox } from "../../src/object/outbox";
import { migrate } from "../../src/store/database/migrations";
import { PROCESSOR_MIGRATIONS } from "../../src/store/database/schema";
import { MAX_WAITING_BYTES, type OutboxEvent, OutboxTable } from "../../src/store/tables/outbox-table";

/** A target that takes each event once, as processors do, and its sender's storage. */
class Scene {
  readonly storage: DurableObjectStorage;
  readonly table: OutboxTable;
  /** What the target took, in order. */
  readonly taken: string[] = [];
  /** How often it was asked. */
  asked = 0;
  #last = 0;

  constructor(storage: DurableObjectStorage) {
    this.storage = storage;
    migrate(storage.sql, PROCESSOR_MIGRATIONS);
    this.table = new OutboxTable(storage.sql);
  }

  record(symbol: string): void {
    this.table.forward({ target: "t", session: "", symbols: [symbol], emotives: [], uniqueId: "", path: [] });
  }

  take({ number, symbols }: OutboxEvent): void {
    this.asked++;
    if (number <= this.#last) return;
    this.#last = number;
    this.taken.push(...symbols);
  }

  get waiting(): number {
    return this.storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM outbox").one().n;
  }
}

function onScene<Outcome>(work: (scene: Scene) => Promise<Outcome>): Promise<Outcome> {
  return runInDurableObject(env.PROCESSORS.getByName(crypto.randomUUID()) as DurableObjectStub, (_, { storage }) =>
    work(new Scene(storage)),
  );
}

const EVENTS = ["a", "b", "c", "d"];

/** An outbox whose targets cause no further deliveries. */
function outboxOf({ storage }: Scene, relay: (event: OutboxEvent) => Promise<unknown>): Outbox {
  return new Outbox(storage, new ObjectAlarm(storage), (event) => relay(event).then(() => 0), 256);
}

/** A promise that never settles: the sender was lost while it waited. */
const LOST = new Promise<never>(() => undefined);

/** Waits until all that can happen without I/O has happened. */
const idle = () => new Promise((resolve) => setTimeout(resolve, 5));

test("the bytes that wait are known without reading them, also after a removal and to an object that comes back", async () => {
  const rooms = await onScene(async ({ storage, table }) => {
    const event = (letter: string) => ({ target: "t", session: "", symbols: [letter.repeat(1_000_000)], emotives: [] });
    const another = new OutboxTable(storage.sql);
    const known: number[] = [table.room];
    for (const letter of ["a", "b", "c"]) another.forward({ ...event(letter), uniqueId: "u", path: ["p"] });
    const counted = () => {
      table.forgetSize();
      return table.room;
    };
    known.push(table.room, counted());
    another.removeUpTo(1);
    known.push(table.room, counted());
    another.removeUpTo(3);
    return [...known, table.room, counted()];
  });
  // Brackets, quotation marks and commas: ["a..."], [], u and ["p"].
  const each = 1_000_000 + 4 + 2 + 1 + 5;
  const [all, three, two] = [0, 3, 2].map((events) => MAX_WAITING_BYTES - events * each);
  expect(rooms).toEqual([all, three, three, two, two, all, all]);
});

test.each(
  [...EVENTS.keys()].flatMap((at) => ["before", "after"].map((when) => [when, at] as const)),
)("lost %s the target takes event %d", async (when, at) => {
  const [taken, asked, waiting, alarm] = await onScene(async (scene) => {
    let step = 0;
    const first = outboxOf(scene, async (event) => {
      const isLast = step++ === at;
      if (isLast && when === "before") await LOST;
      scene.take(event);
      if (isLast) await LOST;
    });
    for (const each of EVENTS) scene.record(each);
    first.recorded(1, undefined);
    void first.deliver();
    await idle();
    const ring = await scene.storage.getAlarm();
    const second = outboxOf(scene, async (event) => scene.take(event));
    await second.wake();
    return [scene.taken, scene.asked, scene.waiting, ring];
  });
  expect(taken).toEqual(EVENTS);
  expect(asked).toBeGreaterThanOrEqual(EVENTS.length);
  expect(waiting).toBe(0);
  expect(alarm).not.toBe(null);
});

test("an alarm that is lost while it delivers comes back", async () => {
  const ring = await onScene(async (scene) => {
    scene.record("a");
    const outbox = outboxOf(scene, () => LOST);
    void outbox.wake();
    await idle();
    return scene.storage.getAlarm();
  });
  expect(ring).toBeGreaterThan(0);
});

test("events recorded during a delivery come after it, and each call waits for its own events only", async () => {
  const log = await onScene(async (scene) => {
    const lines: string[] = [];
    let release = (): void => undefined;
    const outbox = outboxOf(scene, async (event) => {
      if (event.symbols[0] === "a") await new Promise<void>((resolve) => (release = resolve));
      scene.take(event);
    });
    const say = (symbol: string) => {
      scene.record(symbol);
      outbox.recorded(1, undefined);
      return outbox.deliver().then(() => lines.push(`${symbol} answered after ${scene.taken.join("")}`));
    };
    const all = [say("a"), say("b"), say("c")];
    await idle();
    release();
    await Promise.all(all);
    return lines;
  });
  expect(log).toEqual(["a answered after a", "b answered after ab", "c answered after abc"]);
});

test("a target that cannot be reached is not called until the alarm, and no event overtakes", async () => {
  const [asked, taken, waiting, after] = await onScene(async (scene) => {
    let isDown = true;
    const outbox = outboxOf(scene, async (event) => {
      if (isDown) {
        scene.asked++;
        throw new Error("down");
      }
      scene.take(event);
    });
    for (const each of EVENTS) {
      scene.record(each);
      outbox.recorded(1, undefined);
      await outbox.deliver();
    }
    const before = [scene.asked, [...scene.taken], scene.waiting];
    isDown = false;
    scene.record("e");
    outbox.recorded(1, undefined);
    await outbox.deliver();
    const unmoved = scene.taken.length;
    await outbox.wake();
    return [...before, [unmoved, scene.taken, scene.waiting]] as const;
  });
  expect([asked, taken, waiting]).toEqual([1, [], 4]);
  expect(after).toEqual([0, [...EVENTS, "e"], 0]);
});

test("pauses grow, up to a minute", async () => {
  const pauses = await onScene(async (scene) => {
    const seen: number[] = [];
    // A clock that stands: on a busy machine, time passes between an attempt and the look at its alarm.
    const now = Date.now();
    const alarm = new ObjectAlarm(scene.storage, () => now);
    const outbox = new Outbox(
      scene.storage,
      alarm,
      () => Promise.reject(new Error("down")),
      256,
      "",
      () => now,
    );
    scene.record("a");
    for (let attempt = 0; attempt < 9; attempt++) {
      await outbox.wake();
      const ring = await scene.storage.getAlarm();
      seen.push(((ring ?? 0) - now) / 1000);
    }
    return seen;
  });
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
});

test("what was delivered before a failure is not delivered again", async () => {
  const [asked, waiting] = await onScene(async (scene) => {
    const outbox = outboxOf(scene, async (event) => {
      scene.take(event);
      if (event.symbols[0] === "c") throw new Error("down");
    });
    for (const each of EVENTS) scene.record(each);
    await outbox.deliver();
    return [scene.asked, scene.waiting];
  });
  expect([asked, waiting]).toEqual([3, 2]);
});

test("no number is given twice, even when the queue is empty between", async () => {
  const numbers = await onScene(async (scene) => {
    const seen: number[] = [];
    const outbox = outboxOf(scene, async ({ number }) => {
      seen.push(number);
    });
    for (const each of EVENTS) {
      scene.record(each);
      await outbox.deliver();
    }
    return seen;
  });
  expect(numbers).toEqual([1, 2, 3, 4]);
});

test.each([
  86_400_000,
  3_650 * 86_400_000,
])("when the clock was %d ms ahead at a failure, the pause ends as long after it was set back as ever", async (ms) => {
  const taken = await onScene(async (scene) => {
    const clock = { ms: Date.now() + ms };
    let isDown = true;
    const relay = async (event: OutboxEvent) => {
      if (isDown) throw new Error("down");
      scene.take(event);
      return 0;
    };
    const alarm = new ObjectAlarm(scene.storage, () => clock.ms);
    const outbox = new Outbox(scene.storage, alarm, relay, 256, "", () => clock.ms);
    scene.record("a");
    outbox.recorded(1, undefined);
    await outbox.deliver();
    isDown = false;
    clock.ms -= ms;
    await outbox.deliver();
    const before = [...scene.taken];
    const wish = (outbox.nextWake() ?? 0) - clock.ms;
    alarm.lookAtClock();
    await idle();
    const ring = ((await scene.storage.getAlarm()) ?? 0) - clock.ms;
    clock.ms += 1_000;
    await outbox.deliver();
    return [before, wish, ring, scene.taken];
  });
  expect(taken).toEqual([[], 1_000, 1_000, ["a"]]);
});
