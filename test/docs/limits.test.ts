/** The pages of limits have the numbers that the code has. */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  DailyCondition,
  JudgeIncidentRequest,
  ListDevicesRequest,
  ListPage,
  ListSessionsRequest,
} from "../../src/gen/limits";
import { GdfSchema } from "../../src/gen/noema/v1/gdf_pb";
import { BUDGETS } from "../../src/text/budgets";

const PAGE = ["limits", "limits-of-a-request", "limits-of-storage", "limits-of-connections"]
  .map((name) => readFileSync(`docs/${name}.md`, "utf8"))
  .join("\n");

/** A constant of a source file, which is a plain number. */
function constant(file: string, name: string): number {
  const [, value = ""] = new RegExp(`const ${name} = ([\\d_]+);`).exec(readFileSync(file, "utf8")) ?? [];
  expect(value, name).not.toBe("");
  return Number(value.replaceAll("_", ""));
}

const LIMITS = "src/serve/limits.mjs";
const SUPERVISOR = "src/serve/supervisor.mjs";
const LIVE_OBJECTS = "src/rpc/transport/live-objects.ts";

test.each([
  [LIMITS, "MIN_DESCRIPTORS", (value: number) => `Below ${value}, the start is refused.`],
  [LIMITS, "OWN_DESCRIPTORS", (value: number) => `${value} files are for workerd itself.`],
  [LIMITS, "DESCRIPTORS_PER_OBJECT", (value: number) => (value === 3 ? "it keeps three files open" : "unknown")],
  [LIMITS, "MAX_LIVE_OBJECTS", (value: number) => `at most ${value.toLocaleString("en")} |`],
  [LIMITS, "STOP_SECONDS", (value: number) => `| a stop | ${value} s |`],
  [LIMITS, "FAILED_STARTS", (value: number) => `after the first start | ${value} |`],
  [SUPERVISOR, "FIRST_PAUSE_MS", (value: number) => `| ${value / 1000} s, doubled each time`],
  [SUPERVISOR, "MAX_PAUSE_MS", (value: number) => `up to ${value / 1000} s |`],
  [SUPERVISOR, "STEADY_MS", (value: number) => (value === 60_000 ? "After a minute of service" : "unknown")],
  ["src/serve/workerd.mjs", "READY_MS", (value: number) => `| time until a start answers | ${value / 1000} s |`],
  ["src/serve/hang.mjs", "HUNG_MS", (value: number) => `| time without any answer | ${value / 1000} s |`],
  ["src/serve/clock.mjs", "MIN_STEP_MS", (value: number) => `| a step of the clock back | ${value / 1000} s |`],
  [LIVE_OBJECTS, "EVICTED_AFTER_MS", (value: number) => `try again in ${value / 1000} s\``],
])("%s: %s", (file, name, sentence) => {
  expect(PAGE.replace(/\s+/g, " ")).toContain(sentence(constant(file, name)));
});

describe.each(Object.values(BUDGETS))("$variable", ({ variable, standard }) => {
  test("has its default in the page", () => {
    expect(PAGE).toContain(`| ${standard.toLocaleString("en")} | \`${variable}\` |`);
  });

  test("reaches the Worker that npm start serves", () => {
    expect(readFileSync("src/serve/workerd-config.mjs", "utf8")).toContain(`"${variable}"`);
  });
});

const COUNTED = "src/text/answer-bytes.ts";
const MQTT_WILLS = "src/object/mqtt/due-wills.ts";
const MQTT_ENDPOINT = "src/object/mqtt/endpoint.ts";
const MQTT_HEARING = "src/object/mqtt/hearing.ts";
const MQTT_SESSION = "src/object/mqtt/session.ts";
const MANIPULATIVE = "src/processor/prediction/manipulative.ts";

