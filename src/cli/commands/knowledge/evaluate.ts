/**
 * `noema evaluate`: learns part of a table, asks about the rest, and compares the answers with those of simple
 * baselines.
 */

import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import { clearAllMemory, endSession, getStatus, type Processor, session } from "../../../client";
import { guessByForecast, guessByPredictions, observingAsker, sequenceAsker } from "../../evaluation/asking";
import { matrixOf } from "../../evaluation/confusion";
import { type Evaluation, evaluate, type Score } from "../../evaluation/evaluation";
import { holdOut } from "../../evaluation/holdout";
import { questionsOf } from "../../evaluation/questions";
import { type TableOptions, withColumns } from "../../table/column-options";
import { type Columns, columnsOf } from "../../table/columns";
import { type Group, groupsOf, survey } from "../../table/groups";
import { plainRemarks } from "../../table/remarks";
import type { Table } from "../../table/row";
import { openTable } from "../../table/rows";
import { wholeNumber } from "../../terminal/arguments";
import type { Context } from "../../terminal/context";
import { percent } from "../../terminal/events";
import { UsageError } from "../../terminal/failure";
import type { Form } from "../../terminal/output";
import { type ProcessorOptions, processorOf, withProcessor } from "../../terminal/place";
import { type HttpOptions, openStream, withHttp } from "../../terminal/streams";
import { learnAll } from "../../training/learning";
import { lessonOf } from "../../training/lesson";
import { assertHeldWhole, type Longest } from "../../training/memory-length";

interface EvaluateOptions extends HttpOptions, ProcessorOptions, TableOptions, Form {
  readonly target?: string;
  readonly holdout: string;
  readonly seed: string;
  readonly context: string;
  readonly trainedOn?: string;
  readonly clear?: true;
  readonly forecast?: true;
  readonly votes?: true;
}

const MAX_CONTEXT = 1000;
const MAX_SEED = 2 ** 31 - 1;

/** Adds the command. */
export function addEvaluate(program: Command, context: Context): void {
  withHttp(withColumns(withProcessor(program.command("evaluate"))))
    .description("Learn some groups of a table, and measure how well Noema predicts what comes next in the others.")
    .option(
      "--target <column>",
      "the column whose next symbol is asked for (default: the first of --symbol, else of --number)",
    )
    .option("--holdout <share>", "the share of the groups to ask about, above 0 and below 1", "0.2")
    .option("--seed <number>", "decides at random which groups these are", "1")
    .option("--context <events>", `the maximum number of events before a question, 1 to ${MAX_CONTEXT}`, "5")
    .option("--trained-on <file>", "learn nothing: the processor was trained on this file, which the baselines count")
    .option("--forecast", "answer by the forecast: the most probable symbol (the default)")
    .option("--votes", "let predictions vote for the answer, instead of the forecast")
    .option("--clear", "let the processor forget everything first")
    .action((file: string, options: EvaluateOptions) => run(file, options, context));
}

interface Groups {
  readonly training: readonly Group[];
  readonly testing: readonly Group[];
}

async function run(file: string, options: EvaluateOptions, context: Context): Promise<void> {
  const columns = binned(columnsOf(options));
  if (options.forecast === true && options.votes === true) {
    throw new UsageError("--forecast and --votes exclude each other: one of them answers");
  }
  const target = targetOf(options, columns);
  const most = wholeNumber("--context", options.context, 1, MAX_CONTEXT);
  const seed = wholeNumber("--seed", options.seed, 0, MAX_SEED);
  const processor = processorOf(options, context);
  const table = await openTable(file, options, context.stdin);
  const groups = await groupsFor({ table, columns, target, seed }, options, context);
  const asked = (all: readonly Group[]) => all.flatMap((group) => questionsOf(group, most));
  const [training, testing] = [asked(groups.training), asked(groups.testing)];
  if (testing.length === 0) {
    throw new Error(`${table.name} leaves nothing to ask: accepted are groups with a label, or of two or more events`);
  }
  if (options.trainedOn === undefined) await learnFresh(processor, groups.training, options, context);
  const candidates = new Set(training.map(({ actual }) => actual));
  const guessBy = options.votes === true ? guessByPredictions : guessByForecast;
  const guess = guessBy(candidates, columns.label === undefined ? "next" : "last");
  const asker =
    columns.vectors.length === 0
      ? sequenceAsker(processor, guess, context.signal)
      : observingAsker(processor, `evaluate ${randomBytes(4).toString("hex")}`, guess, context.signal);
  const bar = context.output.progress("Asking", testing.length);
  const found = await evaluate({ training, testing, most }, asker, context.signal, bar.update).finally(async () => {
    bar.stop();
    await asker.end();
  });
  const sizes = { trained: groups.training.length, tested: groups.testing.length };
  const result = { target: columns.label?.column ?? target, groups: sizes, seed, context: most, ...found };
  await context.output.result(options, result, () => plain(result, context));
}

/**
 * The columns, with bins computed here for columns whose bins the processor would find: the baselines need symbols,
 * too.
 */
function binned(columns: Columns): Columns {
  const numbers = columns.numbers.map(({ column, rule }) => {
    if (!("auto" in rule)) return { column, rule };
    const { auto, hysteresis, onChange } = rule;
    return { column, rule: { quantiles: auto, hysteresis, onChange } };
  });
  return { ...columns, numbers };
}

