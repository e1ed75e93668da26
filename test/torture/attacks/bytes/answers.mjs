/**
 * Asks for answers that are many times as large as what was sent: a long symbol is stored once, and models and predictions hold it as often as
 * they like. Each call is answered or refused, none with a 500; workerd lives on, and does not take more than a few answers.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { PROCESSOR } from "../../client.mjs";
import { Server } from "../../server.mjs";

/** One symbol: a row holds up to 2 MB. */
const LONG = "x".repeat(1_000_000);

/** How many models hold it: their predictions would take gigabytes. */
const MODELS = 300;

/** An answer of 30 MiB is there as messages, bytes and text at both ends, some 200 MiB together; V8 collects late, so two or three are. */
const GROWTH_MEBIBYTES = 600;

/** How often each call is made. */
const ROUNDS = 3;

/** How long a call may take on a busy machine, in milliseconds. */
const LIMIT_MS = 60_000;

const MEMORY_LOOK_MS = 20;

/** Serves, does something, and judges what it took. */
async function attacked({ report }, name, prepare, attack) {
  const server = await Server.start();
  const client = server.client({ timeoutMs: LIMIT_MS });
  const statuses = {};
  const call = async (method, path, body, headers) => {
    const address = path.startsWith("/") ? path : `/${PROCESSOR}/${path}`;
    const { status, text } = await client.exchange({ method, path: address, body, headers });
    statuses[status] = (statuses[status] ?? 0) + 1;
    report.expect(status !== 500, `${name}: ${method} ${path.slice(0, 40)} is answered with 500`, text.slice(0, 300));
    return { status, text };
  };
  try {
    const workerd = String(server.workerds());
    await prepare(call);
    const before = server.memory();
    let most = before;
    const timer = setInterval(() => {
      most = Math.max(most, server.memory());
    }, MEMORY_LOOK_MS);
    await attack(call, server);
    await sleep(500);
    clearInterval(timer);
    const after = server.memory();
    const shown = [before, most, after].map((mebibytes) => mebibytes.toFixed(0)).join(", ");
    report.figure(`${name}: memory before, at most, after (MiB)`, shown);
    report.figure(`${name}: answers by status`, JSON.stringify(statuses));
    report.expect(String(server.workerds()) === workerd, `${name}: workerd ended`, server.output.slice(-500));
    report.expect(most < before + GROWTH_MEBIBYTES, `${name}: memory is not bounded`, `${shown} MiB`);
    const { status } = await call("GET", "status");
    report.expect(status === 200, `${name}: the processor does not answer any more`, String(status));
  } finally {
    client.close();
    await server.discard();
  }
}

/** Many models hold one long symbol, and the memory does, too. */
async function oneSymbol(call) {
  for (let at = 0; at < MODELS; at++)
    await call("PUT", "add-model", {
      sequence: [
        [LONG, `${at}`],
        ["next", LONG],
      ],
    });
  await call("POST", "genes/change", { data: { max_predictions: 10_000 } });
  await call("POST", "observe", { data: { strings: [LONG] } });
}

/** Predictions and all that holds them. */
function predictions(context) {
  return attacked(context, "predictions", oneSymbol, async (call) => {
    const service = { "x-processor-id": PROCESSOR };
    for (let round = 0; round < ROUNDS; round++) {
      await call("POST", "predictions");
      await call("POST", "predictions", { data: { fields: ["present"] } });
      await call("POST", "predictions", { data: { top: 5 } });
      await call("POST", "predictions", { data: { sequence: [[LONG], [LONG]] } });
      await call("GET", "cognition-data");
      await call("POST", "/noema.v1.MemoryService/GetPredictions", {}, service);
      await call("POST", "/noema.v1.MemoryService/GetPredictions", { packed: true }, service);
      await call("GET", "models?limit=500");
      await call("POST", "get-models-with-symbols", { data: [LONG] });
    }
  });
}

/** Forecasts and explanations over many long symbols. */
function forecasts(context) {
  const prepare = async (call) => {
    for (let at = 0; at < 30; at++)
      await call("PUT", "add-model", { sequence: [["a"], [`${at}${LONG}`], [`${at}${LONG}`]] });
    await call("POST", "observe", { data: { strings: ["a"] } });
  };
  return attacked(context, "forecasts", prepare, async (call) => {
    for (let round = 0; round < ROUNDS; round++) {
      await call("POST", "forecast", { data: { horizon: 10, top: 1000 } });
      await call("POST", "forecast", { data: { horizon: 1, top: 5 } });
      const sequence = Array.from({ length: 30 }, () => ({ strings: ["a"] }));
      await call("POST", "sequence-observe?explain=true", { data: { sequence } });
    }
  });
}

/** A model as large as can be learned, and larger ones. */
function models(context) {
  return attacked(
    context,
    "models",
    () => undefined,
    async (call) => {
      for (const count of [10, 14, 15, 40]) {
        const { text } = await call("PUT", "add-model", { sequence: Array(Math.min(count, 24)).fill([LONG]) });
        const name = /"name":"([0-9a-f]{40})"/.exec(text)?.[1] ?? "0".repeat(40);
        for (let at = 0; at < count; at++) await call("POST", "observe", { data: { strings: [LONG] } });
        await call("GET", "working-memory");
        await call("POST", "learn");
        await call("POST", "working-memory/clear");
        for (const path of [
          `model/${name}`,
          "models",
          `prediction-ensemble-for-model/${name}`,
          "get_kb/raw",
          "/backup",
        ]) {
          await call("GET", path);
        }
        await call("POST", "clear-all-memory");
      }
    },
  );
}

/** Manipulatives that tell many others of predictions with a long symbol. */
function manipulatives(context) {
  const targets = Array.from({ length: 20 }, (_, at) => `target${at}`);
  const primitive = (id, name, links) => ({ data: { id, name, type: "primitive", manipulatives: links } });
  const fields = ["past", "present", "future", "matches", "classification"];
  const link = {
    id: "m1",
    name: "abstraction",
    type: "manipulative",
    mtype: "output",
    primitive: PROCESSOR,
    genes: { field: { value: fields }, primitives: { value: targets } },
  };
  const nodes = [
    primitive(PROCESSOR, "P1", ["m1"]),
    ...targets.map((id, at) => primitive(id, `P${at + 2}`, [])),
    { data: link },
  ];
  const prepare = async (call) => {
    const swapped = await call("POST", "/genome/hotswap", { agent: "simple", description: "", elements: { nodes } });
    context.report.expect(swapped.status === 200, "manipulatives: the genome is refused", swapped.text);
    for (let at = 0; at < MODELS; at++)
      await call("PUT", "add-model", {
        sequence: [
          [LONG, `${at}`],
          ["next", LONG],
        ],
      });
  };
  return attacked(context, "manipulatives", prepare, async (call) => {
    for (let round = 0; round < ROUNDS; round++) await call("POST", "observe", { data: { strings: [LONG] } });
  });
}

/** The attacks of this file. */
export const answers = [
  { name: "predictions", run: predictions },
  { name: "forecasts", run: forecasts },
  { name: "models", run: models },
  { name: "manipulatives", run: manipulatives },
];
