/** What is cleared of a processor that holds much: incidents of its sessions end as exactly, and its budget of bytes. */

import { env, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { SqliteStore } from "../../src/store/store";
import { DEFAULT_BUDGETS } from "../../src/text/budgets";
import { HostAtOnce, hostOn, kernelsWithin, LISTENER, newHostOn } from "../support/object/hosts";
import { Life } from "../support/store/memory-life";
import { fullMemoryState, incidentRow, memoryChange, plainMemoryState } from "../support/store/rows";

/** Bytes of an event that takes a row of its own; four of them are more than is deleted at once. */
const LARGE = 1_500_000;

function inObject<Outcome>(work: (storage: DurableObjectStorage) => Outcome): Promise<Outcome> {
  const stub = env.PROCESSORS.getByName(crypto.randomUUID()) as DurableObjectStub;
  return runInDurableObject(stub, (_, { storage }) => work(storage));
}

/** Fills sessions. */
function fill(store: SqliteStore, sessions: number): void {
  for (let at = 0; at < sessions; at++)
    store.record(new Life(`large ${at}`).observe([String.fromCharCode(97 + at).repeat(LARGE)]));
}

/** A session in which an incident lasts that began with one event, and has gone on. */
function lasting(store: SqliteStore, session: string, id: number): void {
  const incident = incidentRow({ id, session, isRunning: true, isLearned: false, events: 1, verdict: undefined });
  store.record({ kind: "incident-put", incident });
  const [known] = fullMemoryState().running;
  if (known !== undefined) store.record(memoryChange(session, plainMemoryState({ running: [{ ...known, id }] })));
}

test("incidents of sessions that are cleared are the same before, afterwards, and once all is deleted", async () => {
  await inObject((storage) => {
    const store = new SqliteStore(storage.sql);
    let host = newHostOn(storage);
    fill(store, 4);
    for (let id = 1; id <= 40; id++) lasting(store, `s${id}`, id);
    const read = () =>
      host.run(false, ({ incidents }) => ({
        list: incidents.list({}, 500),
        each: Array.from({ length: 40 }, (_, at) => incidents.get(at + 1)),
      }));
    const shown = (seen: ReturnType<typeof read>) => {
      const [list, each] = [seen.list, seen.each].map((rows) => rows.map((row) => ({ ...row, isRunning: undefined })));
      return { list, each };
    };
    const before = read();
    expect(before.each[4]).toMatchObject({ id: 5, events: 23, bits: 25.25 });
    host.run(true, ({ memory }) => memory.clearAllMemory(false));
    expect(host.run(false, ({ inspection }) => inspection.getUsage().sessions)).toBe(0);
    expect([host.hasDiscarded, host.hasLateEndings]).toEqual([true, true]);
    expect(shown(read())).toEqual(shown(before));
    // A session of the same name has an incident of its own, and all is cleared once more.
    fill(new SqliteStore(storage.sql), 4);
    lasting(new SqliteStore(storage.sql), "s5", 41);
    host.deleteSome();
    // A new life of the object: what the sessions were is read again.
    host = hostOn(storage);
    host.run(true, ({ incidents }) => incidents.judge({ id: 39, verdict: "fault", note: "seen" }));
    host.run(true, ({ memory }) => memory.clearAllMemory(false));
    while (host.hasDiscarded) host.deleteSome();
    const after = read();
    const judged = { verdict: "fault", note: "seen" };
    const [list, each] = [before.list, before.each].map((rows) =>
      rows.map((row) => ({ ...row, isRunning: undefined, ...(row.id === 39 && judged) })),
    );
    expect(shown({ ...after, list: after.list.filter(({ id }) => id <= 40) })).toEqual({ list, each });
    expect(after.list[0]).toMatchObject({ id: 41, session: "s5", events: 23 });
    expect([...after.list, ...after.each].some(({ isRunning }) => isRunning)).toBe(false);
    expect(storage.sql.databaseSize).toBeLessThan(LARGE);
  });
});

test("a processor that is full observes again once it is cleared, and deletes more than it takes", async () => {
  await inObject((storage) => {
    const most = 6_000_000;
    const budgets = { ...DEFAULT_BUDGETS, storageBytes: most };
    const host = new HostAtOnce(storage, { objectId: "full", kernels: kernelsWithin(), listener: LISTENER, budgets });
    host.provision("p1", "P1", [], { agent: "", manipulatives: [] });
    fill(new SqliteStore(storage.sql), 8);
    const gdf = { strings: ["x".repeat(400_000)], vectors: [], emotives: [], metadataJson: "", numbers: [] };
    const observe = (at: number) =>
      host.run(true, ({ memory }) => memory.observe({ ...gdf, uniqueId: `${at}`, command: "" }, []), "", "", true);
    const observeAll = () => {
      for (let at = 0; at < 5; at++) observe(at);
    };
    expect(observeAll).toThrow("NOEMA_STORAGE_BYTES");
    host.run(true, ({ memory }) => memory.clearAllMemory(false));
    const full = storage.sql.databaseSize;
    expect(full).toBeGreaterThan(most);
    // Incidents end first, in pieces of their own.
    host.deleteSome();
    observeAll();
    expect(storage.sql.databaseSize).toBeLessThan(full);
    while (host.hasDiscarded) host.deleteSome();
    expect(storage.sql.databaseSize).toBeLessThan(most);
  });
});

test("expired sessions of much end in pieces, until none is left", async () => {
  await inObject((storage) => {
    const host = newHostOn(storage);
    const store = new SqliteStore(storage.sql);
    // They last changed in 1970.
    fill(store, 14);
    const end = () => host.run(true, (processor) => processor.endSessionsOver(5_000));
    expect([end(), end(), end()]).toEqual([12, 2, 0]);
    expect(store.memories.names("", 20)).toEqual([]);
  });
});
