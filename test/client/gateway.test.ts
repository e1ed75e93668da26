/** The client against the gateway itself: names arrive as they were given, and an export that the gateway cannot finish is noticed. */

import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test, vi } from "vitest";
import {
  connect,
  endSession,
  exportKnowledgeBase,
  getSymbol,
  getVector,
  observe,
  processor,
  session,
} from "../../src/client";
import {
  type ExportKnowledgeRequest,
  ExportKnowledgeResponseSchema,
  KnowledgeService,
} from "../../src/gen/noema/v1/knowledge_service_pb";
import { MemoryService } from "../../src/gen/noema/v1/memory_service_pb";
import { KEY } from "../support/client/scripted-server";
import { P1, STAMP, TestGateway } from "../support/gateway/test-gateway";
import { fc } from "../support/property";

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

/** The same bytes; a stream that fails ends like one that is read whole, as workerd sends it. */
function asSent(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (done || value === undefined) controller.close();
      else controller.enqueue(value);
    },
  });
}

test("an export that the gateway cannot finish fails its reader with the reason", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const gateway = new TestGateway();
  gateway.answerWith(KnowledgeService.method.exportKnowledge, (request) => {
    const { after } = request as ExportKnowledgeRequest;
    if (after.length === 10) throw new ConnectError("the export was lost", Code.Aborted);
    const models = [{ name: `${after}m`, sequence: [{ symbols: ["s".repeat(100_000)] }], frequency: 1 }];
    return create(ExportKnowledgeResponseSchema, { stamp: STAMP, totals: {}, revision: 9, models, more: true });
  });
  const fetch = async (url: string, init: RequestInit) => {
    const { body, status } = await gateway.handle(new Request(url, init));
    return new Response(body === null ? null : asSent(body), { status });
  };
  const noema = connect({ address: "http://127.0.0.1:8787", key: KEY, fetch: fetch as never, retries: 0 });
  const reading = new Response(await exportKnowledgeBase(processor(noema, P1))).text();
  await expect(reading).rejects.toThrow("the export is incomplete: the export was lost");
  log.mockRestore();
});
