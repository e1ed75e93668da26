/** `noema genome`: shows the agent's genome, and replaces it after saying what that changes. */

import type { Command } from "commander";
import { getConnection, hotswapGenome, type Schemas } from "../../../client";
import { type GenomeDifference, genomeDifference } from "../../genome/difference";
import type { Context } from "../../terminal/context";
import { UsageError } from "../../terminal/failure";
import { jsonIn } from "../../terminal/input";
import type { Form } from "../../terminal/output";
import { noemaOf, type ServerOptions, withServer } from "../../terminal/place";

interface SwapOptions extends ServerOptions, Form {
  readonly dryRun?: true;
  readonly purge?: true;
}

/** Adds the commands. */
export function addGenome(program: Command, context: Context): void {
  const genome = program.command("genome").description("Show the agent's genome, or replace it.");
  withServer(genome.command("show"))
    .description("Show the processors and manipulatives of the agent.")
    .action(async (options: ServerOptions & Form) => {
      const { genome: now } = await connection(options, context);
      await context.output.result(options, now, () => plain(now, context));
    });
  withServer(genome.command("swap"))
    .description("Replace the agent's genome. Processors that stay keep their memory and genes.")
    .argument("<file>", "the genome as JSON, as `noema genome show --json` writes it; - for stdin")
    .option("--dry-run", "change nothing; say what would change")
    .option("--purge", "delete the data of processors that leave, and of those that left earlier")
    .action((file: string, options: SwapOptions) => swap(file, options, context));
}

async function connection(options: ServerOptions, context: Context): Promise<{ readonly genome: Schemas.Genome }> {
  return (await getConnection(noemaOf(options, context), { signal: context.signal })) as { genome: Schemas.Genome };
}

function plain({ agent, elements }: Schemas.Genome, { output }: Context): string {
  const rows = elements.nodes.map(({ data }) => {
    const { id, name = "", type, manipulatives, primitive } = data as { readonly [member: string]: unknown };
    const others = Array.isArray(manipulatives) ? manipulatives.join(", ") : `of ${primitive}`;
    return [String(id), String(name), type === "primitive" ? "processor" : String(type), others];
  });
  return [`Agent ${agent}`, "", output.table(["id", "name", "kind", "manipulatives"], rows)].join("\n");
}

async function swap(file: string, options: SwapOptions, context: Context): Promise<void> {
  const next = (await jsonIn(file, `@${file}`, context)) as Schemas.Genome;
  if (!Array.isArray(next?.elements?.nodes)) {
    throw new UsageError(`${file} holds no genome; accepted is {agent, elements: {nodes: [...]}}`);
  }
  const { genome: now } = await connection(options, context);
  const { dryRun = false, purge = false } = options;
  const { signal } = context;
  const answer = await hotswapGenome(noemaOf(options, context), next, { dryRun, purge, signal });
  const difference = genomeDifference(now, next);
  await context.output.result(options, { dry_run: dryRun, difference, answer }, () =>
    [
      dryRun ? "Nothing was changed. A swap would do this:" : "The genome was swapped:",
      ...linesOf(difference),
      ...outcomeOf(dryRun ? answer.message : answer),
    ].join("\n"),
  );
}

function linesOf({ added, removed, changed, ignored }: GenomeDifference): string[] {
  const lines = [
    ...added.map((line) => `+ ${line}`),
    ...removed.map((line) => `- ${line}`),
    ...changed.map((line) => `~ ${line}`),
    ...ignored.map((line) => `  ${line} is not applied: processors that stay keep their settings`),
  ];
  return lines.length === 0 ? ["The genomes do not differ."] : lines;
}

/** The server's message: that of a dry run, or of the swap. */
function outcomeOf(said: unknown): string[] {
  const { retired, purged, placed } = said as { readonly [list: string]: readonly unknown[] };
  const list = (what: string, all: readonly unknown[] = []) =>
    all.length === 0
      ? []
      : [`${what}: ${all.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join(", ")}`];
  return [...list("Out of service", retired), ...list("Data deleted", purged), ...list("Placed", placed)];
}
