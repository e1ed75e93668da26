/**
 * Sends every operation of the table and every method of proto/ right, nearly right and hostile requests, with keys of every role too, and
 * sockets bytes that are no HTTP. An answer may refuse; it may not be a 500 but for a key, keep a client waiting, or show the engine's words.
 */

import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { genome, TimedOut } from "../client.mjs";
import { requestFor } from "../fuzz/http-requests.mjs";
import { isPassedOn, rawRequest } from "../fuzz/raw-requests.mjs";
import { rpcRequests, services } from "../fuzz/rpc-requests.mjs";
import { SYMBOLS } from "../fuzz/values.mjs";
import { Server } from "../server.mjs";
import { deadlineOfPart } from "../waiting.mjs";

/** Requests of a round, and how many are under way at once. */
const ROUND = 1000;
const RAW_ROUND = 100;
const CONNECTIONS = 8;

const LIMIT_MS = 5000;

/** After this many rounds the server is as large as its work makes it. */
const WARM_UP_ROUNDS = 2;
const GROWTH_MEBIBYTES = 200;
const QUIET_MS = 2000;

/** What no client may see: stack frames, errors of the engine or the database, names of files. The requests hold nothing like it. */
const ENGINE =
  /\bat (async )?\w+[.\w]* \(|at Object\.|\w*(Type|Range|Reference|Syntax|Sqlite|Sql)Error|SQLITE_|\.(ts|js|wasm)\b:?\d|\[object |Cannot read prop|is not a function|is not iterable/;

/** A method or an encoding that is not offered: the client's doing, whatever the number's first digit says. */
const NOT_IMPLEMENTED = 501;

/** What workerd itself logs of requests that it does not pass on. */
const WORKERD_LOGS = ["Invalid URL string", "Incoming CONNECT on a worker not supported"];

/** What Connect and gRPC call a failure of the server's own. */
const SERVER_CODES = ["internal", "unknown", "data_loss"];
const SERVER_STATUSES = ["2", "13", "15"];

/** Words that differ from one failure to the next of the same cause are left out of its signature. */
function causeIn(text) {
  return text
    .replace(/\d+/g, "_")
    .replace(/[^\x20-\x7e]+/g, "_")
    .slice(0, 120);
}

function describe({ method, path, headers, body }) {
  const sent =
    typeof body === "string" || body === undefined
      ? JSON.stringify(body)
      : `base64 ${Buffer.from(body).toString("base64")}`;
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 200)} ${String(sent).slice(0, 400)}`;
}

/** Whether a 500 is that of a key, the only one that a client's doing may bring. The answer to a HEAD has no words. */
function isKeyRefusal({ hasKey, method }, { status, text }) {
  return !hasKey && status === 500 && (method === "HEAD" || text.includes("X-API-KEY"));
}

/** How a call failed by the server's own words, in Connect's JSON, in gRPC-Web's header or in its trailer frame. */
function rpcFailure({ headers, text }) {
  const status = headers["grpc-status"] ?? /grpc-status: ?(\d+)/.exec(text)?.[1];
  if (status !== undefined) {
    const message = headers["grpc-message"] ?? /grpc-message: ?(.*)/.exec(text)?.[1] ?? "";
    return SERVER_STATUSES.includes(status)
      ? `grpc-status ${status}: ${causeIn(decodeURIComponent(message))}`
      : undefined;
  }
  const code = /^\{"code":"(\w+)"/.exec(text)?.[1];
  return SERVER_CODES.includes(code) ? `code ${code}: ${causeIn(text)}` : undefined;
}

/** What is wrong with an answer; undefined when nothing is. */
function complaint(asked, answer) {
  const { status, headers, text } = answer;
  if (ENGINE.test(text)) return `engine text: ${causeIn(ENGINE.exec(text)[0])}`;
  if (isKeyRefusal(asked, answer)) return undefined;
  if (status === 503) return headers["retry-after"] === undefined ? "503 without Retry-After" : undefined;
  const failure = rpcFailure(answer);
  if (failure !== undefined) return failure;
  if (status >= 500 && status !== NOT_IMPLEMENTED) return `HTTP ${status} ${causeIn(text)}`;
  // The libraries that speak for proto/ leave the header out.
  if (status === 405 && headers.allow === undefined && isHttp(asked)) return "405 without Allow";
  if (asked.method === "HEAD" || !(headers["content-type"] ?? "").startsWith("application/json")) return undefined;
  return jsonComplaint(asked, answer);
}

/** Whether a request is one for a row of the table, and not one for a method of proto/. */
const isHttp = ({ row }) => !row.startsWith("/");

function jsonComplaint(asked, { status, text }) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return `HTTP ${status} with a body that is not JSON`;
  }
  if (!isHttp(asked) || status < 400) return undefined;
  const said = value.status === "failed" && typeof value.message === "string" && value.message !== "";
  return said ? undefined : `HTTP ${status} without a sentence`;
}

/** Sends requests, some at a time, and notes what is wrong with their answers. */
async function sendAll(client, requests, report) {
  let slowest = 0;
  const queue = requests.values();
  const send = async (asked) => {
    try {
      const answer = await client.exchange(asked);
      slowest = Math.max(slowest, answer.ms);
      report.count(`answered ${answer.status}`);
      return { wrong: complaint(asked, answer), said: answer.text };
    } catch (error) {
      report.count("connections broken");
      return { wrong: brokenOff(error), said: error.message };
    }
  };
  const worker = async () => {
    for (const asked of queue) {
      const { wrong, said } = await send(asked);
      report.count("requests");
      if (wrong === undefined) continue;
      report.fail(`${isHttp(asked) ? "http" : "rpc"}: ${wrong}`, `${describe(asked)}\n${said.slice(0, 200)}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return slowest;
}

