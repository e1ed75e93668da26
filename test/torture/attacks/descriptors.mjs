/**
 * Lets the server run out of file descriptors: idle connections and live processors up to a lowered limit. The server must not end for
 * good, and must answer again when the pressure is gone; one that refuses to start below a least limit and says so has held, too.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { genome } from "../client.mjs";
import { Server } from "../server.mjs";
import { openMany } from "../sockets.mjs";

/** Tried in turn until the server starts. */
const LIMITS = [256, 512, 1024, 2048, 4096];

/** As many connections as the limit, and some more. */
const BEYOND = 1.2;
const HOLD_MS = 1500;
const RECOVERY_MS = 10_000;
const RETRY_MS = 100;

/** Each live processor holds this many descriptors: its database, the database's log and the log's index. */
const DESCRIPTORS_PER_PROCESSOR = 3;

/**
 * How long a hotswap that is refused because too many processors live is tried again. They go into service in rounds, one every 12 s,
 * and three rounds are enough.
 */
const SWAP_MS = 60_000;
const STEP = 16;

/** Runs a program under a limit of descriptors, that it cannot raise again (`hard`) or can. */
function under(limit, hard) {
  return ["sh", "-c", `ulimit ${hard ? "-n" : "-S -n"} ${limit} && exec "$@"`, "sh"];
}

/** A server under the least limit that it accepts. Notes what it says of lower ones. */
async function startUnder(hard, { report }) {
  for (const limit of LIMITS) {
    const server = new Server({ wrapper: under(limit, hard) });
    if (await server.serves()) return { server, limit };
    const says = server.output.includes(String(limit));
    report.expect(says, "a start that is refused does not name the limit", server.output.slice(-300));
    await server.discard();
  }
  throw new Error(`the server does not start under any limit up to ${LIMITS.at(-1)}`);
}

/** Whether a server answers, asked again and again for a while. */
async function answersAgain(server, limitMs = RECOVERY_MS) {
  const end = performance.now() + limitMs;
  while (performance.now() < end && server.alive) {
    const client = server.client({ timeoutMs: 2000 });
    try {
      await client.askAt("GET", "/agent/ping");
      return true;
    } catch {
      await sleep(RETRY_MS);
    } finally {
      client.close();
    }
  }
  return false;
}

/** Notes a failure unless the server answers again. Returns whether it does. */
async function expectAnswers(part, server, report) {
  const answers = await answersAgain(server);
  const how = server.alive ? "the server does not answer any more" : "the server ends for good";
  return report.expect(answers, `${part}: ${how}`, server.output.slice(-600));
}

/** Holds connections open without a word. */
async function idle(part, hard, context) {
  const { report } = context;
  const { server, limit } = await startUnder(hard, context);
  const before = String(server.workerds());
  await server.client().ask("POST observe", { data: { strings: ["kept"] } });
  const sockets = await openMany(server.address, Math.ceil(limit * BEYOND));
  await sleep(HOLD_MS);
  for (const socket of sockets) socket.destroy();
  report.figure(`${part}: limit, connections opened`, `${limit}, ${sockets.length}`);
  const answers = await expectAnswers(part, server, report);
  const restarted = String(server.workerds()) !== before;
  report.figure(`${part}: workerd was started again`, restarted);
  // A limit that the server may raise is none.
  if (!hard) report.expect(!restarted, `${part}: the soft limit is not raised`, server.output.slice(-600));
  if (answers) {
    const memory = JSON.stringify(await server.client().ask("GET working-memory"));
    report.expect(memory === '[["kept"]]', `${part}: an acknowledged write is lost`, memory);
  }
  await server.discard();
}

/** Puts an agent of very many processors in service: at once, or, when that is refused for good, some at a time. */
async function grow(client, ids, report) {
  const swap = (count) =>
    client.askPatiently(SWAP_MS, "POST", "/genome/hotswap", genome("descriptors", ids.slice(0, count)));
  try {
    await swap(ids.length);
  } catch (error) {
    report.fail("processors: a genome of more processors than may live at once is refused for good", error.message);
    for (let count = STEP; count < ids.length + STEP; count += STEP) await swap(count);
  }
}

/** Wakes more processors than there are descriptors for. */
async function processors(context) {
  const { report } = context;
  const { server, limit } = await startUnder(true, context);
  const before = String(server.workerds());
  const ids = Array.from({ length: Math.ceil(limit / DESCRIPTORS_PER_PROCESSOR) }, (_, at) => ({ id: `d${at}` }));
  const client = server.client({ connections: 4 });
  await grow(client, ids, report);
  const acknowledged = [];
  for (const { id } of ids) {
    await client.askAt("POST", `/${id}/observe`, { data: { strings: [id] } }).then(
      () => acknowledged.push(id),
      (error) => report.expect(error.http === 503, "processors: an observe fails otherwise than by 503", error.message),
    );
    if (!server.alive) break;
  }
  client.close();
  report.figure("processors: limit, processors woken", `${limit}, ${acknowledged.length} of ${ids.length}`);
  await expectAnswers("processors", server, report);
  report.expect(String(server.workerds()) === before, "processors: workerd ended", server.output.slice(-600));
  // A stop ends what is woken; every acknowledged write must be there again.
  await server.stop();
  const again = await Server.start({ stateDir: server.stateDir });
  for (const id of acknowledged) {
    const memory = JSON.stringify(await again.client().askAt("GET", `/${id}/working-memory`));
    report.expect(memory === `[["${id}"]]`, "processors: an acknowledged write is lost", memory);
  }
  await again.discard();
}

const PARTS = {
  "idle-hard": (context) => idle("idle-hard", true, context),
  "idle-soft": (context) => idle("idle-soft", false, context),
  processors,
};

async function run(context) {
  for (const part of context.parts) await PARTS[part](context);
}

/** The attack. */
export const descriptors = {
  name: "descriptors",
  about: "idle connections and live processors up to a lowered ulimit -n: the server does not end",
  parts: Object.keys(PARTS),
  sizes: { short: { seconds: 40 }, long: { seconds: 120 } },
  run,
};
