/**
 * What the environment says about how to serve: PORT, HOST, STATE_DIR and API_KEYS, checked before anything is started.
 */

import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { Complaint } from "./complaint.mjs";
import { readLimits } from "./limits.mjs";
import { ROOT } from "./project.mjs";

/** The key that is accepted when no key is configured and only this machine can call. */
export const LOCAL_KEY = "ABCD-1234";

/** 127.0.0.0/8, ::1 and localhost are reachable from this machine only. */
function isLoopback(host) {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function readPort(text) {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65535) return port;
  throw new Complaint(`PORT is ${JSON.stringify(text)}; accepted is a whole number from 0 (any free port) to 65535.`);
}

/** The keys that are configured, without the local one. */
function readKeys(text = "") {
  const keys = text.split(/[\s,]+/).filter((key) => key !== "" && key !== LOCAL_KEY);
  const unfit = keys.findIndex((key) => !/^[\x21-\x7e]+$/.test(key));
  if (unfit < 0) return keys;
  throw new Complaint(
    `API_KEYS: key ${unfit + 1} has a character that a request header cannot carry; accepted are letters, digits and signs of ASCII.`,
  );
}

/**
 * Reads the settings.
 *
 * @param {Record<string, string | undefined>} env the environment
 * @returns {{ host: string, port: number, stateDir: string, keys: string | undefined, firstKey: string } & ReturnType<typeof readLimits>}
 *   `keys` is undefined when the local key is to be accepted; throws a Complaint
 */
export function readSettings(env) {
  const host = env.HOST || "127.0.0.1";
  const port = readPort(env.PORT || "8787");
  const stateDir = env.STATE_DIR ? resolve(env.STATE_DIR) : join(ROOT, ".state");
  const limits = readLimits(env);
  const [firstKey] = readKeys(env.API_KEYS);
  if (firstKey !== undefined) return { host, port, stateDir, keys: env.API_KEYS, firstKey, ...limits };
  if (!isLoopback(host)) {
    throw new Complaint(
      `HOST is ${host}, which other machines can reach, and no key is set: set API_KEYS to one or more keys (not ${LOCAL_KEY}, which is public), or leave HOST at 127.0.0.1.`,
    );
  }
  return { host, port, stateDir, keys: undefined, firstKey: LOCAL_KEY, ...limits };
}
