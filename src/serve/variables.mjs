/**
 * Which variables there are, and what to say of one that looks like ours and is none: a misspelt
 * one would have no effect.
 */

import { closestMatch } from "leven";
import { PASSED_ON } from "./workerd-config.mjs";

const PREFIX = "NOEMA_";

/** What a server on one's own machine reads. */
const OF_SERVERS = [
  "API_KEYS",
  "HOST",
  "PORT",
  "STATE_DIR",
  "NOEMA_FAILED_STARTS",
  "NOEMA_LIVE_OBJECTS",
  "NOEMA_STOP_SECONDS",
  ...PASSED_ON,
];

/** What the command line reads. */
const OF_COMMANDS = [
  "NOEMA_ADDRESS",
  "NOEMA_AGENT",
  "NOEMA_API_KEY",
  "NOEMA_KEY_FILE",
  "NOEMA_PROCESSOR",
  "NOEMA_SESSION",
];

/** How many letters of a name may be wrong. */
const MOST_EDITS = 3;

/** Kubernetes sets these in every container beside a service that is named noema. */
const OF_KUBERNETES = /^NOEMA_(?:SERVICE_(?:HOST|PORT.*)|PORT_\d.*)$/;

/**
 * What to say of the variables that begin with NOEMA_ and that neither servers nor commands read.
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
  return unknown.map((name) => {
    const near = nearest(name, candidates);
    return `The variable ${name} is unknown and has no effect${near === undefined ? "." : `; did you mean ${near}?`}`;
  });
}

/** The nearest name; some of them have no prefix, which a user may have added. */
function nearest(name, candidates) {
  const bare = (text) => text.replace(PREFIX, "");
  const maxDistance = Math.min(MOST_EDITS, Math.floor(bare(name).length / 2));
  const near = closestMatch(bare(name), candidates.map(bare), { maxDistance });
  return candidates.find((candidate) => bare(candidate) === near);
}
