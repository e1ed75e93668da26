import { describe, expect, test } from "vitest";
import { HeldBytes, MAX_HELD_BYTES, MAX_HELD_OF_A_KEY } from "../../../src/gateway/json/held-bytes";
import { refusalOf } from "../../../src/gateway/refusal";

const MIB = 1024 * 1024;

function outcome(hold: () => void): string {
  try {
    hold();
    return "held";
  } catch (reason) {
    const { http, message, extras } = refusalOf(reason);
    return `${http} ${extras.retryAfterS} ${message}`;
  }
}

const OF_A_KEY =
  "429 1 the bodies that this key is sending may take 67108864 bytes together; nothing was done, try again in 1 s";
const OF_ALL =
  "503 1 the bodies that all keys are sending may take 134217728 bytes together; nothing was done, try again in 1 s";

describe("what bodies hold", () => {
  test("is limited for a key, over all of its bodies", () => {
    const all = new HeldBytes();
    const [first, second] = [all.body("a"), all.body("a")];
    first.hold(MAX_HELD_OF_A_KEY - MIB);
    expect(outcome(() => second.hold(MIB + 1))).toBe(OF_A_KEY);
    expect(outcome(() => second.hold(MIB))).toBe("held");
    first.hold(MIB);
    expect(outcome(() => second.hold(25 * MIB))).toBe("held");
    expect(all.total).toBe(26 * MIB);
  });

  test("leaves room for another key, though each takes all that it may", () => {
    const all = new HeldBytes();
    for (let key = 0; key < 7; key++) {
      const refused = Array.from({ length: 100 }, () => outcome(() => all.body(`k${key}`).hold(MIB / 4)));
      expect(refused[0]).toBe("held");
    }
    expect(all.total).toBeLessThan(MAX_HELD_BYTES);
    expect(outcome(() => all.body("k0").hold(MIB))).toBe(OF_ALL);
  });

  test("is free again when a body is released, once", () => {
    const all = new HeldBytes();
    const [body, other] = [all.body("a"), all.body("b")];
    body.hold(30 * MIB);
    other.hold(MIB);
    body.release();
    body.release();
    expect(all.total).toBe(MIB);
    expect(outcome(() => all.body("a").hold(MAX_HELD_OF_A_KEY - MIB))).toBe("held");
  });

  test("of a body that was refused stays as it was", () => {
    const all = new HeldBytes();
    const body = all.body("a");
    body.hold(60 * MIB);
    expect(outcome(() => body.hold(65 * MIB))).toBe(OF_A_KEY);
    expect(all.total).toBe(60 * MIB);
  });

  test("is forgotten when the body is not touched any more", () => {
    let now = 0;
    const all = new HeldBytes(() => now);
    const [left, alive] = [all.body("a"), all.body("a")];
    left.hold(40 * MIB);
    now = 50_000;
    alive.hold(20 * MIB);
    now = 61_000;
    expect(outcome(() => all.body("a").hold(30 * MIB))).toBe("held");
    expect(all.total).toBe(50 * MIB);
    left.release();
    expect(all.total).toBe(50 * MIB);
  });
});
