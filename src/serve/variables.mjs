/**
 * The known variables, and warnings about unknown ones that look like ours: a misspelt variable would
 * silently have no effect.
 */

import { unknownVariable } from "../text/nearest-name.mjs";
import { PASSED_ON } from "./workerd-config.mjs";

const PREFIX = "NOEMA_";

/** The variables of a self-hosted server. */
const OF_SERVERS = [
  "API_KEYS",
  "HOST",
  "MQTT_PORT",
  "MQTT_TLS_CERT",
  "MQTT_TLS_KEY",
  "PORT",
  "STATE_DIR",
  "NOEMA_FAILED_STARTS",
  "NOEMA_LIVE_OBJECTS",
  "NOEMA_PROCESS_BYTES",
  "NOEMA_STOP_SECONDS",
  ...PASSED_ON,
];

/** The variables of the command line. */
const OF_COMMANDS = [
  "NOEMA_ADDRESS",
  "NOEMA_AGENT",
  "NOEMA_API_KEY",
  "NOEMA_KEY_FILE",
  "NOEMA_MQTT_PASSWORD",
  "NOEMA_PROCESSOR",
  "NOEMA_SESSION",
];

/** Kubernetes sets these in every container beside a service that is named noema. */
const OF_KUBERNETES = /^NOEMA_(?:SERVICE_(?:HOST|PORT.*)|PORT_\d.*)$/;

/**
 * Warnings about variables that begin with NOEMA_ and that neither servers nor commands read.
 *
 * @param {Record<string, string | undefined>} env the environment
 * @param {"commands" | "servers"} reader whose variables are suggested
 * @returns {string[]} a sentence for each, without its value
 */
export function unknownVariables(env, reader) {
  const isOurs = (name) => name.startsWith(PREFIX) && env[name] !== undefined;
  const isKnown = (name) => [...OF_SERVERS, ...OF_COMMANDS].includes(name) || OF_KUBERNETES.test(name);
  const candidates = reader === "servers" ? OF_SERVERS : OF_COMMANDS;
  const unknown = Object.keys(env).filter((name) => isOurs(name) && !isKnown(name) && !env[name].startsWith("tcp://"));
  // Some known names have no prefix, which a user may have added.
  return unknown.map((name) => unknownVariable(name, candidates, PREFIX));
}
