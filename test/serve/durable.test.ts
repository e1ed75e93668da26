/** Whatever a writing operation has answered is there after a crash: parent and workerd are killed at once, and a new server reads. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, readMind } from "./mind";
import { Server } from "./server";

/** Every writing operation, in an order in which each of them changes something. */
const WRITES: readonly (readonly [call: string, body?: unknown])[] = [
  [
    "POST genes/change",
    { data: { persistence: 3, recall_threshold: 0.2, SORT: false, prediction_sort_metric: "snr" } },
  ],
  ["POST gene/increment-recall-threshold", { increment: 0.05 }],
  ["POST observe", { data: { strings: ["b", "a"], emotives: { joy: 0.1, fear: -3 }, metadata: { z: 1, a: [null] } } }],
  ["POST observe", { data: { vectors: [[0.5, 1e-7, -2]], strings: ["\u{1F600}'\"\\\n"] } }],
  ["POST learn"],
  ["POST sequence-observe", { data: { sequence: [{ strings: ["x"] }, { strings: ["y", "x"] }], learn: true } }],
  ["POST observe", { data: { strings: ["b"], emotives: { joy: 7 } } }],
  ["POST observe", { data: { emotives: { fear: 2.5 } } }],
  ["POST set-target-class", { data: "x" }],
  ["POST clear-target-class"],
  ["POST working-memory/clear"],
  ["POST observe", { data: { strings: ["a", "x"], vectors: [[0.5, 0, -2]] } }],
  ["POST genes/change", { data: { max_sequence_length: 3 } }],
  ["POST autolearning/start"],
  ["POST observe", { data: { strings: ["auto"] } }],
  ["POST autolearning/stop"],
  ["POST predicting/stop"],
  ["POST predicting/start"],
  ["POST sleeping/start"],
  ["POST sleeping/stop"],
  ["POST observe", { data: { strings: ["x"] } }],
  ["POST clear-all-memory", { data: { clear_blacklist: false } }],
];

/** Killing, starting and reading take about a second. */
const LONG_MS = 120_000;

let server: Server;

beforeAll(async () => {
  server = await Server.start();
}, LONG_MS);

afterAll(() => server.discard());

describe("after a crash everything reads as before it", () => {
  for (const [index, [call, body]] of WRITES.entries()) {
    test(`write ${index + 1}: ${call}`, { timeout: LONG_MS }, async () => {
      const before = await readMind(server);
      await ask(server, call, body);
      const after = await readMind(server);
      expect(after).not.toEqual(before);
      await server.kill();
      server = await Server.start(server.stateDir);
      expect(await readMind(server)).toEqual(after);
    });
  }
});
