/**
 * Starts a second server on the state of a first one: at the same moment, while the first is paused, and in a process namespace of its
 * own, as containers on one volume are. At most one may serve, and what either acknowledged must be there afterwards.
 */

import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "../client.mjs";
import { makeStateDir, Server } from "../server.mjs";

/** Runs a program as the first process of a namespace in which others cannot be seen. */
const NAMESPACE = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child"];

const WRITES = 6;
const REFUSAL_MS = 45_000;
const ANSWER_MS = 10_000;

/** Observes through every server in turn, and returns the symbols that were acknowledged. */
async function writeToAll(servers, prefix) {
  const acknowledged = [];
  for (let count = 0; count < WRITES; count++) {
    for (const [at, { address }] of servers.entries()) {
      const client = new Client(address, { timeoutMs: ANSWER_MS });
      const symbol = `${prefix}.${at}.${count}`;
      await client.ask("POST observe", { data: { strings: [symbol] } }).then(
        () => acknowledged.push(symbol),
        // Not acknowledged: it may be there or not.
        () => {},
      );
      client.close();
    }
  }
  return acknowledged;
}

/** Ends all servers of a folder, serves it once more, and looks for what was acknowledged. */
async function checkState(part, servers, stateDir, acknowledged, report) {
  for (const server of servers) await server.kill();
  const again = await Server.start({ stateDir });
  const events = await again.client().ask("GET working-memory");
  const remembered = new Set(events.flat());
  const lost = acknowledged.filter((symbol) => !remembered.has(symbol));
  report.count("acknowledged writes", acknowledged.length);
  report.count("lost writes", lost.length);
  report.expect(lost.length === 0, `${part}: acknowledged writes are lost`, `${lost.length} of ${acknowledged.length}`);
  await again.discard();
}

/** Judges a second server beside a first that serves, whatever state that one is in now. */
async function judge(part, first, second, { report }, resume = () => {}) {
  const serves = await second.serves(REFUSAL_MS);
  resume();
  const both = serves && first.alive;
  if (serves) report.expect(!both, `${part}: two servers serve one STATE_DIR`, second.output);
  else report.expect(!second.alive, `${part}: the second server neither serves nor ends`, second.output);
  if (!serves && !second.alive) {
    const names = second.output.includes(first.stateDir);
    report.expect(second.exitCode === 1 && names, `${part}: the refusal does not name the folder`, second.output);
  }
  const acknowledged = await writeToAll(serves ? [first, second] : [first], part);
  report.expect(acknowledged.length >= WRITES, `${part}: no server serves`, `${acknowledged.length} writes`);
  await checkState(part, [first, second], first.stateDir, acknowledged, report);
}

async function sameMoment({ report }) {
  const stateDir = makeStateDir();
  const servers = [new Server({ stateDir }), new Server({ stateDir })];
  const serve = await Promise.all(servers.map((server) => server.serves(REFUSAL_MS)));
  const serving = servers.filter((_, at) => serve[at]);
  report.expect(serving.length === 1, `same-moment: ${serving.length} of two servers serve`, servers[0].output);
  const acknowledged = await writeToAll(serving, "same");
  await checkState("same-moment", servers, stateDir, acknowledged, report);
}

async function paused(context) {
  const first = await Server.start();
  await writeToAll([first], "before");
  first.signalAll("SIGSTOP");
  const second = new Server({ stateDir: first.stateDir });
  await judge("paused", first, second, context, () => first.signalAll("SIGCONT"));
}

async function namespace(context) {
  if (spawnSync(NAMESPACE[0], [...NAMESPACE.slice(1), "true"]).status !== 0) {
    context.report.figure("namespace", "left out: this system does not allow unshare to make one");
    return;
  }
  const first = await Server.start();
  const second = new Server({ stateDir: first.stateDir, wrapper: NAMESPACE });
  await judge("namespace", first, second, context);
}

const PARTS = { "same-moment": sameMoment, paused, namespace };

async function run(context) {
  for (let round = 0; round < context.sizes.rounds && performance.now() < context.deadline; round++) {
    for (const part of context.parts) await PARTS[part](context);
    context.report.count("rounds");
    await sleep(0);
  }
}

/** The attack. */
export const twoServers = {
  name: "two-servers",
  about: "two servers on one STATE_DIR: at most one serves, nothing acknowledged is lost",
  parts: Object.keys(PARTS),
  sizes: { short: { rounds: 1, seconds: 60 }, long: { rounds: 10, seconds: 300 } },
  run,
};
