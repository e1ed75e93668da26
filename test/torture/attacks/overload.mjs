/**
 * Lets very many connections ask one processor at once, in several bursts. Each answer comes within about a second, or is a 503 with
 * Retry-After; no connection is reset; and a burst takes no more memory than the one before it left behind.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { PROCESSOR } from "../client.mjs";
import { quantile } from "../report.mjs";
import { Server } from "../server.mjs";
import { head, open } from "../sockets.mjs";
import { slowness, Wait } from "../waiting.mjs";

/**
 * A server that gets less of a processor than this is not judged by connections that are reset: workerd closes those that it has not read for
 * 5 s, and it cannot read while others compute.
 */
const STARVED_SHARE = 0.3;

/** The client shares the machine with the server, so that what it measures is more than what the server took. */
const P99_MS = 1500;
const SLOWEST_MS = 3000;
/**
 * How much memory a server may take when no client asks any more. What the connections of one burst took is used again in the next, but the
 * allocator of workerd does not give it back to the system, and V8 collects only when it needs the room: docs/reliability.md.
 */
const CONNECTION_MEBIBYTES = 0.2;
const GARBAGE_MEBIBYTES = 100;
const QUIET_MS = 2000;
const LIMIT_MS = 30_000;

const BODY = '{"data":{"strings":["a","b"]}}';
const OBSERVE = `${head(`POST /${PROCESSOR}/observe`, ["content-type: application/json", `content-length: ${BODY.length}`])}${BODY}`;

/** Sends a request and waits for the whole answer. Resolves to undefined when the connection breaks or nothing comes. */
function ask(socket) {
  const began = performance.now();
  return new Promise((resolve) => {
    let text = "";
    const done = (answer) => {
      clearTimeout(timer);
      socket.off("data", take);
      socket.off("close", broken);
      resolve(answer);
    };
    const broken = () => done(undefined);
    const take = (chunk) => {
      text += chunk.toString("latin1");
      const end = text.indexOf("\r\n\r\n");
      const length = /content-length: (\d+)/i.exec(text)?.[1];
      if (end < 0 || length === undefined || text.length < end + 4 + Number(length)) return;
      done({ status: Number(text.slice(9, 12)), text, ms: performance.now() - began });
    };
    const timer = setTimeout(broken, LIMIT_MS);
    socket.on("data", take);
    socket.on("close", broken);
    socket.write(OBSERVE);
  });
}

/** Many connections that ask at the same time, until all have ended. Returns what they found. */
async function burst(address, { connections, requests }, deadline) {
  const found = { served: [], refused: [], silent: [], strange: [], broken: 0 };
  const all = Array.from({ length: connections }, () => connection(address, requests, found, deadline));
  await Promise.all(all);
  return found;
}

/** One connection's requests, one after the other; it waits as long as it is told when it is refused. */
async function connection(address, count, found, deadline) {
  const socket = await open(address);
  if (socket === undefined) {
    found.broken++;
    return;
  }
  for (let at = 0; at < count && performance.now() < deadline; at++) {
    const answer = await ask(socket);
    if (answer === undefined) {
      found.broken++;
      break;
    }
    if (answer.status === 200) found.served.push(answer.ms);
    else if (answer.status === 503) {
      found.refused.push(answer.ms);
      const seconds = /retry-after: (\d+)/i.exec(answer.text)?.[1];
      if (seconds === undefined) found.silent.push(answer.text);
      await sleep(Math.min(2000, Number(seconds ?? 0) * 1000));
    } else found.strange.push(answer.text);
  }
  socket.destroy();
}

