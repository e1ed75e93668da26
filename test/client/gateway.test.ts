/** The client against the gateway itself: names arrive as they were given, whatever characters they have. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { connect, endSession, getSymbol, getVector, observe, processor, session } from "../../src/client";
import { KnowledgeService } from "../../src/gen/noema/v1/knowledge_service_pb";
import { MemoryService } from "../../src/gen/noema/v1/memory_service_pb";
import { KEY } from "../support/client/scripted-server";
import { P1, STAMP, TestGateway } from "../support/gateway/test-gateway";

/** Text with the characters that paths treat specially, more often than chance would have it. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(".", "/", "%", "?", "#", "\\", " ", "+", "%2e", ":", "ü", "😀"),
      fc.string({ unit: "grapheme" }),
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(""))
  .filter((name) => name !== "" && name !== "." && name !== "..");

function connected() {
  const gateway = new TestGateway();
  const observed = { awake: true, autoLearnedModel: "", predictionMade: false, uniqueId: "u" };
  gateway.answer(MemoryService.method.observe, { stamp: STAMP, observed });
  const fetch = (url: string, init: RequestInit) => gateway.handle(new Request(url, init));
  const noema = connect({ address: "http://127.0.0.1:8787", key: KEY, fetch: fetch as never, retries: 0 });
  return { gateway, p1: processor(noema, P1) };
}

const encoder = new TextEncoder();

test("symbols and vectors arrive as they were given", async () => {
  const { gateway, p1 } = connected();
  await fc.assert(
    fc.asyncProperty(text, async (name) => {
      await getSymbol(p1, name);
      expect(gateway.lastOf(KnowledgeService.method.getSymbol)).toMatchObject({ name });
      await getVector(p1, `VECTOR|${name}`).catch(() => {});
      expect(gateway.lastOf(KnowledgeService.method.getVector)).toMatchObject({ name });
    }),
  );
});

test("a session arrives as it was named, or is refused before a request is made", async () => {
  const { gateway, p1 } = connected();
  await fc.assert(
    fc.asyncProperty(text, async (name) => {
      const before = gateway.calls.length;
      if (/\p{Cc}/u.test(name) || encoder.encode(name).length > 128) {
        expect(() => session(p1, name)).toThrow(TypeError);
        await expect(endSession(p1, name)).rejects.toThrow(TypeError);
        expect(gateway.calls).toHaveLength(before);
        return;
      }
      await observe(session(p1, name), { strings: ["a"] });
      expect(gateway.calls.at(-1)).toMatchObject({ to: `simple/${P1}`, rpc: "Observe", session: name });
    }),
  );
});
