/** Learns and scores a table, and undoes what was learned. Knows no view. */

import { eventsOf, usedEncoders } from "../../cli/scoring/events";
import { incidentsOf, type Scored, type Threshold, thresholdFor } from "../../cli/scoring/incidents";
import { type Cause, causesOfAll, type Event, judgeSeries } from "../../cli/scoring/judging";
import type { Columns } from "../../cli/table/columns";
import { groupsOf, survey } from "../../cli/table/groups";
import { plainRemarks } from "../../cli/table/remarks";
import type { Table } from "../../cli/table/row";
import { TimeSymbols } from "../../cli/table/time-symbols";
import { putEncoders } from "../../cli/training/encoders";
import { findEdges } from "../../cli/training/finding-edges";
import { type Lesson, learnAll } from "../../cli/training/learning";
import { lessonOf } from "../../cli/training/lesson";
import { assertHeldWhole, inPieces } from "../../cli/training/memory-length";
import {
  deleteEncoder,
  deleteModel,
  endSession,
  getModel,
  judgeIncident,
  listEncoders,
  listIncidents,
  MAX_LISTED_INCIDENTS,
  type Processor,
  type Schemas,
  session,
  stream,
  updateModel,
} from "../../client";
import type { Step } from "../files/task";
import { may } from "../rights";

/** Maximum number of sequences, and of calls of an undo, in progress at a time. */
const MAX_CONCURRENT = 16;
const MAX_CONCURRENT_UNDOS = 4;

/** Number of consecutive retries of a lost stream. */
const RETRIES = 8;

/** Maximum number of unusual rows listed. */
const MAX_UNUSUAL_ROWS = 20;

/** Number of preceding events that determine whether an event was expected; a link to *Why* holds no more. */
const PRECEDING_EVENTS = 10;

/** The job on a table, and the callbacks for its progress. */
export interface Work {
  readonly table: Table;
  readonly columns: Columns;
  /** Maximum number of rows in a learned sequence. */
  readonly every: number;
  readonly processor: Processor;
  readonly signal: AbortSignal;
  readonly report: (step: Step) => void;
}

/** What an import has changed, so that it can be undone. */
export interface Learnt {
  readonly file: string;
  /** The number of times each model was learned, by hash. */
  readonly models: Map<string, number>;
  /** The encoders that the import created. */
  readonly encoders: Set<string>;
  /** The sessions that it observed in: alerts may have kept incidents of them. */
  readonly sessions: Set<string>;
  /** Number of learned sequences. */
  sequences: number;
}

/** @returns a record of nothing learned yet */
export function nothingLearnt(file: string): Learnt {
  return { file, models: new Map(), encoders: new Set(), sessions: new Set(), sequences: 0 };
}

/**
 * Learns the sequences of a table, each exactly once.
 *
 * @param learnt updated while learning, so that it is correct even if the import ends early
 * @returns remarks about what is unclear in the file, as sentences
 * @throws Error if a row is not accepted, or the server refuses something
 */
export async function learnTable(work: Work, learnt: Learnt): Promise<string[]> {
  const { table, columns, processor, signal, report } = work;
  report({ label: "Checking the rows", done: 0, unit: "rows" });
  const found = await survey(table, columns, signal, true);
  await assertHeldWhole(processor, inPieces(found.longest, work.every), signal);
  const before = new Set(Object.keys(await listEncoders(processor, { signal })));
  for (const { column } of columns.numbers) if (!before.has(column)) learnt.encoders.add(column);
  const source = `import ${crypto.randomUUID().slice(0, 8)}`;
  await putEncoders(processor, found.encoders, signal);
  const numbers = `${source} numbers`;
  learnt.sessions.add(source).add(numbers);
  await findEdges(processor, { columns, samples: found.samples, session: numbers, signal });
  const memory = session(processor, source);
  let done = 0;
  try {
    await learnAll(memory, lessonsOf(work, found), {
      name: source,
      open: () => stream(memory, { source, frames: MAX_CONCURRENT, retries: RETRIES, signal }),
      underWay: MAX_CONCURRENT,
      refused: new Set(),
      signal,
      onLearned(_, model) {
        if (model != null) {
          const name = model.replace(/^MODEL\|/, "");
          learnt.models.set(name, (learnt.models.get(name) ?? 0) + 1);
          learnt.sequences++;
        }
        report({ label: "Learning", done: ++done, unit: "sequences" });
      },
    });
  } finally {
    // If the server cannot be reached, the session ends by itself after its session_ttl.
    await endSession(processor, source).catch(() => undefined);
  }
  return plainRemarks(found);
}

/** The groups of a table; groups with too many rows are split. */
async function* lessonsOf(
  { table, columns, every }: Work,
  { bad, isTogether }: { readonly bad: number; readonly isTogether: boolean },
): AsyncGenerator<Lesson> {
  // Numbers are not turned into symbols here: the processor does that.
  for await (const group of groupsOf(table, columns, { bad, isTogether, encoders: new Map() })) {
    const { name, records } = lessonOf(group);
    for (let from = 0; from < records.length; from += every) {
      yield { name, records: records.slice(from, from + every) };
    }
  }
}

