/**
 * The rows of the interface specification's tables of endpoints, copied by hand, and the rows that only the wire contract has.
 * Tests compare them with the table of operations, so neither can change alone.
 */

import { genomeText, manipulative, primitive } from "../object/genomes";
import { ENVELOPE, type Outcome, type Row, type WrongBodyOutcomes } from "./interface-row";
import {
  ABSENT,
  COGNITION,
  DEBUG,
  DECIMAL,
  ENCODER,
  EXPLANATION,
  FORECAST,
  FORECAST_EXPLANATION,
  HASH,
  KNOWLEDGE_MEMBERS,
  MODEL,
  MODEL_RECORD,
  OBSERVED,
  PERCEPT,
  PREDICTION,
  STATUS,
  VECTOR,
  WHOLE,
} from "./interface-shapes";

const REFUSED: Outcome = { http: 400, status: "failed" };
const BOTH_REFUSED: WrongBodyOutcomes = { number: REFUSED, types: REFUSED };
const FAULTY_GENES: Outcome = { http: 200, status: "okay", message: "faulty-genes-provided" };
/** A feature that does not exist does not look into the body. */
const NO_FEATURE: Outcome = { http: 200, status: "failed" };

const GDF = { strings: ["hello"], vectors: [], emotives: {}, metadata: {} };
const KNOWLEDGE_BASE = { symbols_kb: {}, vectors_kb: {}, models_kb: {}, metadata: {} };

const NODE = { data: { id: "p46b6b076c", name: "P1", type: "primitive" } };
const GENOME = { agent: "simple", elements: { nodes: [NODE] } };

/** What the first processor predicts, the second observes. */
const LINK = manipulative("m1", NODE.data.id, ["observer"]);
const LINKED_GENOME = JSON.parse(genomeText({ ...NODE.data, manipulatives: ["m1"] }, primitive("observer"), LINK));

/** An incident in the list. */
const INCIDENT = [
  "alert",
  "bits",
  "causes",
  "events",
  "expected",
  "from",
  "id",
  "interval",
  "note",
  "session",
  "to",
  "verdict",
];

/** Core operations. */
const CORE: readonly Row[] = [
  {
    method: "POST",
    path: "/<primitive_id>/observe",
    body: { data: GDF },
    wrong: BOTH_REFUSED,
    members: [...ENVELOPE, "unique_id"],
    kind: "object",
    record: OBSERVED,
  },
  { method: "POST", path: "/<primitive_id>/learn", form: MODEL },
  { method: "POST", path: "/<primitive_id>/working-memory/clear", message: "wm-cleared" },
  { method: "POST", path: "/<primitive_id>/predictions", kind: "list", record: PREDICTION },
];

