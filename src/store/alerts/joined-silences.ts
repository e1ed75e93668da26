/**
 * Joins waiting notices of silence, so that one delivery reports several memories. Without it, thousands of devices
 * that go silent at once would need a delivery each, and the queue would drop most of them.
 */

import type { Notice, SilentMemory, Told } from "../../processor/ports/alert";
import type { Database } from "../database/database";

type ToldSilence = Extract<Told, { kind: "silent" }>;

/** A waiting notice of silence. */
interface WaitingSilence extends Pick<Notice, "session" | "interval"> {
  readonly told: ToldSilence;
}

/** Maximum characters of a notice in the queue that others have joined and that may take another. */
export const MOST_JOINED_CHARACTERS = 65_536;

/** Characters of a memory's entry among the others without its values: brackets, commas and names. */
const ENTRY_CHARACTERS = 100;

const UNBEGUN = "alert = ? AND kind = 'silent' AND attempts = 0";
const NEWEST =
  `SELECT number, length(told), substr(told, -2) = ']}' FROM alert_queue WHERE ${UNBEGUN} ` +
  "ORDER BY number DESC LIMIT 1";
// As text and not with json_insert, which would parse everything joined before each time. `others` is the last member.
const FIRST_OTHER =
  `UPDATE alert_queue SET told = substr(told, 1, length(told) - 1) || ',"others":[' || ? || ']}' ` + "WHERE number = ?";
const NEXT_OTHER =
  "UPDATE alert_queue SET told = substr(told, 1, length(told) - 2) || ',' || ? || ']}' WHERE number = ?";
const COLUMNS = "number, session, interval, told";
const FOLLOWING = `SELECT ${COLUMNS} FROM alert_queue WHERE ${UNBEGUN} AND number > ? ORDER BY number`;

/**
 * Joins a new notice of silence to the newest of its alert that waits for its first attempt.
 *
 * @returns whether there was one with room
 */
export function joinNewest(database: Database, { alert, session, interval, told }: Notice): boolean {
  if (told.kind !== "silent") return false;
  const newest = database.first<[number: number, length: number, hasOthers: number]>(NEWEST, alert);
  if (newest === undefined) return false;
  const [number, length, hasOthers] = newest;
  const entry = JSON.stringify(entryOf({ session, interval, told }));
  if (length + entry.length > MOST_JOINED_CHARACTERS) return false;
  database.run(hasOthers === 1 ? NEXT_OTHER : FIRST_OTHER, entry, number);
  return true;
}

/** Limits of one joined notice. */
export interface JoinLimits {
  /** Approximate maximum characters. */
  readonly characters: number;
  /** Maximum number of other memories listed; the rest are only counted. */
  readonly listed: number;
}

/**
 * Joins to a notice the later ones of its alert that wait for their first attempt. The caller holds the transaction,
 * and writes the new content.
 *
 * @returns the new content
 */
export function joinFollowing(
  database: Database,
  { alert, number, told }: Pick<Notice, "alert"> & { number: number; told: ToldSilence },
  { characters, listed }: JoinLimits,
): ToldSilence {
  const { kind, silence, others = [] } = told;
  const all = [...others];
  let room = characters - sizeOf(others);
  const rows = database.all<[number, string, number, string]>(FOLLOWING, alert, number);
  for (const [next, session, interval, text] of rows) {
    const entries = entriesOf({ session, interval, told: JSON.parse(text) as ToldSilence });
    room -= sizeOf(entries);
    if (room < 0) break;
    all.push(...entries);
    database.run("DELETE FROM alert_queue WHERE number = ?", next);
  }
  const more = Math.max(0, all.length - listed);
  return all.length === 0 ? told : { kind, silence, ...(more > 0 && { more }), others: all.slice(0, listed) };
}

function sizeOf(entries: readonly SilentMemory[]): number {
  return entries.reduce((sum, { session }) => sum + ENTRY_CHARACTERS + (session?.length ?? 0), 0);
}

/** The memories that a waiting notice reports, as entries for another notice. */
function entriesOf(waiting: WaitingSilence): SilentMemory[] {
  return [entryOf(waiting), ...(waiting.told.others ?? [])];
}

function entryOf({ session, interval, told }: WaitingSilence): SilentMemory {
  const { after, last_observed } = told.silence;
  return { after, interval, last_observed, session: session === "" ? null : session };
}
