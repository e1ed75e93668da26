import { describe, expect, it } from "vitest";
import { Admission } from "../../src/gateway/admission";
import { Refusal } from "../../src/gateway/refusal";
import { type Budgets, DEFAULT_BUDGETS } from "../../src/text/budgets";

const P1 = {};
const P2 = {};

/** An admission whose clock stands still until a test moves it, as a deployment's does while code runs. */
class Line {
  now = 0;
  readonly #admission: Admission;
  readonly #ends: (() => void)[] = [];

  constructor(budgets: Partial<Budgets> = {}) {
    this.#admission = new Admission({ ...DEFAULT_BUDGETS, ...budgets }, () => this.now);
  }

  /** Lets calls begin at once. Returns how many were refused, with what. */
  begin(count: number, processor: object | null = P1, look = 0, keyId = ""): Refusal[] {
    const refusals: Refusal[] = [];
    for (let i = 0; i < count; i++) {
      try {
        const turn = this.#admission.begin(processor ?? undefined, look, keyId);
        this.#ends.push(() => this.#admission.end(turn));
      } catch (reason) {
        refusals.push(reason as Refusal);
      }
    }
    return refusals;
  }

  /** Ends the oldest calls, one after the other. */
  end(count: number, msEach: number): void {
    for (const end of this.#ends.splice(0, count)) {
      this.now += msEach;
      end();
    }
  }

  /** Forgets the oldest calls, as the runtime does when their clients leave. */
  forget(count: number): void {
    this.#ends.splice(0, count);
  }
}

describe("admission", () => {
  it("refuses no call at 100 calls under way, and not when it knows nothing", () => {
    const line = new Line();
    expect(line.begin(100)).toEqual([]);
    line.end(100, 1);
    expect(line.begin(100)).toEqual([]);
  });

  it("admits what can be answered soon, and refuses the others with 503 and a time to wait", () => {
    const line = new Line();
    line.begin(200);
    line.end(200, 0.5);
    const refusals = line.begin(2000);
    // One call took half a millisecond, and the calls of one processor may take 200 ms together.
    expect(refusals).toHaveLength(1600);
    expect(refusals[0]).toBeInstanceOf(Refusal);
    expect(refusals[0]).toMatchObject({
      http: 503,
      message: "this processor has more calls than it can answer within a second; nothing was done, try again in 1 s",
      extras: { retryAfterS: 1 },
    });
  });

  it("admits fewer when calls are slow, but some always", () => {
    const line = new Line();
    line.begin(100);
    line.end(100, 50);
    expect(line.begin(100)).toHaveLength(50);
    line.end(30, 500);
    expect(line.begin(100)).toHaveLength(84);
  });

  it("leaves room for another processor", () => {
    const line = new Line();
    line.begin(200);
    line.end(200, 0.5);
    expect(line.begin(1000)).toHaveLength(600);
    expect(line.begin(100, P2)).toEqual([]);
    const [refusal] = line.begin(1000, P2);
    expect(refusal?.message).toContain("this server has more calls");
  });

  it("leaves room for another key at the same processor, and for another processor of the same key, beside slow calls", () => {
    const line = new Line();
    line.begin(16, P1, 0, "slow");
    line.end(16, 500);
    expect(line.begin(40, P1, 0, "slow")).toHaveLength(24);
    // Of the 16 further places, each of two has a half.
    expect(line.begin(16, P1, 0, "other")).toHaveLength(8);
    // The server is full, too: of three, each has a third.
    expect(line.begin(16, P2, 0, "slow")).toHaveLength(10);
    expect(line.begin(16, {}, 0, "third")).toHaveLength(14);
    expect(line.begin(16, {}, 0, "fourth")).toHaveLength(16);
    line.end(100, 500);
    expect(line.begin(16, {}, 0, "fourth")).toEqual([]);
  });

  it("counts those that were let through together, even if the first have ended", () => {
    const line = new Line();
    let refused = 0;
    for (let i = 0; i < 600; i++) {
      refused += line.begin(1, P1, 1).length;
      line.end(1, 0.5);
    }
    expect(refused).toBe(200);
    expect(line.begin(1, P1, 2)).toEqual([]);
  });

  it("does not count a call whose client has left, once a later one has ended or some seconds have passed", () => {
    const line = new Line();
    line.begin(256);
    line.forget(256);
    expect(line.begin(1)).toHaveLength(1);
    line.now = 4001;
    expect(line.begin(255)).toEqual([]);
    line.forget(255);
    line.now += 300;
    expect(line.begin(1)).toEqual([]);
    line.end(1, 1);
    expect(line.begin(200)).toEqual([]);
  });

  it("admits as many as its budgets say", () => {
    const line = new Line({ processorWaitMs: 20, serverWaitMs: 30, burstCalls: 16 });
    // Nothing is known yet, so a burst may be under way.
    expect(line.begin(100)).toHaveLength(84);
    for (let calls = 0; calls < 208; calls += 16) {
      line.end(16, 0.25);
      line.begin(16);
    }
    line.end(16, 0.25);
    // 80 end in 20 ms, 120 in 30 ms.
    expect(line.begin(200)).toHaveLength(120);
    expect([P2, {}, {}].map((processor) => line.begin(16, processor).length)).toEqual([0, 0, 8]);
  });

  it("never admits less than 16", () => {
    const line = new Line({ processorWaitMs: 1, serverWaitMs: 1, burstCalls: 1 });
    expect(line.begin(100)).toHaveLength(84);
    line.end(16, 100);
    expect(line.begin(100)).toHaveLength(84);
  });

  it("counts a call from when its body is there, and takes an old look for none", () => {
    const line = new Line();
    line.begin(300, P1, 2);
    line.now = 3000;
    // Its look was the first one; meanwhile there was a second.
    expect(line.begin(1, P1, 1)).toHaveLength(1);
    line.end(256, 0.1);
    expect(line.begin(16, P1, 1)).toEqual([]);
  });

  it("does not count what makes no call here", () => {
    expect(new Line().begin(2000, null)).toEqual([]);
  });
});

describe("a clock that is set", () => {
  it.each([86_400_000, 3_650 * 86_400_000])("ahead by %d ms for a moment leaves no call behind for good", (ms) => {
    const line = new Line();
    line.now = ms;
    // Their clients leave, and the runtime says nothing.
    line.begin(16);
    line.forget(16);
    line.now = 0;
    for (let second = 0; second < 600; second++) {
      expect(line.begin(16)).toEqual([]);
      line.now += 5_000;
      line.forget(16);
    }
  });

  it.each([
    86_400_000,
    3_650 * 86_400_000,
  ])("by %d ms and back does not spoil what is known of how fast calls end", (ms) => {
    const line = new Line();
    line.begin(200);
    line.end(100, 0.5);
    line.now += ms;
    line.end(50, 0.5);
    line.now -= ms;
    line.end(50, 0.5);
    for (let round = 0; round < 20; round++) {
      line.begin(200);
      line.end(200, 0.5);
    }
    // About as without the jumps: the calls of one processor may take 200 ms together, half a millisecond each.
    const admitted = 2000 - line.begin(2000).length;
    expect(admitted).toBeGreaterThan(300);
    expect(admitted).toBeLessThan(500);
  });
});