/** Holds what all connections found against what is to hold. `wait` is the time of all bursts. */
function judge({ served, refused, silent, strange, broken }, { clock, used, counts }, { connections }, report) {
  const share = (used || counts) / clock;
  // The server has as much work as it can do: where it was given half of a processor only, answers may take twice as long.
  const [p99, slowest] = [P99_MS, SLOWEST_MS].map((limit) => (limit * slowness()) / share);
  const shown = (times) =>
    `${times.length}, ${[0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(0)).join(", ")}`;
  report.figure("served, p50, p99, slowest (ms)", shown(served));
  report.figure("refused with 503, p50, p99, slowest (ms)", shown(refused));
  report.figure("served a second", served.length / (clock / 1000));
  report.figure("share of a processor that the server had", share.toFixed(2));
  report.figure("connections broken", broken > 0 && share < STARVED_SHARE ? `${broken}, not judged` : broken);
  report.expect(
    broken === 0 || share < STARVED_SHARE,
    "connections are reset or never answered",
    `${broken} of ${connections}`,
  );
  report.expect(silent.length === 0, "a 503 has no Retry-After", silent[0]);
  report.expect(strange.length === 0, "an answer is neither 200 nor 503", strange[0]);
  const slow = quantile(served, 0.99) > p99 || quantile(served, 1) > slowest;
  report.expect(!slow, "what is served waits longer than about a second", shown(served));
  report.expect(quantile(refused, 0.99) <= p99, "refusals come late", shown(refused));
  report.expect(served.length > 0, "nothing is served");
}

/** Memory before, and after each burst. The later half of the bursts is held against the earlier one, in which V8 fills its heap. */
function judgeMemory([before, ...after], { connections }, report) {
  const shown = [before, ...after].map((mebibytes) => mebibytes.toFixed(0)).join(", ");
  const half = Math.ceil(after.length / 2);
  report.figure("memory before, and after each burst (MiB)", shown);
  const most = before + GARBAGE_MEBIBYTES + connections * CONNECTION_MEBIBYTES;
  report.expect(after[0] < most, "a burst takes too much memory", `${shown} MiB; at most ${most.toFixed(0)} expected`);
  const grown = Math.max(...after.slice(half)) - Math.max(...after.slice(0, half));
  report.expect(grown < GARBAGE_MEBIBYTES, "memory grows from one burst to the next", `${shown} MiB`);
}

async function run({ report, sizes, deadline }) {
  const server = await Server.start();
  const client = server.client();
  await client.ask("POST genes/change", { data: { max_sequence_length: 10 } });
  for (let warm = 0; warm < 300; warm++) await client.ask("POST observe", { data: { strings: ["a"] } });
  const time = Number(await client.ask("GET time"));
  report.figure("bursts, connections, requests of each", `${sizes.bursts}, ${sizes.connections}, ${sizes.requests}`);
  const memories = [server.memory()];
  const found = { served: [], refused: [], silent: [], strange: [], broken: 0 };
  const waited = { clock: 0, used: 0, counts: 0 };
  for (let at = 0; at < sizes.bursts; at++) {
    const wait = new Wait(server);
    const { broken, ...lists } = await burst(server.address, sizes, deadline);
    for (const [name, ms] of Object.entries(wait.end())) waited[name] += ms;
    found.broken += broken;
    for (const [name, list] of Object.entries(lists)) found[name] = found[name].concat(list);
    await sleep(QUIET_MS);
    memories.push(server.memory());
  }
  judge(found, waited, sizes, report);
  const { served, broken } = found;
  const observed = Number(await client.ask("GET time")) - time;
  // What broke may have been observed or not; everything else that was served was, once.
  const fits = observed >= served.length && observed <= served.length + broken;
  const shown = `${observed} observed, ${served.length} acknowledged, ${broken} broken`;
  report.expect(fits, "observes are lost or doubled", shown);
  judgeMemory(memories, sizes, report);
  client.close();
  await server.discard();
}

/** The attack. */
export const overload = {
  name: "overload",
  about: "many connections on one processor: an answer within about a second or 503 with Retry-After, no reset",
  parts: ["one-processor"],
  sizes: {
    short: { connections: 200, requests: 10, bursts: 2, seconds: 90 },
    long: { connections: 1000, requests: 20, bursts: 4, seconds: 180 },
  },
  run,
};
