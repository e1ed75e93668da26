/** Who works when on the thread of an isolate: what is cheap at once, what is expensive in turns. */

import { describe, expect, test } from "vitest";
import { QUANTUM_MS, Thread } from "../../../src/object/turns/thread";
import { type Caller, Turns } from "../../../src/object/turns/turns";

/** More than a quantum. */
const LONG_MS = 2 * QUANTUM_MS;

/** Objects on one thread, whose clock only their work moves. */
class Isolate {
  now = 1_000_000;
  steps = 0;
  looks = 0;
  requests = 0;
  readonly done: string[] = [];
  readonly thread = new Thread(
    () => this.now,
    () => this.steps,
  );

  /** Another object. */
  object(): Turns {
    return new Turns(this.thread, () => this);
  }

  look(): Promise<number> {
    this.looks++;
    return new Promise((resolve) => setTimeout(() => resolve(this.looks), 1));
  }

  /** Has an object do something for a while. @param name what it is, for {@link done} */
  take(object: Turns, caller: Caller, name: string, ms: number): string | Promise<string> {
    return object.take(caller, () => {
      this.now += ms;
      this.done.push(name);
      return name;
    });
  }
}

/** Pieces of work of an object that lets nothing in. @param count how many, of this many milliseconds each */
async function apart(isolate: Isolate, object: Turns, count: number, ms: number): Promise<number[]> {
  const turns: number[] = [];
  for (let done = 0, isLast = false; !isLast; ) {
    const before = done;
    isLast = await object.takeApart(
      by("merging"),
      () => {
        isolate.now += ms;
        return ++done === count;
      },
      false,
    );
    turns.push(done - before);
  }
  return turns;
}

const by = (keyId: string, flow: unknown = "observe"): Caller => ({ keyId, flow: () => flow });

