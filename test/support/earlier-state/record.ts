/**
 * Records a state: plays the history on a checkout's server, reads everything, and packs the state folder twice, once after a kill and once
 * after a stop, with the answers beside it. `scripts/record-state.mjs` runs it.
 */

import { deepStrictEqual } from "node:assert";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PROCESSOR_MIGRATIONS } from "../../../src/store/database/schema";
import { Server } from "../server/server";
import { type Reading, type Recorded, read } from "./answers";
import { pack } from "./archive";
import { CONTINUATION } from "./continuation";
import { ENVIRONMENT, playHistory } from "./history";
import { issueKeys } from "./machine";
import { readingsOf } from "./readings";

/** The archive in a recorded folder. It holds a state folder for each {@link ENDINGS}. */
export const ARCHIVE = "state.tar.br";
/** The answers in a recorded folder. */
export const ANSWERS = "answers.json";
/** How the server ended whose state is kept. */
export const ENDINGS = ["killed", "stopped"] as const;

/** Longer than a processor must be idle before its `-wal` file goes into its database. */
const IDLE_MS = 15_000;

/** What `answers.json` holds. */
export interface Answers {
  /** The settings of the server. */
  environment: Record<string, string>;
  /** Of the readings. */
  answers: Recorded[];
  /** Of the calls that follow. */
  continued: Recorded[];
}

/** The folder's name for a state that this release stores. */
export function newestFolder(): string {
  return `state-${PROCESSOR_MIGRATIONS.at(-1)?.number}`;
}

/** Makes the calls one after the other. Throws unless each is answered with HTTP 200. */
async function answersTo(calls: readonly Reading[], server: Server): Promise<Recorded[]> {
  const answers: Recorded[] = [];
  for (const call of calls) answers.push(await read(server, call));
  const failed = answers.filter(({ status }) => status !== 200);
  if (failed.length > 0) throw new Error(`these calls failed: ${JSON.stringify(failed, null, 2)}`);
  return answers;
}

/** Copies a state folder, without the name of this machine. */
function keep(stateDir: string, copy: string): void {
  cpSync(stateDir, copy, { recursive: true });
  const running = join(copy, "running.json");
  if (!existsSync(running)) return;
  const { host: _, ...rest } = JSON.parse(readFileSync(running, "utf8"));
  writeFileSync(running, JSON.stringify(rest));
}

/** One answer a line. */
function textOf({ environment, answers, continued }: Answers): string {
  const lines = (list: readonly Recorded[]) => list.map((answer) => JSON.stringify(answer)).join(",\n");
  const settings = `"environment":${JSON.stringify(environment)}`;
  return `{${settings},"answers":[\n${lines(answers)}\n],"continued":[\n${lines(continued)}\n]}\n`;
}

/** Plays and reads on the checkout's server, and keeps its state in the folders `killed` and `stopped` of `work`. */
async function play(checkout: string, work: string): Promise<Answers> {
  const stateDir = join(work, "state");
  const start = () => Server.start(stateDir, ENVIRONMENT, undefined, checkout);
  let server = await start();
  try {
    await playHistory(server);
    const withKeys = await issueKeys(server);
    const readings = async () => [...(await readingsOf(server)), ...withKeys];
    const answers = await answersTo(await readings(), server);
    await server.kill();
    keep(stateDir, join(work, "killed"));
    server = await start();
    deepStrictEqual(await answersTo(await readings(), server), answers);
    await sleep(IDLE_MS);
    await server.stop();
    keep(stateDir, join(work, "stopped"));
    server = await start();
    return { environment: ENVIRONMENT, answers, continued: await answersTo(CONTINUATION, server) };
  } finally {
    await server.kill();
  }
}

/**
 * Records into a new folder.
 *
 * @param checkout the folder of the checkout whose server stores the state
 * @param folder the folder to make
 * @returns what was written, for the eye
 * @throws Error when the folder exists, a call fails, or the answers differ after the kill
 */
export async function record(checkout: string, folder: string): Promise<string> {
  if (existsSync(folder)) throw new Error(`${folder} exists; a recorded state is never changed`);
  const work = mkdtempSync(join(tmpdir(), "noema-record-"));
  try {
    const answers = await play(checkout, work);
    mkdirSync(folder, { recursive: true });
    pack(join(folder, ARCHIVE), work, ENDINGS);
    writeFileSync(join(folder, ANSWERS), textOf(answers));
    const sizes = [ARCHIVE, ANSWERS].map((name) => `${name} ${statSync(join(folder, name)).size} bytes`);
    return `${folder}: ${answers.answers.length + answers.continued.length} answers, ${sizes.join(", ")}`;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
