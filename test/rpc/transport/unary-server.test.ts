/** The server half of the unary path, where it differs from the library's: bytes in, a reply out, never a throw. */

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  AgentService,
  GetGenomeRequestSchema,
  GetGenomeResponseSchema,
} from "../../../src/gen/noema/v1/agent_service_pb";
import { toConnectError } from "../../../src/rpc/services/connect-error";
import { MAX_MESSAGE_BYTES, messageFromCarried } from "../../../src/rpc/transport/message-bytes";
import { isErrorReply } from "../../../src/rpc/transport/unary";
import { UnaryServer } from "../../../src/rpc/transport/unary-server";

const PATH = "/noema.v1.AgentService/GetGenome";
const REQUEST = toBinary(GetGenomeRequestSchema, create(GetGenomeRequestSchema));

/** The error of a reply, read from its JSON. */
async function errorOf(reply: ReturnType<UnaryServer["call"]>): Promise<unknown> {
  const settled = await reply;
  return typeof settled === "string" ? JSON.parse(settled) : undefined;
}

describe("a unary server", () => {
  const logged = vi.spyOn(console, "error");

  beforeEach(() => {
    logged.mockReset().mockReturnValue(undefined);
  });

  test("answers at once when the service does", () => {
    const reply = new UnaryServer(toConnectError)
      .service(AgentService, { getGenome: () => ({ genomeJson: "{}" }) })
      .call(PATH, REQUEST);
    if (!(reply instanceof Uint8Array)) throw new Error(`not answered at once, or with an error: ${reply}`);
    expect(fromBinary(GetGenomeResponseSchema, reply).genomeJson).toBe("{}");
  });

  test("answers text with text, and bytes with bytes", async () => {
    const later = new UnaryServer(toConnectError).service(AgentService, {
      getGenome: (_, { requestHeader }) => Promise.resolve({ genomeJson: `é${Array.from(requestHeader).length}` }),
    });
    const at = new UnaryServer(toConnectError).service(AgentService, { getGenome: () => ({ genomeJson: "é0" }) });
    for (const server of [later, at]) {
      const [bytes, text] = await Promise.all([server.call(PATH, REQUEST), server.call(PATH, "")]);
      expect(bytes).toBeInstanceOf(Uint8Array);
      expect(text).toBe(String.fromCharCode(...(bytes as Uint8Array)));
      expect(isErrorReply(text)).toBe(false);
      expect(messageFromCarried(GetGenomeResponseSchema, text).genomeJson).toBe("é0");
    }
  });

  test("replies with an error to text that is no message", async () => {
    const server = new UnaryServer(toConnectError).service(AgentService, { getGenome: () => ({}) });
    const reply = await server.call(PATH, "\x08");
    expect(isErrorReply(reply)).toBe(true);
    expect(await errorOf(reply)).toMatchObject({ code: "internal" });
  });

  test("gives a service the context that Connect promises", async () => {
    const server = new UnaryServer(toConnectError).service(AgentService, {
      getGenome: (_, context) => {
        context.responseHeader.set("a", "1");
        context.responseTrailer.set("b", "2");
        const { method, service, protocolName, requestMethod, url, values, signal, requestHeader } = context;
        const genomeJson = JSON.stringify({
          names: [
            method.name,
            service.typeName,
            protocolName,
            requestMethod,
            url,
            context.timeoutMs() ?? "no deadline",
          ],
          kept: [context.responseHeader.get("a"), context.responseTrailer.get("b"), Array.from(requestHeader).length],
          aborted: signal.aborted,
          value: values.get({ id: Symbol("none"), defaultValue: "default" }),
        });
        return { genomeJson };
      },
    });
    const reply = await server.call(PATH, REQUEST);
    if (typeof reply === "string") throw new Error(reply);
    expect(JSON.parse(fromBinary(GetGenomeResponseSchema, reply).genomeJson)).toEqual({
      names: ["GetGenome", "noema.v1.AgentService", "connect", "POST", `https://object${PATH}`, "no deadline"],
      kept: ["1", "2", 0],
      aborted: false,
      value: "default",
    });
  });

  test("replies with an error to an unknown path, and to a method without implementation", async () => {
    const server = new UnaryServer(toConnectError).service(AgentService, {});
    expect(await errorOf(server.call("/noema.v1.AgentService/Nothing", REQUEST))).toEqual({
      code: "unimplemented",
      message: "there is no unary method /noema.v1.AgentService/Nothing",
    });
    expect(await errorOf(server.call(PATH, REQUEST))).toMatchObject({ code: "unimplemented" });
  });

  test("replies with an error to bytes that are no message", async () => {
    const server = new UnaryServer(toConnectError).service(AgentService, { getGenome: () => ({}) });
    const error = await errorOf(server.call(PATH, Uint8Array.of(0xff)));
    expect(error).toMatchObject({ code: "internal", message: expect.stringMatching(/^parse binary: ./) });
  });

  test("replies with an error when the answer is too large for a call", async () => {
    const genomeJson = "x".repeat(MAX_MESSAGE_BYTES);
    const server = new UnaryServer(toConnectError).service(AgentService, { getGenome: async () => ({ genomeJson }) });
    expect(await errorOf(server.call(PATH, REQUEST))).toEqual({
      code: "resource_exhausted",
      message: `message size ${MAX_MESSAGE_BYTES + 5} is larger than the ${MAX_MESSAGE_BYTES} bytes that one call may carry`,
    });
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("secret");
      },
    ],
    ["rejects", () => Promise.reject(new Error("secret"))],
    ["answers with a value of the wrong type", () => ({ genomeJson: Symbol("secret") as unknown as string })],
    [
      "later answers with a value of the wrong type",
      async () => ({ genomeJson: Symbol("secret") as unknown as string }),
    ],
  ])("replies with an error when a service %s", async (_, getGenome) => {
    const error = await errorOf(
      new UnaryServer(toConnectError).service(AgentService, { getGenome }).call(PATH, REQUEST),
    );
    expect(error).toMatchObject({ code: "internal", message: expect.not.stringContaining("secret") });
  });
});
