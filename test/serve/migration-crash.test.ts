/** Kills the server while it migrates what an earlier release stored: the state is then as it was, or migrated, and answers as before. */

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { type Recorded, read } from "../support/earlier-state/answers";
import { unpack } from "../support/earlier-state/archive";
import { ANSWERS, type Answers, ARCHIVE } from "../support/earlier-state/record";
import { Server } from "../support/server/server";

const FIXTURE = join("test", "fixtures", "state-1");
/** It has no alarm that would open it at the start. */
const PROCESSOR = "p4";
/** So many more vectors wait that the migration takes long enough to be hit. No reading shows them. */
const MORE_WAITING = 20_000;
/** The kills are spread over the time that the first request takes when nobody disturbs it; the last one comes when it is answered. */
const KILLS = 9;
const LONG_MS = 240_000;

/** Runs statements on a database. @returns what they print */
function sqlite(file: string, statements: string): string {
  const { status, stdout, stderr } = spawnSync("sqlite3", ["-batch", file, statements], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.trim();
}

/** The database of the processor. */
function databaseOf(stateDir: string): string {
  const folder = join(stateDir, "objects", "noema-ProcessorObject");
  const files = readdirSync(folder).filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
  const found = files
    .map((name) => join(folder, name))
    .find((file) => {
      return sqlite(file, "SELECT agent || '/' || id FROM identity;") === `simple/${PROCESSOR}`;
    });
  if (found === undefined) throw new Error(`no database in ${folder} is of ${PROCESSOR}`);
  return found;
}

/** What the database holds: the newest migration, and how many vectors wait in the tables of the first and of the second. */
function contentsOf(file: string): { migration: number; waiting: number } {
  const migration = Number(sqlite(file, "SELECT max(number) FROM migrations;"));
  const tables = sqlite(
    file,
    "SELECT name FROM sqlite_master WHERE name IN ('waiting_vectors', 'memories', 'state_1') ORDER BY name;",
  );
  expect(tables).toBe(migration === 1 ? "waiting_vectors" : "memories");
  const count = migration === 1 ? "SELECT count(*) FROM waiting_vectors;" : "SELECT count(waiting) FROM memories;";
  return { migration, waiting: Number(sqlite(file, count)) };
}

/** The answers that are not as they were. */
async function differences(server: Server, answers: readonly Recorded[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const recorded of answers) {
    const now = await read(server, recorded);
    if (JSON.stringify(now) !== JSON.stringify(recorded)) found.push({ recorded, now });
  }
  return found;
}

test("a kill while a state migrates leaves it as it was or migrated, whole", { timeout: LONG_MS }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "noema-migrating-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  unpack(join(FIXTURE, ARCHIVE), folder);
  const { answers, environment }: Answers = JSON.parse(readFileSync(join(FIXTURE, ANSWERS), "utf8"));
  const original = join(folder, "killed");
  const originalFile = databaseOf(original);
  sqlite(
    originalFile,
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " +
      `${MORE_WAITING}) INSERT INTO waiting_vectors SELECT i + last, randomblob(20), zeroblob(24) FROM n, (SELECT coalesce(max(id), 0) AS last FROM waiting_vectors);`,
  );
  const before = contentsOf(originalFile);
  expect(before).toEqual({ migration: 1, waiting: MORE_WAITING });

  /** Sends the first request to a copy of the state, and kills the server after so long, or when it is answered. */
  const killAfter = async (ms: number): Promise<{ stateDir: string; tookMs: number }> => {
    const stateDir = mkdtempSync(join(folder, "copy-"));
    cpSync(original, stateDir, { recursive: true });
    const first = await Server.start(stateDir, environment);
    const began = performance.now();
    const asked = first.call(`GET /${PROCESSOR}/status`).catch(() => undefined);
    await Promise.race([asked, sleep(ms)]);
    const tookMs = performance.now() - began;
    await first.kill();
    await asked;
    return { stateDir, tookMs };
  };

  const { tookMs: wholeMs } = await killAfter(LONG_MS);
  const outcomes: number[] = [];
  for (let kill = 0; kill <= KILLS; kill++) {
    const { stateDir } = await killAfter(kill === KILLS ? LONG_MS : (kill * wholeMs) / KILLS);
    const after = contentsOf(databaseOf(stateDir));
    outcomes.push(after.migration);
    expect(after.waiting).toBe(MORE_WAITING);
    if (kill % 3 === 0) {
      const server = await Server.start(stateDir, environment);
      const own = answers.filter(({ call, host }) => host === undefined && call.includes(`/${PROCESSOR}/`));
      expect(own.length).toBeGreaterThan(20);
      const found = await differences(server, own);
      await server.stop();
      expect(found).toEqual([]);
    }
    rmSync(stateDir, { recursive: true, force: true });
  }
  // Both happened: a kill before the migration was stored, and one after it.
  expect(outcomes).toContain(1);
  expect(outcomes.at(-1)).toBeGreaterThan(1);
});