describe("turns", () => {
  test("do what is cheap of a key that has used little when it comes, without a promise, however much others work", async () => {
    const isolate = new Isolate();
    const [one, other] = [isolate.object(), isolate.object()];
    const calls = [0, 1, 2].map((at) => isolate.take(one, by("heavy", at), "long", LONG_MS));
    for (let count = 0; count < QUANTUM_MS / 2; count++) {
      expect(isolate.take(one, by("light"), "cheap", 1)).toBe("cheap");
      expect(isolate.take(other, by("small"), "cheap", 1)).toBe("cheap");
    }
    await Promise.all(calls);
  });

  test("of an object that lets nothing in end after a quantum, and the next begins when the runtime has read", async () => {
    const isolate = new Isolate();
    const object = isolate.object();
    const half = QUANTUM_MS / 2;
    expect(await apart(isolate, object, 5, half)).toEqual([2, 2, 1]);
    expect(isolate.looks).toBe(2);
    // Where the clock stands still, this many pieces are a turn.
    expect(await apart(isolate, isolate.object(), 10, 0)).toEqual([8, 2]);
  });

  test("let cheap work of a key that has used much wait once in a quantum, until the runtime has read", async () => {
    const isolate = new Isolate();
    const object = isolate.object();
    let waited = 0;
    for (let count = 0; count < 10 * QUANTUM_MS; count++) {
      const reply = isolate.take(object, by("", "stream"), "cheap", 1);
      if (reply instanceof Promise) waited++;
      expect(await reply).toBe("cheap");
    }
    expect(waited).toBe(9);
    expect(isolate.looks).toBe(9);
  });

  test("let an expensive call begin at once when the thread had little to do", async () => {
    const isolate = new Isolate();
    const object = isolate.object();
    for (let count = 0; count < 5; count++) {
      expect(isolate.take(object, by("a"), "long", LONG_MS)).toBe("long");
      isolate.now += LONG_MS;
    }
    expect(isolate.looks).toBe(0);
  });

  test("let what is expensive wait until the runtime has read, and do first what is known to be cheap", async () => {
    const isolate = new Isolate();
    const object = isolate.object();
    await isolate.take(object, by("a", "long"), "zeroth", LONG_MS);
    isolate.now += LONG_MS;
    await isolate.take(object, by("a", "cheap"), "known from now on", 0);
    await isolate.take(object, by("a", "long"), "first", LONG_MS);
    const second = isolate.take(object, by("a", "long"), "second", LONG_MS);
    expect(second).toBeInstanceOf(Promise);
    const third = isolate.take(object, by("a", "long"), "third", LONG_MS);
    // Another key is served meanwhile, and what of the same key is known to be cheap, or new, after the look.
    expect(isolate.take(object, by("b"), "other", 1)).toBe("other");
    const cheap = isolate.take(object, by("a", "cheap"), "cheap", 1);
    const fresh = isolate.take(object, by("a", "new"), "new", 1);
    expect([cheap, fresh]).toEqual([expect.any(Promise), expect.any(Promise)]);
    await Promise.all([second, third, cheap, fresh]);
    expect(isolate.looks).toBeGreaterThanOrEqual(1);
    expect(isolate.done.slice(3)).toEqual(["other", "cheap", "new", "second", "third"]);
  });

  test("keep the order of a flow, and take turns between flows of a key", async () => {
    const isolate = new Isolate();
    const object = isolate.object();
    const calls = [];
    for (let at = 0; at < 3; at++) calls.push(isolate.take(object, by("a", "x"), `x${at}`, LONG_MS));
    for (let at = 0; at < 3; at++) calls.push(isolate.take(object, by("a", "y"), `y${at}`, LONG_MS));
    await Promise.all(calls);
    expect(isolate.done).toEqual(["x0", "y0", "x1", "y1", "x2", "y2"]);
  });

  test("prefer the key that has used less, at one object and at several", async () => {
    const isolate = new Isolate();
    const [one, other] = [isolate.object(), isolate.object()];
    const calls = [];
    for (let at = 0; at < 4; at++) calls.push(isolate.take(one, by("busy", at), `busy ${at}`, LONG_MS));
    calls.push(isolate.take(one, by("rare"), "rare", LONG_MS), isolate.take(other, by("third"), "third", LONG_MS));
    await Promise.all(calls);
    expect(isolate.done[0]).toBe("busy 0");
    expect(isolate.done.slice(1, 3).sort()).toEqual(["rare", "third"]);
  });

  test("of one key at several objects prefer the object that has used less", async () => {
    const isolate = new Isolate();
    const [one, other] = [isolate.object(), isolate.object()];
    const calls = [0, 1, 2].map((at) => isolate.take(one, by(""), `one ${at}`, LONG_MS));
    calls.push(isolate.take(other, by(""), "other", 1));
    await Promise.all(calls);
    expect(isolate.done).toEqual(["one 0", "other", "one 1", "one 2"]);
  });

  test("measure by steps where the clock stands still while code runs", async () => {
    const isolate = new Isolate();
    const object = isolate.object();
    const work = () => {
      isolate.steps += 50_000_000;
    };
    expect(object.take(by("a"), work)).toBeUndefined();
    expect(object.take(by("a"), work)).toBeInstanceOf(Promise);
  });

  test("leave time to those who go on asking, at most half of what the turn took", async () => {
    const isolate = new Isolate();
    const object = isolate.object();
    const asking = setInterval(() => {
      isolate.requests++;
    }, 0);
    const calls = [0, 1, 2].map((at) => isolate.take(object, by("a"), `${at}`, LONG_MS));
    const began = performance.now();
    await Promise.all(calls);
    clearInterval(asking);
    // The last of two turns comes after the pause that the first one leaves.
    expect(performance.now() - began).toBeGreaterThan(LONG_MS / 4);
    expect(isolate.done).toEqual(["0", "1", "2"]);
  });

  test("pass on what is thrown, at once and later", async () => {
    const isolate = new Isolate();
    const object = isolate.object();
    const fails = () => {
      isolate.now += LONG_MS;
      throw new Error("wrong");
    };
    expect(() => object.take(by("a"), fails)).toThrow("wrong");
    await expect(object.take(by("a"), fails)).rejects.toThrow("wrong");
    await expect(object.take(by("a"), () => "right")).resolves.toBe("right");
  });

  test("forget an object that is gone", async () => {
    const isolate = new Isolate();
    isolate.thread.join({ keyMs: -1, flowMs: 0, seenMs: 0 });
    const object = isolate.object();
    await isolate.take(object, by("a"), "first", LONG_MS);
    const second = isolate.take(object, by("a"), "second", LONG_MS);
    isolate.now += 4_000;
    expect(await second).toBe("second");
    expect(isolate.thread.waiting).toBe(0);
  });

  test.each([86_400_000, -86_400_000])("go on when the clock is set by %d ms", async (ms) => {
    const isolate = new Isolate();
    const [one, other] = [isolate.object(), isolate.object()];
    isolate.thread.join({ keyMs: -1, flowMs: 0, seenMs: isolate.now });
    const calls = [isolate.take(one, by("a"), "first", LONG_MS), isolate.take(one, by("a"), "second", LONG_MS)];
    calls.push(isolate.take(other, by("b"), "third", ms));
    isolate.now += ms;
    await Promise.all(calls);
    isolate.now += LONG_MS;
    expect(isolate.thread.usedBy("b")).toBeLessThanOrEqual(10_000);
    isolate.now -= ms;
    await isolate.take(one, by("a"), "fourth", LONG_MS);
    await isolate.take(one, by("a"), "fifth", LONG_MS);
    expect(isolate.done.toSorted()).toEqual(["fifth", "first", "fourth", "second", "third"]);
  });

  test("give one turn to an object that lets nothing in", async () => {
    const isolate = new Isolate();
    const object = isolate.object();
    await object.serveOne();
    for (let at = 0; at < 3; at++) void isolate.take(object, by("a"), `${at}`, LONG_MS);
    await object.serveOne();
    expect(isolate.done.length).toBeGreaterThanOrEqual(2);
    await isolate.take(object, by("a"), "last", 0);
    expect(isolate.done).toEqual(["0", "1", "2", "last"]);
  });

  test("end when such an object has given the last turn while the others were left time", async () => {
    const isolate = new Isolate();
    const object = isolate.object();
    let asked = 0;
    // An endless loop would also stop the test run, so the time is told a limited number of times.
    Object.defineProperty(isolate.thread, "nowMs", {
      get() {
        asked++;
        if (asked > 10_000) throw new Error("turns are given without end");
        return isolate.now;
      },
    });
    void isolate.take(object, by("a"), "at once", LONG_MS);
    const waiting = ["first", "second"].map((name) => isolate.take(object, by("a"), name, LONG_MS));
    await waiting[0];
    // Others ask, so they are left half the time of the first turn.
    const asking = setInterval(() => isolate.requests++, 1);
    await object.serveOne();
    await waiting[1];
    await new Promise((resolve) => setTimeout(resolve, 2 * LONG_MS));
    clearInterval(asking);
    expect(isolate.done).toEqual(["at once", "first", "second"]);
    expect(await isolate.take(object, by("a"), "last", 0)).toBe("last");
  });
});
