/** `noema score`: reports how unusual each row or sequence of a table is, and why. Changes nothing. */

import { accessSync, constants, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { stringify } from "csv-stringify/sync";
import { listEncoders, MAX_PER_DAY, type Processor } from "../../../client";
import { pageOf } from "../../report/page";
import { eventsOf, usedEncoders } from "../../scoring/events";
import { daysOf, type Incident, incidentsOf, type Threshold, thresholdFor } from "../../scoring/incidents";
import { type Cause, causesOfAll, type Judge, judgeSequences, judgeSeries } from "../../scoring/judging";
import { type Findings, reportOf, sentencesOf } from "../../scoring/report";
import { cellsOf, headingOf, jsonOf, type Result } from "../../scoring/scored";
import { withVectorSymbols } from "../../scoring/vectors";
import { type TableOptions, withColumns } from "../../table/column-options";
import { type Columns, columnsOf } from "../../table/columns";
import { type Group, groupsOf, survey } from "../../table/groups";
import type { ShownEncoders } from "../../table/ranges";
import { plainRemarks, timeRemarks } from "../../table/remarks";
import { openTable } from "../../table/rows";
import { TimeSymbols } from "../../table/time-symbols";
import type { Context } from "../../terminal/context";
import { UsageError } from "../../terminal/failure";
import type { Form } from "../../terminal/output";
import { type ProcessorOptions, processorOf, withProcessor } from "../../terminal/place";
import { lessonOf } from "../../training/lesson";

interface ScoreOptions extends ProcessorOptions, TableOptions, Form {
  readonly rows?: true;
  readonly threshold?: number;
  readonly perDay?: number;
  readonly html?: string;
}

/** Maximum number of events of a sequence that is judged as a whole. */
const MAX_EVENTS = 1_000;

/** Maximum number of rows for which the symbols that caused the surprise are fetched. */
const MAX_EXPLAINED = 2_000;

function aboveZero(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0 && text.trim() !== "") return value;
  throw new InvalidArgumentError("It must be a number above 0.");
}

function perDay(text: string): number {
  const value = aboveZero(text);
  if (value <= MAX_PER_DAY) return value;
  throw new InvalidArgumentError(`It must be a number above 0, at most ${MAX_PER_DAY}.`);
}

/** Adds the command. */
export function addScore(program: Command, context: Context): void {
  withColumns(withProcessor(program.command("score")))
    .description("Say how unusual each row of a table is, and why; with --group-by, each sequence. Changes nothing.")
    .option("--rows", "with --group-by: score each row, given the rows before it in its group")
    .addOption(
      new Option("--threshold <bits>", "write only rows, or sequences, with this number of bits or more").argParser(
        aboveZero,
      ),
    )
    .addOption(
      new Option("--per-day <number>", "write only the most unusual, this number a day, by --time").argParser(perDay),
    )
    .option("--html <file>", "also write a report: one HTML page with charts")
    .action((file: string, options: ScoreOptions) => score(file, options, context));
}

/** What was read from the table, and the processor's encoders. */
interface Reading {
  readonly groups: readonly Group[];
  /** Makes the time symbols of each row. */
  readonly times: TimeSymbols;
  readonly encoders: ShownEncoders;
  readonly isSequences: boolean;
  readonly isGrouped: boolean;
}

async function score(file: string, options: ScoreOptions, context: Context): Promise<void> {
  const columns = columnsFor(options);
  // Now, because scoring may take minutes.
  if (options.html !== undefined) accessSync(dirname(options.html), constants.W_OK);
  const processor = processorOf(options, context);
  const reading = await readTable(file, columns, { processor, options }, context);
  const judge = { processor, signal: context.signal };
  const started = performance.now();
  const results = await judged(reading, judge, context);
  const seconds = (performance.now() - started) / 1_000;
  const { threshold, incidents } = passing(results, options);
  const wanted = incidents.flatMap(({ rows }) => rows).slice(0, MAX_EXPLAINED);
  const causes = await explained(results, wanted, judge);
  const title = file === "-" ? "stdin" : (file.split(/[\\/]/).at(-1) ?? file);
  const numbers = reading.isSequences ? [] : columns.numbers.map(({ column }) => column);
  const findings = { ...reading, title, results, threshold, incidents, causes, columns: numbers };
  await write(findings, reading.isGrouped, options, context);
  if (options.html !== undefined && results.length > 0) writeFileSync(options.html, pageOf(reportOf(findings)));
  tell(findings, seconds, options, context);
}

