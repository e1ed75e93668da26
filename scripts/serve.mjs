/**
 * `npm start`: builds what is deployed, and serves it. Environment: PORT (8787), HOST (127.0.0.1), STATE_DIR (.state),
 * API_KEYS and AGENT_KEYS (without them, the local key is accepted), the limits of src/serve/limits.mjs, and what the
 * Worker reads itself, which src/serve/workerd-config.mjs lists.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Complaint } from "../src/serve/complaint.mjs";
import { assertInstalled } from "./installed.mjs";
import { DIST, ROOT } from "./project.mjs";
import { acceptedArguments } from "./usage.mjs";

/**
 * Builds in a process of its own: wrangler, once loaded, answers signals in its own way. A stop waits
 * for it, but not for long.
 */
async function build(stop, stopMs) {
  const builder = spawn(process.execPath, [join(ROOT, "scripts", "build.mjs")], { stdio: "inherit" });
  let force;
  const end = () => {
    force = setTimeout(() => builder.kill(), stopMs);
  };
  stop.addEventListener("abort", end);
  const [code] = await once(builder, "exit");
  clearTimeout(force);
  stop.removeEventListener("abort", end);
  if (code !== 0) throw new Complaint("The build failed; the reason is above.");
}

acceptedArguments(`npm start: builds Noema and serves it. It takes no arguments; variables of the environment say how:
  PORT       8787 if absent
  HOST       127.0.0.1 if absent
  STATE_DIR  where the state is, .state if absent
  API_KEYS   the keys that are accepted, with spaces between them; the local key if absent
docs/serving.md has the others.`);

try {
  assertInstalled();
  // What serves imports packages itself.
  const { serveUntilStopped } = await import("../src/serve/serve.mjs");
  process.exitCode = await serveUntilStopped({ env: process.env, home: ROOT, bundle: DIST, prepare: build });
} catch (error) {
  console.error(error instanceof Complaint ? error.message : error);
  process.exitCode = 1;
}