test.each([
  ["src/processor/knowledge/counting.ts", "MAX_MODEL_BYTES", "bytes of a model"],
  [COUNTED, "MAX_ANSWER_BYTES", "bytes of an answer, as JSON"],
  [COUNTED, "MAX_FRAME_ANSWER_BYTES", "bytes of the answer to a frame, as JSON"],
  [COUNTED, "MAX_LINE_BYTES", "bytes of a line of a backup"],
  [
    "src/store/alerts/joined-silences.ts",
    "MAX_JOINED_CHARACTERS",
    "characters of the silent devices that a delivery lists",
  ],
  [
    "src/processor/ports/alert.ts",
    "JOINED_FROM",
    "waiting deliveries of a processor that each report one silent device",
  ],
  [MANIPULATIVE, "MAX_EVENT_BYTES", "bytes of an event for another processor, as JSON"],
  [MANIPULATIVE, "MAX_EVENTS_BYTES", "bytes of all events that one observe has for others"],
  ["src/object/genome/change.ts", "MAX_RETIRED", "processors out of service whose data an agent keeps"],
  [
    "src/object/stored-keys.ts",
    "MAX_KEYS_BYTES",
    "bytes of the names, roles, processors and sessions of all keys of an agent",
  ],
  ["src/mqtt/packets/framing.ts", "MAX_CONNECT_BYTES", "bytes of CONNECT"],
  ["src/mqtt/packets/framing.ts", "MAX_PACKET_BYTES", "bytes of a packet"],
  [MQTT_ENDPOINT, "MAX_CLIENT_ID_BYTES", "bytes of a client identifier"],
  [MQTT_ENDPOINT, "MAX_CONNECTIONS_OF_A_KEY", "connections of a key"],
  [MQTT_ENDPOINT, "MAX_SESSIONS_OF_A_KEY", "kept sessions of a key"],
  ["src/object/mqtt/connection.ts", "MAX_EXPIRY_S", "seconds that a session is kept"],
  [MQTT_ENDPOINT, "MAX_KEEP_ALIVE_S", "seconds of a keep alive, in MQTT 5"],
  ["src/mqtt/session/inbox.ts", "MAX_UNDER_WAY", "messages of QoS 1 and 2 that a client has under way"],
  [
    "src/mqtt/session/inbox.ts",
    "MAX_KEPT_AFTER_EFFECT",
    "messages of QoS 1 that took effect, and whose PUBACK a kept session's client may not have",
  ],
  ["src/mqtt/session/outbox.ts", "MAX_QUEUED", "messages that a session queues"],
  ["src/mqtt/session/outbox.ts", "MAX_QUEUED_BYTES", "bytes of topics and payloads that a session queues"],
  [MQTT_HEARING, "MAX_SUBSCRIPTIONS", "subscriptions of a session"],
  [MQTT_HEARING, "MAX_FILTER_CHARACTERS", "characters of their filters"],
  ["src/mqtt/packets/reading.ts", "MAX_FILTERS", "topic filters of a SUBSCRIBE or UNSUBSCRIBE"],
  [
    MQTT_HEARING,
    "MAX_QUEUED_BYTES_OF_AGENT",
    `bytes that the queues of all sessions take together, with ${constant("src/mqtt/session/outbox.ts", "ENTRY_BYTES")} for each message`,
  ],
  [MQTT_ENDPOINT, "MAX_HELD_OF_STRANGERS", "bytes held for all connections before CONNECT is accepted"],
  ["src/object/holdings.ts", "MAX_HELD", "bytes held for all connections after that"],
  [MQTT_SESSION, "MAX_UNDER_WAY_TOGETHER", "messages of QoS 1 and 2 that all clients have under way"],
  [MQTT_SESSION, "MAX_UNDER_WAY_OF_A_KEY", "messages of QoS 1 and 2 that the clients of a key have under way"],
  [
    MQTT_SESSION,
    "MAX_SUBSCRIBED_BYTES",
    `bytes that the subscriptions of all sessions take, with ${constant(MQTT_SESSION, "SUBSCRIPTION_BYTES")} for each`,
  ],
  [MQTT_SESSION, "MAX_SUBSCRIBED_BYTES_OF_A_KEY", "bytes that the subscriptions of a key's sessions take"],
  [MQTT_SESSION, "MAX_WILL_BYTES", "bytes of the wills of all clients, as JSON with base64"],
  [MQTT_SESSION, "MAX_WILL_BYTES_OF_A_KEY", "bytes of the wills of a key's clients"],
  ["src/object/mqtt/ended-sources.ts", "MAX_ENDED_SOURCES", "ended sessions whose numbers memories still keep"],
  [MQTT_WILLS, "MAX_DUE_WILLS", "wills that are to be published"],
  [MQTT_WILLS, "WILLS_A_TURN", "wills published before the runtime reads what others have sent"],
  [MQTT_WILLS, "MAX_DUE_WILL_CHARACTERS", "bytes of the wills that are to be published, as JSON with base64"],
  [MQTT_HEARING, "MAX_RETAINED", "memories of which one SUBSCRIBE is told what is retained"],
  ["src/object/mqtt/connection.ts", "MAX_ALIASES", "topic aliases of a connection"],
  ["src/object/mqtt/connection.ts", "MAX_ALIAS_UNITS", "characters of the topics of aliases"],
  ["src/mqtt/routes.ts", "MAX_ROUTES", "routes of an agent"],
  ["src/mqtt/routes.ts", "MAX_ROUTES_BYTES", "bytes of all routes of an agent, as JSON"],
  ["src/mqtt/routes.ts", "MAX_ROUTE_MEMBERS", "members in `strings`, and in `numbers`, of a route"],
  ["src/mqtt/routes.ts", "MAX_ROUTE_TEXT_UNITS", "characters of a route's topic filter, and of its processor"],
  ["src/mqtt/payload.ts", "MAX_PAYLOAD_BYTES", "bytes of a payload"],
  ["src/mqtt/topics.ts", "MAX_TOPIC_BYTES", "bytes of a topic"],
  ["src/store/tables/outbox-table.ts", "MAX_WAITING_BYTES", "bytes of all events of a processor that wait for others"],
])("%s: %s", (file, name, limit) => {
  expect(PAGE).toContain(`| ${limit} | ${constant(file, name).toLocaleString("en")} |`);
});

