/** The client half of the unary path, where it differs from the library's: the object itself can be lost. */

import { create, type DescMethodStreaming, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { describe, expect, test, vi } from "vitest";
import { InspectionService, PingResponseSchema } from "../../../src/gen/noema/v1/inspection_service_pb";
import { LearnResponseSchema, MemoryService, ObserveResponseSchema } from "../../../src/gen/noema/v1/memory_service_pb";
import { toConnectError } from "../../../src/rpc/services/connect-error";
import { MAX_MESSAGE_BYTES, messageToCarried } from "../../../src/rpc/transport/message-bytes";
import type { UnaryObject, UnaryReply } from "../../../src/rpc/transport/unary";
import { UnaryServer } from "../../../src/rpc/transport/unary-server";
import { createUnaryTransport } from "../../../src/rpc/transport/unary-transport";
import { LARGE_BYTES } from "../../../src/rpc/transport/yield-to-event-loop";

const ANSWER: UnaryReply = toBinary(PingResponseSchema, create(PingResponseSchema, { stamp: { id: "p" } }));

const CALLED = { name: "processor simple/p", id: "0a1b" };

/** Objects that fail in turn with these errors, and answer when there are no more. */
function failing(...errors: unknown[]) {
  const stubs: UnaryObject[] = [];
  const paths: string[] = [];
  const object = () => {
    const stub: UnaryObject = {
      unary: async (path) => {
        paths.push(path);
        if (stubs.length <= errors.length) throw errors[stubs.length - 1];
        return ANSWER;
      },
    };
    stubs.push(stub);
    return stub;
  };
  return { stubs, paths, transport: createUnaryTransport(object, () => CALLED) };
}

const reset = () => Object.assign(new Error("Durable Object reset because its code was updated."), { retryable: true });
const overload = () => Object.assign(new Error("Durable Object is overloaded."), { retryable: true, overloaded: true });

async function codeOf(call: Promise<unknown>): Promise<[Code, string]> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => ConnectError.from(reason),
  );
  return [error?.code ?? (0 as Code), error?.rawMessage ?? "succeeded"];
}

