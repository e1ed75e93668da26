/** What an MQTT message would do, by the agent's routes or by a route that is not saved yet. Observes nothing. */

import { listEncoders, listMqttRoutes, type Noema, NoemaError, processor } from "../../client";
import { observationsOf } from "../../mqtt/payload";
import { isOwnTopic, type Route, readRoute, recordOf, routeOf } from "../../mqtt/routes";
import { type Place, type PublishVerb, parsePublishTopic, topicFault } from "../../mqtt/topics";
import { isJsonObject, type JsonObject } from "../../text/located";

/** What a message would do. */
export interface Outcome {
  /** The route that accepts the message; `null` for one of Noema's own topics. */
  readonly route: string | null;
  readonly processor: string;
  /** `null` for the processor's own memory. */
  readonly session: string | null;
  /** The records that the message would observe; none for a topic that learns or clears. */
  readonly records: readonly JsonObject[];
  /** What the message would do besides observing. */
  readonly afterwards: "clear" | "learn" | null;
}

/** The routes that an agent keeps. */
export async function keptRoutes(noema: Noema, signal: AbortSignal): Promise<Route[]> {
  const routes = await listMqttRoutes(noema, { signal });
  return Object.entries(routes).map(([name, data]) => readRoute(name, data, ""));
}

/**
 * What a message would do.
 *
 * @param routes the routes to try
 * @throws Error that says why the message would do nothing: no route, or what is wrong with topic or payload
 */
export function outcomeOf(routes: readonly Route[], topic: string, payload: Uint8Array): Outcome {
  const fault = topicFault(topic);
  if (fault !== null) throw new Error(fault);
  if (isOwnTopic(topic)) return ownOutcome(topic, payload);
  const route = routeOf(routes, topic);
  if (route === null) {
    const routeList = routes.map((one) => `${one.name} takes ${one.topic}`).join(", ") || "there are none";
    throw new Error(`no route takes the topic ${JSON.stringify(topic)}; of the routes ${routeList}`);
  }
  const { place, record, learn } = recordOf(route, topic, payload);
  return { route: route.name, ...place, records: [record], afterwards: learn ? "learn" : null };
}

function ownOutcome(topic: string, payload: Uint8Array): Outcome {
  const own = parsePublishTopic(topic);
  if (own === null) {
    const accepted =
      "noema/<processor>/observe, .../learn or .../clear, with sessions/<session>/ before the last level";
    throw new Error(`the topic ${JSON.stringify(topic)} is not of the form ${accepted}`);
  }
  return { route: null, ...own.place, ...effectOf(own.verb, payload) };
}

function effectOf(verb: PublishVerb, payload: Uint8Array): Pick<Outcome, "records" | "afterwards"> {
  if (verb === "observe") return { records: observationsOf(payload), afterwards: null };
  return { records: [], afterwards: verb };
}

/**
 * Why the agent would refuse records there: it has no such processor, or a number has no encoder.
 *
 * @returns sentences; none if the agent would accept the records
 */
export async function refusalsOf(noema: Noema, place: Place, records: Outcome["records"], signal: AbortSignal) {
  const names = new Set(records.flatMap(({ numbers }) => (isJsonObject(numbers) ? Object.keys(numbers) : [])));
  try {
    // Asked even if there are no numbers: the answer says whether the processor exists.
    const encoders = await listEncoders(processor(noema, place.processor), { signal });
    const missing = [...names].filter((name) => !Object.hasOwn(encoders, name));
    return missing.map((name) => `the processor ${place.processor} has no encoder ${JSON.stringify(name)}`);
  } catch (error) {
    if (error instanceof NoemaError && error.status === 404) return [error.message];
    throw error;
  }
}
