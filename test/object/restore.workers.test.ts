/** Restores of processors in real objects: what an eviction leaves, what a sealed processor answers, and who cleans up. */

import { abortAllDurableObjects, env, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import { afterEach, describe, expect, test } from "vitest";
import {
  type BackupRecord,
  BackupRecordSchema,
  type MemoryRecordSchema,
  ProcessorRecordSchema,
} from "../../src/gen/noema/v1/backup_pb";
import { AgentRestoreService, BackupSection, BackupService } from "../../src/gen/noema/v1/backup_service_pb";
import { GeneChangeSchema } from "../../src/gen/noema/v1/gene_pb";
import { ProcessorRestore, type RestoredProcessor } from "../../src/object/restore/processor-restore";
import { createUnaryTransport } from "../../src/rpc/transport/unary-transport";
import {
  AGENT,
  forgetAgent,
  fresh,
  hotswap,
  memoryOf,
  observe,
  processor,
  stubOf,
  teach,
} from "../support/object/agents";
import { genomeText, primitive } from "../support/object/genomes";
import { inFreshObject } from "../support/store/in-object";

afterEach(forgetAgent);

function backupOf(id: string): Client<typeof BackupService> {
  const transport = createUnaryTransport(
    () => env.PROCESSORS.getByName(`${AGENT}/${id}`),
    () => ({ name: id, id: "" }),
  );
  return createClient(BackupService, transport);
}

function agent(): Client<typeof AgentRestoreService> {
  const transport = createUnaryTransport(
    () => env.AGENTS.getByName(AGENT),
    () => ({ name: AGENT, id: "" }),
  );
  return createClient(AgentRestoreService, transport);
}

/** All records of a processor. */
async function recordsOf(id: string): Promise<BackupRecord[]> {
  const records: BackupRecord[] = [];
  const snapshot = crypto.randomUUID();
  let place = { section: BackupSection.PROCESSOR, after: "" };
  while (place.section !== BackupSection.UNSPECIFIED) {
    const page = await backupOf(id).readBackup({ ...place, snapshot });
    records.push(...page.records);
    place = { section: page.nextSection, after: page.nextAfter };
  }
  return records;
}

/** An agent of one processor, with a backup of an earlier moment: then it remembers "old", now "new". */
async function changed() {
  const id = fresh("p");
  const genomeJson = genomeText(primitive(id));
  await hotswap(genomeJson);
  await teach(id, "a", "b");
  await observe(id, "old");
  const records = await recordsOf(id);
  await observe(id, "new");
  return { id, genomeJson, records };
}

async function staged(id: string, records: BackupRecord[]): Promise<string> {
  const restoreId = crypto.randomUUID();
  await backupOf(id).beginRestore({ restoreId });
  await backupOf(id).stageRestore({ restoreId, firstLine: 3, records });
  return restoreId;
}

const recordWith = (record: MessageInitShape<typeof BackupRecordSchema>["record"]) =>
  create(BackupRecordSchema, { record } as MessageInitShape<typeof BackupRecordSchema>);

/** The line of a processor with other members. */
function recordOf(line: BackupRecord | undefined, changes: MessageInitShape<typeof ProcessorRecordSchema>) {
  if (line?.record.case !== "processor") throw new Error("the first line is not that of the processor");
  const value = { ...line.record.value, ...changes } as MessageInitShape<typeof ProcessorRecordSchema>;
  return recordWith({ case: "processor", value: create(ProcessorRecordSchema, value) });
}

const textGene = (value: string) =>
  create(GeneChangeSchema, { name: "snapshot_sync_keys", value: { value: { case: "text", value } } });

const incident = (id: number) =>
  recordWith({ case: "incident", value: { incident: { id, alert: "a", bits: 1, events: 1 } } });

const memory = (value: MessageInitShape<typeof MemoryRecordSchema>) => recordWith({ case: "memory", value });

const backlisted = (symbol: string) => recordWith({ case: "blacklist", value: { symbols: [symbol] } });

/** An encoder of many edges. */
function encoder(number: number) {
  const edges = Array.from({ length: 1_000 }, (_, at) => at + 0.123456789);
  const encoderJson = JSON.stringify({ kind: "edges", edges, hysteresis: 0, on_change: false });
  return recordWith({ case: "encoder", value: { name: `e${number}`, number, encoderJson } });
}

const rowsOf = (id: string, table: string) =>
  runInDurableObject(stubOf(id), (_, { storage }) => [...storage.sql.exec(`SELECT * FROM ${table}`)].length);

describe("a restore", () => {
  test("is staged durably: an eviction between staging and decision loses nothing", async () => {
    const { id, genomeJson, records } = await changed();
    const restoreId = await staged(id, records);
    await abortAllDurableObjects();
    expect(await memoryOf(id)).toEqual([["old"], ["new"]]);
    await agent().commitRestore({ restoreId, genomeJson, staged: [id] });
    expect(await memoryOf(id)).toEqual([["old"]]);
    expect(await rowsOf(id, "staged_memories")).toBe(0);
  });

  test("that was sealed and never decided is dropped by the next call, and nothing has changed", async () => {
    const { id, records } = await changed();
    const restoreId = await staged(id, records);
    await backupOf(id).sealRestore({ restoreId, agent: AGENT, identity: { id, name: `P of ${id}`, agent: AGENT } });
    await abortAllDurableObjects();
    expect(await memoryOf(id)).toEqual([["old"], ["new"]]);
    expect([await rowsOf(id, "restore"), await rowsOf(id, "staged_memories")]).toEqual([0, 0]);
    await observe(id, "more");
    expect(await memoryOf(id)).toEqual([["old"], ["new"], ["more"]]);
  });

  test("that was decided and not applied is applied before the processor answers", async () => {
    const { id, records } = await changed();
    const restoreId = await staged(id, records);
    await backupOf(id).sealRestore({ restoreId, agent: AGENT, identity: { id, name: `P of ${id}`, agent: AGENT } });
    // What the agent stores when it decides, and then it is lost.
    await runInDurableObject(env.AGENTS.getByName(AGENT) as DurableObjectStub, (_, { storage }) => {
      storage.sql.exec("INSERT INTO steps (id, action) VALUES (?, 'restore')", id);
    });
    await abortAllDurableObjects();
    expect(await memoryOf(id)).toEqual([["old"]]);
    expect(await rowsOf(id, "restore")).toBe(0);
  });

  test("that another one or a load overtakes is refused, and the later one goes on", async () => {
    const { id, genomeJson, records } = await changed();
    const first = await staged(id, records);
    const second = await staged(id, records);
    await expect(backupOf(id).stageRestore({ restoreId: first, firstLine: 3, records: [] })).rejects.toThrow(
      /is not under way/,
    );
    await expect(agent().commitRestore({ restoreId: first, genomeJson, staged: [id] })).rejects.toThrow(
      /is not under way/,
    );
    expect(await memoryOf(id)).toEqual([["old"], ["new"]]);
    await agent().commitRestore({ restoreId: second, genomeJson, staged: [id] });
    expect(await memoryOf(id)).toEqual([["old"]]);
    const third = await staged(id, records);
    await processor(id).knowledge.beginLoad({});
    await expect(agent().commitRestore({ restoreId: third, genomeJson, staged: [id] })).rejects.toThrow(
      /is not under way/,
    );
  });

  test("that contradicts itself is refused when it is sealed", async () => {
    const { id, genomeJson, records } = await changed();
    const wrong = records.map((each) => {
      if (each.record.case !== "processor") return each;
      return create(BackupRecordSchema, {
        record: { case: "processor", value: { ...each.record.value, nextOrder: 1 } },
      });
    });
    const restoreId = await staged(id, wrong);
    await expect(agent().commitRestore({ restoreId, genomeJson, staged: [id] })).rejects.toThrow(
      /next_order must be greater/,
    );
    expect(await memoryOf(id)).toEqual([["old"], ["new"]]);
    expect(await rowsOf(id, "restore")).toBe(0);
  });

  test("brings a memory beyond the budget of symbols as it is: it takes nothing more until it is learned", async () => {
    const { id, genomeJson, records } = await changed();
    const symbols = Array.from({ length: 60_000 }, (_, at) => `s${at % 100}`);
    const large = records.map((each) => {
      if (each.record.case !== "memory") return each;
      const event = { $typeName: "noema.v1.MemoryEvent" as const, symbols, metadataJson: "{}" };
      const value = { ...each.record.value, events: [event, event], memoryStart: 0, ensembleStart: 0, ensembleEnd: 0 };
      return create(BackupRecordSchema, { record: { case: "memory", value } });
    });
    const restoreId = await staged(id, large);
    await agent().commitRestore({ restoreId, genomeJson, staged: [id] });
    expect((await memoryOf(id)).map(({ length }) => length)).toEqual([60_000, 60_000]);
    await expect(observe(id, "more")).rejects.toThrow(
      "working memory may hold 100000 symbols (NOEMA_MEMORY_SYMBOLS); it holds 120000, and the event has 1",
    );
    expect((await processor(id).memory.learn({})).model).toMatch(/^[0-9a-f]{40}$/);
    await observe(id, "more");
    expect(await memoryOf(id)).toEqual([["more"]]);
  });

  // Each of these took minutes: settings and encoders were read again for each record, and lists were searched for each
  // of their members.
  test("of very many records, or very long lists, is staged in one piece, and a wrong record is named by its line", async () => {
    const { id, records } = await changed();
    const [first, ...rest] = records;
    const large = recordOf(first, { genes: [textGene("x".repeat(1_900_000))], lastIncident: 9_000 });
    const encoders = Array.from({ length: 200 }, (_, at) => encoder(at + 1));
    const restoreId = await staged(id, [large, ...rest, ...encoders]);
    const stage = (more: BackupRecord[]) => backupOf(id).stageRestore({ restoreId, firstLine: 100, records: more });
    const incidents = Array.from({ length: 2_000 }, (_, at) => incident(at + 1));
    await stage(incidents);
    await expect(stage([...incidents.map((_, at) => incident(2_001 + at)), incident(1)])).rejects.toThrow(
      "line 2100: the incident 1 must come after those with lower ids",
    );
    const numbers = Array.from({ length: 200_000 }, (_, at) => 1_000_000_000 + at);
    const twice = [...numbers, 1_000_000_000];
    await expect(stage([memory({ session: "s", risen: twice })])).rejects.toThrow("risen may hold 1000000000 once");
    await expect(stage([incident(4_001), memory({ session: "s", risen: numbers })])).rejects.toThrow(
      "line 101: the memory takes more than 2 MB, the most that can be stored as one row",
    );
  });

  test("with a blacklist that does not fit into the heap is refused", async () => {
    const { id, records } = await changed();
    const restoreId = await staged(id, records);
    const line = (at: number) => backlisted(`${at}`.padEnd(1_900_000, "x"));
    const stage = (at: number) => backupOf(id).stageRestore({ restoreId, firstLine: 10 + at, records: [line(at)] });
    for (let at = 0; at < 17; at++) await stage(at);
    await expect(stage(17)).rejects.toThrow(
      "line 27: the blacklist in a backup may take 33554432 bytes, and this one takes 34201152 or more",
    );
  });

  test("that is not continued is deleted after an hour, with an object that was never a processor", async () => {
    const { records } = await changed();
    const id = fresh("never");
    await staged(id, records);
    await runInDurableObject(stubOf(id), (_, { storage }) => {
      storage.sql.exec("UPDATE restore SET touched_at = touched_at - 3600000");
      return storage.setAlarm(Date.now() + 60_000);
    });
    await runDurableObjectAlarm(stubOf(id));
    const tables = await runInDurableObject(stubOf(id), (_, { storage }) => {
      return [...storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'restore'")].length;
    });
    expect(tables).toBe(0);
  });
});

test.each([
  86_400_000,
  3_650 * 86_400_000,
])("what is staged when the clock is %d ms ahead is dropped an hour after it was set back, if it is not continued", async (ms) => {
  const [wish, kept, dropped] = await inFreshObject(async (storage) => {
    const clock = { ms: Date.now() + ms };
    const processor = {
      isKnown: () => true,
      wakeBy: () => undefined,
      deletionDue: () => undefined,
    } as unknown as RestoredProcessor;
    const restore = new ProcessorRestore(storage, processor, 10, () => clock.ms);
    restore.begin("r");
    clock.ms -= ms;
    const wish = (restore.nextWake() ?? 0) - clock.ms;
    await restore.wake();
    clock.ms += 3_599_999;
    await restore.wake();
    const kept = (restore.nextWake() ?? 0) - clock.ms;
    clock.ms += 1;
    await restore.wake();
    return [wish, kept, restore.nextWake()];
  });
  expect([wish, kept, dropped]).toEqual([3_600_000, 1, undefined]);
});
