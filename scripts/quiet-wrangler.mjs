/** Runs this project's own wrangler, offline and quiet: no telemetry, no banner, no prompts, no log files. */

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { ROOT } from "./project.mjs";

const require = createRequire(import.meta.url);

const QUIET = {
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_SEND_ERROR_REPORTS: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_WRITE_LOGS: "false",
};

/**
 * Starts wrangler as a child of this process.
 *
 * @param {string[]} args the arguments of wrangler
 * @param {import("node:child_process").StdioOptions} stdio as for `spawn`
 */
export function spawnWrangler(args, stdio) {
  return spawn(process.execPath, [require.resolve("wrangler/bin/wrangler.js"), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...QUIET },
    stdio,
  });
}
