/** `noema mqtt`: bridges an agent to a broker, and shows what messages become. */

import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { EVENT_NAMES, type EventName, topicFault } from "../../../mqtt/topics";
import { memoryAt } from "../../bridge/memories";
import { routesIn } from "../../bridge/route-file";
import { keptRoutes, type Outcome, outcomeOf, refusalsOf } from "../../bridge/trying";
import type { Context } from "../../terminal/context";
import { OrdinaryEnd, UsageError } from "../../terminal/failure";
import { textIn } from "../../terminal/input";
import type { Form } from "../../terminal/output";
import { noemaOf, type ServerOptions, withServer } from "../../terminal/place";
import { openStream } from "../../terminal/streams";

interface BridgeOptions extends ServerOptions {
  readonly broker?: string;
  readonly username?: string;
  readonly passwordFile?: string;
  readonly ca?: string;
  readonly state: string;
  readonly events?: string;
  readonly homeAssistant?: string | true;
}

interface TryOptions extends ServerOptions, Form {
  readonly route?: string;
}

/** Home Assistant's default prefix for discovery. */
const HOME_ASSISTANT = "homeassistant";

/** The URL schemes of brokers. */
const SCHEMES = ["mqtt:", "mqtts:", "ws:", "wss:"];

/** Adds the commands. */
export function addMqtt(program: Command, context: Context): void {
  const mqtt = withServer(program.command("mqtt"))
    .description("Observe what devices publish by MQTT: bridge the agent to your broker.")
    .option("--broker <url>", "your broker, such as mqtts://broker.example.org")
    .option("--username <name>", "the user at the broker; the password is in NOEMA_MQTT_PASSWORD or --password-file")
    .option("--password-file <path>", "the file that holds the password at the broker")
    .option("--ca <path>", "the certificate authority of the broker, PEM, where the system does not know it")
    .addOption(new Option("--state <path>", "the file in which the bridge keeps its place").default("noema-mqtt.state"))
    .option("--events <list>", `what to publish under noema/...: any of ${EVENT_NAMES.join(",")}`)
    .option(
      "--home-assistant [prefix]",
      `announce sensors to Home Assistant; its prefix is ${HOME_ASSISTANT} if absent`,
    )
    .action((options: BridgeOptions) => bridge(options, context));
  withServer(mqtt.command("try"))
    .description("Show which record a message becomes, of which memory, or why none. Observes nothing.")
    .argument("<topic>", "the topic of the message, such as zigbee2mqtt/kitchen")
    .argument("<payload>", "the payload; @file reads a file, @- stdin")
    .option(
      "--route <json>",
      "a route that is not kept yet, instead of the agent's: as PUT /mqtt/routes/<name> takes it; @file reads a file",
    )
    // The outer command reads options that both commands have, even if they come after `try`.
    .action((topic: string, payload: string, _: TryOptions, command: Command) =>
      tryOut(topic, payload, command.optsWithGlobals(), context),
    );
}

async function bridge(options: BridgeOptions, context: Context): Promise<void> {
  const { signal, output } = context;
  const noema = noemaOf(options, context);
  const broker = brokerOf(options, context);
  const events = eventsIn(options.events);
  const homeAssistant = prefixIn(options.homeAssistant);
  // Loaded here only: the MQTT client is large, and no other command needs it.
  const { runBridge } = await import("../../bridge/bridge");
  try {
    await runBridge({
      noema,
      broker,
      state: options.state,
      events,
      homeAssistant,
      signal,
      open: (place, settings) => openStream(memoryAt(noema, place), options, context, { ...settings, isLasting: true }),
      note: (sentence) => output.note(sentence),
    });
  } catch (error) {
    throw signal.aborted ? new OrdinaryEnd() : error;
  }
}

/**
 * The connection to the broker. @throws UsageError if an option is missing or wrong; the message contains no password
 */
function brokerOf({ broker, username, passwordFile, ca }: BridgeOptions, { env }: Context) {
  if (broker === undefined) throw new UsageError("noema mqtt needs --broker <url>, such as mqtts://broker.example.org");
  const url = parsed(broker);
  if (url === undefined || !SCHEMES.includes(url.protocol) || url.hostname === "") {
    throw new UsageError("--broker must be a URL that begins with mqtt://, mqtts://, ws:// or wss://");
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError(
      "--broker must have no user and no password: any user of a machine can read the options of its processes; give " +
        "--username, and the password in NOEMA_MQTT_PASSWORD or --password-file",
    );
  }
  const password = passwordFile === undefined ? env.NOEMA_MQTT_PASSWORD : readFileSync(passwordFile, "utf8").trim();
  if (password !== undefined && username === undefined) {
    throw new UsageError("a password needs a user: give --username");
  }
  return { url: broker, user: username, password, ca: ca === undefined ? undefined : readFileSync(ca) };
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    // URL throws no other error: the text is not a URL.
    return undefined;
  }
}

function eventsIn(list = ""): EventName[] {
  const words = list.split(",").filter((word) => word !== "");
  const unknown = words.find((word) => !EVENT_NAMES.some((name) => name === word));
  if (unknown === undefined) return words as EventName[];
  throw new UsageError(`--events has ${JSON.stringify(unknown)}; accepted is a list of ${EVENT_NAMES.join(", ")}`);
}

/** @throws UsageError for a prefix with which no topic can begin */
function prefixIn(asked: string | true | undefined): string | undefined {
  if (asked === undefined || asked === true) return asked && HOME_ASSISTANT;
  if (topicFault(asked) === null) return asked;
  throw new UsageError(
    `--home-assistant must be the beginning of topics, such as ${HOME_ASSISTANT}, without + and #; got ` +
      JSON.stringify(asked),
  );
}

async function tryOut(topic: string, payload: string, options: TryOptions, context: Context): Promise<void> {
  const { signal, output } = context;
  const noema = noemaOf(options, context);
  const bytes = new TextEncoder().encode(await textIn(payload, context));
  const routes = options.route === undefined ? await keptRoutes(noema, signal) : await routesIn(options.route, context);
  const outcome = outcomeOf(routes, topic, bytes);
  const { processor, session, records } = outcome;
  const [refusal] = await refusalsOf(noema, { processor, session }, records, signal);
  if (refusal !== undefined) throw new Error(`${sentencesOf(outcome).join("\n")}\nIt would be refused: ${refusal}`);
  await output.result(options, outcome, () => sentencesOf(outcome).join("\n"));
}

/** What would happen, one line for each effect. */
function sentencesOf({ route, processor, session, records, afterwards }: Outcome): string[] {
  const memory = session === null ? `the memory of ${processor}` : `the session ${session} of ${processor}`;
  return [
    ...(route === null ? [] : [`The route ${route} takes it.`]),
    ...records.map((record) => `${memory} would observe ${JSON.stringify(record)}`),
    ...(afterwards === null ? [] : [`${memory} would ${afterwards === "learn" ? "learn" : "be cleared"}`]),
    ...(records.length === 0 && afterwards === null ? [`${memory} would observe nothing: the list is empty`] : []),
  ];
}
