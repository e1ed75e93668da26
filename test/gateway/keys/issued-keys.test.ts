import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { IssuedKeys, type KeySource } from "../../../src/gateway/keys/issued-keys";
import { Refusal } from "../../../src/gateway/refusal";
import { type TestKey, testKey } from "../../support/gateway/issued";

/** An agent whose keys a test sets, and which counts how often it is asked. */
class Agent implements KeySource {
  keyChanges = 0;
  revision = 1;
  keys: TestKey[] = [];
  asked = 0;
  /** What each question waits for. */
  hold: Promise<void> = Promise.resolve();
  isDown = false;

  async askKeys(known: number | undefined) {
    this.asked += 1;
    const { revision, keys, isDown } = this;
    await this.hold;
    if (isDown) throw new Error("the agent cannot be reached");
    return revision === known ? { revision, keys: [] } : { revision, keys: keys.map(({ kept }) => kept) };
  }

  /** Gives the agent other keys. */
  change(...keys: TestKey[]): void {
    this.keys = keys;
    this.revision += 1;
  }
}

let now = 0;
let agent: Agent;
let issued: IssuedKeys;
const kept = testKey({ roles: ["read"] });
const idOf = ({ kept: { id } }: TestKey) => id;

/** What a request with a key gets: `true` when the key is found. */
async function find(key: TestKey): Promise<boolean> {
  return (await issued.find(idOf(key))) !== undefined;
}

/** Lets background work come to its end. */
const settle = () => sleep(0);

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  now = 1_000_000;
  agent = new Agent();
  agent.change(kept);
  issued = new IssuedKeys(agent, () => now);
});

afterEach(() => vi.restoreAllMocks());