/**
 * Undoes what was learned: models that existed before get their earlier frequency back, and the others are deleted.
 * Open incidents of the import are marked as ignored: none can be deleted.
 */
export async function undo(processor: Processor, learnt: Learnt, work: Pick<Work, "report" | "signal">): Promise<void> {
  const { signal, report } = work;
  const total = learnt.models.size;
  let done = 0;
  const left = [...learnt.models].values();
  const worker = async () => {
    for (const [name, times] of left) {
      const model = (await getModel(processor, name, { signal })) as Partial<Schemas.Model>;
      if (model.frequency !== undefined) {
        if (model.frequency <= times) await deleteModel(processor, name, { signal });
        else await updateModel(processor, name, { frequency: model.frequency - times }, { signal });
      }
      learnt.models.delete(name);
      report({ label: "Undoing", done: ++done, total, unit: "models" });
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_UNDOS }, worker));
  for (const name of learnt.encoders) {
    await deleteEncoder(processor, name, { signal });
    learnt.encoders.delete(name);
  }
  // A key without the role read cannot list them.
  if (!may({ of: "processor" }, "read")) return;
  for (const name of learnt.sessions) {
    await ignoreIncidents(processor, name, `the import of ${learnt.file} was undone`, signal);
    learnt.sessions.delete(name);
  }
}

/** Closes the open incidents of a session. */
async function ignoreIncidents(processor: Processor, name: string, note: string, signal: AbortSignal): Promise<void> {
  const open = { session: name, verdict: "open", limit: MAX_LISTED_INCIDENTS } as const;
  for (;;) {
    const incidents = await listIncidents(processor, open, { signal });
    for (const { id } of incidents) await judgeIncident(processor, id, { verdict: "ignored", note }, { signal });
    if (incidents.length < MAX_LISTED_INCIDENTS) return;
  }
}

/** An unusual row. */
export interface OddRow extends Scored {
  /** The line of the file on which it begins, from 1. */
  readonly line: number;
  readonly causes: readonly Cause[];
  readonly expected: readonly Schemas.ExpectedSymbol[];
  /** The events before the row, and the row's own event last. */
  readonly events: readonly Event[];
}

/** The result of scoring. */
export interface Score {
  readonly rows: number;
  readonly threshold: Threshold;
  /** Number of rows over the threshold. */
  readonly passing: number;
  readonly incidents: number;
  /** The worst row of each incident, most bits first; at most {@link MAX_UNUSUAL_ROWS}. */
  readonly odd: readonly OddRow[];
}

/** A scored row whose causes are not known yet. */
interface ScoredRow extends Scored {
  readonly line: number;
  readonly judged: { readonly events: readonly Event[]; readonly at: number };
  readonly expected: readonly Schemas.ExpectedSymbol[];
}

/**
 * Computes how unusual each row of a table is, given the rows before it. Changes nothing.
 *
 * @throws Error if the processor has learned nothing, or does not know the numbers of a column
 */
export async function scoreTable(work: Work): Promise<Score> {
  const { table, columns, processor, signal, report } = work;
  report({ label: "Checking the rows", done: 0, unit: "rows" });
  const found = await survey(table, columns, signal, true);
  const encoders = await listEncoders(processor, { signal });
  const used = usedEncoders(columns, encoders, "");
  const times = new TimeSymbols(encoders);
  const judge = { processor, signal };
  const rows: ScoredRow[] = [];
  let done = 0;
  for await (const group of groupsOf(table, columns, { ...found, encoders: used })) {
    const all = eventsOf(group.records, times);
    const kept = group.rows.flatMap((row, at) => {
      const event = all[at] ?? [];
      return event.length === 0 ? [] : [{ row, event }];
    });
    const events = kept.map(({ event }) => event);
    const judgements = await judgeSeries(events, judge, (count) => {
      done += count;
      report({ label: "Scoring", done, total: found.rows, unit: "rows" });
    });
    for (const [at, { row }] of kept.entries()) {
      const judgement = judgements[at];
      if (judgement === undefined) continue;
      const { line, seconds: time } = row;
      const { bits, expected } = judgement;
      rows.push({
        line,
        time,
        bits,
        group: columns.groupBy.length === 0 ? "" : group.name,
        expected,
        judged: { events, at },
      });
    }
  }
  return scoreOf(rows, judge);
}

async function scoreOf(
  rows: readonly ScoredRow[],
  judge: { readonly processor: Processor; readonly signal: AbortSignal },
): Promise<Score> {
  const threshold = thresholdFor(rows, undefined);
  const incidents = incidentsOf(rows, threshold.bits);
  const worst = incidents
    .map((incident) => rows[incident.worst])
    .filter((row) => row !== undefined)
    .sort((one, other) => other.bits - one.bits)
    .slice(0, MAX_UNUSUAL_ROWS);
  const causes = await causesOfAll(
    worst.map(({ judged }) => judged),
    judge,
  );
  return {
    rows: rows.length,
    threshold,
    passing: incidents.reduce((sum, incident) => sum + incident.rows.length, 0),
    incidents: incidents.length,
    odd: worst.map(({ judged: { events, at }, ...row }, place) => ({
      ...row,
      causes: causes[place] ?? [],
      events: events.slice(Math.max(0, at - PRECEDING_EVENTS), at + 1),
    })),
  };
}