test("a model is counted as the page says", () => {
  const [symbol, event] = ["SYMBOL_BYTES", "EVENT_BYTES"].map((name) =>
    constant("src/processor/knowledge/counting.ts", name),
  );
  const [emotive, value] = ["EMOTIVE_BYTES", "VALUE_BYTES"].map((name) =>
    constant("src/processor/knowledge/counting.ts", name),
  );
  const page = PAGE.replace(/\s+/g, " ");
  expect(page).toContain(`as JSON and ${symbol} more, as often as it occurs; of each event ${event} and its metadata`);
  expect(page).toContain(`of each emotive ${emotive}, its name, and ${value} for each value`);
});

const STREAMS = "src/object/streams";
const TURNS = "src/object/turns";

test.each([
  [`${STREAMS}/streams.ts`, "MAX_FRAME_BYTES", (value: number) => `| size of a frame | ${value / 1_048_576} MiB |`],
  [
    "src/gateway/decode/frame.ts",
    "MAX_RECORDS",
    (value: number) => `| records of a frame | ${value.toLocaleString("en")} |`,
  ],
  ["src/object/unread.ts", "MAX_BUFFERED_BYTES", (value: number) => `sent and not read | ${value / 1_048_576} MiB |`],
  [`${STREAMS}/link.ts`, "MAX_WAITING", (value: number) => `to other processors | ${value.toLocaleString("en")} |`],
  [
    `${STREAMS}/link.ts`,
    "MAX_WAITING_CHARACTERS",
    (value: number) => `| characters of these | ${value.toLocaleString("en")} |`,
  ],
  [
    `${STREAMS}/link.ts`,
    "MAX_WAITING_FRAMES",
    (value: number) => `for their [turn](limits.md#turns) | ${value.toLocaleString("en")}, or`,
  ],
  [`${STREAMS}/link.ts`, "MAX_WAITING_FRAME_BYTES", (value: number) => `, or ${value.toLocaleString("en")} bytes with`],
  [`${STREAMS}/link.ts`, "FRAME_BYTES", (value: number) => `bytes with ${value} for each |`],
  [`${STREAMS}/streams.ts`, "MAX_AHEAD", (value: number) => `more than ${value} streams and calls wait there`],
  [`${TURNS}/thread.ts`, "QUANTUM_MS", (value: number) => `before others are read | ${value} ms |`],
  [`${TURNS}/turns.ts`, "EXPENSIVE_MS", (value: number) => `an expensive call or frame | ${value} ms |`],
  ["src/object/holdings.ts", "MAX_HELD", (value: number) => `those that wait | ${value / 1_048_576} MiB |`],
  [
    `${STREAMS}/streams.ts`,
    "MAX_EVENT_BYTES",
    (value: number) => `for those who subscribe | ${value / 1_048_576} MiB |`,
  ],
  [
    `${STREAMS}/link.ts`,
    "EVENTS_UNTIL_RENEWAL",
    (value: number) => `of a subscription | ${value.toLocaleString("en")} |`,
  ],
  [`${STREAMS}/key-watch.ts`, "ASK_EVERY_MS", (value: number) => `The agent is asked every ${value / 1000} s while`],
])("of streams, %s: %s", (file, name, sentence) => {
  expect(PAGE.replace(/\s+/g, " ")).toContain(sentence(constant(file, name)));
});