describe("a unary transport", () => {
  test("asks for the object again for every call", async () => {
    const { stubs, paths, transport } = failing();
    const client = createClient(InspectionService, transport);
    await client.ping({});
    await client.ping({});
    expect(stubs).toHaveLength(2);
    expect(paths).toEqual(["/noema.v1.InspectionService/Ping", "/noema.v1.InspectionService/Ping"]);
  });

  test("lets others have a turn before an object gets a large message, and no sooner", async () => {
    const hasTurnBefore = async (symbol: string) => {
      const unary = vi.fn(() => Promise.resolve("refused"));
      const client = createClient(
        MemoryService,
        createUnaryTransport(
          () => ({ unary }),
          () => CALLED,
        ),
      );
      const isFirst = new Promise((resolve) => setTimeout(() => resolve(unary.mock.calls.length === 0), 0));
      await expect(client.observe({ gdf: { strings: [symbol] } })).rejects.toThrow();
      expect(unary).toHaveBeenCalledTimes(1);
      return isFirst;
    };
    expect(await hasTurnBefore("a")).toBe(false);
    expect(await hasTurnBefore("a".repeat(LARGE_BYTES + 1))).toBe(true);
  });

  test("sends a small message as text, and a large one as bytes", async () => {
    const bodies: unknown[] = [];
    const unary: UnaryObject["unary"] = async (_, body) => {
      bodies.push(body);
      return messageToCarried(ObserveResponseSchema, { deliveries: 3 });
    };
    const client = createClient(
      MemoryService,
      createUnaryTransport(
        () => ({ unary }),
        () => CALLED,
      ),
    );
    expect((await client.observe({ gdf: { strings: ["a"] } })).deliveries).toBe(3);
    await client.observe({ gdf: { strings: ["a".repeat(2_048)] } });
    expect(bodies).toEqual(["\n\x03\n\x01a", expect.any(Uint8Array)]);
  });

  test("sends bytes to an object of an earlier release, which reads no text", async () => {
    const server = new UnaryServer(toConnectError).service(MemoryService, { observe: () => ({ deliveries: 3 }) });
    const bodies: unknown[] = [];
    const unary: UnaryObject["unary"] = async (path, body) => {
      bodies.push(body);
      const read = typeof body === "string" ? Uint8Array.of(0xff) : body;
      return server.call(path, read);
    };
    const transport = createUnaryTransport(
      () => ({ unary }),
      () => CALLED,
    );
    const logged = vi.spyOn(console, "error").mockReturnValue(undefined);
    expect((await createClient(MemoryService, transport).observe({ explain: true })).deliveries).toBe(3);
    logged.mockRestore();
    expect(bodies).toEqual(["\x20\x01", Uint8Array.of(0x20, 1)]);
  });

  test("passes on an error that an object has for bytes, too", async () => {
    const unary = vi.fn<UnaryObject["unary"]>(
      async () => '{"code":"internal","message":"parse binary: premature EOF"}',
    );
    const transport = createUnaryTransport(
      () => ({ unary }),
      () => CALLED,
    );
    const [code, message] = await codeOf(createClient(MemoryService, transport).observe({}));
    expect([code, message]).toEqual([Code.Internal, "parse binary: premature EOF"]);
    expect(unary).toHaveBeenCalledTimes(2);
  });

  test("repeats a call without side effects when the object was reset", async () => {
    const { stubs, transport } = failing(reset(), reset());
    expect((await createClient(InspectionService, transport).ping({})).stamp?.id).toBe("p");
    expect(stubs).toHaveLength(3);
  });

  test("gives up after three attempts", async () => {
    const { stubs, transport } = failing(reset(), reset(), reset());
    expect((await codeOf(createClient(InspectionService, transport).ping({})))[0]).toBe(Code.Unavailable);
    expect(stubs).toHaveLength(3);
  });

  test("never repeats a call that may have taken place", async () => {
    const { stubs, transport } = failing(reset());
    const [code, message] = await codeOf(createClient(MemoryService, transport).learn({}));
    expect(code).toBe(Code.Unavailable);
    expect(message).toBe("the object was lost during the call, which may or may not have taken place; try again");
    expect(stubs).toHaveLength(1);
  });

  test("repeats a call with an idempotency key, and gives it to the object each time", async () => {
    const calls: unknown[] = [];
    const call = { idempotency: { key: "k", fingerprint: new Uint8Array(32) } };
    const object = (): UnaryObject => ({
      unary: async (_, __, said) => {
        calls.push(said);
        if (calls.length === 1) throw reset();
        return toBinary(LearnResponseSchema, create(LearnResponseSchema, { model: "m" }));
      },
    });
    const transport = createUnaryTransport(object, () => CALLED, call);
    expect((await createClient(MemoryService, transport).learn({})).model).toBe("m");
    expect(calls).toEqual([call, call]);
  });

  test("never repeats a call that the runtime does not call retryable, nor after an overload", async () => {
    const broken = failing(new Error("the object failed"));
    expect((await codeOf(createClient(InspectionService, broken.transport).ping({})))[0]).toBe(Code.Unavailable);
    const overloaded = failing(overload());
    const [code, message] = await codeOf(createClient(InspectionService, overloaded.transport).ping({}));
    expect(code).toBe(Code.Unavailable);
    expect(message).toBe("the object has more calls than it can answer; try again later");
    expect([broken.stubs, overloaded.stubs].map(({ length }) => length)).toEqual([1, 1]);
  });

  test("refuses a message too large for a call before it is sent", async () => {
    const { stubs, transport } = failing();
    const [code, message] = await codeOf(
      createClient(MemoryService, transport).observe({ gdf: { strings: ["x".repeat(MAX_MESSAGE_BYTES)] } }),
    );
    expect(code).toBe(Code.ResourceExhausted);
    expect(message).toContain(`larger than the ${MAX_MESSAGE_BYTES} bytes`);
    expect(stubs).toHaveLength(0);
  });

  test.each([
    ["bytes that are no message", Uint8Array.of(0xff), Code.Internal],
    ["an error that is no JSON", "<html>", Code.Unknown],
    ["an error that is no object", "[]", Code.Unknown],
  ] as const)("has an error for %s", async (_, reply, expected) => {
    const object: UnaryObject = {
      unary: async () => reply,
    };
    const [code] = await codeOf(
      createClient(
        InspectionService,
        createUnaryTransport(
          () => object,
          () => CALLED,
        ),
      ).ping({}),
    );
    expect(code).toBe(expected);
  });

  test.each([
    [
      "database or disk is full: SQLITE_FULL",
      Code.ResourceExhausted,
      "the disk of the server is full: the request was rolled back",
    ],
    ["database disk image is malformed: SQLITE_CORRUPT", Code.DataLoss, "this processor's storage cannot be used"],
    ["file is not a database: SQLITE_NOTADB", Code.DataLoss, "this processor's storage cannot be used"],
    ["internal error; reference = 6igj0qo4hrfff", Code.DataLoss, "this processor's storage cannot be used"],
  ])("says and logs that storage failed: %s", async (words, expected, sentence) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { stubs, transport } = failing(Object.assign(new Error(words), { durableObjectReset: true }));
    const [code, message] = await codeOf(createClient(MemoryService, transport).learn({}));
    expect(code).toBe(expected);
    expect(message).toContain(sentence);
    expect(log.mock.calls).toEqual([[`the storage of processor simple/p (0a1b.sqlite) failed: ${words}`]]);
    expect(stubs).toHaveLength(1);
    log.mockRestore();
  });

  test("refuses a stream, which only HTTP carries", async () => {
    const { stubs, transport } = failing();
    const method = {
      ...MemoryService.method.observe,
      methodKind: "server_streaming",
    } as unknown as DescMethodStreaming;
    const none = (async function* () {})();
    const [code, message] = await codeOf(transport.stream(method, undefined, undefined, undefined, none));
    expect(code).toBe(Code.Unimplemented);
    expect(message).toBe(
      "/noema.v1.MemoryService/Observe is a stream, and objects of this deployment answer unary calls only",
    );
    expect(stubs).toHaveLength(0);
  });
});
