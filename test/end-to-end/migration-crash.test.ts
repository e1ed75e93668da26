/** Kills the server while it migrates what an earlier release stored: the state is then as it was, or migrated, and answers as before. */

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { PROCESSOR_MIGRATIONS } from "../../src/store/database/schema";
import { differences } from "../support/earlier-state/answers";
import { unpack } from "../support/earlier-state/archive";
import { ANSWERS, type Answers, ARCHIVE } from "../support/earlier-state/record";
import { Server } from "../support/server/server";

const FIXTURE = join("test", "fixtures", "state-8-later");
/** It has no alarm that would open it at the start. */
const PROCESSOR = "p4";
/** The kills are spread over the time that the first request takes when it is not disturbed; the last one comes when it is answered. */
const KILLS = 4;
/** How often at most a kill is tried that comes before the migration was stored. */
const MAX_TRIES = 20;
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

/** What the database holds: the newest migration, its tables without the runtime's own, and the number of models. */
function contentsOf(file: string): { migration: number; tables: string; models: number } {
  return {
    migration: Number(sqlite(file, "SELECT max(number) FROM migrations;")),
    tables: sqlite(file, "SELECT sql FROM sqlite_master WHERE name NOT GLOB '_cf*' ORDER BY name;"),
    models: Number(sqlite(file, "SELECT count(*) FROM models;")),
  };
}

test("a kill while a state migrates leaves it as it was or migrated, whole", { timeout: LONG_MS }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "noema-migrating-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  unpack(join(FIXTURE, ARCHIVE), folder);
  const { answers, environment }: Answers = JSON.parse(readFileSync(join(FIXTURE, ANSWERS), "utf8"));
  const original = join(folder, "killed");
  const originalFile = databaseOf(original);
  const before = contentsOf(originalFile);
  expect(before.migration).toBe(8);
  expect(before.models).toBeGreaterThan(4_000);

  /** Sends the first request to a copy of the state, and kills the server after this long, or when it is answered. */
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

  const { stateDir: undisturbed, tookMs: wholeMs } = await killAfter(LONG_MS);
  const migrated = contentsOf(databaseOf(undisturbed));
  expect(migrated).toMatchObject({ migration: PROCESSOR_MIGRATIONS.at(-1)?.number, models: before.models });
  const outcomes: number[] = [];
  for (let kill = 0; kill <= KILLS; kill++) {
    const { stateDir } = await killAfter(kill === KILLS ? LONG_MS : (kill * wholeMs) / KILLS);
    const after = contentsOf(databaseOf(stateDir));
    outcomes.push(after.migration);
    expect(after).toEqual(after.migration === before.migration ? before : migrated);
    if (kill % 2 === 0) {
      const server = await Server.start(stateDir, environment);
      const own = answers.filter(({ call, host }) => host === undefined && call.includes(`/${PROCESSOR}/`));
      expect(own.length).toBeGreaterThan(20);
      const found = await differences(server, own);
      await server.stop();
      expect(found).toEqual([]);
    }
    rmSync(stateDir, { recursive: true, force: true });
  }
  // Both happen: a kill after the migration was stored, and one before it, though a busy machine may be late to kill.
  expect(outcomes.at(-1)).toBe(migrated.migration);
  for (let tries = 0; !outcomes.includes(before.migration); tries++) {
    expect(tries).toBeLessThan(MAX_TRIES);
    outcomes.push(contentsOf(databaseOf((await killAfter(0)).stateDir)).migration);
  }
});

test("a state from before 1.0.0 is refused by its number, and stays as it is", async () => {
  const folder = mkdtempSync(join(tmpdir(), "noema-ancient-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  unpack(join(FIXTURE, ARCHIVE), folder);
  const { environment }: Answers = JSON.parse(readFileSync(join(FIXTURE, ANSWERS), "utf8"));
  const stateDir = join(folder, "stopped");
  sqlite(databaseOf(stateDir), "DELETE FROM migrations WHERE number > 3;");
  const before = contentsOf(databaseOf(stateDir));
  const server = await Server.start(stateDir, environment);
  onTestFinished(async () => {
    await server.stop();
  });
  const { status, text } = await server.send({ method: "GET", path: `/${PROCESSOR}/status` });
  expect(status).toBe(500);
  expect(text).toContain("this processor's storage is damaged, or of another release");
  const newest = PROCESSOR_MIGRATIONS.at(-1)?.number;
  expect(server.output).toContain(`the database has migration 3, this release opens migrations 8 to ${newest}: `);
  await server.stop();
  expect(contentsOf(databaseOf(stateDir))).toEqual(before);
});
