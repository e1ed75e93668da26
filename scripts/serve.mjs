/**
 * `npm start`: builds what is deployed, serves it with workerd on this machine, and keeps the state on disk.
 * Environment: PORT (8787), HOST (127.0.0.1), STATE_DIR (.state), API_KEYS (without it, the local key is accepted).
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

/** Serves until it is told to stop. Resolves with the exit code. */
async function serve() {
  const settings = readSettings(process.env);
  const objects = await openStateFolder(settings.stateDir);
  await build();
  const { child, address } = await startWorkerd(settings, objects);
  claimStateFolder(settings.stateDir, child.pid, address);
  let asked = false;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      asked = true;
      child.kill("SIGTERM");
    });
  }
  greet(address, settings);
  const [code, signal] = await once(child, "exit");
  releaseStateFolder(settings.stateDir);
  if (asked) return 0;
  console.error(
    `workerd ended by itself (${signal ?? `exit code ${code}`}); the state is safe in ${settings.stateDir}.`,
  );
  return 1;
}

process.exit(
  await serve().catch((error) => {
    console.error(error instanceof Complaint ? error.message : error);
    return 1;
  }),
);
