/** How many objects may be live at once: who is let through, who is refused, and when an object counts as evicted. */

import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, test } from "vitest";
import {
  ABANDONED_AFTER_MS,
  EVICTED_AFTER_MS,
  LiveObjects,
  liveObjectsOf,
} from "../../../src/rpc/transport/live-objects";
import type { UnaryObject, UnaryReply } from "../../../src/rpc/transport/unary";

const REPLY: UnaryReply = new Uint8Array();

/** Two objects may be live; the clock stands unless it is set. */
function limited() {
  const clock = { ms: 1_000_000 };
  const live = new LiveObjects(2, () => clock.ms);
  const called: string[] = [];
  const object = (name: string, unary: () => Promise<UnaryReply> = async () => REPLY): UnaryObject =>
    live.counted(name, () => {
      called.push(name);
      return { unary };
    });
  const call = (name: string) => object(name).unary("/", new Uint8Array());
  return { clock, live, called, object, call };
}

const REFUSED = new ConnectError(
  "2 processors and agents are in use, and this server allows no more at once; try again in 12 s",
  Code.ResourceExhausted,
  { "retry-after": "12" },
);

describe("objects beyond the limit", () => {
  test("are refused before they are reached, while the live ones go on", async () => {
    const { called, call } = limited();
    await call("a");
    await call("b");
    await expect(call("c")).rejects.toThrow(REFUSED);
    await call("a");
    expect(called).toEqual(["a", "b", "a"]);
  });

  test("are let through when another was idle long enough to be evicted", async () => {
    const { clock, call } = limited();
    await call("a");
    clock.ms += EVICTED_AFTER_MS / 2;
    await call("b");
    clock.ms += EVICTED_AFTER_MS / 2 - 1;
    await expect(call("c")).rejects.toThrow(REFUSED);
    clock.ms += 1;
    await call("c");
    await expect(call("a")).rejects.toThrow(REFUSED);
  });

  test("wait for calls under way", async () => {
    const { clock, object, call } = limited();
    let answer = (_: UnaryReply) => {};
    const long = object("a", () => new Promise((resolve) => (answer = resolve))).unary("/", new Uint8Array());
    clock.ms += 1;
    await call("b");
    clock.ms += EVICTED_AFTER_MS;
    await call("c");
    await expect(call("d")).rejects.toThrow(REFUSED);
    answer(REPLY);
    expect(await long).toBe(REPLY);
    await expect(call("d")).rejects.toThrow(REFUSED);
    clock.ms += EVICTED_AFTER_MS;
    await call("d");
  });

  test("do not wait for ever for a call whose client has left", async () => {
    const { clock, object, call } = limited();
    void object("a", () => new Promise(() => {})).unary("/", new Uint8Array());
    await call("b");
    clock.ms += EVICTED_AFTER_MS;
    await call("c");
    clock.ms += ABANDONED_AFTER_MS - 1;
    await call("c");
    await expect(Promise.all([call("c"), call("d"), call("e")])).rejects.toThrow(REFUSED);
    clock.ms += EVICTED_AFTER_MS + 1;
    await Promise.all([call("d"), call("e")]);
  });

  test("are counted by calls that fail, too", async () => {
    const { object, call } = limited();
    await call("a");
    await expect(object("b", () => Promise.reject(new Error("lost"))).unary("/", new Uint8Array())).rejects.toThrow(
      "lost",
    );
    await expect(call("c")).rejects.toThrow(REFUSED);
  });
});

describe("calls on their way to an object", () => {
  test("are those that were sent and have not arrived, whether answered or not", async () => {
    const { live, object } = limited();
    const never = () => new Promise<UnaryReply>(() => {});
    for (let sent = 0; sent < 3; sent++) void object("a", never).unary("/", new Uint8Array());
    void object("b", never).unary("/", new Uint8Array());
    expect([1, 2, 3].map(() => live.arrived("a"))).toEqual([2, 1, 0]);
    expect(live.arrived("b")).toBe(0);
  });

  test("are none for an object whose calls came another way, or could not be sent", async () => {
    const { live, object } = limited();
    expect(live.arrived("a")).toBe(0);
    const unsent = () => {
      throw new Error("no object");
    };
    await expect(object("a", unsent).unary("/", new Uint8Array())).rejects.toThrow("no object");
    void object("a").unary("/", new Uint8Array());
    expect(live.arrived("a")).toBe(0);
    expect(live.arrived("a")).toBe(0);
  });

  test("can be forgotten, because the runtime drops those of clients that have left", () => {
    const { live, object } = limited();
    for (let sent = 0; sent < 3; sent++) void object("a").unary("/", new Uint8Array());
    live.forgetComing("a");
    live.forgetComing("unknown");
    void object("a").unary("/", new Uint8Array());
    void object("a").unary("/", new Uint8Array());
    expect(live.arrived("a")).toBe(1);
  });
});

test("without the variable there is no limit", () => {
  expect(liveObjectsOf({})).toBeUndefined();
  expect(liveObjectsOf({ NOEMA_LIVE_OBJECTS: null })).toBeUndefined();
});

test.each([
  86_400_000,
  3_650 * 86_400_000,
])("when the clock was %d ms ahead for a moment, objects count as evicted as long after it was set back as ever", async (ms) => {
  const { clock, call } = limited();
  const start = clock.ms;
  clock.ms = start + ms;
  await call("a");
  await call("b");
  await expect(call("c")).rejects.toThrow(REFUSED);
  clock.ms = start;
  await expect(call("c")).rejects.toThrow(REFUSED);
  clock.ms = start + EVICTED_AFTER_MS;
  await call("c");
});
