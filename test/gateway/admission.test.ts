import { describe, expect, it } from "vitest";
import { Admission } from "../../src/gateway/admission";
import type { Arrival } from "../../src/gateway/arrivals";
import { Refusal } from "../../src/gateway/refusal";

const P1 = {};
const P2 = {};

/** An admission whose clock stands still until a test moves it, as a deployment's does while code runs. */
class Line {
  now = 0;
  readonly #admission = new Admission(() => this.now);
  readonly #ends: (() => void)[] = [];
  /** The calls in the order in which they were served. */
  readonly served: number[] = [];

  /** Lets calls begin at once. Returns how many were refused, with what. */
  async begin(count: number, processor: object | null = P1, look = 0): Promise<Refusal[]> {
    const refusals: Refusal[] = [];
    const arrival: Arrival = { ms: this.now, look };
    for (let i = 0; i < count; i++) {
      const work = () => new Promise<void>((resolve) => this.#ends.push(resolve));
      this.#admission.during(processor ?? undefined, arrival, work).catch((reason) => refusals.push(reason));
    }
    await settle();
    return refusals;
  }

  /** Ends the oldest calls, one after the other. */
  async end(count: number, msEach: number): Promise<void> {
    for (const end of this.#ends.splice(0, count)) {
      this.now += msEach;
      end();
      await settle();
    }
  }

  /** Forgets the oldest calls, as the runtime does when their clients leave. */
  forget(count: number): void {
    this.#ends.splice(0, count);
  }
}

async function settle(): Promise<void> {
  for (let i = 0; i < 8; i++) await undefined;
}

describe("admission", () => {
  it("refuses nobody at 100 calls under way, and not when it knows nothing", async () => {
    const line = new Line();
    expect(await line.begin(100)).toEqual([]);
    await line.end(100, 1);
    expect(await line.begin(100)).toEqual([]);
  });

  it("admits what can be answered soon, and refuses the others with 503 and a time to wait", async () => {
    const line = new Line();
    await line.begin(200);
    await line.end(200, 1);
    const refusals = await line.begin(2000);
    // One call took 1 ms, and the calls of one processor may take 400 ms together.
    expect(refusals).toHaveLength(1600);
    expect(refusals[0]).toBeInstanceOf(Refusal);
    expect(refusals[0]).toMatchObject({
      http: 503,
      message: "this processor has as many calls as it can answer within a second; nothing was done, try again in 1 s",
      extras: { retryAfterS: 1 },
    });
  });

  it("admits fewer when calls are slow, but some always", async () => {
    const line = new Line();
    await line.begin(100);
    await line.end(100, 50);
    expect(await line.begin(100)).toHaveLength(50);
    await line.end(30, 500);
    expect(await line.begin(100)).toHaveLength(84);
  });

  it("leaves room for another processor", async () => {
    const line = new Line();
    await line.begin(200);
    await line.end(200, 1);
    expect(await line.begin(1000)).toHaveLength(600);
    expect(await line.begin(100, P2)).toEqual([]);
    const [refusal] = await line.begin(1000, P2);
    expect(refusal?.message).toContain("this server has as many calls");
  });

  it("counts those that were let through together, even if the first have ended", async () => {
    const line = new Line();
    let refused = 0;
    for (let i = 0; i < 600; i++) {
      refused += (await line.begin(1, P1, 1)).length;
      await line.end(1, 1);
    }
    expect(refused).toBe(200);
    expect(await line.begin(1, P1, 2)).toEqual([]);
  });

  it("does not count a call whose client has left, once a later one has ended or some seconds have passed", async () => {
    const line = new Line();
    await line.begin(256);
    line.forget(256);
    expect(await line.begin(1)).toHaveLength(1);
    line.now = 4001;
    expect(await line.begin(255)).toEqual([]);
    line.forget(255);
    line.now += 300;
    expect(await line.begin(1)).toEqual([]);
    await line.end(1, 1);
    expect(await line.begin(200)).toEqual([]);
  });

  it("does not count what calls nobody here", async () => {
    expect(await new Line().begin(2000, null)).toEqual([]);
  });
});
