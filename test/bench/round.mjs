/** Sends the requests of one round of a benchmark over kept-alive connections, and measures the round. */

import { Connection } from "./connection.mjs";
import { cpuMs } from "./process-usage.mjs";
import { percentile } from "./table.mjs";

/**
 * Sends requests over as many connections as there are queues, and measures them.
 *
 * @param {{ address: string, pid: number }} server
 * @param {Iterable<Buffer>[]} queues what each connection sends, one after the other; several may share one iterator
 * @returns {Promise<{ p50: number, p99: number, rate: number, cpu: number }>} milliseconds a request, requests a second, and milliseconds
 *   of processor time a request. Throws when an answer's status is not 200
 */
export async function measureRound({ address, pid }, queues) {
  const opened = await Promise.all(queues.map(() => Connection.open(address)));
  const times = [];
  const cpuBefore = cpuMs(pid);
  const start = performance.now();
  await Promise.all(
    opened.map(async (connection, at) => {
      for (const request of queues[at]) {
        const begun = performance.now();
        const { status, body } = await connection.send(request);
        times.push(performance.now() - begun);
        if (status !== 200) throw new Error(`observe answered ${status}: ${body}`);
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const cpu = (cpuMs(pid) - cpuBefore) / times.length;
  for (const connection of opened) connection.close();
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), rate: times.length / seconds, cpu };
}
