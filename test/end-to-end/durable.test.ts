/** Every answered write survives a crash: the test kills parent and workerd at once, starts a new server and reads. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, readEverything } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

/** A small knowledge base, as load_kb takes it. */
const KNOWLEDGE = {
  metadata: {},
  models_kb: {
    "764dc599cc6df0c68c890aca836cc72dc1654b79": {
      emotives: { joy: [1.5] },
      frequency: 2,
      metadata: [{ b: 1, a: 2 }, {}],
      name: "764dc599cc6df0c68c890aca836cc72dc1654b79",
      sequence: [["load", "ed"], ["kb"]],
    },
  },
  symbols_kb: {},
  vectors_kb: {},
};

/** Every writing operation, in an order in which each changes something. */
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
  ["PUT add-model", { sequence: [["p"], ["q", "r"]], frequency: 3, emotives: { joy: [1, 2] }, vector: [1, 2, 3] }],
  ["PUT model/0bacd5d3a865eef7563c4673cca40d5681723215", { model: { frequency: 4, sequence: [["p"], ["q"], ["s"]] } }],
  ["POST blacklisted-symbols/add", { data: ["s", "t"] }],
  ["DELETE blacklisted-symbols/remove", { data: ["t"] }],
  ["DELETE symbols/remove", { data: ["q"] }],
  ["DELETE patterns/remove", { data: ["x|y"] }],
  ["DELETE model/MODEL%7Ca4c9249843996d6e0a82614ebb0b317aed1570ce"],
  ["POST load_kb", KNOWLEDGE],
  ["POST clear-all-memory", { data: { clear_blacklist: false } }],
];

let server: Server;

beforeAll(async () => {
  server = await Server.start();
});

afterAll(() => server.discard());

describe("after a crash everything reads as before it", () => {
  for (const [index, [call, body]] of WRITES.entries()) {
    test(`write ${index + 1}: ${call}`, async () => {
      const before = await readEverything(server);
      await ask(server, call, body);
      const after = await readEverything(server);
      expect(after).not.toEqual(before);
      await server.kill();
      server = await Server.start(server.stateDir);
      expect(await readEverything(server)).toEqual(after);
    });
  }
});
