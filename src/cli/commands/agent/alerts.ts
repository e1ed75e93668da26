/** `noema alerts`: lists a processor's alerts, shows, sets, tests and deletes one. */

import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { deleteAlert, getAlert, listAlerts, MAX_HORIZON, type Schemas, setAlert, testAlert } from "../../../client";
import { wholeNumber } from "../../terminal/arguments";
import type { Context } from "../../terminal/context";
import { UsageError } from "../../terminal/failure";
import type { Form } from "../../terminal/output";
import { type ProcessorOptions, processorOf, withProcessor } from "../../terminal/place";

type Options = ProcessorOptions & Form;

interface PutOptions extends Options {
  readonly url?: string;
  readonly format?: Schemas.NewAlert["format"];
  readonly learned?: true;
  readonly surpriseAbove?: string;
  readonly perDay?: string;
  readonly silentFor?: string;
  readonly forecast?: string;
  readonly above?: string;
  readonly horizon?: string;
  readonly secretFile?: string;
}

/** Adds the commands. */
export function addAlerts(program: Command, context: Context): void {
  const alerts = program
    .command("alerts")
    .description("List a processor's alerts, show, set, test or delete one. Needs the role manage.");
  const { signal, output } = context;
  withProcessor(alerts.command("list"))
    .description("List the alerts, and how their last deliveries ended.")
    .action(async (options: Options) => {
      const all = await listAlerts(processorOf(options, context), { signal });
      await output.result(options, all, () => tableOf(all, context));
    });
  withProcessor(alerts.command("show"))
    .description("Show one alert, and how its last delivery ended.")
    .argument("<name>", "the alert")
    .action(async (name: string, options: Options) => {
      const alert = await getAlert(processorOf(options, context), name, { signal });
      await output.result(options, alert, () => tableOf({ [name]: alert }, context));
    });
  addPut(alerts, context);
  withProcessor(alerts.command("test"))
    .description("Send a test delivery; show says whether it arrived.")
    .argument("<name>", "the alert")
    .action(async (name: string, options: Options) => {
      const queued = await testAlert(processorOf(options, context), name, { signal });
      await output.result(options, queued, () => `A test is on its way, with the webhook-id ${queued.webhook_id}.`);
    });
  withProcessor(alerts.command("delete"))
    .description("Delete an alert, and what it has not delivered.")
    .argument("<name>", "the alert")
    .action(async (name: string, options: Options) => {
      await deleteAlert(processorOf(options, context), name, { signal });
      await output.result(options, { name, deleted: true }, () => `The alert ${name} is deleted.`);
    });
}

function addPut(alerts: Command, context: Context): void {
  withProcessor(alerts.command("put"))
    .description("Add or replace an alert. If a secret is made, it is printed now and cannot be shown again.")
    .argument("<name>", "a name for the alert")
    .option(
      "--url <url>",
      "where to deliver: https, to a host that the server lists in NOEMA_ALERT_HOSTS; without it, nothing is delivered",
    )
    .addOption(
      new Option("--format <format>", "how deliveries are written").choices(["standard", "slack", "ntfy", "text"]),
    )
    .addOption(
      new Option("--learned", "report each model that is learned").conflicts([
        "surpriseAbove",
        "perDay",
        "forecast",
        "silentFor",
      ]),
    )
    .addOption(
      new Option(
        "--silent-for <seconds>",
        'report when a session has not observed for this long; "expected": for longer than usual',
      ).conflicts(["surpriseAbove", "perDay", "forecast"]),
    )
    .addOption(
      new Option(
        "--per-day <number>",
        "report about this number of the most surprising events a day, as incidents",
      ).conflicts(["surpriseAbove", "forecast"]),
    )
    .addOption(
      new Option("--surprise-above <bits>", "report each event whose surprise is above this number of bits").conflicts(
        "forecast",
      ),
    )
    .option("--forecast <symbol>", "report when the probability that this symbol comes rises above --above")
    .option("--above <probability>", "of --forecast: the threshold, 0 to 1")
    .option("--horizon <events>", `of --forecast: how many events ahead, 1 to ${MAX_HORIZON} (default: 1)`)
    .option("--secret-file <path>", "a file with the secret that signs deliveries (otherwise one is made)")
    .action(async (name: string, options: PutOptions) => {
      const { url, format, secretFile } = options;
      const secret = secretFile === undefined ? {} : { secret: readFileSync(secretFile, "utf8").trim() };
      const alert = {
        when: conditionOf(options),
        ...(url !== undefined && { url }),
        ...(format !== undefined && { format }),
        ...secret,
      };
      const set = await setAlert(processorOf(options, context), name, alert, { signal: context.signal });
      // A script that reads stdout gets only the secret.
      await context.output.result(options, set, () => set.secret ?? "");
      const advice = set.secret === undefined ? "" : " Keep the secret now: it cannot be shown again.";
      context.output.note(`The alert ${name} is set.${advice}`);
    });
}