/** Helper operations. */
const HELPERS: readonly Row[] = [
  { method: "GET", path: "/connect", members: ["agent_name", "connection", "genie", "genome", "status"] },
  {
    method: "GET",
    path: "/<primitive_id>/connect",
    members: ["agent_name", "connection", "genie", "genome", "status"],
  },
  { method: "GET", path: "/<primitive_id>/ping", members: ["message", "status"] },
  { method: "GET", path: "/agent/ping", members: ["status"] },
  { method: "POST", path: "/<primitive_id>/clear-all-memory", message: "all-cleared" },
  { method: "GET", path: "/<primitive_id>/status", kind: "object", record: STATUS },
  {
    method: "POST",
    path: "/<primitive_id>/gene/increment-recall-threshold",
    body: { increment: 0.1 },
    wrong: BOTH_REFUSED,
    kind: "string",
    form: DECIMAL,
  },
  { method: "POST", path: "/<primitive_id>/predicting/stop", message: "deactivated-predictions" },
  { method: "POST", path: "/<primitive_id>/predicting/start", message: "activated-predictions" },
  { method: "POST", path: "/<primitive_id>/autolearning/stop", message: "deactivated-autolearn" },
  { method: "POST", path: "/<primitive_id>/autolearning/start", message: "activated-autolearn" },
  { method: "GET", path: "/<primitive_id>/gene/<gene>", kind: "string", form: DECIMAL },
  {
    method: "POST",
    path: "/<primitive_id>/genes/change",
    body: { data: { quiescence: 3 } },
    wrong: { number: REFUSED, types: FAULTY_GENES },
    message: "updated-genes",
  },
  { method: "POST", path: "/<primitive_id>/sleeping/stop", message: "awake" },
  { method: "POST", path: "/<primitive_id>/sleeping/start", message: "asleep" },
  { method: "GET", path: "/<primitive_id>/percept-data", kind: "object", record: PERCEPT },
  { method: "GET", path: "/<primitive_id>/cognition-data", kind: "object", record: COGNITION },
  {
    method: "POST",
    path: "/<primitive_id>/set-target-class",
    body: { data: "cat" },
    wrong: BOTH_REFUSED,
    message: "set-target-class",
  },
  { method: "POST", path: "/<primitive_id>/clear-target-class", message: "cleared-target-class" },
  { method: "GET", path: "/<primitive_id>/get_kb", kind: "object", record: KNOWLEDGE_MEMBERS },
  { method: "POST", path: "/<primitive_id>/load_kb", body: KNOWLEDGE_BASE, wrong: BOTH_REFUSED, message: "success" },
  { method: "GET", path: "/<primitive_id>/model/<model>", kind: "object", record: MODEL_RECORD },
  { method: "DELETE", path: "/<primitive_id>/model/<model>", kind: "string", form: /^deleted$/ },
  {
    method: "PUT",
    path: "/<primitive_id>/model/<model>",
    body: { model: { frequency: 2 } },
    wrong: BOTH_REFUSED,
    kind: "string",
    form: HASH,
  },
  { method: "GET", path: "/<primitive_id>/working-memory", kind: "list" },
  {
    method: "GET",
    path: "/<primitive_id>/vector",
    body: { data: "<vector_id>" },
    wrong: BOTH_REFUSED,
    untimedFailure: true,
    record: VECTOR,
  },
  { method: "GET", path: "/<primitive_id>/all-genes", kind: "object", record: ["genes"] },
  {
    method: "POST",
    path: "/<primitive_id>/get-models-with-symbols",
    body: { data: ["a"] },
    wrong: BOTH_REFUSED,
    kind: "object",
    record: ["model_list"],
  },
  {
    method: "POST",
    path: "/<primitive_id>/get-models-with-patterns",
    body: { data: ["a"] },
    wrong: BOTH_REFUSED,
    kind: "object",
    record: ["model_list"],
  },
  {
    method: "PUT",
    path: "/<primitive_id>/add-model",
    body: { sequence: [["a"], ["b"]] },
    wrong: BOTH_REFUSED,
    kind: "object",
    record: ["name"],
  },
  {
    method: "DELETE",
    path: "/<primitive_id>/symbols/remove",
    body: { data: ["a"] },
    wrong: BOTH_REFUSED,
    kind: "object",
    record: ["models"],
  },
  {
    method: "POST",
    path: "/<primitive_id>/symbols/remove",
    body: { data: ["a"] },
    wrong: BOTH_REFUSED,
    kind: "object",
    record: ["models"],
  },
  {
    method: "DELETE",
    path: "/<primitive_id>/patterns/remove",
    body: { data: ["a"] },
    wrong: BOTH_REFUSED,
    kind: "object",
    record: ["models"],
  },
  {
    method: "POST",
    path: "/<primitive_id>/blacklisted-symbols/add",
    body: { data: ["a"] },
    wrong: BOTH_REFUSED,
    message: "added-blacklisted-symbols",
  },
  { method: "GET", path: "/<primitive_id>/list-blacklisted-symbols", kind: "list" },
  {
    method: "DELETE",
    path: "/<primitive_id>/blacklisted-symbols/remove",
    body: { data: ["a"] },
    wrong: BOTH_REFUSED,
    kind: "string",
    form: /^removed-blacklisted-symbols$/,
  },
];

/** Miscellaneous operations. */
const MISCELLANEOUS: readonly Row[] = [
  { method: "GET", path: "/<primitive_id>/name", kind: "string", form: /^P1$/ },
  { method: "GET", path: "/<primitive_id>/info", kind: "object", record: DEBUG },
  { method: "GET", path: "/<primitive_id>/time", kind: "string", form: WHOLE },
];

