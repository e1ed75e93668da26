/** Whatever gets lost on the way: no call takes effect twice, and one that was answered took effect. */

import { expect, test } from "vitest";
import { hotswapGenome, loadKnowledgeBase, type Noema, NoemaError, observe, processor } from "../../src/client";
import { failed, type Outcome, okay, scripted } from "../support/client/scripted-server";
import { fc } from "../support/property";

/** What happens to one attempt. */
const FATES = [
  "answered",
  "request lost",
  "answer lost",
  "answer broken",
  "gateway fails after the effect",
  "busy",
  "limit",
];

/** A server that keeps answers under keys, and the last number of a source, as Noema does, at the end of a link with these fates. */
class Link {
  /** How often each call took effect, by its body. */
  readonly effects = new Map<string, number>();
  readonly #kept = new Set<string>();
  #lastNumber = 0;
  readonly #fates: string[];

  constructor(fates: readonly string[]) {
    this.#fates = [...fates];
  }

  readonly outcome: Outcome = (request) => {
    const fate = this.#fates.shift() ?? "answered";
    if (fate === "request lost") throw new TypeError("fetch failed");
    if (fate === "busy") return failed(503, "overloaded");
    if (fate === "limit") return failed(429, "too many requests");
    this.#take(request.body ?? "", request.headers.get("idempotency-key"));
    if (fate === "answer lost") throw new TypeError("fetch failed");
    if (fate === "gateway fails after the effect") return new Response("<html>", { status: 502 });
    if (fate === "answer broken") return new Response(new ReadableStream({ pull: (c) => c.error(new Error("gone")) }));
    return okay("done");
  };

  #take(call: string, key: string | null): void {
    const number: number | undefined = JSON.parse(call).delivery?.number;
    if (number !== undefined && number <= this.#lastNumber) return;
    this.#lastNumber = number ?? this.#lastNumber;
    if (key !== null && this.#kept.has(key)) return;
    if (key !== null) this.#kept.add(key);
    this.effects.set(call, (this.effects.get(call) ?? 0) + 1);
  }
}

/** The calls, each with another body. */
const MAKE: readonly ((noema: Noema, n: number) => Promise<unknown>)[] = [
  (noema, n) => observe(processor(noema, "P1"), { unique_id: String(n) }),
  (noema, n) => observe(processor(noema, "P1"), {}, { delivery: { source: "device 7", number: n + 1 } }),
  (noema, n) => loadKnowledgeBase(processor(noema, "P1"), { models_kb: {}, n }),
  (noema, n) => hotswapGenome(noema, { agent: String(n), elements: { nodes: [] } }),
];

const plans = fc.array(fc.record({ kind: fc.nat(MAKE.length - 1), retries: fc.nat(4) }), { maxLength: 8 });

test("a call takes effect at most once, and exactly once when it was answered", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...FATES), { maxLength: 40 }), plans, async (fates, plan) => {
      const link = new Link(fates);
      for (const [n, { kind, retries }] of plan.entries()) {
        const { noema, requests } = scripted(link.outcome, { retries });
        const isAnswered = await MAKE[kind]?.(noema, n).then(
          () => true,
          (error: unknown) => {
            expect(error).toBeInstanceOf(NoemaError);
            return false;
          },
        );
        const effects = link.effects.get(requests[0]?.body ?? "") ?? 0;
        expect(effects).toBeLessThanOrEqual(1);
        if (isAnswered) expect(effects).toBe(1);
        expect(requests.length).toBeLessThanOrEqual(1 + retries);
      }
    }),
    { numRuns: 200 },
  );
});

test("the link would show a call that took effect twice", async () => {
  const link = new Link(["answer lost"]);
  const { noema } = scripted(link.outcome, { retries: 0 });
  for (let attempt = 0; attempt < 2; attempt++) await observe(processor(noema, "P1"), {}).catch(() => {});
  expect([...link.effects.values()]).toEqual([2]);
});
