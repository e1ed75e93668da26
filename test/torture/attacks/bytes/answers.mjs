/**
 * Asks for answers that are many times as large as what was sent: a long symbol is stored once, and models and predictions hold it as often as
 * they like. Each call is answered or refused, none with a 500; workerd lives on, and does not take more than a few answers.
 */

import { PROCESSOR } from "../../client.mjs";

/** One symbol: a row holds up to 2 MB. */
const LONG = "x".repeat(1_000_000);

/** How many models hold it: their predictions would take gigabytes. */
const MODELS = 300;

/** An answer of 30 MiB is some 200 MiB as messages, bytes and text at both ends; V8 collects late, so two or three are. */
const GROWTH_MEBIBYTES = 600;

/** How often each call is made. */
const ROUNDS = 3;

/** Models that hold a long symbol each twice. */
async function models(target) {
  for (let at = 0; at < MODELS; at++) {
    const sequence = [
      [LONG, `${at}`],
      ["next", LONG],
    ];
    await target.call("PUT", "add-model", { sequence });
  }
}

/** Many models hold one long symbol, and the memory does, too. */
async function oneSymbol(target) {
  await models(target);
  await target.call("POST", "genes/change", { data: { max_predictions: 10_000 } });
  await target.call("POST", "observe", { data: { strings: [LONG] } });
}

/** Predictions and all that holds them. */
async function predictions(target) {
  const service = { "x-processor-id": PROCESSOR };
  for (let round = 0; round < ROUNDS; round++) {
    await target.call("POST", "predictions");
    await target.call("POST", "predictions", { data: { fields: ["present"] } });
    await target.call("POST", "predictions", { data: { top: 5 } });
    await target.call("POST", "predictions", { data: { sequence: [[LONG], [LONG]] } });
    await target.call("GET", "cognition-data");
    await target.call("POST", "/noema.v1.MemoryService/GetPredictions", {}, service);
    await target.call("POST", "/noema.v1.MemoryService/GetPredictions", { packed: true }, service);
    await target.call("GET", "models?limit=500");
    await target.call("POST", "get-models-with-symbols", { data: [LONG] });
  }
}

/** Thirty models, each with a long symbol of its own twice, and a memory that all of them continue. */
async function longSymbols(target) {
  for (let at = 0; at < 30; at++)
    await target.call("PUT", "add-model", { sequence: [["a"], [`${at}${LONG}`], [`${at}${LONG}`]] });
  await target.call("POST", "observe", { data: { strings: ["a"] } });
}

/** Forecasts and explanations over many long symbols. */
async function forecasts(target) {
  for (let round = 0; round < ROUNDS; round++) {
    await target.call("POST", "forecast", { data: { horizon: 10, top: 1000 } });
    await target.call("POST", "forecast", { data: { horizon: 1, top: 5 } });
    const sequence = Array.from({ length: 30 }, () => ({ strings: ["a"] }));
    await target.call("POST", "sequence-observe?explain=true", { data: { sequence } });
  }
}

/** A model as large as can be learned, and larger ones. */
async function largeModels(target) {
  for (const count of [10, 14, 15, 40]) {
    const { text } = await target.call("PUT", "add-model", { sequence: Array(Math.min(count, 24)).fill([LONG]) });
    const name = /"name":"([0-9a-f]{40})"/.exec(text)?.[1] ?? "0".repeat(40);
    for (let at = 0; at < count; at++) await target.call("POST", "observe", { data: { strings: [LONG] } });
    await target.call("GET", "working-memory");
    await target.call("POST", "learn");
    await target.call("POST", "working-memory/clear");
    for (const path of [`model/${name}`, "models", `prediction-ensemble-for-model/${name}`, "get_kb/raw", "/backup"])
      await target.call("GET", path);
    await target.call("POST", "clear-all-memory");
  }
}

/** A manipulative that tells twenty others of predictions with a long symbol: the primitives of its agent, and itself. */
function telling() {
  const targets = Array.from({ length: 20 }, (_, at) => `target${at}`);
  const fields = ["past", "present", "future", "matches", "classification"];
  const link = {
    id: "m1",
    name: "abstraction",
    mtype: "output",
    primitive: PROCESSOR,
    genes: { field: { value: fields }, primitives: { value: targets } },
  };
  return [[{ id: PROCESSOR, manipulatives: ["m1"] }, ...targets.map((id) => ({ id }))], [link]];
}

/** Observes what the predictions for all others are made of. */
async function manipulatives(target) {
  for (let round = 0; round < ROUNDS; round++) await target.call("POST", "observe", { data: { strings: [LONG] } });
}

const growth = GROWTH_MEBIBYTES;

/** The attacks of this file. */
export const answers = [
  { name: "predictions", prepare: oneSymbol, attack: predictions, growth },
  { name: "forecasts", prepare: longSymbols, attack: forecasts, growth },
  { name: "models", attack: largeModels, growth },
  { name: "manipulatives", nodes: telling(), prepare: models, attack: manipulatives, growth },
];
