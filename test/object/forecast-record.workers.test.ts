/** What becomes of forecasts when a processor is restarted, moved, or goes out of service: the rows of the table in docs/forecast.md about objects. */

import { abortAllDurableObjects, env, runInDurableObject } from "cloudflare:test";
import { createClient } from "@connectrpc/connect";
import { afterEach, expect, test, vi } from "vitest";
import type { BackupRecord } from "../../src/gen/noema/v1/backup_pb";
import { AgentRestoreService, BackupSection, BackupService } from "../../src/gen/noema/v1/backup_service_pb";
import { KnowledgeSection } from "../../src/gen/noema/v1/knowledge_service_pb";
import { createUnaryTransport } from "../../src/rpc/transport/unary-transport";
import { AGENT, forgetAgent, fresh, hotswap, processor, stubOf, teach } from "../support/object/agents";
import { genomeText, primitive } from "../support/object/genomes";

afterEach(forgetAgent);

/** What past forecasts of a processor tell, and what it forecasts. */
async function forecastsOf(id: string) {
  const first = { section: KnowledgeSection.MODELS, order: true };
  const { forecastRecord } = await processor(id).knowledge.exportKnowledge(first);
  const asked = { horizon: 3, sequence: { events: [{ symbols: ["a"] }, { symbols: ["b"] }] } };
  const { forecast } = await processor(id).memory.getForecast(asked);
  const { surprise } = await processor(id).memory.getSequenceSurprise(asked);
  return { record: forecastRecord?.horizons.map(({ numbers }) => numbers), forecast, surprise };
}

/** Learns sequences, so that there is a record. */
async function taught(id: string): Promise<void> {
  for (const text of ["abcd", "abca", "bcda", "cdab", "abcc", "dabc", "bcdd", "ccab", "abdc", "dcab", "acbd", "bbca"]) {
    await teach(id, ...text);
    await teach(id, ...text);
  }
}

/** An agent of one processor that has learned. */
async function learned() {
  const id = fresh("p");
  const genome = genomeText(primitive(id));
  await hotswap(genome);
  await taught(id);
  const before = await forecastsOf(id);
  expect(before.record?.some((part) => part.some((number) => number > 0))).toBe(true);
  expect(before.forecast?.models).toBeGreaterThan(0);
  // Of 24 learns all but the first are scored.
  expect(before.surprise?.rank).toBeGreaterThan(0);
  return { id, genome, before };
}

test("a restart keeps forecasts", async () => {
  const { id, before } = await learned();
  await abortAllDurableObjects();
  expect(await forecastsOf(id)).toEqual(before);
});

test("what is restored forecasts as the original did, whatever was learned since", async () => {
  const { id, genome: genomeJson, before } = await learned();
  const transport = createUnaryTransport(
    () => env.PROCESSORS.getByName(`${AGENT}/${id}`),
    () => ({ name: id, id: "" }),
  );
  const backup = createClient(BackupService, transport);
  const records: BackupRecord[] = [];
  for (let place = { section: BackupSection.PROCESSOR, after: "" }; place.section !== BackupSection.UNSPECIFIED; ) {
    const page = await backup.readBackup({ ...place, snapshot: "s" });
    records.push(...page.records);
    place = { section: page.nextSection, after: page.nextAfter };
  }
  await taught(id);
  await teach(id, "a", "x");
  expect(await forecastsOf(id)).not.toEqual(before);
  const restoreId = crypto.randomUUID();
  await backup.beginRestore({ restoreId });
  await backup.stageRestore({ restoreId, firstLine: 3, records });
  const agent = createUnaryTransport(
    () => env.AGENTS.getByName(AGENT),
    () => ({ name: AGENT, id: "" }),
  );
  await createClient(AgentRestoreService, agent).commitRestore({ restoreId, genomeJson, staged: [id] });
  expect(await forecastsOf(id)).toEqual(before);
});

test("a hotswap keeps forecasts of what stays, and of what comes back; a purge deletes them", async () => {
  const { id, genome, before } = await learned();
  const other = genomeText(primitive(fresh("other")));
  await hotswap(genome);
  expect(await forecastsOf(id)).toEqual(before);
  await hotswap(other);
  await hotswap(genome);
  expect(await forecastsOf(id)).toEqual(before);
  await hotswap(other, true);
  await hotswap(genome);
  expect(await forecastsOf(id)).toMatchObject({ record: [[], [], [], []], forecast: { models: 0 } });
});

/** As a release with other rules has stored it. */
const FORMER = JSON.stringify([new Array(32).fill(3), [], new Array(32).fill(1)]);

/** Makes the stored record that of a former release, and has the processor built anew. */
async function makeFormer(id: string): Promise<void> {
  await runInDurableObject(stubOf(id), (_, { storage }) => {
    storage.sql.exec("UPDATE state SET forecast_record = ?", FORMER);
  });
  await abortAllDurableObjects();
}

/** What is stored as the record, as soon as it is none of a former release. */
function gradedRecord(id: string): Promise<unknown> {
  const read = () =>
    runInDurableObject(stubOf(id), (_, { storage }) =>
      String(storage.sql.exec<{ forecast_record: string }>("SELECT forecast_record FROM state").one().forecast_record),
    );
  return vi.waitFor(
    async () => {
      const text = await read();
      if (text === FORMER || text === "[]") throw new Error("it is not graded yet");
      return JSON.parse(text);
    },
    { timeout: 60_000, interval: 20 },
  );
}

test("what a former release has taught is graded in the background after its first call, as a load without a record is", async () => {
  const { id } = await learned();
  await makeFormer(id);
  const { forecast } = await forecastsOf(id);
  expect(forecast?.models).toBeGreaterThan(0);
  const record = await gradedRecord(id);
  expect((await forecastsOf(id)).record).toEqual(record);
  expect((await forecastsOf(id)).forecast).not.toEqual(forecast);
  // Once more, with an eviction before the end.
  await makeFormer(id);
  await forecastsOf(id);
  await abortAllDurableObjects();
  await forecastsOf(id);
  expect(await gradedRecord(id)).toEqual(record);
  const { knowledge } = processor(id);
  const { models } = await knowledge.exportKnowledge({ section: KnowledgeSection.MODELS, order: true });
  const { loadId } = await knowledge.beginLoad({});
  await knowledge.loadKnowledge({ loadId, models });
  await knowledge.commitLoad({ loadId });
  expect((await forecastsOf(id)).record).toEqual(record);
});

test("a processor that is graded, and one that has learned nothing, set no alarm for it", async () => {
  const { id } = await learned();
  await forecastsOf(id);
  expect(await runInDurableObject(stubOf(id), (_, { storage }) => storage.getAlarm())).toBeNull();
});
