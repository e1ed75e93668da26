/** Calls of every method of the public services with bytes that are no message: refused as the client's mistake, and nothing is called. */

import { create, toBinary } from "@bufbuild/protobuf";
import { expect, it, vi } from "vitest";
import { AgentService } from "../../src/gen/noema/v1/agent_service_pb";
import { EncoderService } from "../../src/gen/noema/v1/encoder_service_pb";
import { GeneService } from "../../src/gen/noema/v1/gene_service_pb";
import { InspectionService } from "../../src/gen/noema/v1/inspection_service_pb";
import { KnowledgeService } from "../../src/gen/noema/v1/knowledge_service_pb";
import { MemoryService } from "../../src/gen/noema/v1/memory_service_pb";
import { ModeService } from "../../src/gen/noema/v1/mode_service_pb";
import { TestGateway } from "../support/gateway/test-gateway";
import { Random } from "../support/random";

const METHODS = [
  AgentService,
  EncoderService,
  GeneService,
  InspectionService,
  KnowledgeService,
  MemoryService,
  ModeService,
].flatMap(({ methods }) => [...methods]);
const ROUNDS = 8;

/** What only the engine says. */
const ENGINE =
  /parse binary|premature|illegal tag|invalid wire|Unexpected|in JSON|SyntaxError|TypeError|RangeError|atob|base64|gzip:/;

const ENCODINGS = [
  ["application/proto", {}],
  ["application/proto", { "content-encoding": "gzip" }],
  ["application/proto", { "content-encoding": "br" }],
  ["application/json", {}],
  ["application/json", { "content-encoding": "gzip" }],
  ["application/grpc-web+proto", {}],
  ["application/grpc-web+json", {}],
] as const;

it.each(
  METHODS.map((method) => [`${method.parent.typeName}/${method.name}`, method] as const),
)("%s", async (path, method) => {
  const errors = vi.spyOn(console, "error");
  const gateway = new TestGateway();
  const random = new Random(METHODS.indexOf(method) + 1);
  const send = async (url: string, init: RequestInit) => {
    const headers = { "x-api-key": "ABCD-1234", ...init.headers };
    const response = await gateway.handle(new Request(`http://127.0.0.1${url}`, { ...init, headers }));
    const text = await response.text();
    const shown = `${url} ${JSON.stringify(init.headers)} ${init.body}: ${response.status} ${text}`;
    expect(response.status < 500 || response.status === 501, shown).toBe(true);
    const status = response.headers.get("grpc-status") ?? /grpc-status: (\d+)/.exec(text)?.[1];
    expect(["2", "13", "15"], shown).not.toContain(status);
    expect(decodeURIComponent(`${text}${response.headers.get("grpc-message") ?? ""}`), shown).not.toMatch(ENGINE);
  };
  const right = toBinary(method.input, create(method.input, {}));
  for (let round = 0; round < ROUNDS; round++) {
    const bytes = Uint8Array.from([...right, ...Array.from({ length: random.below(30) }, () => random.below(256))]);
    for (const [type, more] of ENCODINGS) {
      await send(`/${path}`, { method: "POST", body: bytes, headers: { "content-type": type, ...more } });
    }
    const message = encodeURIComponent(String.fromCharCode(...bytes));
    for (const query of ["encoding=proto&base64=1", "encoding=json", "encoding=proto&compression=gzip", "encoding=x"]) {
      await send(`/${path}?connect=v1&${query}&message=${message}`, { method: "GET" });
    }
  }
  expect(errors).not.toHaveBeenCalled();
  errors.mockRestore();
});
