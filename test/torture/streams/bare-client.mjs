/**
 * A device that speaks streams with nothing but the wire contract and a WebSocket: it numbers its frames, sends what is above `last` after
 * each connection, and believes only answers. No code of Noema's client.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";

/** How many frames it sends ahead of the answers. The contract allows at least 256. */
const AHEAD = 64;

/**
 * Sends all frames of a device, over as many connections as it takes.
 *
 * @param {{ url: string, key: string, frames: object[], random: { below(bound: number): number }, drops: number }} options `frames` lack
 *   their numbers, which are 1, 2, 3, …; the device itself drops a connection after one of `drops` answers
 * @returns {Promise<{ connections: number, redelivered: number }>} when all were answered; rejects when one was refused
 */
export async function sendAll({ url, key, frames, random, drops }) {
  const found = { connections: 0, redelivered: 0 };
  let answered = 0;
  while (answered < frames.length) {
    found.connections++;
    answered = await oneConnection(answered);
    await sleep(random.below(200));
  }
  return found;

  function oneConnection(before) {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url, ["noema.v1"], { headers: { "x-api-key": key }, handshakeTimeout: 10_000 });
      // A connection that is dead and does not say so: nothing comes for a while.
      const silence = setTimeout(() => socket.terminate(), 15_000);
      let done = before;
      let sent;
      const send = () => {
        while (sent < Math.min(frames.length, done + AHEAD)) {
          sent++;
          socket.send(JSON.stringify({ n: sent, ...frames[sent - 1], brief: true }));
        }
        if (done === frames.length) socket.close();
      };
      const heard = (said) => {
        done = doneAfter(said, done);
        sent ??= done;
        if (said.redelivered) found.redelivered++;
        if (random.below(drops) === 0) socket.terminate();
        else send();
      };
      socket.on("message", (data) => {
        silence.refresh();
        Promise.resolve(JSON.parse(data)).then(heard).catch(reject);
      });
      socket.on("error", () => {});
      socket.on("close", () => {
        clearTimeout(silence);
        resolve(done);
      });
    });
  }
}

/** How many frames are done after a message. Throws when it is not the answer to the next one. */
function doneAfter({ welcome, n, error }, done) {
  if (welcome !== undefined) return welcome.last;
  if (error === undefined && n === done + 1) return n;
  throw new Error(`frame ${done + 1} got ${n}, ${JSON.stringify(error)}`);
}
