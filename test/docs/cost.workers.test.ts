/** What each call of docs/guides/cost.md writes, counted by the store: rows, and alarms, which are billed as rows. */

import { env } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import page from "../../docs/guides/cost.md?raw";
import { createGateway, type Gateway } from "../../src/gateway/gateway";
import { createTransports } from "../../src/rpc/transport/transports";
import { billed } from "../../src/store/database/database";
import { forgetAgent, fresh } from "../support/object/agents";
import { genomeText, manipulative, primitive } from "../support/object/genomes";
import { TestStream } from "../support/object/stream";

/** A processor in service, over HTTP. */
interface Called {
  id: string;
  call(call: string, body?: unknown, headers?: Record<string, string>): Promise<unknown>;
}

let gateway: Gateway;

beforeEach(() => {
  gateway = createGateway({ NOEMA_LOCAL: "true" }, createTransports(env));
});

afterEach(forgetAgent);

async function request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const init: RequestInit = { method, headers: { "x-api-key": "ABCD-1234", ...headers } };
  if (body !== undefined) init.body = typeof body === "string" ? body : JSON.stringify(body);
  const response = await gateway(new Request(`http://127.0.0.1${path}`, init));
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.any(String)]);
  return text;
}

function called(id: string): Called {
  const call: Called["call"] = async (line, body, headers) => {
    const [method = "", operation = ""] = line.split(" ");
    return request(method, `/${id}/${operation}`, body, headers);
  };
  return { id, call };
}

/** A processor that knows the model a, b and is not told anything yet. With `target`, another one observes what it predicts. */
async function newProcessor(target = false): Promise<Called> {
  const [id, other] = [fresh("p"), fresh("other")];
  const nodes = target ? [primitive(other), manipulative("m", id, [other])] : [];
  await request("POST", "/genome/hotswap", genomeText(primitive(id, target ? { manipulatives: ["m"] } : {}), ...nodes));
  const processor = called(id);
  await processor.call("POST sequence-observe", sequenceOf(true, "a", "b"));
  return processor;
}

const observed = (...strings: string[]) => ({ data: { strings } });

const sequenceOf = (learn: boolean, ...symbols: string[]) => ({
  data: { sequence: symbols.map((symbol) => ({ strings: [symbol] })), learn },
});

/** How many rows some work writes. */
async function rowsOf(work: () => Promise<unknown>): Promise<number> {
  const before = billed.rows + billed.alarms;
  await work();
  return billed.rows + billed.alarms - before;
}

/** Observes events of one symbol each, and says what a learn then writes. */
async function rowsOfLearning({ call }: Called, ...symbols: string[]): Promise<number> {
  for (const symbol of symbols) await call("POST observe", observed(symbol));
  return rowsOf(() => call("POST learn"));
}

const THOUSAND = Array.from({ length: 1000 }, (_, at) => `s${at % 40} t${at % 37} u${at % 31}`.split(" "));

async function teachThousand(): Promise<string> {
  const { id, call } = await newProcessor();
  await call("POST clear-all-memory");
  for (const symbols of THOUSAND) await call("POST sequence-observe", sequenceOf(true, ...symbols));
  return request("GET", `/${id}/get_kb/raw`);
}

let thousand: Promise<string> | undefined;

/** An export of 1,000 models, which were learned once for all that asks for them. */
function thousandModels(): Promise<string> {
  thousand ??= teachThousand();
  return thousand;
}