/** The columns. Rows without groups are one series, even if --every divided them for training. */
function columnsFor(options: ScoreOptions): Columns {
  const columns = columnsOf(options, true);
  if (options.threshold !== undefined && options.perDay !== undefined) {
    throw new UsageError("--threshold and --per-day exclude each other: one of them says what passes");
  }
  if (options.perDay !== undefined && columns.time === undefined) {
    throw new UsageError("--per-day needs --time: the column that says when a row happened");
  }
  if (options.rows === true && columns.groupBy.length === 0) {
    throw new UsageError("--rows needs --group-by: without groups, each row is scored anyway");
  }
  return columns.label === undefined ? { ...columns, every: undefined } : columns;
}

async function readTable(
  file: string,
  columns: Columns,
  { processor, options }: { readonly processor: Processor; readonly options: ScoreOptions },
  { output, signal, stdin }: Context,
): Promise<Reading> {
  const table = await openTable(file, options, stdin);
  const found = await survey(table, columns, signal, options.skipBad);
  for (const line of plainRemarks(found)) output.note(line);
  const encoders = await listEncoders(processor, { signal });
  const groups: Group[] = [];
  const used = usedEncoders(columns, encoders, options.processor);
  for await (const group of groupsOf(table, columns, { ...found, encoders: used })) groups.push(group);
  if (columns.vectors.length > 0) await lookUpVectors(groups, { processor, signal }, output);
  const isGrouped = columns.groupBy.length > 0;
  const isSequences = (isGrouped || columns.label !== undefined) && options.rows !== true;
  const times = new TimeSymbols(encoders);
  for (const line of timeLines(columns, times, groups)) output.note(line);
  return { groups, times, encoders, isSequences, isGrouped };
}

/** Replaces vectors by their symbols, in all groups. */
async function lookUpVectors(groups: Group[], judge: Judge, output: Context["output"]): Promise<void> {
  const records = groups.flatMap((group) => group.records);
  const progress = output.progress("Looking vectors up", records.length);
  let done = 0;
  const all = await withVectorSymbols(records, judge, (count) => {
    done += count;
    progress.update(done);
  }).finally(() => progress.stop());
  let from = 0;
  for (const [at, group] of groups.entries()) {
    groups[at] = { ...group, records: all.slice(from, from + group.records.length) };
    from += group.records.length;
  }
}

/** Lines about rows without times, and about odd times. */
function timeLines({ time }: Columns, { names }: TimeSymbols, groups: readonly Group[]): string[] {
  if (time !== undefined) {
    return timeRemarks(
      time,
      groups.map(({ rows }) => rows),
    );
  }
  const few = names.slice(0, 3).join(", ");
  return names.length === 0 ? [] : [`Without --time, the rows have no symbols of the encoders of time: ${few}.`];
}

/** @throws Error if the processor has learned nothing, or a sequence is too long to be judged whole */
async function judged(reading: Reading, judge: Judge, context: Context): Promise<Result[]> {
  const { groups, times, isSequences, isGrouped } = reading;
  if (isSequences) return judgedSequences(reading, judge, context);
  const total = groups.reduce((sum, { records }) => sum + records.length, 0);
  const progress = context.output.progress("Scoring", total);
  let done = 0;
  const results: Result[] = [];
  for (const { name, records, rows } of groups) {
    const all = eventsOf(records, times);
    const kept = rows.flatMap((row, at) => {
      const event = all[at] ?? [];
      return event.length === 0 ? [] : [{ row, event }];
    });
    const events = kept.map(({ event }) => event);
    const judgements = await judgeSeries(events, judge, (count) => {
      done += count;
      progress.update(done);
    }).finally(() => progress.stop());
    for (const [at, { row }] of kept.entries()) {
      const judgement = judgements[at];
      if (judgement === undefined) continue;
      const { line, seconds: time, numbers } = row;
      results.push({
        line,
        time,
        numbers,
        bits: judgement.bits,
        group: isGrouped ? name : "",
        row: { events, at, judgement },
      });
    }
  }
  return results;
}

