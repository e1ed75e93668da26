/**
 * `npm start`: builds what is deployed, serves it with workerd on this machine, and keeps the state on disk.
 * Environment: PORT (8787), HOST (127.0.0.1), STATE_DIR (.state), API_KEYS (without it, the local key is accepted), and what the
 * Worker reads itself: AGENT_KEYS, NOEMA_AGENTS, NOEMA_ENDPOINT_HOSTS, NOEMA_ENDPOINT_KEYS.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ROOT } from "./project.mjs";
import { Complaint, LOCAL_KEY, readSettings } from "./settings.mjs";
import { claimStateFolder, openStateFolder, releaseStateFolder } from "./state-folder.mjs";
import { startWorkerd } from "./workerd.mjs";

/** The processor of the default genome. */
const EXAMPLE_PROCESSOR = "p46b6b076c";

/** Says where the server is and how to try it. Configured keys are never printed. */
function greet(address, { keys, stateDir }) {
  const key = keys === undefined ? LOCAL_KEY : "$KEY";
  console.log(`Noema listens on ${address}`);
  console.log(`Key (X-API-KEY): ${keys === undefined ? key : "any of API_KEYS"}`);
  console.log(`State: ${stateDir}`);
  console.log(`Try: curl -H "X-API-KEY: ${key}" ${address}/${EXAMPLE_PROCESSOR}/status`);
}

/** Builds in a process of its own: wrangler, once loaded, answers signals in its own way. */
async function build() {
  const builder = spawn(process.execPath, [join(ROOT, "scripts", "build.mjs")], { stdio: "inherit" });
  const [code] = await once(builder, "exit");
  if (code !== 0) throw new Complaint("The build failed; the reason is above.");
}

/** Serves until `stop` aborts. Throws a Complaint when it cannot serve, or cannot any longer. */
async function serve(stop) {
  const settings = readSettings(process.env);
  const objects = await openStateFolder(settings.stateDir);
  await build();
  const workerd = await startWorkerd(settings, objects, stop);
  claimStateFolder(settings.stateDir, workerd.pid, workerd.address);
  greet(workerd.address, settings);
  const end = await workerd.ended;
  releaseStateFolder(settings.stateDir);
  if (!stop.aborted)
    throw new Complaint(`workerd ended by itself (${end}); the state is safe in ${settings.stateDir}.`);
}

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stopping.abort());
try {
  await serve(stopping.signal);
} catch (error) {
  // Whatever ends early because it was told to is no failure.
  if (!stopping.signal.aborted) {
    console.error(error instanceof Complaint ? error.message : error);
    process.exitCode = 1;
  }
}
