/**
 * Lets very many connections ask one processor at once. Each answer comes within about a second, or is a 503 with Retry-After; no
 * connection is reset; and memory comes back.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { PROCESSOR } from "../client.mjs";
import { quantile } from "../report.mjs";
import { Server } from "../server.mjs";
import { head, open } from "../sockets.mjs";
import { Wait } from "../waiting.mjs";

/** The client shares the machine with the server, so that what it measures is more than what the server took. */
const P99_MS = 1500;
const SLOWEST_MS = 3000;
const GROWTH_MEBIBYTES = 100;
const QUIET_MS = 3000;
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

async function run({ report, sizes, deadline }) {
  const server = await Server.start();
  const client = server.client();
  await client.ask("POST genes/change", { data: { max_sequence_length: 10 } });
  for (let warm = 0; warm < 300; warm++) await client.ask("POST observe", { data: { strings: ["a"] } });
  const time = Number(await client.ask("GET time"));
  const before = server.memory();
  const wait = new Wait(server);
  const found = { served: [], refused: [], silent: [], strange: [], broken: 0 };
  const connections = Array.from({ length: sizes.connections }, () =>
    connection(server.address, sizes.requests, found, deadline),
  );
  await Promise.all(connections);
  const { clock, counts } = wait.end();
  // The server has as much work as it can do: where it was given half of a processor only, answers may take twice as long.
  const [p99, slowest] = [P99_MS, SLOWEST_MS].map((limit) => (limit * clock) / counts);
  const { served, refused, silent, strange, broken } = found;
  const shown = (times) =>
    `${times.length}, ${[0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(0)).join(", ")}`;
  report.figure("connections, requests of each", `${sizes.connections}, ${sizes.requests}`);
  report.figure("served, p50, p99, slowest (ms)", shown(served));
  report.figure("refused with 503, p50, p99, slowest (ms)", shown(refused));
  report.figure("served a second", served.length / (clock / 1000));
  report.figure("share of a processor that the server had", (counts / clock).toFixed(2));
  report.figure("connections broken", broken);
  report.expect(broken === 0, "connections are reset or never answered", `${broken} of ${sizes.connections}`);
  report.expect(silent.length === 0, "a 503 has no Retry-After", silent[0]);
  report.expect(strange.length === 0, "an answer is neither 200 nor 503", strange[0]);
  const slow = quantile(served, 0.99) > p99 || quantile(served, 1) > slowest;
  report.expect(!slow, "what is served waits longer than about a second", shown(served));
  report.expect(quantile(refused, 0.99) <= p99, "refusals come late", shown(refused));
  report.expect(served.length > 0, "nothing is served");
  const observed = Number(await client.ask("GET time")) - time;
  // What broke may have been observed or not; everything else that was served was, once.
  const fits = observed >= served.length && observed <= served.length + broken;
  report.expect(
    fits,
    "observes are lost or doubled",
    `${observed} observed, ${served.length} acknowledged, ${broken} broken`,
  );
  await sleep(QUIET_MS);
  const after = server.memory();
  report.figure("memory before, after (MiB)", [before, after].map((mebibytes) => mebibytes.toFixed(0)).join(", "));
  report.expect(after < before + GROWTH_MEBIBYTES, "memory does not come back", `${before} MiB, then ${after}`);
  client.close();
  await server.discard();
}

/** The attack. */
export const overload = {
  name: "overload",
  about: "many connections on one processor: an answer within about a second or 503 with Retry-After, no reset",
  parts: ["one-processor"],
  sizes: {
    short: { connections: 200, requests: 20, seconds: 20 },
    long: { connections: 1000, requests: 50, seconds: 120 },
  },
  run,
};