function targetOf({ target }: EvaluateOptions, { label, symbols, numbers }: Columns): string | undefined {
  if (label !== undefined) {
    if (target === undefined) return undefined;
    throw new UsageError("--label and --target exclude each other: with a label, the label is asked for");
  }
  const all = [...symbols, ...numbers].map(({ column }) => column);
  const chosen = target ?? all[0];
  if (chosen !== undefined && all.includes(chosen)) return chosen;
  throw new UsageError(
    `--target is ${JSON.stringify(chosen ?? "")}; accepted is a column of --symbol or --number: ` +
      `${all.join(", ") || "none of these is given; give --label"}`,
  );
}

interface Division {
  readonly table: Table;
  readonly columns: Columns;
  readonly target: string | undefined;
  readonly seed: number;
}

/**
 * The groups to learn and the groups to ask about: both from one table, or from the table that the processor was
 * trained on and the other table.
 */
async function groupsFor(
  { table, columns, target, seed }: Division,
  options: EvaluateOptions,
  { output, signal, stdin }: Context,
): Promise<Groups> {
  const found = await survey(table, columns, signal, options.skipBad);
  for (const line of plainRemarks(found)) output.note(line);
  if (options.trainedOn === undefined) {
    const share = Number(options.holdout);
    if (!(share > 0 && share < 1)) {
      throw new UsageError(`--holdout is ${JSON.stringify(options.holdout)}; accepted is a number above 0 and below 1`);
    }
    return holdOut(await gathered(groupsOf(table, columns, found, target)), share, seed);
  }
  if (options.clear === true) {
    throw new UsageError("--trained-on and --clear exclude each other: nothing would be left of the training");
  }
  const other = await openTable(options.trainedOn, options, stdin);
  const trained = await survey(other, columns, signal, options.skipBad);
  const { encoders } = trained;
  return {
    training: await gathered(groupsOf(other, columns, trained, target)),
    testing: await gathered(groupsOf(table, columns, { ...found, encoders }, target)),
  };
}

async function gathered<T>(all: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const one of all) list.push(one);
  return list;
}

/** Learns groups in an empty processor, one after the other, so that the same seed gives the same result. */
async function learnFresh(
  processor: Processor,
  groups: readonly Group[],
  options: EvaluateOptions,
  context: Context,
): Promise<void> {
  const { clear, processor: name, http } = options;
  const { output, signal } = context;
  await assertHeldWhole(processor, longestOf(groups), signal);
  if (clear === true) await clearAllMemory(processor, undefined, { signal });
  const { models_kb: models } = await getStatus(processor, { signal });
  const known = /objects: (\d+)/.exec(models)?.[1];
  if (known !== "0") {
    throw new Error(
      `the processor ${name} has learned ${known ?? "some"} models already, which would change the result: ` +
        "name another one",
    );
  }
  const source = `evaluate ${randomBytes(4).toString("hex")}`;
  const bar = output.progress("Learning", groups.length);
  let learned = 0;
  const onLearned = () => bar.update(++learned);
  const lessons = groups.map(lessonOf).filter(({ records }) => records.length > 0);
  const memory = session(processor, source);
  const open = http ? undefined : () => openStream(memory, options, context, { source });
  try {
    await learnAll(memory, streamOf(lessons), {
      name: source,
      open,
      underWay: 16,
      refused: new Set(),
      signal,
      onLearned,
    });
  } finally {
    bar.stop();
  }
  await endSession(processor, source, { signal });
}

function longestOf(groups: readonly Group[]): Longest {
  const extents = groups.map((group) => ({ ...group, events: lessonOf(group).records.length }));
  const longest = extents.reduce((one, other) => (other.events > one.events ? other : one));
  // An event has at least one symbol.
  const extent = { ...longest, symbols: longest.events };
  return { events: extent, symbols: extent };
}

async function* streamOf<T>(all: readonly T[]): AsyncGenerator<T> {
  yield* all;
}

const METHODS: { readonly [method in Score["method"]]: string } = {
  noema: "Noema",
  markov_backoff: "Markov chain with back-off",
  markov_1: "Markov chain of order 1",
  most_frequent: "most frequent",
};

const MAX_SHOWN = 12;

type Result = Evaluation & {
  readonly target: string | undefined;
  readonly groups: { readonly trained: number; readonly tested: number };
  readonly context: number;
};

function plain(result: Result, { output }: Context): string {
  const { target, groups, context, questions, scores, confusion, log_loss: loss } = result;
  const { columns, rows, left } = matrixOf(confusion, MAX_SHOWN);
  return [
    `Learned ${groups.trained} groups, and asked ${questions} questions about ${groups.tested} held out: ` +
      `${target}, after at most ${context} events.`,
    "",
    output.table(
      ["method", "accuracy", "right", "answered"],
      scores.map(({ method, accuracy, right, answered }) => [METHODS[method], percent(accuracy), right, answered]),
    ),
    "",
    ...(loss === undefined ? [] : [`Log loss of the forecast: ${loss.toFixed(2)} bits an answer.`, ""]),
    "What Noema answered, for each right answer:",
    output.table(
      ["", ...columns.map((column) => column ?? "(no answer)")],
      rows.map(({ actual, counts }) => [actual, ...counts]),
    ),
    ...(left === 0 ? [] : [`${left} less frequent symbols are left out here; --json has all.`]),
  ].join("\n");
}
