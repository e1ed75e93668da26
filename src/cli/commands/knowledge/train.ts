/** `noema train`: learns the sequences of a table, each exactly once. */

import { createHash, randomBytes } from "node:crypto";
import type { Command } from "commander";
import {
  changeGenes,
  endSession,
  getAllGenes,
  listEncoders,
  type Memory,
  NoemaError,
  type Processor,
  session,
} from "../../../client";
import { type TableOptions, withColumns } from "../../table/column-options";
import { type Columns, columnsOf } from "../../table/columns";
import { type Group, groupsOf, type Survey, survey } from "../../table/groups";
import { type ShownEncoders, shownSymbol } from "../../table/ranges";
import { endRemarks, plainRemarks } from "../../table/remarks";
import { type FileTable, openTable } from "../../table/rows";
import { wholeNumber } from "../../terminal/arguments";
import type { Context } from "../../terminal/context";
import { UsageError } from "../../terminal/failure";
import type { Form } from "../../terminal/output";
import { type MemoryOptions, memoryOf, processorOf, withMemory } from "../../terminal/place";
import { type HttpOptions, openStream, withAdvice, withHttp } from "../../terminal/streams";
import { putEncoders } from "../../training/encoders";
import { findEdges } from "../../training/finding-edges";
import { type Learned, type Lesson, learnAll, RefusedLesson } from "../../training/learning";
import { lessonOf } from "../../training/lesson";
import { assertHeldWhole } from "../../training/memory-length";

interface TrainOptions extends MemoryOptions, TableOptions, HttpOptions, Form {
  readonly inFlight: string;
  readonly resume?: string;
  readonly dryRun?: true;
}

const MAX_IN_FLIGHT = 256;

/** Adds the command. */
export function addTrain(program: Command, context: Context): void {
  withHttp(withColumns(withMemory(program.command("train"))))
    .description("Learn the rows of a table: those that belong together are one sequence, in the order of the file.")
    .option("--in-flight <sequences>", `how many sequences are under way at a time, 1 to ${MAX_IN_FLIGHT}`, "16")
    .option("--resume <run>", "go on with an interrupted run, with the same file and options")
    .option("--dry-run", "send nothing; write what would be learned, a line of JSON for each sequence")
    .action((file: string, options: TrainOptions) => train(file, options, context));
}

async function train(file: string, options: TrainOptions, context: Context): Promise<void> {
  const columns = columnsOf(options);
  const underWay = wholeNumber("--in-flight", options.inFlight, 1, MAX_IN_FLIGHT);
  const table = await openTable(file, options, context.stdin);
  const found = await survey(table, columns, context.signal, options.skipBad);
  for (const line of [...plainRemarks(found), ...endRemarks(columns, found)]) context.output.note(line);
  if (options.dryRun === true) {
    for await (const group of groupsOf(table, columns, withNumbers(found))) {
      const { name, line } = group;
      await context.output.write(`${JSON.stringify({ group: name, line, sequence: lessonOf(group).records })}\n`);
    }
    return;
  }
  const run = await runOf(options, columns, table);
  await learn({ run, table, columns, found, underWay, options }, context);
}

/** A training run, as named by `--resume`. */
interface Run {
  readonly name: string;
  /** The numbers of sequences that the server has refused so far. */
  readonly refused: readonly number[];
}

interface Training {
  readonly run: Run;
  readonly table: FileTable;
  readonly columns: Columns;
  readonly found: Survey;
  readonly underWay: number;
  readonly options: TrainOptions;
}

async function learn(training: Training, context: Context): Promise<void> {
  const { run, table, columns, found, underWay, options } = training;
  const source = sessionName(run);
  const memory = trainingMemory(options, run, context);
  const processor = processorOf(options, context);
  const { signal } = context;
  await assertHeldWhole(processor, found.longest, signal);
  await putEncoders(processor, found.encoders, signal);
  await findEdges(processor, { columns, samples: found.samples, session: `${source} numbers`, signal });
  const counts: Record<Learned, number> = { learned: 0, nothing: 0, redelivered: 0 };
  const progress = context.output.progress("Learning", found.groups);
  const started = performance.now();
  try {
    await learnAll(memory, lessonsOf(groupsOf(table, columns, withNumbers(found))), {
      name: source,
      open: options.http ? undefined : () => openStream(memory, options, context, { source, frames: underWay }),
      underWay,
      refused: new Set(run.refused),
      signal: context.signal,
      onLearned(result) {
        counts[result]++;
        progress.update(counts.learned + counts.nothing + counts.redelivered);
      },
    });
  } catch (error) {
    progress.stop();
    const refused = error instanceof RefusedLesson ? error.numbers : [];
    const resume = textOf({ ...run, refused: [...new Set([...run.refused, ...refused])] });
    context.output.note(
      `What was learned stays. To go on where this ended, give the same command with --resume ${resume}`,
    );
    throw withAdvice(error, "--http sends requests instead");
  }
  progress.stop();
  const seconds = (performance.now() - started) / 1000;
  if (options.session === undefined) await endOwnSession(options, run, context);
  const genes = await makeEndless(processor, columns, signal);
  const { rows, groups, bad } = found;
  const encoders = await encodersFound(processor, columns, signal);
  const numbers = { ...Object.fromEntries(found.encoders), ...encoders };
  const result = { run: textOf(run), rows, groups, bad, ...counts, seconds, numbers, ...(genes && { genes }) };
  await context.output.result(options, result, () =>
    [
      ...plainCounts(found, counts, seconds),
      ...plainEdges(columns, found),
      ...plainFound(encoders),
      ...plainGenes(genes),
    ].join("\n"),
  );
}

/** The genes that make working memory keep only its newest events. */
type EndlessGenes = ReturnType<typeof endlessGenes>;

