/** What becomes of forecasts when a processor is restarted, moved, or goes out of service: the rows of the table in docs/forecast.md about objects. */

import { abortAllDurableObjects, env } from "cloudflare:test";
import { createClient } from "@connectrpc/connect";
import { afterEach, expect, test } from "vitest";
import type { BackupRecord } from "../../src/gen/noema/v1/backup_pb";
import { AgentRestoreService, BackupSection, BackupService } from "../../src/gen/noema/v1/backup_service_pb";
import { KnowledgeSection } from "../../src/gen/noema/v1/knowledge_service_pb";
import { createUnaryTransport } from "../../src/rpc/transport/unary-transport";
import { AGENT, forgetAgent, fresh, hotswap, processor, teach } from "../support/object/agents";
import { genomeText, primitive } from "../support/object/genomes";

afterEach(forgetAgent);

/** What past forecasts of a processor tell, and what it forecasts. */
async function forecastsOf(id: string) {
  const first = { section: KnowledgeSection.MODELS, order: true };
  const { forecastRecord } = await processor(id).knowledge.exportKnowledge(first);
  const asked = { horizon: 3, sequence: { events: [{ symbols: ["a"] }, { symbols: ["b"] }] } };
  const { forecast } = await processor(id).memory.getForecast(asked);
  return { record: forecastRecord?.horizons.map(({ numbers }) => numbers), forecast };
}

/** Learns a few sequences, so that there is a record. */
async function taught(id: string): Promise<void> {
  for (const text of ["abcd", "abca", "bcda", "cdab", "abcc", "dabc"]) await teach(id, ...text);
}

/** An agent of one processor that has learned. */
async function learned() {
  const id = fresh("p");
  const genome = genomeText(primitive(id));
  await hotswap(genome);
  await taught(id);
  const before = await forecastsOf(id);
  expect(before.record?.[0]?.some((number) => number > 0)).toBe(true);
  expect(before.forecast?.models).toBeGreaterThan(0);
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
  expect(await forecastsOf(id)).toMatchObject({ record: [], forecast: { models: 0 } });
});