/** What is measured for each row of the page's table. */
const MEASURED: Record<string, () => Promise<number>> = {
  "`observe`, in the processor's own memory or in a session": async () => {
    const { call } = await newProcessor();
    const own = await rowsOf(() => call("POST observe", observed("a", "c")));
    await call("POST sessions/s/observe", observed("a"));
    expect(await rowsOf(() => call("POST sessions/s/observe", observed("a", "c")))).toBe(own);
    return own;
  },
  "`sequence-observe` of 100 records": async () => {
    const { call } = await newProcessor();
    return rowsOf(() =>
      call("POST sequence-observe", sequenceOf(false, ...THOUSAND.slice(0, 100).map(([symbol = ""]) => symbol))),
    );
  },
  "`predictions`, also with a `sequence`": async () => {
    const { call } = await newProcessor();
    await call("POST observe", observed("a"));
    const asked = await rowsOf(() => call("POST predictions", { data: { sequence: [["a"]] } }));
    expect(await rowsOf(() => call("POST predictions"))).toBe(asked);
    return asked;
  },
  "any `GET`": async () => {
    const { call } = await newProcessor();
    const reads = [
      "working-memory",
      "percept-data",
      "cognition-data",
      "status",
      "time",
      "info",
      "all-genes",
      "get_kb",
      "sessions",
    ];
    return rowsOf(async () => {
      for (const read of reads) await call(`GET ${read}`);
    });
  },
  "`working-memory/clear`": async () => {
    const { call } = await newProcessor();
    await call("POST observe", observed("a"));
    return rowsOf(() => call("POST working-memory/clear"));
  },
  "`learn` of a new model whose symbols are known": async () => rowsOfLearning(await newProcessor(), "b", "a"),
  "`learn` of a model that is known": async () => rowsOfLearning(await newProcessor(), "a", "b"),
  "for each symbol that is in no model yet, 1 more: `learn` of two": async () =>
    rowsOfLearning(await newProcessor(), "c", "d"),
  "for each new vector, 2 more, and 1 for its symbol: `learn` of one": async () => {
    const processor = await newProcessor();
    await processor.call("POST observe", { data: { vectors: [[1, 2]] } });
    return rowsOfLearning(processor, "a");
  },
  "`sequence-observe` that learns a new model": async () => {
    const { call } = await newProcessor();
    return rowsOf(() => call("POST sequence-observe", sequenceOf(true, "b", "a")));
  },
  "with an `Idempotency-Key` 1 more: `observe`": async () => {
    const { call } = await newProcessor();
    await call("POST observe", observed("a"), { "idempotency-key": "first" });
    return rowsOf(() => call("POST observe", observed("a"), { "idempotency-key": "second" }));
  },
  "with a `delivery`, of any of 10,000 sources: `observe`": async () => {
    const { call } = await newProcessor();
    const delivered = (source: number) => ({ ...observed("a"), delivery: { source: `device ${source}`, number: 1 } });
    for (let source = 0; source < 60; source++) await call("POST observe", delivered(source));
    const rows = await rowsOf(() => call("POST observe", delivered(60)));
    expect(await call("POST observe", delivered(60))).toContain('"redelivered":true');
    return rows;
  },
  "a frame of a stream that observes 1,000 records": async () => {
    const { id } = await newProcessor();
    const headers = { "x-api-key": "ABCD-1234", upgrade: "websocket", "sec-websocket-protocol": "noema.v1" };
    const opened = await gateway(new Request(`http://127.0.0.1/${id}/stream?source=device`, { headers }));
    const stream = new TestStream(opened.webSocket as WebSocket);
    await stream.next();
    const observe = Array.from({ length: 1_000 }, (_, at) => ({ strings: [`a${at}`] }));
    const rows = await rowsOf(async () => {
      expect(await stream.ask({ n: 1, observe, brief: true })).toMatchObject({ message: { observed: 1_000 } });
    });
    stream.socket.close();
    return rows;
  },
  "`observe` whose prediction one other processor observes": async () => {
    const { call } = await newProcessor(true);
    // The first sets the alarm that is there for all of a few seconds.
    await call("POST observe", observed("a"));
    return rowsOf(() => call("POST observe", observed("a")));
  },
  "`DELETE` of a session": async () => {
    const { call } = await newProcessor();
    await call("POST sessions/s/observe", observed("a"));
    return rowsOf(() => call("DELETE sessions/s"));
  },
  "`load_kb` of 1,000 models with 108 symbols, about": async () => {
    const knowledge = await thousandModels();
    const { call } = await newProcessor();
    await call("POST clear-all-memory");
    return rowsOf(() => call("POST load_kb", knowledge));
  },
  "`clear-all-memory` with the same, about": async () => {
    const knowledge = await thousandModels();
    const { call } = await newProcessor();
    await call("POST load_kb", knowledge);
    return rowsOf(() => call("POST clear-all-memory"));
  },
};

/** The page's table: calls and rows. */
const [, section = ""] = page.split("\n## What a call writes\n");
const table = [...section.matchAll(/^\| (.*) \| ([\d,]+) \|$/gm)].map(
  ([, call = "", rows = ""]) => [call, Number(rows.replace(",", ""))] as const,
);

describe("docs/guides/cost.md says how many rows are written by", () => {
  test.each(table.slice(0, Object.keys(MEASURED).length))("%s: %i", async (call, rows) => {
    const measured = (await MEASURED[call]?.()) ?? Number.NaN;
    expect(call.endsWith("about") ? Math.round(measured / 100) * 100 : measured).toBe(rows);
  });

  test("nothing that is not measured", () => {
    expect(section.split("\n## ")[0]?.match(/^\| .* \| [\d,]+ \|$/gm)?.length).toBe(Object.keys(MEASURED).length);
  });
});