const endlessGenes = (events: number) =>
  ({ max_sequence_length: events, wm_mode: "rolling", wm_resolution: "event" }) as const;

/**
 * For an endless series of rows, makes working memory keep only the newest events: otherwise later observations would
 * fill it. Does not touch a processor whose genes are already set for this.
 *
 * @returns the genes that were changed
 */
async function makeEndless(
  processor: Processor,
  { every, label }: Columns,
  signal: AbortSignal,
): Promise<EndlessGenes | undefined> {
  if (every === undefined || every < 2 || label !== undefined) return undefined;
  const { max_sequence_length: length, wm_mode: mode } = await getAllGenes(processor, { signal });
  if (Number(length) !== 0 || mode !== undefined) return undefined;
  const genes = endlessGenes(every);
  await changeGenes(processor, genes, { signal });
  return genes;
}

function plainGenes(genes: EndlessGenes | undefined): string[] {
  if (genes === undefined) return [];
  const length = genes.max_sequence_length;
  return [
    `Rows without an end: working memory keeps its newest ${length} events from now on (genes max_sequence_length ` +
      `${length}, wm_mode rolling, wm_resolution event).`,
  ];
}

/** The encoders of the columns whose bins the processor decides. */
async function encodersFound(processor: Processor, { numbers }: Columns, signal: AbortSignal): Promise<ShownEncoders> {
  const columns = numbers.filter(({ rule }) => "auto" in rule).map(({ column }) => column);
  if (columns.length === 0) return {};
  const all = await listEncoders(processor, { signal });
  return Object.fromEntries(Object.entries(all).filter(([name]) => columns.includes(name)));
}

function plainFound(encoders: ShownEncoders): string[] {
  return Object.entries(encoders).map(([name, encoder]) => {
    if (encoder.kind !== "auto") return `${name} keeps its encoder, of the kind ${encoder.kind}.`;
    const edges = encoder.edges ?? [];
    if (edges.length === 0) return `${name} has no bins yet: the file has no numbers of it.`;
    const ranges = edges.map((edge) => shownSymbol(`${name}=${edge}`, encoders).slice(name.length + 1));
    return `${name} falls into the bins ${ranges.join(", ")}.`;
  });
}

/** The survey, for records that keep their numbers: the processor makes the symbols. */
function withNumbers({ bad, isTogether }: Survey): Pick<Survey, "bad" | "encoders" | "isTogether"> {
  return { bad, encoders: new Map(), isTogether };
}

function plainCounts({ rows, groups }: Survey, counts: Record<Learned, number>, seconds: number): string[] {
  const rate = Math.round(rows / Math.max(seconds, 0.001));
  const lines = [
    `Learned ${counts.learned} of ${groups} sequences, ${rows} rows, in ${seconds.toFixed(1)} s: ${rate} rows/s.`,
  ];
  if (counts.redelivered > 0)
    lines.push(`${counts.redelivered} had been sent before in this run and were not sent twice.`);
  if (counts.nothing > 0) lines.push(`${counts.nothing} hold fewer than two symbols, so there was nothing to learn.`);
  return lines;
}

/** The edges computed from the file, so that the next file can use the same ones. */
function plainEdges({ numbers }: Columns, { encoders }: Survey): string[] {
  return numbers.flatMap(({ column, rule }) => {
    const bins = encoders.get(column)?.bins;
    if (!("quantiles" in rule) || bins?.kind !== "edges") return [];
    return [`The numbers of ${column} fell into --number ${column}:edges=${bins.edges.join(",")}`];
  });
}

async function* lessonsOf(groups: AsyncIterable<Group>): AsyncGenerator<Lesson> {
  for await (const group of groups) {
    const lesson = lessonOf(group);
    if (lesson.records.length > 0) yield lesson;
  }
}

/** The name of the run's own session, and of its source. */
const sessionName = ({ name }: Run) => `train ${name}`;

/** A session of the run's own unless one is named, so that training disturbs no other working memory. */
function trainingMemory(options: TrainOptions, run: Run, context: Context): Memory {
  if (options.session !== undefined) return memoryOf(options, context);
  return session(processorOf(options, context), sessionName(run));
}

async function endOwnSession(options: TrainOptions, run: Run, context: Context): Promise<void> {
  try {
    await endSession(processorOf(options, context), sessionName(run), { signal: context.signal });
  } catch (error) {
    context.signal.throwIfAborted();
    const reason = error instanceof NoemaError ? error.message : String(error);
    context.output.note(`The session ${sessionName(run)} stays until its session_ttl is over: ${reason}`);
  }
}

/** The argument for `--resume`. */
function textOf({ name, refused }: Run): string {
  return [name, ...refused].join("+");
}

/**
 * A new run, or the one to resume. The name consists of a unique part and a digest of the file and of all options that
 * decide which rows make which sequence.
 */
async function runOf(options: TrainOptions, columns: Columns, table: FileTable): Promise<Run> {
  const { processor: place, session: name = null, format, delimiter, resume } = options;
  const hash = createHash("sha256").update(JSON.stringify(["stream", columns, place, name, format, delimiter]));
  for await (const piece of table.bytes()) hash.update(piece as Buffer);
  const digest = hash.digest("hex").slice(0, 8);
  if (resume === undefined) return { name: `${randomBytes(4).toString("hex")}-${digest}`, refused: [] };
  const [, run = "", refused = ""] = /^([0-9a-f]{8}-[0-9a-f]{8})((?:\+\d+)*)$/.exec(resume) ?? [];
  if (run.endsWith(`-${digest}`)) return { name: run, refused: refused.split("+").slice(1).map(Number) };
  throw new UsageError(
    `--resume ${resume} was a run of another file, or with other options; give those that it had, ` +
      "or leave --resume out",
  );
}