function conditionOf(options: PutOptions): Schemas.AlertCondition {
  const { above, forecast, horizon, learned, perDay, silentFor, surpriseAbove } = options;
  if (forecast === undefined && (above ?? horizon) !== undefined) {
    throw new UsageError("--above and --horizon need --forecast, which names the symbol");
  }
  if (learned === true) return { learned };
  if (perDay !== undefined) return { surprise: { per_day: atLeastZero("--per-day", perDay) } };
  if (silentFor !== undefined) return { silent_for: silenceOf(silentFor) };
  if (surpriseAbove !== undefined) return { surprise_above: atLeastZero("--surprise-above", surpriseAbove) };
  if (forecast === undefined) {
    throw new UsageError(
      "an alert needs a condition: --learned, --per-day, --surprise-above, --silent-for or --forecast",
    );
  }
  if (above === undefined) throw new UsageError("--forecast needs --above, the probability above which to report");
  const ahead = wholeNumber("--horizon", horizon ?? "1", 1, MAX_HORIZON);
  const probability = atLeastZero("--above", above);
  if (probability > 1) throw new UsageError(`--above is ${above}; accepted is a probability from 0 to 1`);
  return { forecast: { symbol: forecast, above: probability, horizon: ahead } };
}

function silenceOf(text: string): number | "expected" {
  if (text === "expected") return text;
  const seconds = Number(text);
  if (text.trim() !== "" && Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new UsageError(`--silent-for is ${JSON.stringify(text)}; accepted is a number of seconds above 0, or expected`);
}

function atLeastZero(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw new UsageError(`${option} is ${JSON.stringify(text)}; accepted is a number from 0`);
}

function tableOf(all: Schemas.Alerts, { output }: Context): string {
  const names = Object.entries(all);
  if (names.length === 0) return "There are no alerts.";
  const rows = names.map(([name, { last_delivery: last, url, waiting, when }]) => [
    name,
    wordsOf(when),
    url ?? "nowhere",
    waiting,
    last === null ? "none yet" : deliveryOf(last),
  ]);
  return output.table(["alert", "tells", "url", "waiting", "last delivery"], rows);
}

function wordsOf(when: Schemas.AlertCondition): string {
  if ("learned" in when) return "what is learned";
  if ("surprise_above" in when) return `surprises above ${when.surprise_above} bits`;
  if ("surprise" in when) return `about ${when.surprise.per_day} surprises a day`;
  if ("silent_for" in when) {
    return when.silent_for === "expected" ? "silence longer than usual" : `silence of ${when.silent_for} s`;
  }
  const { above, horizon = 1, symbol } = when.forecast;
  return `${symbol} above ${above}${horizon === 1 ? "" : ` within ${horizon} events`}`;
}

function deliveryOf({ failure, outcome, status, time }: Schemas.AlertDelivery): string {
  const at = new Date(time * 1000).toISOString().slice(0, 19).replace("T", " ");
  const reason = failure === null ? "" : `: ${failure}`;
  return `${at} ${outcome}${status === null ? "" : ` (${status})`}${reason}`;
}
