/** The keys that an agent's object keeps: bounds, what is logged, and what survives. */

import { abortAllDurableObjects, env, runInDurableObject } from "cloudflare:test";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { KeyService } from "../../src/gen/noema/v1/key_service_pb";
import { StoredKeys } from "../../src/object/stored-keys";
import { createUnaryTransport } from "../../src/rpc/transport/unary-transport";
import { isMigrated } from "../../src/store/database/migrations";
import { agentNamed } from "../support/object/clients";

const HASH = new Uint8Array(32).fill(0xab);
const RIGHTS = { name: "sensor-7", roles: ["observe"] };

function keysOf(agent: string) {
  const transport = createUnaryTransport(
    () => env.AGENTS.getByName(agent),
    () => ({ name: agent, id: "" }),
  );
  return createClient(KeyService, transport);
}

const keys = keysOf("simple");

let logged: string[] = [];

beforeEach(() => {
  logged = [];
  vi.spyOn(console, "error").mockImplementation((line) => logged.push(String(line)));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await runInDurableObject(env.AGENTS.getByName("simple"), (_, { storage }) => storage.deleteAll());
  await abortAllDurableObjects();
});

describe("an agent's keys", () => {
  test("are kept with their rights, in order, and survive the loss of the object and another genome", async () => {
    const limits = { processors: ["p46b6b076c"], sessions: ["a*"], expires: 4_000_000_000, perMinute: 60 };
    const first = (await keys.createKey({ rights: { ...RIGHTS, ...limits }, secretSha256: HASH })).key;
    const second = (await keys.createKey({ rights: RIGHTS, secretSha256: HASH })).key;
    expect(first).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{16}$/), rights: { ...RIGHTS, ...limits } });
    expect(second?.id).not.toBe(first?.id);
    await abortAllDurableObjects();
    const { genomeJson } = await agentNamed("simple").getGenome({});
    await agentNamed("simple").hotswap({ genomeJson });
    const { keys: all, revision } = await keys.getKeys({});
    expect(all).toEqual([first, second]);
    expect((await keys.getKeys({ knownRevision: revision })).keys).toEqual([]);
    expect((await keys.getKeys({ knownRevision: revision - 1 })).keys).toEqual([first, second]);
  });

  test("are none of an agent that has none, and to ask stores nothing", async () => {
    expect(await keys.getKeys({})).toMatchObject({ keys: [], revision: 0 });
    const stored = await runInDurableObject(env.AGENTS.getByName("simple"), (_, { storage }) =>
      isMigrated(storage.sql),
    );
    expect(stored).toBe(false);
  });

  test("are refused for an agent that there is not", async () => {
    const reason = await keysOf("nobody")
      .createKey({ rights: RIGHTS, secretSha256: HASH })
      .catch((error: unknown) => error);
    expect([reason instanceof ConnectError, (reason as ConnectError).code]).toEqual([true, Code.NotFound]);
  });

  test("can be deleted, once and again", async () => {
    const id = (await keys.createKey({ rights: RIGHTS, secretSha256: HASH })).key?.id ?? "";
    const before = (await keys.getKeys({})).revision;
    expect(await keys.deleteKey({ id })).toMatchObject({ deleted: true });
    const after = await keys.getKeys({});
    expect([after.keys, after.revision > before]).toEqual([[], true]);
    expect(await keys.deleteKey({ id })).toMatchObject({ deleted: false });
    expect((await keys.getKeys({})).revision).toBe(after.revision);
  });

  test("leave a line in the log when they come and go, which has neither secret nor hash", async () => {
    const id = (await keys.createKey({ rights: RIGHTS, secretSha256: HASH, askedWith: "" })).key?.id ?? "";
    await keys.deleteKey({ id, askedWith: "0123456789abcdef" });
    await keys.deleteKey({ id, askedWith: "0123456789abcdef" });
    const common = { time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), agent: "simple", id, ...RIGHTS };
    // An object that another file has left may have something to say, too.
    const ofKeys = logged.filter((line) => line.includes('"event":"key-'));
    expect(ofKeys.map((line) => JSON.parse(line))).toEqual([
      { event: "key-created", ...common, by: "a configured key" },
      { event: "key-deleted", ...common, by: "0123456789abcdef" },
    ]);
    expect(logged.join()).not.toMatch(/abab|sha|secret/i);
  });

  test("take as many bytes as they may, so that one call carries them all", async () => {
    const outcome = await runInDurableObject(env.AGENTS.getByName("simple"), async (_, { storage }) => {
      const stored = new StoredKeys(storage, () => Promise.resolve("simple"), 10_000, 400);
      // 8 of the name, 11 of ["observe"], 2 of [] and 66 of a session of 31 characters of 2 bytes.
      const rights = { ...RIGHTS, processors: [], sessions: ["é".repeat(31)] };
      for (let at = 0; at < 4; at++) await stored.create(rights, HASH, "");
      const full = await stored.create(rights, HASH, "").catch(({ kind, message }) => ({ kind, message }));
      return { full, count: stored.all().length };
    });
    expect(outcome).toEqual({
      full: {
        kind: "over-limit",
        message:
          "the keys of an agent may take 400 bytes with their names, processors and sessions, and with this one they take 435; delete some first",
      },
      count: 4,
    });
  });

  test("are as many as they may be, and no more", async () => {
    const refusal = await runInDurableObject(env.AGENTS.getByName("simple"), async (_, { storage }) => {
      const stored = new StoredKeys(storage, () => Promise.resolve("simple"), 2);
      const rights = { ...RIGHTS, processors: [], sessions: [] };
      const { id } = await stored.create(rights, HASH, "");
      await stored.create(rights, HASH, "");
      const full = await stored.create(rights, HASH, "").catch(({ kind, message }) => ({ kind, message }));
      await stored.delete(id, "");
      await stored.create(rights, HASH, "");
      return { full, count: stored.all().length };
    });
    expect(refusal).toEqual({
      full: { kind: "over-limit", message: "the agent has 2 keys, the maximum by NOEMA_KEYS; delete some first" },
      count: 2,
    });
  });
});