const SNAPSHOTS = "src/processor/knowledge/snapshots.ts";

test.each([
  ["MAX_SNAPSHOTS", (value: number) => `| exports of one processor at once | ${value} |`],
  ["IDLE_MS", (value: number) => `has paused for ${value / 1000} s makes room`],
  ["ABANDONED_MS", (value: number) => `| pause of an export's reader | ${value / 1000} s |`],
])("%s", (name, sentence) => {
  expect(PAGE.replace(/\s+/g, " ")).toContain(sentence(constant(SNAPSHOTS, name)));
});

test("frames of a call of gRPC-Web", () => {
  const most = constant("src/gateway/decode/service-body.ts", "MAX_FRAMES");
  expect(PAGE).toContain(`| frames of a call of gRPC-Web | ${most} |`);
  expect(PAGE.replace(/\s+/g, " ")).toContain(`a record counts ${GdfSchema.fields.length}.`);
});

const BODY = "src/gateway/json/body-bytes.ts";
const HELD = "src/gateway/json/held-bytes.ts";

test.each([
  [BODY, "MIN_PACE_BYTES", (value: number) => `at least ${value.toLocaleString("en")} bytes and at most`],
  [BODY, "MAX_PACE_BYTES", (value: number) => `bytes and at most ${value.toLocaleString("en")}, unless it ends |`],
  [BODY, "PACE_SHARE", (value: number) => (value === 8 ? "every 10 s an eighth of what has come" : "unknown")],
  [BODY, "SMALL_BYTES", (value: number) => `declares at most ${value.toLocaleString("en")} bytes is never refused`],
  [HELD, "MAX_HELD_OF_A_KEY", (value: number) => `of one key hold at once | ${value.toLocaleString("en")} |`],
  [HELD, "MAX_HELD_BYTES", (value: number) => `of all keys hold at once | ${value.toLocaleString("en")} |`],
])("of bodies, %s: %s", (file, name, sentence) => {
  expect(PAGE.replace(/\s+/g, " ")).toContain(sentence(constant(file, name)));
});

const LISTS = "src/text/request-limits.ts";
const SEARCH = "src/processor/verbs/knowledge/model-search.ts";

test.each([
  ["src/text/json-depth.ts", "MAX_JSON_VALUES", "values of a JSON body"],
  ["src/text/json-depth.ts", "MAX_JSON_MEMBERS", "different members of a JSON body"],
  [LISTS, "MAX_NAMED", "emotives of a record, and its numbers"],
  [LISTS, "MAX_NAMED", "genes that a request changes"],
  [LISTS, "MAX_RECORD_NUMBERS", "emotives and numbers of all records of a sequence-observe"],
  [LISTS, "MAX_COMPONENTS", "components of the vectors of a record"],
  [LISTS, "MAX_METADATA_BYTES", "bytes of the metadata of a record, and of each metadata of a model"],
  ["src/store/database/database.ts", "MAX_ROW_BYTES", "bytes of a stored row, such as that of the last observation"],
  ["src/gateway/knowledge-base/file.ts", "MAX_SKIPPED", "members that load_kb skips"],
  ["src/processor/encoding/encoders.ts", "MAX_ENCODERS", "encoders of a processor"],
  ["src/processor/encoding/encoders.ts", "MAX_TEXT", "characters of a processor's encoders"],
  ["src/processor/knowledge/emotives.ts", "MAX_SUMS", "names of the emotives that a memory's next model gets"],
  ["src/processor/knowledge/blacklist.ts", "MAX_BYTES", "bytes of a processor's blacklist"],
  ["src/processor/knowledge/symbol-table.ts", "MAX_UNITS", "characters of all symbols that a processor knows"],
  [LISTS, "MAX_LISTED", "symbols, or patterns, that a request lists"],
  [LISTS, "MAX_SEQUENCE", "symbols and events of a model that add-model or PUT model gives"],
  [SEARCH, "MAX_FOUND", "models that get-models-with-symbols or -patterns finds"],
  [SEARCH, "MAX_PATTERNS", "different patterns in a request"],
  [SEARCH, "MAX_PATTERN_UNITS", "characters in them"],
  [SEARCH, "MAX_INSTRUCTIONS", "instructions of their programs"],
])("%s: %s", (file, name, budget) => {
  expect(PAGE).toContain(`| ${budget} | ${constant(file, name).toLocaleString("en")} |`);
});

