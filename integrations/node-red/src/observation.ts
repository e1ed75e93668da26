/** Which memory a message is for, and the record that it becomes: as routes of MQTT have it (docs/mqtt.md). */

import { type Route, RouteFault, recordOf } from "../../../src/mqtt/routes";
import type { Message } from "./runtime";

/** What the form of a node keeps about records. Members are separated by commas. */
export interface ObservationConfig {
  /** The processor; `{1}` stands for the first level of the topic, and so on. */
  readonly processor: string;
  /** The session, with levels too; empty for the processor's own memory. */
  readonly session: string;
  /** The members of the payload that become symbols. */
  readonly strings: string;
  /** The members that become numbers. */
  readonly numbers: string;
  /** The member that says when it happened; empty: when it arrives. */
  readonly time: string;
}

/** A record and its memory. */
export interface Observation {
  readonly processor: string;
  /** `null` for the processor's own memory. */
  readonly session: string | null;
  /** A GDF. */
  readonly record: { readonly [member: string]: unknown };
}

/** The last level of a topic, which names the number that is a whole payload. */
const LAST_LEVEL = /[^/]*$/;

/**
 * The record of a message. Without symbols and numbers in the form, the payload is a GDF, a text, a number, which is
 * named by the topic's last level, or `true` or `false`, which are a symbol of that name.
 *
 * @throws Error that says what is wrong, and what is accepted
 */
export function observationOf(config: ObservationConfig, message: Message): Observation {
  const topic = typeof message.topic === "string" ? message.topic : "";
  const route = routeOf(config, message, LAST_LEVEL.exec(topic)?.[0] || "value");
  const { place, record } = routed(route, topic, bytesOf(message.payload));
  // The symbol of a whole payload begins with `=`: here it has a name.
  const isFlag = route.strings[0] === "";
  return { ...place, record: isFlag ? { strings: [`${route.name}=${message.payload}`] } : record };
}

/** As {@link recordOf}, for users who see a form and no route. */
function routed(route: Route, topic: string, payload: Uint8Array): ReturnType<typeof recordOf> {
  try {
    return recordOf(route, topic, payload, "form of the node");
  } catch (error) {
    throw error instanceof RouteFault ? new Error(error.message) : error;
  }
}

function routeOf(config: ObservationConfig, message: Message, name: string): Route {
  const strings = membersOf(config.strings);
  const numbers = membersOf(config.numbers);
  const isOpen = strings.length + numbers.length === 0;
  const chosen = message.session === undefined ? config.session : message.session;
  return {
    name,
    topic: "#",
    processor: typeof message.processor === "string" ? message.processor : config.processor,
    ...(typeof chosen === "string" && chosen !== "" && { session: chosen }),
    strings: isOpen && typeof message.payload === "boolean" ? [""] : strings,
    numbers: isOpen && typeof message.payload === "number" ? [""] : numbers,
    ...(config.time !== "" && { time: config.time }),
    learn: false,
  };
}

function membersOf(text: string): string[] {
  return text
    .split(",")
    .map((member) => member.trim())
    .filter((member) => member !== "");
}

function bytesOf(payload: unknown): Uint8Array {
  if (payload instanceof Uint8Array) return payload;
  return new TextEncoder().encode(typeof payload === "string" ? payload : (JSON.stringify(payload) ?? ""));
}