async function judgedSequences({ groups, times }: Reading, judge: Judge, { output }: Context): Promise<Result[]> {
  const lessons = groups.map((group) => {
    const events = eventsOf(lessonOf(group).records, times).filter(({ length }) => length > 0);
    if (events.length <= MAX_EVENTS) return { group, events };
    throw new Error(
      `the group ${group.name} from line ${group.line} has ${events.length} events; ` +
        `a sequence that is judged whole has at most ${MAX_EVENTS}: --rows scores each row`,
    );
  });
  const whole = lessons.filter(({ events }) => events.length > 0);
  const progress = output.progress("Scoring", whole.length);
  let done = 0;
  const verdicts = await judgeSequences(
    whole.map(({ events }) => events),
    judge,
    () => progress.update(++done),
  ).finally(() => progress.stop());
  return whole.flatMap(({ events, group: { name, line, rows } }, at) => {
    const verdict = verdicts[at];
    if (verdict === undefined) return [];
    const time = rows[0]?.seconds;
    const sequence = { rows: rows.length, events, verdict };
    return [{ line, time, numbers: new Map(), bits: verdict.bits, group: name, sequence }];
  });
}

function passing(results: readonly Result[], options: ScoreOptions): { threshold: Threshold; incidents: Incident[] } {
  if (options.perDay !== undefined && daysOf(results) === undefined) {
    throw new Error("--per-day needs rows of different times");
  }
  const threshold: Threshold =
    options.threshold === undefined
      ? thresholdFor(results, options.perDay)
      : { bits: options.threshold, why: "threshold" };
  return { threshold, incidents: incidentsOf(results, threshold.bits) };
}

/** What caused the surprise of rows, by row index. */
async function explained(
  results: readonly Result[],
  wanted: readonly number[],
  judge: Judge,
): Promise<Map<number, Cause[]>> {
  const places = wanted.filter((place) => results[place]?.row !== undefined);
  const asked = places.map((place) => results[place]?.row).filter((row) => row !== undefined);
  const causes = await causesOfAll(asked, judge);
  return new Map(places.map((place, at) => [place, causes[at] ?? []]));
}

/** Number of lines written at a time. */
const LINES = 1_000;

/** Writes the scores: all of them, or only those over the threshold if an option sets one. */
async function write(
  findings: Findings,
  isGrouped: boolean,
  options: ScoreOptions,
  { output }: Context,
): Promise<void> {
  const { results, incidents, causes, encoders, isSequences } = findings;
  const isChosen = options.threshold !== undefined || options.perDay !== undefined;
  const places = isChosen ? incidents.flatMap(({ rows }) => rows) : [...results.keys()];
  if (options.html !== undefined && !isChosen && options.json !== true) return;
  if (options.json !== true) await output.write(stringify([headingOf(isSequences, isGrouped)]));
  for (let from = 0; from < places.length; from += LINES) {
    const lines = places.slice(from, from + LINES).map((place) => {
      const result = results[place] as Result;
      if (options.json === true) return `${JSON.stringify(jsonOf(result, causes.get(place), encoders))}\n`;
      return stringify([cellsOf(result, causes.get(place), encoders, isGrouped)], { escape_formulas: true });
    });
    await output.write(lines.join(""));
  }
}

function tell(findings: Findings, seconds: number, { html }: ScoreOptions, { output }: Context): void {
  const { results, isSequences } = findings;
  if (results.length === 0) {
    const unwritten = html === undefined ? "" : ` ${html} is not written.`;
    output.note(`No row makes an event, so there is nothing to score.${unwritten}`);
    return;
  }
  const noun = isSequences ? "sequence" : "row";
  const scored = `${results.length} ${noun}${results.length === 1 ? "" : "s"}`;
  const rate = Math.round(results.length / Math.max(seconds, 0.001));
  output.note(`Scored ${scored} in ${seconds.toFixed(1)} s: ${rate} ${noun}s/s. Nothing was observed or learned.`);
  for (const sentence of sentencesOf(findings)) output.note(sentence);
  if (html !== undefined) output.note(`The report is in ${html}.`);
}