const ANSWERS = "src/object/kept-answers.ts";

test.each([
  [
    "MAX_KEPT",
    (value: number) => `| answers that a processor keeps by Idempotency-Key | ${value.toLocaleString("en")} |`,
  ],
  ["KEPT_S", (value: number) => `| time that an answer is kept | ${value.toLocaleString("en")} s |`],
  ["MAX_REPLY_BYTES", (value: number) => `| bytes of a kept answer | ${value.toLocaleString("en")} |`],
])("%s", (name, sentence) => {
  expect(PAGE).toContain(sentence(constant(ANSWERS, name)));
});

/** A constant of a source file in bytes: a number, or a product of numbers. */
function product(file: string, name: string): string {
  const [, factors = ""] = new RegExp(`const ${name} = ([\\d_* ]+);`).exec(readFileSync(file, "utf8")) ?? [];
  expect(factors, name).not.toBe("");
  return factors
    .replaceAll("_", "")
    .split("*")
    .reduce((product, factor) => product * Number(factor), 1)
    .toLocaleString("en");
}

const INCIDENT = "src/processor/ports/incident.ts";
const EVIDENCE = "src/processor/incidents/evidence.ts";

test.each([
  [INCIDENT, "MAX_INCIDENTS", "| incidents of a processor | # |"],
  [INCIDENT, "INTERVALS_APART", "| fewer than # |"],
  [INCIDENT, "MAX_EVIDENCE", "| characters of the evidence of an incident | #, and"],
  ["src/processor/verbs/incidents/noting.ts", "MAX_RUNNING_EVIDENCE", "and # of all that last in a memory |"],
  [EVIDENCE, "MAX_NAMED_UNITS", "| # each |"],
  ["src/processor/verbs/incidents/history.ts", "MAX_HISTORY_UNITS", "at most 1,000, and # characters |"],
  ["src/processor/ports/forecaster.ts", "CONTEXT_EVENTS", "take the newest # events into account"],
  ["src/processor/prediction/forecasts.ts", "LIST_STEPS", "each list of a forecast counts # steps more"],
  ["src/processor/verbs/alerts/alerting.ts", "PASSED_STEPS", "an event that passes an alert # for each"],
  ["src/store/rows/memory-rows.ts", "MAX_HISTORY_IN_ROW", "| characters of a history that outlive a restart | # |"],
])("%s: %s", (file, name, sentence) => {
  expect(PAGE).toContain(sentence.replace("#", constant(file, name).toLocaleString("en")));
});

test.each([
  ["events a day that an alert may ask for", DailyCondition.perDay.most],
  ["characters of a note", JudgeIncidentRequest.note.longest],
])("%s: %s", (limit, value) => {
  expect(PAGE).toContain(`| ${limit} | ${value.toLocaleString("en")} |`);
});

const PARSED = "src/text/json-depth.ts";
const ATTACKS = "test/torture/attacks/bytes";