/** A client library refuses to read some answers to some methods (an upgrade, for one): that is no failure of the server's. */
function brokenOff(error) {
  if (error instanceof TimedOut) return `no answer within ${LIMIT_MS} ms`;
  if (error.code?.startsWith("HPE_")) return `an answer that is not HTTP (${error.code})`;
  return `connection broken (${error.code ?? error.message})`;
}

/** Brings the processors to a state in which most requests find something. */
async function prepare(client) {
  const manipulative = {
    id: "m1",
    primitive: "p1",
    name: "abstraction",
    mtype: "output",
    genes: { field: { value: ["name", "future"] }, primitives: { value: ["p2"] }, sources: {} },
  };
  const primitives = [{ id: "p1", manipulatives: ["m1"] }, { id: "p2" }];
  await client.askAt("POST", "/genome/hotswap?purge=true", genome("fuzz", [{ id: "other" }]));
  await client.askAt("POST", "/genome/hotswap?purge=true", genome("fuzz", primitives, [manipulative]));
  for (const strings of SYMBOLS.map((symbol) => [symbol])) {
    await client.ask("POST observe", { data: { strings, vectors: [[1, 2]], emotives: { joy: 1 } } });
  }
  await client.ask("POST learn");
  await client.ask("POST observe", { data: { strings: ["a"] } });
}

/** Rounds of requests, each on processors made anew. */
async function fuzzRequests(server, requestsOf, name, { report, sizes, deadline }) {
  const client = server.client({ processor: "p1", connections: CONNECTIONS, timeoutMs: LIMIT_MS });
  let warm = 0;
  let slowest = 0;
  for (let round = 0; round < sizes.rounds && performance.now() < deadline; round++) {
    await prepare(client);
    slowest = Math.max(slowest, await sendAll(client, requestsOf(round), report));
    if (round < WARM_UP_ROUNDS) warm = server.memory();
    report.count(`rounds of ${name}`);
  }
  await sleep(QUIET_MS);
  const after = server.memory();
  report.figure(`slowest answer to ${name} (ms)`, slowest);
  report.figure(`memory after warming up and after ${name} (MiB)`, `${warm.toFixed(0)}, ${after.toFixed(0)}`);
  report.expect(after < warm + GROWTH_MEBIBYTES, `${name}: memory does not come back`, `${warm} MiB, then ${after}`);
  client.close();
}

/** Writes bytes to a socket, ends its own side, and reads what comes until the other side is closed. */
function exchangeRaw(port, bytes) {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    const chunks = [];
    const done = (timedOut) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text: Buffer.concat(chunks).toString("latin1"), timedOut });
    };
    const timer = setTimeout(() => done(true), LIMIT_MS);
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => done(false));
    socket.on("close", () => done(false));
    socket.end(bytes, "latin1");
  });
}

/** The first answer that is a failure of the server's own; undefined when there is none. */
function rawFailure(text) {
  const answers = text.split(/(?=^HTTP\/1\.1 \d)/m);
  const isFailure = (answer) => /^HTTP\/1\.1 5(?!01|03)/.test(answer) && !answer.includes("X-API-KEY");
  return answers.find(isFailure)?.replace(/\r\n.*\r\n\r\n/s, " ");
}

