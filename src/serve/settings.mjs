/** The settings from the environment: PORT, HOST, STATE_DIR and the keys, checked before anything is started. */

import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { Complaint } from "./complaint.mjs";
import { readLimits } from "./limits.mjs";
import { PASSED_ON } from "./workerd-config.mjs";

/** The key that is accepted when no key is configured and only this machine can call. */
export const LOCAL_KEY = "ABCD-1234";

/** 127.0.0.0/8, ::1 and localhost are reachable from this machine only. */
function isLoopback(host) {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function readPort(text, name = "PORT") {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65535) return port;
  throw new Complaint(
    `${name} is ${JSON.stringify(text)}; accepted is a whole number from 0 (any free port) to 65535.`,
  );
}

/** The address for MQTT; `undefined` if it is not accepted. */
function readMqtt(env, host) {
  const [port, cert, key] = [env.MQTT_PORT, env.MQTT_TLS_CERT, env.MQTT_TLS_KEY];
  if (!cert !== !key) {
    throw new Complaint(
      "MQTT_TLS_CERT and MQTT_TLS_KEY must be given together: the files of a certificate and its key.",
    );
  }
  if (!port) {
    if (cert) throw new Complaint("MQTT_TLS_CERT is set, and MQTT_PORT is not: set MQTT_PORT to the port for MQTT.");
    return undefined;
  }
  return { host, port: readPort(port, "MQTT_PORT"), cert: cert || undefined, key: key || undefined };
}

/** The words of a variable, separated by white space or commas. */
function wordsOf(text = "") {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

/** Throws a Complaint when a key cannot be sent. The Worker checks everything else about keys. */
function assertSendable(name, keys) {
  const unfit = keys.findIndex((key) => !/^[\x21-\x7e]+$/.test(key));
  if (unfit < 0) return;
  throw new Complaint(
    `${name}: key ${unfit + 1} has a character that a request header cannot carry; accepted are letters, ` +
      "digits and signs of ASCII.",
  );
}

/** The entries of AGENT_KEYS. */
function agentKeys(env) {
  return wordsOf(env.AGENT_KEYS).map((entry) => {
    const colon = entry.indexOf(":");
    return { agent: entry.slice(0, Math.max(0, colon)), key: entry.slice(colon + 1) };
  });
}

function agentsOf(env) {
  return ["simple", ...wordsOf(env.NOEMA_AGENTS)];
}

/** A call to each agent that the configured keys open. @param probe a call to one of them */
function readCalls(env, probe) {
  const entries = agentKeys(env);
  return agentsOf(env).flatMap((agent) => {
    const call = probe.agent === undefined ? { ...probe, agent } : entries.find((entry) => entry.agent === agent);
    return call ?? [];
  });
}

/**
 * A call that the configured keys allow, to check that the server answers: one key, and the name of its agent if it
 * does not open every agent. `undefined` if only the local key is accepted, which is public.
 */
function readProbe(env) {
  const keys = wordsOf(env.API_KEYS).filter((key) => key !== LOCAL_KEY);
  assertSendable("API_KEYS", keys);
  if (keys.length > 0) return { key: keys[0] };
  const entries = agentKeys(env);
  if (entries.length === 0) return undefined;
  assertSendable(
    "AGENT_KEYS",
    entries.map(({ key }) => key),
  );
  const agents = agentsOf(env);
  const probe = entries.find(({ agent }) => agents.includes(agent));
  // The Worker reports what is wrong with such an entry.
  if (probe !== undefined || entries.some(({ agent, key }) => agent === "" || key === "")) return probe ?? entries[0];
  throw new Complaint(
    `AGENT_KEYS has a key for ${entries[0].agent}, which is not one of the agents: ${agents.join(", ")}. ` +
      "Name the agent in NOEMA_AGENTS, or set API_KEYS.",
  );
}

/**
 * Reads the settings.
 *
 * @param {Record<string, string | undefined>} env the environment
 * @param {string} home the folder in which the state is kept, in `.state`, when STATE_DIR names no other
 * @returns {{ host: string, port: number, stateDir: string, keys: string | undefined, isLocal: boolean, probe: { key:
 *   string, agent?: string }, calls: { key: string, agent: string }[], variables: Record<string, string>,
 *   mqtt?: { host: string, port: number, cert?: string, key?: string } } & ReturnType<typeof readLimits>}
 *   `keys` are those of API_KEYS; `isLocal` says whether the local key is accepted, which is so when no other key is
 *   set; `probe` is a call that works, and `calls` has one to each agent that the keys open; `variables` are those that
 *   the Worker reads itself. Throws a Complaint
 */
export function readSettings(env, home) {
  const host = env.HOST || "127.0.0.1";
  const port = readPort(env.PORT || "8787");
  const stateDir = env.STATE_DIR ? resolve(env.STATE_DIR) : join(home, ".state");
  const limits = readLimits(env);
  const mqtt = readMqtt(env, host);
  const probe = readProbe(env);
  if (probe === undefined && !isLoopback(host)) {
    throw new Complaint(
      `HOST is ${host}, which other machines can reach, and no key is set: ` +
        `set API_KEYS to one or more keys (not ${LOCAL_KEY}, which is public), or leave HOST at 127.0.0.1.`,
    );
  }
  const isLocal = probe === undefined;
  const call = probe ?? { key: LOCAL_KEY };
  const variables = Object.fromEntries(
    PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
  return {
    host,
    port,
    stateDir,
    keys: env.API_KEYS,
    isLocal,
    probe: call,
    calls: readCalls(env, call),
    variables,
    mqtt,
    ...limits,
  };
}
