/** The stand-alone Node processor of examples/: called by an agent, killed, down, told by other processors, and called over gRPC. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MemoryService } from "../../src/gen/noema/v1/memory_service_pb";
import { EXAMPLES } from "../support/conformance/examples";
import { Player } from "../support/conformance/player";
import { genomeText, manipulative, primitive } from "../support/object/genomes";
import { requireOutput } from "../support/server/child-output";
import { makeStateDir, Server } from "../support/server/server";

const ID = "p46b6b076c";
const LONG_MS = 180_000;
const LISTENS = /listens on http:\/\/(\S+) \(HTTP\/1.1\) and (http:\S+) /;

/** The example, as its README starts it. */
class NodeProcessor {
  readonly host: string;
  readonly http2: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, host: string, http2: string) {
    this.#child = child;
    this.host = host;
    this.http2 = http2;
  }

  static async start(folder: string, port = "0"): Promise<NodeProcessor> {
    const env = {
      ...process.env,
      PORT: port,
      H2_PORT: "0",
      KEY: "secret",
      PROCESSOR_ID: ID,
      JOURNAL: join(folder, "journal"),
    };
    const child = spawn(process.execPath, ["examples/node-processor/start.mjs"], {
      env,
      // A group of its own, so that a kill strikes the bundle that it runs too.
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const { match } = await requireOutput(child, LISTENS);
    const [, host = "", http2 = ""] = match;
    return new NodeProcessor(child, host, http2);
  }

  async kill(): Promise<void> {
    const ended = once(this.#child, "exit");
    process.kill(-Number(this.#child.pid), "SIGKILL");
    await ended;
  }
}

const folder = makeStateDir();
let remote: NodeProcessor;
let server: Server;
let player: Player;

const node = () => primitive(ID, { name: "P1", endpoint: `http://${remote.host}` });

function hotswap(...nodes: Record<string, unknown>[]) {
  return server.okay("POST /genome/hotswap", genomeText(...nodes));
}

beforeAll(async () => {
  remote = await NodeProcessor.start(folder);
  const { host } = remote;
  server = await Server.start(makeStateDir(), {
    NOEMA_ENDPOINT_HOSTS: host,
    NOEMA_ENDPOINT_KEYS: `${host}=secret`,
  });
  await hotswap(node());
  player = await Player.begin(server);
}, LONG_MS);

afterAll(async () => {
  await remote.kill();
  await server.discard();
  rmSync(folder, { recursive: true, force: true });
});

describe("the conformance examples on a remote processor", () => {
  beforeEach(() => player.reset());

  for (const example of EXAMPLES.filter(({ genome }) => genome === "simple")) {
    test(example.id, () => player.play(example));
  }
});

describe("a remote processor", () => {
  beforeEach(() => player.reset());

  test("keeps its memory over a kill, and fails clearly while it is down", { timeout: LONG_MS }, async () => {
    await server.call("POST /P1/observe", { data: { strings: ["hello"] } });
    await remote.kill();
    const down = await server.call("POST /P1/observe", { data: { strings: ["lost"] } });
    expect([down.status, down.json.status]).toEqual([503, "failed"]);
    expect(down.json.message).toContain("the processor cannot be reached");
    expect((await server.call("GET /connect")).json).toMatchObject({ connection: "failed", status: "okay" });
    remote = await NodeProcessor.start(folder, remote.host.split(":")[1]);
    expect((await server.call("GET /P1/working-memory")).json.message).toEqual([["hello"]]);
    expect((await server.call("GET /connect")).json.connection).toBe("okay");
  });

  test("observes what others predict, at once or when it is back", { timeout: LONG_MS }, async () => {
    await hotswap(node(), primitive("p2", { manipulatives: ["m"] }), manipulative("m", "p2", [ID]));
    await server.call("PUT /p2/add-model", { sequence: [["a"], ["b"]] });
    await server.call("POST /p2/observe", { data: { strings: ["a"] } });
    expect((await server.call("GET /P1/time")).json.message).toBe("1");
    await remote.kill();
    for (const each of ["b", "a"]) {
      expect((await server.call("POST /p2/observe", { data: { strings: [each] } })).json.status).toBe("okay");
    }
    remote = await NodeProcessor.start(folder, remote.host.split(":")[1]);
    await expect.poll(async () => (await server.call("GET /P1/time")).json.message, { timeout: 60_000 }).toBe("3");
    await hotswap(node());
  });

  test("is refused at an address that is not allowed", async () => {
    const answer = await server.call(
      "POST /genome/hotswap",
      genomeText(primitive("p3", { endpoint: "https://example.org" })),
    );
    expect(answer.status).toBe(400);
    expect(answer.json.message).toBe(
      'the genome\'s processor "p3" has the endpoint "https://example.org"; its host example.org is not listed in the variable NOEMA_ENDPOINT_HOSTS',
    );
    expect((await server.call("GET /P1/ping")).status).toBe(200);
  });

  test.each([
    ["gRPC", () => createGrpcTransport({ baseUrl: remote.http2 })],
    ["Connect over HTTP/2", () => createConnectTransport({ baseUrl: remote.http2, httpVersion: "2" })],
    ["Connect over HTTP/1.1", () => createConnectTransport({ baseUrl: `http://${remote.host}`, httpVersion: "1.1" })],
  ])("answers %s, and only with the key", async (_, transport) => {
    const memory = createClient(MemoryService, transport());
    const headers = { "x-api-key": "secret" };
    await memory.observe({ gdf: { strings: ["hello"] } }, { headers });
    const { events } = await memory.getWorkingMemory({}, { headers });
    expect(events.map(({ symbols }) => symbols)).toEqual([["hello"]]);
    const error = ConnectError.from(await memory.learn({}).catch((reason: unknown) => reason));
    expect(error.code).toBe(Code.Unauthenticated);
  });
});
