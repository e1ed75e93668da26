/**
 * A large forgetting whose server is killed at random moments, again and again: after each start the counters are what the models say, only
 * models that were to go are gone, and the call repeated with its key answers with the count of them all.
 */

import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { Random } from "../support/random";
import { wrongCounters } from "../support/sensor/recount";
import { PROCESSOR } from "../support/server/processor-calls";
import { makeStateDir, Server } from "../support/server/server";

const LONG_MS = 180_000;
const MODELS = 6_000;
const FREQUENCIES = 3;
const KEPT = 100;
const KILLS = 4;
const MIN_WAIT_MS = 20;
const MAX_WAIT_MS = 500;

interface KnownModel {
  readonly name: string;
  readonly frequency: number;
}

/** Models that share symbols, oldest first, as a file. */
function file(): { models: KnownModel[]; knowledge: Record<string, unknown> } {
  const records = Array.from({ length: MODELS }, (_, at) => {
    const sequence = [[`m${at}`], [`x${at % 7}`]];
    const name = createHash("sha1")
      .update(`[['m${at}'], ['x${at % 7}']]`)
      .digest("hex");
    return { name, sequence, frequency: 1 + (at % FREQUENCIES) };
  });
  const models = Object.fromEntries(records.map((record) => [record.name, record]));
  return { models: records, knowledge: { metadata: {}, models_kb: models, symbols_kb: {}, vectors_kb: {} } };
}

async function modelsOf(server: Server): Promise<string[]> {
  const knowledge = (await server.okay(`GET ${PROCESSOR}/get_kb`)).message;
  expect(wrongCounters(knowledge)).toEqual([]);
  return Object.keys(knowledge.models_kb);
}

test(
  "a forgetting that is killed half-way is finished by the same call, and its answer counts all",
  async () => {
    const random = new Random(15);
    const stateDir = makeStateDir();
    let server = await Server.start(stateDir);
    onTestFinished(() => server.discard());
    const { models, knowledge } = file();
    await server.okay(`POST ${PROCESSOR}/load_kb`, { data: knowledge });
    const often = models.filter(({ frequency }) => frequency === FREQUENCIES);
    const staying = new Set(often.slice(-KEPT).map(({ name }) => name));
    const forget = () =>
      server.okay(
        `POST ${PROCESSOR}/forget`,
        { data: { frequency_below: FREQUENCIES, keep_at_most: KEPT } },
        { headers: { "idempotency-key": "tidy-up" } },
      );

    let left = MODELS;
    for (let kill = 0; kill < KILLS; kill++) {
      const answered = forget().catch(() => undefined);
      await sleep(MIN_WAIT_MS + random.below(MAX_WAIT_MS));
      await server.kill();
      await answered;
      server = await Server.start(stateDir);
      const names = new Set(await modelsOf(server));
      expect(names.size).toBeLessThanOrEqual(left);
      expect([...staying].filter((name) => !names.has(name))).toEqual([]);
      left = names.size;
    }
    expect((await forget()).message).toEqual({ models: MODELS - KEPT });
    expect(new Set(await modelsOf(server))).toEqual(staying);
    expect((await forget()).message).toEqual({ models: MODELS - KEPT });
  },
  LONG_MS,
);
