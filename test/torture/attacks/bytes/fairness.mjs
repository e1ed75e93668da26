/**
 * Makes one processor work for as long as the limits allow, over streams and over HTTP, while others ask: another processor, the same one with
 * another key, and `/health`. Each is answered within about a second, and what the work was for is answered, too.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { PROCESSOR } from "../../client.mjs";
import { LIMIT_MS } from "./target.mjs";

/** This many equal symbols in memory and in a model take 9 million steps to match: 45 ms. */
const SYMBOLS = 3000;

/** This many take almost as many steps as one request may take. */
const MANY_SYMBOLS = 8000;

/** The contract allows this many frames under way. */
const UNDER_WAY = 250;

/** Frames of a stream that matches much. */
const FRAME = { observe: { strings: ["a"] }, predictions: { top: 1, fields: ["name"] }, brief: true };

/** Gives the processor much to do for each request. */
const busy = (symbols) => async (target) => {
  await target.succeed("POST", "genes/change", { data: { max_sequence_length: symbols } });
  await target.succeed("PUT", "add-model", { sequence: [Array(symbols).fill("a"), ["b"]] });
  await target.succeed("POST", "predicting/stop");
  await target.succeed("POST", "sequence-observe", { data: { sequence: Array(symbols).fill({ strings: ["a"] }) } });
  await target.succeed("POST", "predicting/start");
};

/**
 * A stream that keeps as many frames under way as it may.
 *
 * @returns {Promise<{ answered: number, sent: number, code: number | undefined, end(): void }>} once it is open
 */
async function flood(server, key, { frame = FRAME, underWay = UNDER_WAY } = {}) {
  const url = `${server.address.replace(/^http/, "ws")}/${PROCESSOR}/stream`;
  const socket = new WebSocket(url, ["noema.v1"], { headers: key });
  const found = { answered: 0, sent: 0, code: undefined, end: () => socket.terminate() };
  const send = () => {
    while (found.sent < found.answered + underWay) socket.send(JSON.stringify({ ...frame, n: ++found.sent }));
  };
  await new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("close", (code) => {
      found.code = code;
    });
    socket.on("message", (data) => {
      const said = JSON.parse(data);
      if (said.welcome === undefined) found.answered++;
      send();
      resolve();
    });
  });
  return found;
}

/** One connection that makes the same call again and again. */
function repeatCalls(server, headers, operation, body) {
  const client = server.client({ connections: 1, timeoutMs: LIMIT_MS });
  const found = { answered: 0 };
  let going = true;
  const done = (async () => {
    while (going) {
      const { status, headers: said } = await client
        .exchange({ method: "POST", path: `/${PROCESSOR}/${operation}`, body, headers })
        .catch(() => ({ status: 0, headers: {} }));
      if (status !== 0) found.answered++;
      if (status === 503) await sleep(Number(said["retry-after"] ?? 1) * 1000);
      if (status === 0) await sleep(100);
    }
    client.close();
  })();
  found.end = async () => {
    going = false;
    await done;
  };
  return found;
}

/** While others ask, goes on with what `begin` makes of the server and a key: a list of what counts what is answered, and ends. */
const during = (begin) => async (target) => {
  const { server, sizes } = target;
  const began = await begin(server, await target.keyOf(["observe", "read"]), sizes);
  const answered = () => began.reduce((sum, one) => sum + one.answered, 0);
  await sleep(200);
  const before = answered();
  await sleep(sizes.watch * 1000);
  const after = answered();
  target.figure("answers to the attacker a second", (after - before) / sizes.watch);
  const codes = began.map(({ code }) => code).filter((code) => code !== undefined);
  target.expect(codes.length === 0, "a stream is closed", String(codes[0]));
  target.expect(after > before, "nothing of the attacker is answered");
  for (const one of began) await one.end();
};

const times = (count, make) => Promise.all(Array.from({ length: count }, (_, at) => make(at)));

/** Two streams with as many frames under way as they may have, 45 ms each. */
const twoStreams = during((server, key) => times(2, () => flood(server, key)));

/** One stream with few. */
const oneStream = during((server, key) => times(1, () => flood(server, key, { underWay: 20 })));

/** Many streams of one key at one processor. */
const manyStreams = during((server, key, { streams }) => times(streams, () => flood(server, key, { underWay: 20 })));

/** One frame after the other, each with a thousand records and predictions. */
const largeFrames = during((server, key) => {
  const frame = { ...FRAME, observe: Array(1000).fill({ strings: ["a"] }), forecast: true };
  return times(2, () => flood(server, key, { underWay: 100, frame }));
});

/** Requests that end at the budget of steps, over many connections. */
const calls = during((server, key) => {
  const body = { data: { sequence: [Array(MANY_SYMBOLS).fill("a")], top: 1, fields: ["name"] } };
  return times(16, () => repeatCalls(server, key, "predictions", body));
});

const prepare = busy(SYMBOLS);
const withSession = true;

/** The attacks of this file. */
export const fairness = [
  { name: "two-streams", prepare, attack: twoStreams, withSession },
  { name: "one-stream", prepare, attack: oneStream, withSession },
  { name: "many-streams", prepare, attack: manyStreams, withSession },
  { name: "large-frames", prepare, attack: largeFrames, withSession },
  { name: "calls", prepare: busy(MANY_SYMBOLS), attack: calls, withSession },
];