/** What the wire contract has besides. */
const CONTRACT: readonly Row[] = [
  { method: "GET", path: "/gaius-api/ping", members: ["status"] },
  { method: "GET", path: "/metrics", members: [], type: "text/plain; version=0.0.4; charset=utf-8" },
  { method: "GET", path: "/requests/recent", kind: "object", record: ["requests", "since"] },
  {
    method: "GET",
    path: "/processors",
    kind: "list",
    record: [
      "id",
      "max_models",
      "memory_bytes",
      "memory_limit_bytes",
      "models",
      "name",
      "percent_full",
      "sessions",
      "status",
      "storage_bytes",
      "storage_limit_bytes",
      "symbols",
      "vectors",
    ],
  },
  {
    method: "GET",
    path: "/links",
    kind: "list",
    genome: LINKED_GENOME,
    record: ["counted_since", "id", "links", "name", "status", "waiting", "waits_for"],
  },
  {
    method: "POST",
    path: "/<primitive_id>/forget",
    body: { data: { frequency_below: 2 } },
    wrong: BOTH_REFUSED,
    kind: "object",
    record: ["models"],
  },
  { method: "POST", path: "/genome/hotswap", body: GENOME, wrong: BOTH_REFUSED, message: "hotswapped-genome" },
  {
    method: "POST",
    path: "/<primitive_id>/genome/hotswap",
    body: GENOME,
    wrong: BOTH_REFUSED,
    message: "hotswapped-genome",
  },
  {
    method: "POST",
    path: "/keys",
    body: { data: { name: "a key", roles: ["read"] } },
    wrong: BOTH_REFUSED,
    kind: "object",
    record: ["created", "id", "key", "name", "roles"],
  },
  { method: "GET", path: "/keys", kind: "list" },
  { method: "DELETE", path: "/keys/<key>", message: "key-deleted" },
  { method: "GET", path: "/mqtt/routes", kind: "object" },
  { method: "GET", path: "/mqtt/routes/<route>", kind: "object", record: ["learn", "processor", "topic"] },
  {
    method: "PUT",
    path: "/mqtt/routes/<route>",
    body: { data: { topic: "sensors/+", processor: "{2}" } },
    wrong: BOTH_REFUSED,
    kind: "object",
    record: ["learn", "processor", "topic"],
  },
  { method: "DELETE", path: "/mqtt/routes/<route>", message: "route-deleted" },
  {
    method: "POST",
    path: "/<primitive_id>/forecast",
    body: { data: { horizon: 2 } },
    wrong: BOTH_REFUSED,
    kind: "object",
    record: FORECAST,
  },
  {
    method: "POST",
    path: "/<primitive_id>/predictions/explain",
    body: { data: { model: "<hash>" } },
    wrong: BOTH_REFUSED,
    kind: "object",
    record: EXPLANATION,
  },
  {
    method: "POST",
    path: "/<primitive_id>/forecast/explain",
    body: { data: { symbol: "world" } },
    wrong: BOTH_REFUSED,
    kind: "object",
    record: FORECAST_EXPLANATION,
  },
  {
    method: "POST",
    path: "/<primitive_id>/matching-models",
    body: { data: { recall_thresholds: [0, 0.5] } },
    wrong: BOTH_REFUSED,
    kind: "object",
    record: ["matching", "models"],
  },
  {
    method: "POST",
    path: "/<primitive_id>/surprise/explain",
    body: { data: { event: ["world"] } },
    wrong: BOTH_REFUSED,
    kind: "object",
    record: "context factors known_symbols models occurrences rest surprise symbols unexpected_probability".split(" "),
  },
  {
    method: "POST",
    path: "/<primitive_id>/surprise/sequence",
    body: { data: { sequence: [["world"]] } },
    wrong: BOTH_REFUSED,
    kind: "object",
    record: "bits end events excess missing rank".split(" "),
  },
  {
    method: "POST",
    path: "/<primitive_id>/record-symbols",
    body: { data: { records: [GDF] } },
    wrong: BOTH_REFUSED,
    kind: "list",
  },
  {
    method: "POST",
    path: "/<primitive_id>/sequence-observe",
    body: { data: { sequence: [GDF] } },
    wrong: BOTH_REFUSED,
    kind: "list",
    record: OBSERVED,
  },
  {
    method: "POST",
    path: "/<primitive_id>/vector",
    body: { data: "<vector_id>" },
    wrong: BOTH_REFUSED,
    untimedFailure: true,
    record: VECTOR,
  },
  {
    method: "GET",
    path: "/<primitive_id>/models",
    kind: "object",
    record: ["first", "models", "next", "previous", "total"],
  },
  {
    method: "GET",
    path: "/<primitive_id>/symbols",
    kind: "object",
    record: ["first", "next", "previous", "symbols", "total"],
  },
  {
    method: "GET",
    path: "/<primitive_id>/vectors",
    kind: "object",
    record: ["first", "next", "previous", "total", "vectors"],
  },
  { method: "GET", path: "/<primitive_id>/sessions", kind: "list" },
  { method: "DELETE", path: "/<primitive_id>/sessions/<session>", message: "session-ended" },
  { method: "GET", path: "/<primitive_id>/encoders", kind: "object", record: ["temp"] },
  { method: "GET", path: "/<primitive_id>/encoders/<encoder>", record: ENCODER },
  {
    method: "PUT",
    path: "/<primitive_id>/encoders/<encoder>",
    body: { data: { kind: "step", size: 0.5 } },
    wrong: BOTH_REFUSED,
    record: ENCODER,
  },
  { method: "DELETE", path: "/<primitive_id>/encoders/<encoder>", message: "encoder-deleted" },
  { method: "GET", path: "/<primitive_id>/alerts", kind: "object" },
  {
    method: "GET",
    path: "/<primitive_id>/alerts/<alert>",
    kind: "object",
    record: ["format", "last_delivery", "threshold", "url", "waiting", "when"],
  },
  {
    method: "PUT",
    path: "/<primitive_id>/alerts/<alert>",
    body: { data: { when: { learned: true }, url: "https://hooks.example.org/noema" } },
    wrong: BOTH_REFUSED,
    kind: "object",
    record: ["secret"],
  },
  { method: "DELETE", path: "/<primitive_id>/alerts/<alert>", message: "alert-deleted" },
  { method: "POST", path: "/<primitive_id>/alerts/<alert>/test", kind: "object", record: ["webhook_id"] },
  { method: "GET", path: "/<primitive_id>/incidents", kind: "list", record: INCIDENT },
  {
    method: "GET",
    path: "/<primitive_id>/incidents/<incident>",
    kind: "object",
    record: [...INCIDENT, "evidence"].sort(),
  },
  {
    method: "PUT",
    path: "/<primitive_id>/incidents/<incident>",
    body: { data: { verdict: "fault", note: "wet sensor" } },
    wrong: BOTH_REFUSED,
    kind: "object",
    record: ["learned"],
  },
  {
    method: "GET",
    path: "/<primitive_id>/history",
    kind: "list",
    record: ["bits", "interval", "numbers", "symbols", "time"],
  },
  {
    method: "GET",
    path: "/devices",
    kind: "list",
    record: ["incidents", "last_observed", "last_surprise", "processor", "session", "silent"],
  },
  { method: "GET", path: "/<primitive_id>/get_kb/raw", members: KNOWLEDGE_MEMBERS },
  { method: "GET", path: "/<primitive_id>/symbol/<symbol>", record: ["features", "name"] },
  { method: "GET", path: "/<primitive_id>/prediction-ensemble-for-model/<model>", kind: "list", record: PREDICTION },
  { method: "POST", path: "/<primitive_id>/snapshots/clear", absent: true, form: ABSENT },
  { method: "POST", path: "/<primitive_id>/clusters/info", absent: true, form: ABSENT },
  { method: "POST", path: "/<primitive_id>/clusters/switch", absent: true, form: ABSENT },
  {
    method: "POST",
    path: "/<primitive_id>/hypotheses/set",
    body: { hypotheses: {} },
    wrong: { number: NO_FEATURE, types: NO_FEATURE },
    absent: true,
    form: ABSENT,
  },
  { method: "POST", path: "/<primitive_id>/hypotheses/get", absent: true, form: ABSENT },
  { method: "GET", path: "/<primitive_id>/succesor/<model>", absent: true, form: ABSENT },
];

/** Every row. */
export const ROWS: readonly Row[] = [...CORE, ...HELPERS, ...MISCELLANEOUS, ...CONTRACT];

/** The rows that read a body. */
export const WITH_BODY: readonly Row[] = ROWS.filter(({ body }) => body !== undefined);

/** The wrong bodies of a row, each with its outcome. Throws when the row says none. */
export function wrongBodiesOf({ method, path, wrong }: Row): [keyof WrongBodyOutcomes, Outcome][] {
  if (wrong === undefined)
    throw new Error(`the row ${method} ${path} has a body and does not say what wrong ones lead to`);
  return Object.entries(wrong) as [keyof WrongBodyOutcomes, Outcome][];
}

/** The rows of the wire contract whose bodies are files and no JSON: they have tests of their own. */
export const FILE_ROWS: readonly Pick<Row, "method" | "path">[] = [
  { method: "GET", path: "/backup" },
  { method: "POST", path: "/restore" },
];