describe("the issued keys that a gateway knows", () => {
  it("cost no call and no promise while the list is young", async () => {
    expect(await find(kept)).toBe(true);
    for (now += 1; now < 1_009_999; now += 111) expect(issued.find(idOf(kept))).not.toBeInstanceOf(Promise);
    expect(agent.asked).toBe(1);
  });

  it("are asked for again in the background from 10 s on, once", async () => {
    await find(kept);
    now += 10_000;
    const works: Promise<unknown>[] = [];
    const lifetime = { waitUntil: (work: Promise<unknown>) => works.push(work) };
    for (let request = 0; request < 100; request++) {
      expect(issued.find(idOf(kept), lifetime)).not.toBeInstanceOf(Promise);
    }
    await Promise.all(works);
    expect([agent.asked, works.length]).toEqual([2, 1]);
    now += 9_999;
    expect(issued.find(idOf(kept))).not.toBeInstanceOf(Promise);
    expect(agent.asked).toBe(2);
  });

  it("are waited for from 25 s on, and one request asks for all", async () => {
    await find(kept);
    now += 25_000;
    const waiting = Array.from({ length: 50 }, () => find(kept));
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => true));
    expect(agent.asked).toBe(2);
  });

  it.each([1, 500, 2_000, 9_000])("do not hold a deleted key for 30 s, with a request every %d ms", async (every) => {
    await find(kept);
    now += 3_000;
    agent.change();
    const deletedMs = now;
    let acceptedMs = now;
    for (now += every; now < deletedMs + 40_000; now += every) {
      if (await find(kept)) acceptedMs = now;
      await settle();
      if (every === 1) now += 97;
    }
    expect(acceptedMs - deletedMs).toBeLessThan(30_000);
    expect(await find(kept)).toBe(false);
  });

  it("have a new key within a second", async () => {
    await find(kept);
    const added = testKey({ roles: ["read"] });
    agent.change(kept, added);
    now += 500;
    expect(await find(added)).toBe(false);
    now += 501;
    expect(await find(added)).toBe(true);
  });

  it("have a change through the same gateway at once, also a failed one", async () => {
    await find(kept);
    agent.change();
    agent.keyChanges += 1;
    expect(await find(kept)).toBe(false);
    const added = testKey({ roles: ["read"] });
    agent.change(added);
    agent.keyChanges += 1;
    expect(await find(added)).toBe(true);
    expect(agent.asked).toBe(3);
  });

  it("are not asked for more than once a second by a flood of unknown keys", async () => {
    const begun = now;
    for (; now < begun + 10_000; now += 5) expect(await find(testKey({ roles: ["read"] }))).toBe(false);
    expect(agent.asked).toBeLessThanOrEqual(11);
    expect(agent.asked).toBeGreaterThan(5);
  });

  it("are not asked for by a flood of unknown keys at one moment more than once", async () => {
    const flood = Array.from({ length: 200 }, () => find(testKey({ roles: ["read"] })));
    expect(new Set(await Promise.all(flood))).toEqual(new Set([false]));
    expect(agent.asked).toBe(1);
  });

  it("are not asked for at all by a wrong secret of a known key, however old the list is", async () => {
    await find(kept);
    now += 60_000;
    for (let request = 0; request < 100; request++) {
      expect(issued.find(idOf(kept), undefined, () => false)).toBeUndefined();
    }
    expect(agent.asked).toBe(1);
  });

  describe("while the agent cannot be reached", () => {
    const refusalOf = async (key: TestKey) => {
      const reason = await find(key).then(
        () => undefined,
        (error: unknown) => error,
      );
      return reason instanceof Refusal ? [reason.http, reason.extras.retryAfterS] : reason;
    };

    it("count as long as they are not too old, then no key is let in, known or not, and no request waits", async () => {
      await find(kept);
      agent.isDown = true;
      for (now += 10_000; now < 1_025_000; now += 1_000) {
        expect(await find(kept)).toBe(true);
        await settle();
      }
      for (; now < 1_030_000; now += 100) {
        expect(await refusalOf(kept)).toEqual([503, 2]);
        expect(await refusalOf(testKey({ roles: ["read"] }))).toEqual([503, 2]);
      }
      expect(agent.asked).toBeLessThanOrEqual(22);
      agent.isDown = false;
      now += 1_000;
      expect(await find(kept)).toBe(true);
    });

    it("are asked for once a second at most, also after a change through the same gateway", async () => {
      await find(kept);
      agent.isDown = true;
      agent.keyChanges += 1;
      for (let request = 0; request < 100; request++) {
        expect(await refusalOf(kept)).toEqual([503, 2]);
        now += 10;
      }
      expect(agent.asked).toBeLessThanOrEqual(3);
    });
  });

  it("are asked for anew when the client that asked has left without an answer", async () => {
    agent.hold = new Promise(() => undefined);
    void find(kept).catch(() => undefined);
    agent.hold = Promise.resolve();
    const second = find(kept);
    await sleep(20);
    expect(agent.asked).toBe(1);
    now += 2_000;
    expect(await second).toBe(true);
    expect(agent.asked).toBe(2);
  });

  it("go by the question that was asked last, whichever is answered last", async () => {
    let answer: () => void = () => undefined;
    agent.hold = new Promise((resolve) => {
      answer = resolve;
    });
    const early = find(kept);
    now += 2_000;
    agent.hold = Promise.resolve();
    agent.change();
    expect(await find(kept)).toBe(false);
    answer();
    expect(await early).toBe(false);
    expect(await find(kept)).toBe(false);
  });

  it("do not trust a list from before the clock was set back", async () => {
    await find(kept);
    agent.change();
    now -= 3_600_000;
    expect(await find(kept)).toBe(false);
    expect(agent.asked).toBe(2);
    agent.change(kept);
    now += 25_000;
    expect(await find(kept)).toBe(true);
  });

  it("keep the count of a key when another one comes", async () => {
    const limited = testKey({ roles: ["read"], perMinute: 1 });
    agent.change(limited);
    const key = await issued.find(idOf(limited));
    key?.count(now);
    agent.change(limited, testKey({ roles: ["read"] }));
    now += 30_000;
    const again = await issued.find(idOf(limited));
    expect(() => again?.count(now)).toThrow("try again in 30 s");
    now += 30_000;
    expect(() => again?.count(now)).not.toThrow();
  });
});

describe("an issued key", () => {
  it("confirms that it is still there, for a request that takes long", async () => {
    const key = await issued.find(idOf(kept));
    expect(key?.confirm()).toBeUndefined();
    agent.change();
    now += 25_000;
    await expect(key?.confirm()).rejects.toMatchObject({ http: 500, message: expect.stringContaining("deleted") });
    expect(() => key?.confirm()).toThrow("deleted");
  });

  it("expires at its time", async () => {
    const brief = testKey({ roles: ["read"], expires: 1_005 });
    agent.change(brief);
    const key = await issued.find(idOf(brief));
    expect(() => key?.count(1_004_999)).not.toThrow();
    expect(() => key?.count(1_005_000)).toThrow(expect.objectContaining({ http: 500 }));
    now = 1_005_000;
    expect(() => key?.confirm()).toThrow("expired");
  });
});

describe("a clock that jumps", () => {
  it.each([
    86_400_000,
    3_650 * 86_400_000,
  ])("by %d ms and back keeps no removed key valid and no new one out", async (ms) => {
    const other = testKey({ roles: ["read"] });
    now += ms;
    expect(await find(kept)).toBe(true);
    now -= ms;
    agent.change(other);
    expect(await find(other)).toBe(true);
    now += 25_001;
    expect(await find(kept)).toBe(false);
  });

  it("does not make requests wait for a list that was asked for in the future", async () => {
    agent.hold = new Promise(() => {});
    now += 86_400_000;
    void issued.find(idOf(kept));
    await settle();
    now -= 86_400_000;
    agent.hold = Promise.resolve();
    expect(await find(kept)).toBe(true);
  });
});
