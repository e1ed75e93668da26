/** `noema models`: lists, shows, finds, deletes and forgets learned models. */

import { type Command, Option } from "commander";
import {
  deleteModel,
  forgetModels,
  getModel,
  listModels,
  MAX_LISTED_MODELS,
  type ModelListQuery,
  type Processor,
  type Schemas,
} from "../../../client";
import { collect, wholeNumber } from "../../terminal/arguments";
import type { Context } from "../../terminal/context";
import { sequenceText } from "../../terminal/events";
import { UsageError } from "../../terminal/failure";
import type { Form } from "../../terminal/output";
import { type ProcessorOptions, processorOf, withProcessor } from "../../terminal/place";

interface ListOptions extends ProcessorOptions, Form {
  readonly limit: string;
  readonly sort: NonNullable<ModelListQuery["sort"]>;
  readonly descending?: true;
}

interface SearchOptions extends ListOptions {
  readonly symbol: readonly string[];
  readonly pattern: readonly string[];
}

interface ForgetOptions extends ProcessorOptions, Form {
  readonly frequencyBelow?: string;
  readonly keepAtMost?: string;
  readonly dryRun?: true;
}

const SORTS = ["order", "learned_at", "frequency", "length", "name"] as const;
const MAX_MODELS = 250_000;
/** Number of models read at a time. */
const READ_AT_ONCE = 8;

/** Adds the commands. */
export function addModels(program: Command, context: Context): void {
  const models = program.command("models").description("List, show, find, delete and forget learned models.");
  const limited = (command: Command) =>
    withProcessor(command)
      .option("--limit <models>", `how many to show, 0 to ${MAX_MODELS}`, "20")
      .addOption(
        new Option("--sort <member>", "what to sort by; order is that of learning").choices(SORTS).default("name"),
      )
      .option("--descending", "in descending order: with --sort learned_at, the last learned come first");
  limited(models.command("list"))
    .description("List models.")
    .action((options: ListOptions) => list({}, options, context));
  limited(models.command("search"))
    .description("List the models that hold all of the symbols, or in which every pattern matches a whole symbol.")
    .option("--symbol <symbol>", "a symbol (repeatable)", collect, [])
    .option("--pattern <pattern>", "a regular expression, as for Python's re (repeatable)", collect, [])
    .action((options: SearchOptions) => search(options, context));
  withProcessor(models.command("show"))
    .description("Show a model with its sequence.")
    .argument("<model>", "its hash, with or without MODEL| before it")
    .action(async (name: string, options: ProcessorOptions & Form) => {
      const model = await existing(processorOf(options, context), name, context.signal);
      await context.output.result(options, model, () => plain(model));
    });
  withProcessor(models.command("delete"))
    .description("Delete models.")
    .argument("<models...>", "their hashes, with or without MODEL| before them")
    .action((names: string[], options: ProcessorOptions & Form) => remove(names, options, context));
  withProcessor(models.command("forget"))
    .description("Forget rarely learned models.")
    .option("--frequency-below <times>", "forget the models that were learned fewer times than this")
    .option("--keep-at-most <models>", "then forget the least frequent, oldest first, until this number is left")
    .option("--dry-run", "only count them")
    .action((options: ForgetOptions) => forget(options, context));
}

async function forget(options: ForgetOptions, context: Context): Promise<void> {
  const { frequencyBelow, keepAtMost, dryRun = false } = options;
  if (frequencyBelow === undefined && keepAtMost === undefined) {
    throw new UsageError("nothing to forget: give --frequency-below or --keep-at-most");
  }
  const whole = (name: string, value: string) => wholeNumber(name, value, 0, Number.MAX_SAFE_INTEGER);
  const filter = {
    ...(frequencyBelow !== undefined && { frequency_below: whole("--frequency-below", frequencyBelow) }),
    ...(keepAtMost !== undefined && { keep_at_most: whole("--keep-at-most", keepAtMost) }),
    dry_run: dryRun,
  };
  const models = await forgetModels(processorOf(options, context), filter, { signal: context.signal });
  const counted = `${models} ${models === 1 ? "model" : "models"}`;
  await context.output.result(options, { models }, () =>
    dryRun ? `${counted} would be forgotten.` : `Forgot ${counted}.`,
  );
}

async function search(options: SearchOptions, context: Context): Promise<void> {
  const { symbol, pattern } = options;
  if (symbol.length + pattern.length === 0) throw new UsageError("nothing to search for: give --symbol or --pattern");
  await list({ symbols: symbol, patterns: pattern }, options, context);
}

/** The names of the models that the options select, in order, and how many there are in total. */
async function namesOf(sought: ModelListQuery, options: ListOptions, context: Context) {
  const most = wholeNumber("--limit", options.limit, 0, MAX_MODELS);
  const order = { sort: options.sort, direction: options.descending ? "desc" : "asc" } as const;
  const names: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const limit = Math.max(1, Math.min(MAX_LISTED_MODELS, most - names.length));
    const query = { ...sought, ...order, limit, ...(cursor !== undefined && { cursor }) };
    const page = await listModels(processorOf(options, context), query, { signal: context.signal });
    names.push(...page.models.map(({ name }) => name));
    if (page.next === null || names.length >= most) return { names: names.slice(0, most), count: page.total };
    cursor = page.next;
  }
}

async function list(sought: ModelListQuery, options: ListOptions, context: Context): Promise<void> {
  const processor = processorOf(options, context);
  const { names, count } = await namesOf(sought, options, context);
  const models: Schemas.Model[] = [];
  for (let at = 0; at < names.length; at += READ_AT_ONCE) {
    const page = names.slice(at, at + READ_AT_ONCE);
    const read = await Promise.all(page.map((name) => getModel(processor, name, { signal: context.signal })));
    // A model that was deleted meanwhile is an empty object.
    models.push(...read.filter((model): model is Schemas.Model => "sequence" in model));
  }
  await context.output.result(options, { count, models }, () => {
    const rows = models.map(({ name, frequency, sequence }) => [name, frequency, sequenceText(sequence)]);
    const table = models.length === 0 ? [] : [context.output.table(["model", "frequency", "sequence"], rows)];
    return [...table, `${models.length} of ${count} models.`].join("\n");
  });
}

async function existing(processor: Processor, name: string, signal: AbortSignal): Promise<Schemas.Model> {
  const model = await getModel(processor, name, { signal });
  if ("sequence" in model) return model as Schemas.Model;
  throw new Error(`there is no model ${name}`);
}

function plain({ name, frequency, sequence, emotives }: Schemas.Model): string {
  const felt = Object.entries(emotives).map(([emotive, values]) => `${emotive} ${values.join(", ")}`);
  return [
    `MODEL|${name}, learned ${frequency} times`,
    ...sequence.map((event, at) => `${String(at + 1).padStart(4)}  ${event.join(" + ")}`),
    ...(felt.length === 0 ? [] : [`emotives: ${felt.join("; ")}`]),
  ].join("\n");
}

async function remove(names: readonly string[], options: ProcessorOptions & Form, context: Context): Promise<void> {
  const processor = processorOf(options, context);
  const missing: string[] = [];
  for (const name of names) {
    const message = await deleteModel(processor, name, { signal: context.signal });
    if (message === "model-not-found") missing.push(name);
  }
  const deleted = names.filter((name) => !missing.includes(name));
  await context.output.result(options, { deleted, missing }, () =>
    deleted.map((name) => `Deleted ${name}.`).join("\n"),
  );
  if (missing.length > 0) throw new Error(`there is no model ${missing.join(", ")}`);
}
