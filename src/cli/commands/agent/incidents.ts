/**
 * `noema incidents`: lists incidents, shows one with its evidence, and records the user's verdict; `noema devices`: all
 * memories at a glance.
 */

import { Argument, type Command, Option } from "commander";
import {
  getIncident,
  judgeIncident,
  listDevices,
  listIncidents,
  MAX_LISTED_DEVICES,
  MAX_LISTED_INCIDENTS,
  type Schemas,
} from "../../../client";
import { type RangeWords, rangeWords } from "../../table/range-words";
import { wholeNumber } from "../../terminal/arguments";
import type { Context } from "../../terminal/context";
import { percent } from "../../terminal/events";
import type { Form } from "../../terminal/output";
import {
  type MemoryOptions,
  memoryOf,
  noemaOf,
  processorOf,
  type ServerOptions,
  withMemory,
  withServer,
} from "../../terminal/place";

type Options = MemoryOptions & Form;

interface ListOptions extends Options {
  readonly limit: string;
  readonly after?: string;
  readonly verdict?: Schemas.Incident["verdict"] | "open";
}

interface JudgeOptions extends Options {
  readonly note?: string;
}

interface DevicesOptions extends ServerOptions, Form {
  readonly limit: string;
}

const VERDICTS = ["normal", "fault", "ignored"] as const;

/** Adds the commands. */
export function addIncidents(program: Command, context: Context): void {
  const incidents = program
    .command("incidents")
    .description("List what stood out in a processor's memories, show an incident, or give it a verdict.");
  const { output, signal } = context;
  withMemory(incidents.command("list"))
    .description("List incidents, newest first; with --session those of the session.")
    .option("--limit <incidents>", `how many, 1 to ${MAX_LISTED_INCIDENTS}`, "20")
    .option("--after <id>", "only incidents older than this one")
    .addOption(
      new Option("--verdict <verdict>", "only those with this verdict; open: those without").choices([
        "open",
        ...VERDICTS,
      ]),
    )
    .action(async (options: ListOptions) => {
      const { after, verdict } = options;
      const limit = wholeNumber("--limit", options.limit, 1, MAX_LISTED_INCIDENTS);
      const query = {
        limit,
        ...(after !== undefined && { after: idIn("--after", after) }),
        ...(verdict && { verdict }),
      };
      const [all, words] = await Promise.all([
        listIncidents(memoryOf(options, context), query, { signal }),
        wordsFor(options, context),
      ]);
      await output.result(options, all, () => tableOf(all, words, context));
    });
  withMemory(incidents.command("show"))
    .description("Show an incident with its evidence.")
    .argument("<id>", "the incident")
    .action(async (id: string, options: Options) => {
      const [incident, words] = await Promise.all([
        getIncident(memoryOf(options, context), idIn("the id", id), { signal }),
        wordsFor(options, context),
      ]);
      await output.result(options, incident, () => shown(incident, words, context));
    });
  withMemory(incidents.command("judge"))
    .description("Give an incident a verdict. The first time it is normal, the incident's events are learned.")
    .argument("<id>", "the incident")
    .addArgument(new Argument("<verdict>", "the verdict; open takes it back").choices([...VERDICTS, "open"]))
    .option("--note <text>", "a note, at most 1,000 characters")
    .action(async (id: string, verdict: (typeof VERDICTS)[number] | "open", options: JudgeOptions) => {
      const { note } = options;
      const judgement = { verdict: verdict === "open" ? null : verdict, ...(note !== undefined && { note }) };
      const judged = await judgeIncident(memoryOf(options, context), idIn("the id", id), judgement, { signal });
      const learned = judged.learned === null ? "" : ` Its events were learned: ${judged.learned}`;
      await output.result(options, judged, () => `The incident ${id} is ${verdict}.${learned}`);
    });
}

/** Adds the command. */
export function addDevices(program: Command, context: Context): void {
  withServer(program.command("devices"))
    .description("List the memories of all processors that have observed, those that need a look first.")
    .option("--limit <memories>", `how many, 1 to ${MAX_LISTED_DEVICES}`, "1000")
    .action(async (options: DevicesOptions) => {
      const limit = wholeNumber("--limit", options.limit, 1, MAX_LISTED_DEVICES);
      const all = await listDevices(noemaOf(options, context), { limit }, { signal: context.signal });
      await context.output.result(options, all, () => devicesTable(all, context));
    });
}

function idIn(what: string, text: string): number {
  return wholeNumber(what, text, 1, Number.MAX_SAFE_INTEGER);
}

/** The words shown to people; JSON keeps the symbols. */
async function wordsFor(options: Options, context: Context): Promise<RangeWords> {
  return options.json === true ? String : rangeWords(processorOf(options, context), context.signal);
}

function tableOf(all: readonly Schemas.Incident[], words: RangeWords, { output }: Context): string {
  if (all.length === 0) return "There are no incidents.";
  const rows = all.map(({ id, from, session, alert, events, bits, causes, verdict }) => [
    id,
    moment(from),
    session ?? "(own memory)",
    alert,
    events,
    bits.toFixed(1),
    words(causes[0]?.symbol ?? ""),
    verdict ?? "open",
  ]);
  return output.table(["id", "from", "session", "alert", "events", "bits", "cause", "verdict"], rows);
}

function shown(incident: Schemas.IncidentWithEvidence, words: RangeWords, context: Context): string {
  const { output } = context;
  const { causes, evidence, expected, note } = incident;
  const likely = expected.map(({ symbol, probability }) => `${words(symbol)} (${percent(probability)})`);
  const lines = [
    tableOf([incident], words, context),
    "",
    `Causes: ${causes.map(({ symbol, bits }) => `${words(symbol)} (${bits.toFixed(1)} bits)`).join(", ")}`,
    `Expected: ${likely.join(", ") || "nothing"}`,
    ...(note === "" ? [] : [`Note: ${note}`]),
    "",
  ];
  const rows = evidence.map(({ bits, interval, symbols, time }) => [
    interval ?? "",
    time === null ? "" : moment(time),
    bits === null ? "" : bits.toFixed(1),
    symbols.map(words).join(" + "),
  ]);
  return [...lines, output.table(["interval", "time", "bits", "symbols"], rows)].join("\n");
}

function devicesTable(all: readonly Schemas.Device[], { output }: Context): string {
  if (all.length === 0) return "No memory has observed anything.";
  const rows = all.map(({ incidents, last_observed, last_surprise, processor, session, silent }) => [
    processor,
    session ?? "(own memory)",
    incidents,
    silent ? "silent" : "",
    last_surprise === null ? "" : `${last_surprise.bits.toFixed(1)} bits at ${moment(last_surprise.time)}`,
    moment(last_observed),
  ]);
  return output.table(["processor", "session", "open incidents", "silent", "last surprise", "last observed"], rows);
}

function moment(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
}
