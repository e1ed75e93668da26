/** Calls that arrive together run together: who waits for whom, in which order, and how long at most. */

import { describe, expect, test } from "vitest";
import { Gathering } from "../../../src/object/turns/gathering";

/** An object whose clock only its work moves. */
function gathered() {
  const clock = { ms: 1_000_000 };
  const done: string[] = [];
  const late: number[] = [];
  const gathering = new Gathering(
    () => late.push(done.length),
    () => clock.ms,
  );
  /** A call that others may follow. @param ms how long its work takes */
  const call = (name: string, coming: number, ms = 0) =>
    gathering.run(coming, () => {
      clock.ms += ms;
      done.push(name);
      return name;
    });
  /** As many calls as come together. @returns how many have run before the last one arrived */
  const together = (count: number, ms = 0) => {
    const before = done.length;
    for (let coming = count - 1; coming > 0; coming--) void call("early", coming, ms);
    const early = done.length - before;
    void call("last", 0, ms);
    return early;
  };
  return { done, late, gathering, call, together };
}

describe("a call", () => {
  test("runs at once, without a promise, when no other is on its way", () => {
    const { done, call } = gathered();
    expect(call("a", 0)).toBe("a");
    expect(call("b", 0)).toBe("b");
    expect(done).toEqual(["a", "b"]);
  });

  test("waits for those on their way, and all run in the order of their arrival", async () => {
    const { done, late, call } = gathered();
    const answers = [call("a", 2), call("b", 1)];
    expect(done).toEqual([]);
    answers.push(call("c", 0));
    expect(done).toEqual(["a", "b", "c"]);
    expect(await Promise.all(answers)).toEqual(["a", "b", "c"]);
    expect(call("d", 0)).toBe("d");
    expect(late).toEqual([]);
  });

  test("that must not wait has those run first that wait", () => {
    const { done, call } = gathered();
    void call("a", 5);
    void call("learn", 0);
    expect(done).toEqual(["a", "learn"]);
  });

  test("that fails fails alone", async () => {
    const { gathering, call } = gathered();
    const fail = (message: string) => () => {
      throw new Error(message);
    };
    const first = gathering.run(3, fail("first"));
    const later = gathering.run(2, () => Promise.reject(new Error("later")));
    const good = call("good", 1);
    const last = gathering.run(0, fail("last"));
    await expect(first).rejects.toThrow("first");
    await expect(later).rejects.toThrow("later");
    await expect(last).rejects.toThrow("last");
    expect(await good).toBe("good");
    expect(() => gathering.run(0, fail("alone"))).toThrow("alone");
  });

  test("does not wait long for one that does not come", async () => {
    const { done, late, call } = gathered();
    expect(await call("a", 1)).toBe("a");
    expect(late).toEqual([0]);
    expect(done).toEqual(["a"]);
    expect(await Promise.all([call("b", 1), call("c", 0)])).toEqual(["b", "c"]);
    expect(late).toEqual([0]);
  });
});

describe("the calls that run together", () => {
  test("are 16 at most", () => {
    const { together } = gathered();
    expect(together(16)).toBe(0);
    expect(together(20)).toBe(16);
  });

  test("become fewer while their work takes long, and more again when it does not", () => {
    const { together } = gathered();
    expect([1, 2, 3].map(() => together(8, 2))).toEqual([0, 0, 4]);
    for (let times = 0; times < 4; times++) together(2, 9);
    expect(together(4, 9)).toBe(2);
    for (let times = 0; times < 3; times++) together(2);
    expect(together(16)).toBe(0);
  });
});
