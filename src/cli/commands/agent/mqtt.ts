/** `noema mqtt`: what messages of MQTT become. */

import type { Command } from "commander";
import { routesIn } from "../../bridge/route-file";
import { keptRoutes, type Outcome, outcomeOf, refusalsOf } from "../../bridge/trying";
import type { Context } from "../../terminal/context";
import { textIn } from "../../terminal/input";
import type { Form } from "../../terminal/output";
import { noemaOf, type ServerOptions, withServer } from "../../terminal/place";

interface TryOptions extends ServerOptions, Form {
  readonly route?: string;
}

/** Adds the commands. */
export function addMqtt(program: Command, context: Context): void {
  const mqtt = program.command("mqtt").description("Observe what devices publish by MQTT.");
  withServer(mqtt.command("try"))
    .description("Show which record a message becomes, of which memory, or why none. Observes nothing.")
    .argument("<topic>", "the topic of the message, such as zigbee2mqtt/kitchen")
    .argument("<payload>", "the payload; @file reads a file, @- stdin")
    .option(
      "--route <json>",
      "a route that is not kept yet, instead of the agent's: as PUT /mqtt/routes/<name> takes it; @file reads a file",
    )
    .action((topic: string, payload: string, options: TryOptions) => tryOut(topic, payload, options, context));
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

/** What would happen, a line for each thing. */
function sentencesOf({ route, processor, session, records, afterwards }: Outcome): string[] {
  const memory = session === null ? `the memory of ${processor}` : `the session ${session} of ${processor}`;
  return [
    ...(route === null ? [] : [`The route ${route} takes it.`]),
    ...records.map((record) => `${memory} would observe ${JSON.stringify(record)}`),
    ...(afterwards === null ? [] : [`${memory} would ${afterwards === "learn" ? "learn" : "be cleared"}`]),
    ...(records.length === 0 && afterwards === null ? [`${memory} would observe nothing: the list is empty`] : []),
  ];
}
