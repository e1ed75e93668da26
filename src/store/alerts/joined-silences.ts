/**
 * Joins waiting notices of silence, so that one delivery reports several memories. Without it, thousands of devices
 * that go silent at once would need a delivery each, and the queue would drop most of them.
 */

import type { SilenceNotice, SilentMemory } from "../../processor/ports/alert";
import type { Database } from "../database/database";

type ToldSilence = SilenceNotice["told"];

/** A waiting notice of silence. */
type WaitingSilence = Pick<SilenceNotice, "session" | "interval" | "told">;

/** Maximum characters of a notice in the queue that others have joined and that may take another. */
export const MAX_JOINED_CHARACTERS = 65_536;

/** Characters of a memory's entry among the others without its values: brackets, commas and names. */
const ENTRY_CHARACTERS = 100;

/** Maximum bytes of a notice that reports one memory; one that a few others have joined takes more. */
export const MAX_ALONE_BYTES = 200;

/** What stands before the other memories in the text of a notice, where they are the last member. */
const OTHERS = ',"others":[';

/** Notices read at a time to be joined to another one. */
const READ_AT_ONCE = 16;

const UNBEGUN = "alert = ? AND kind = 'silent' AND attempts = 0";
const WAITING =
  `SELECT session, min(number) FROM alert_queue WHERE ${UNBEGUN} ` +
  "AND session IN (SELECT value FROM json_each(?)) GROUP BY session";
// The others that have joined it are still to be reported.
const RENEW =
  `UPDATE alert_queue SET told = CASE instr(told, '${OTHERS}') WHEN 0 THEN ?1 ` +
  `ELSE substr(?1, 1, length(?1) - 1) || substr(told, instr(told, '${OTHERS}')) END, ` +
  "interval = ?2, happened_at = ?3, count = count + 1 WHERE number = ?4";
const NEWEST =
  `SELECT number, length(told), substr(told, -2) = ']}' FROM alert_queue WHERE ${UNBEGUN} ` +
  "ORDER BY number DESC LIMIT 1";
// As text and not with json_insert, which would parse everything joined before.
const OPENED = `substr(told, 1, length(told) - 1) || '${OTHERS}'`;
const FIRST_OTHERS = `UPDATE alert_queue SET told = ${OPENED} || ? || ']}' WHERE number = ?`;
const NEXT_OTHERS =
  "UPDATE alert_queue SET told = substr(told, 1, length(told) - 2) || ',' || ? || ']}' WHERE number = ?";
const FOLLOWING =
  `SELECT number, session, interval, told FROM alert_queue WHERE ${UNBEGUN} AND number > ? ` +
  `ORDER BY number LIMIT ${READ_AT_ONCE}`;

/**
 * Puts notices in place of those of the same memory that wait for their first attempt.
 *
 * @param notices of different memories for the alert
 * @returns the notices of memories for which none waits
 */
export function renew(database: Database, alert: string, notices: readonly SilenceNotice[]): SilenceNotice[] {
  const sessions = JSON.stringify(notices.map(({ session }) => session));
  const waiting = new Map(database.all<[session: string, number: number]>(WAITING, alert, sessions));
  return notices.filter(({ session, told, interval, happenedAt }) => {
    const number = waiting.get(session);
    if (number !== undefined) database.run(RENEW, JSON.stringify(told), interval, happenedAt, number);
    return number === undefined;
  });
}

/**
 * Joins new notices to the newest of their alert that waits for its first attempt.
 *
 * @returns how many of them, from the first on: those for which it had room
 */
export function joinNewest(database: Database, alert: string, notices: readonly SilenceNotice[]): number {
  const newest = database.first<[number: number, length: number, hasOthers: number]>(NEWEST, alert);
  if (newest === undefined) return 0;
  const [number, length, hasOthers] = newest;
  const entries = entriesBeside(length, notices);
  if (entries.length > 0) database.run(hasOthers === 1 ? NEXT_OTHERS : FIRST_OTHERS, entries.join(), number);
  return entries.length;
}

/** Joins new notices of an alert to each other. @returns as few as there is room in */
export function joined(notices: readonly SilenceNotice[]): SilenceNotice[] {
  const all: SilenceNotice[] = [];
  for (let at = 0; at < notices.length; ) {
    const first = notices[at] as SilenceNotice;
    const entries = entriesBeside(JSON.stringify(first.told).length, notices.slice(at + 1));
    const others = notices.slice(at + 1, at + 1 + entries.length).map(entryOf);
    all.push(others.length === 0 ? first : { ...first, told: { ...first.told, others } });
    at += 1 + entries.length;
  }
  return all;
}

/** The entries of notices, as JSON, from the first on. @param length characters of the text that they are added to */
function entriesBeside(length: number, notices: readonly SilenceNotice[]): string[] {
  const entries: string[] = [];
  let left = MAX_JOINED_CHARACTERS - length - OTHERS.length;
  for (const notice of notices) {
    const entry = JSON.stringify(entryOf(notice));
    left -= entry.length + 1;
    if (left < 0) break;
    entries.push(entry);
  }
  return entries;
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
  { alert, number, told }: Pick<SilenceNotice, "alert" | "told"> & { number: number },
  { characters, listed }: JoinLimits,
): ToldSilence {
  const { kind, silence, others = [] } = told;
  const all = [...others];
  let room = characters - sizeOf(others);
  while (room > 0) {
    const rows = database.all<[number, string, number, string]>(FOLLOWING, alert, number);
    if (rows.length === 0) break;
    for (const [next, session, interval, text] of rows) {
      const entries = entriesOf({ session, interval, told: JSON.parse(text) as ToldSilence });
      room -= sizeOf(entries);
      if (room < 0) break;
      all.push(...entries);
      database.run("DELETE FROM alert_queue WHERE number = ?", next);
    }
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