async function fuzzRaw(server, { report, sizes, deadline, seed }) {
  const port = Number(new URL(server.address).port);
  for (let round = 0; round < sizes.rounds && performance.now() < deadline; round++) {
    const queue = fc.sample(rawRequest, { seed: seed + round, numRuns: RAW_ROUND }).values();
    const worker = async () => {
      for (const bytes of queue) {
        const { text, timedOut } = await exchangeRaw(port, bytes);
        const shown = JSON.stringify(bytes.slice(0, 200));
        const detail = `${shown}\n${text.slice(0, 300)}`;
        report.count("raw requests");
        report.expect(!timedOut, `raw: the socket is held for ${LIMIT_MS} ms`, detail);
        report.expect(!ENGINE.test(text), "raw: engine text", detail);
        const failure = rawFailure(text);
        if (failure === undefined) continue;
        // A head that makes no request is refused by workerd itself, before any code of ours, with a 500 of its own.
        if (isPassedOn(bytes)) report.fail(`raw: ${causeIn(failure)}`, detail);
        else report.count("raw heads that workerd itself refuses with 500");
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  }
}

/** An equal share of requests for every arbitrary, shuffled by the generator. */
function mixed(arbitraries, seed) {
  const all = fc.oneof(...arbitraries);
  return (round) => fc.sample(all, { seed: seed + round, numRuns: ROUND });
}

async function fuzzHttp(server, context) {
  const { operations } = await context.load("/src/gateway/operations/table.ts");
  context.report.figure("operations", operations.length);
  await fuzzRequests(server, mixed(operations.map(requestFor), context.seed), "http", context);
}

async function fuzzRpc(server, context) {
  const requests = rpcRequests(await services(context.load));
  context.report.figure("methods", requests.size);
  await fuzzRequests(server, mixed([...requests.values()], context.seed), "rpc", context);
}

/** Issues a key of every role, without limits and with each of them. */
async function issueKeys(client, roles) {
  const limits = [{}, { processors: ["p1"] }, { sessions: ["a*"] }, { per_minute: 5 }];
  const rights = roles.flatMap((role) => limits.map((limit) => ({ name: role, roles: [role], ...limit })));
  // A key with all rights takes none of these limits.
  const possible = rights.filter(({ roles: [role], ...rest }) => role !== "admin" || "per_minute" in rest);
  const answers = [];
  for (const data of possible) answers.push(await client.askAt("POST", "/keys", { data }));
  return answers.map(({ key }) => key);
}

/** The same operations and methods, each request with the next of some keys. */
async function fuzzRoles(server, context) {
  const { operations } = await context.load("/src/gateway/operations/table.ts");
  const { ROLES } = await context.load("/src/gateway/keys/role.ts");
  const calls = rpcRequests(await services(context.load));
  const client = server.client({ processor: "p1", timeoutMs: LIMIT_MS });
  await prepare(client);
  const keys = await issueKeys(client, ROLES);
  client.close();
  context.report.figure("keys", keys.length);
  const requests = mixed([...operations.map(requestFor), ...calls.values()], context.seed);
  const withKeys = (asked, at) =>
    asked.hasKey ? { ...asked, headers: { ...asked.headers, "x-api-key": keys[at % keys.length] } } : asked;
  await fuzzRequests(server, (round) => requests(round).map(withKeys), "roles", context);
}

const PARTS = { http: fuzzHttp, rpc: fuzzRpc, roles: fuzzRoles, raw: fuzzRaw };

async function run(context) {
  const { report, parts } = context;
  const server = await Server.start();
  const before = String(server.workerds());
  for (const [at, part] of parts.entries()) {
    await PARTS[part](server, { ...context, deadline: deadlineOfPart(context.deadline, parts.length - at) });
  }
  report.expect(String(server.workerds()) === before, "the server ended", server.output.slice(-500));
  const ping = await server.client().exchange({ method: "GET", path: "/agent/ping" });
  report.expect(ping.status === 200, "the server does not answer any more", ping.text);
  const said = server.output.match(/\b(TypeError|RangeError|ReferenceError)\b.*/g) ?? [];
  const own = said.filter((line) => !WORKERD_LOGS.some((words) => line.includes(words)));
  for (const line of new Set(own)) report.fail(`the log holds a defect: ${causeIn(line)}`, line);
  await server.discard();
}

/** The attack. */
export const fuzz = {
  name: "fuzz",
  about: "hostile requests for every operation and every RPC: refusals, never a 500, a hang or the engine's words",
  parts: Object.keys(PARTS),
  sizes: { short: { rounds: 2, seconds: 120 }, long: { rounds: 500, seconds: 3600 } },
  run,
};