/** Of the table of bytes, values and time: the beginning of a row, and each constant that it must name. */
test.each([
  [
    "operations over HTTP",
    ["src/gateway/json/body.ts", "MAX_BODY_BYTES"],
    [PARSED, "MAX_JSON_VALUES"],
    [PARSED, "MAX_JSON_MEMBERS"],
    [COUNTED, "MAX_ANSWER_BYTES"],
  ],
  [
    "calls of services in protobuf",
    ["src/gateway/json/body.ts", "MAX_BODY_BYTES"],
    [PARSED, "MAX_JSON_VALUES"],
    ["src/gateway/decode/service-body.ts", "MAX_FRAMES"],
    [COUNTED, "MAX_ANSWER_BYTES"],
  ],
  [
    "load_kb",
    ["src/gateway/knowledge-base/load.ts", "MAX_FILE_BYTES"],
    ["src/gateway/json/stream.ts", "MAX_VALUE_UNITS"],
    [PARSED, "MAX_JSON_VALUES"],
  ],
  [
    "restore",
    ["src/gateway/backup/file-lines.ts", "MAX_FILE_BYTES"],
    [COUNTED, "MAX_LINE_BYTES"],
    ["src/gateway/backup/line.ts", "MAX_LINE_VALUES"],
    [PARSED, "MAX_JSON_MEMBERS"],
  ],
  ["answers of [processors elsewhere]", ["src/rpc/transport/endpoint-transport.ts", "MAX_REPLY_BYTES"]],
  ["get_kb", ["src/processor/verbs/knowledge/knowledge-page.ts", "PAGE_BYTES"]],
  ["[lists]", ListPage.limit.most, ["src/processor/verbs/knowledge/list-page.ts", "PAGE_BYTES"]],
  ["`GET sessions`", ListSessionsRequest.limit.most, ["src/store/tables/memory-table.ts", "LISTED_AT_ONCE"]],
  ["`GET /devices`", ListDevicesRequest.limit.most],
  [
    "messages of the [Model Context Protocol]",
    ["src/gateway/mcp/endpoint.ts", "MAX_MCP_BYTES"],
    ["src/gateway/mcp/endpoint.ts", "MAX_BATCHED"],
    ["src/gateway/mcp/methods.ts", "MAX_TOOL_ANSWER"],
  ],
  [
    "frames of a stream |",
    [`${STREAMS}/streams.ts`, "MAX_FRAME_BYTES"],
    ["src/gateway/decode/frame.ts", "MAX_RECORDS"],
    [COUNTED, "MAX_FRAME_ANSWER_BYTES"],
  ],
  [
    "frames of a stream that wait",
    [`${STREAMS}/link.ts`, "MAX_WAITING_FRAME_BYTES"],
    [`${STREAMS}/link.ts`, "MAX_WAITING_FRAMES"],
  ],
  [
    "answers of a stream",
    [`${STREAMS}/link.ts`, "MAX_WAITING"],
    ["src/object/unread.ts", "MAX_BUFFERED_BYTES"],
    ["src/object/holdings.ts", "MAX_HELD"],
  ],
  ["events for other processors", [MANIPULATIVE, "MAX_EVENT_BYTES"], [MANIPULATIVE, "MAX_EVENTS_BYTES"]],
  [
    "deliveries of alerts",
    ["src/processor/ports/alert.ts", "MAX_WAITING"],
    ["src/processor/verbs/alerts/alerting.ts", "MAX_NOTICE_UNITS"],
  ],
  ["answers kept", [ANSWERS, "MAX_KEPT"], [ANSWERS, "MAX_REPLY_BYTES"]],
] as [
  string,
  ...(number | [string, string])[],
][])("the table of bytes has a row for %s with its constants", (name, ...constants) => {
  const [, table = ""] = PAGE.split("## Bytes, values and time\n");
  const row = table.split("\n").find((line) => line.startsWith(`| ${name}`)) ?? "";
  for (const stated of constants) {
    const number = typeof stated === "number" ? stated.toLocaleString("en") : product(...stated);
    expect(row).toMatch(new RegExp(`(?<![\\d,])${number}(?!,?\\d)`));
  }
});

test("others wait as long as the attacks allow", () => {
  const [allowed, refused] = [
    constant(`${ATTACKS}/target.mjs`, "WAIT_MS"),
    constant(`${ATTACKS}/intake.mjs`, "REFUSED_MS"),
  ];
  expect(PAGE.replace(/\s+/g, " ")).toContain(
    `at most ${allowed / 1000} s for any of these, and ${refused / 1000} s for a body that is refused`,
  );
});

test("sources", () => {
  const read = constant("src/processor/ports/store.ts", "MAX_READ_BYTES");
  expect(PAGE).toContain(`at most ${read / 1_048_576} MiB of events and vectors are read`);
  const sources = constant("src/processor/ports/store.ts", "KEPT_SOURCES").toLocaleString("en");
  expect(PAGE).toContain(`| sources whose last numbers a memory keeps | ${sources} |`);
});

test("the memory of an isolate is as the code has it", () => {
  const source = readFileSync("src/object/isolate-kernels.ts", "utf8");
  const mebibytes = (name: string) => new RegExp(`const ${name} = (\\d+) \\* 1024 \\* 1024;`).exec(source)?.[1];
  const page = PAGE.replace(/\s+/g, " ");
  expect(page).toContain(`all processors of an isolate | ${mebibytes("MEMORY_BYTES")} MiB,`);
  expect(page).toContain(`as they estimate it | ${mebibytes("HEAP_BYTES")} MiB, and a byte more for every`);
  expect(page).toContain(`for every ${/SPARE_PER_HEAP_BYTE = (\d+);/.exec(source)?.[1]} bytes`);
});
