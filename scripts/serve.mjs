/**
 * `npm start`: builds what is deployed, serves it with workerd on this machine, keeps the state on disk, and starts workerd again when
 * it ends by itself. Environment: PORT (8787), HOST (127.0.0.1), STATE_DIR (.state), API_KEYS and AGENT_KEYS (without
 * them, the local key is accepted), the limits of limits.mjs, and what the Worker reads itself, which workerd-config.mjs
 * lists.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Complaint } from "./complaint.mjs";
import { assertInstalled } from "./installed.mjs";
import { ROOT } from "./project.mjs";
import { LOCAL_KEY, readSettings } from "./settings.mjs";
import { openStateFolder } from "./state-folder.mjs";
import { supervise } from "./supervisor.mjs";
import { assertFree, startWorkerd } from "./workerd.mjs";

/** The processor of the default genome. */
const EXAMPLE_PROCESSOR = "p46b6b076c";

/** Says where the server is and how to try it. Configured keys are never printed. */
function greet(address, { isLocal, probe, stateDir }) {
  const key = isLocal ? LOCAL_KEY : "$KEY";
  const accepted = probe.agent === undefined ? "any of API_KEYS" : "any of AGENT_KEYS, each at the host of its agent";
  const host = probe.agent === undefined ? "" : ` -H "Host: ${probe.agent}.localhost"`;
  console.log(`Noema listens on ${address}`);
  console.log(`Key (X-API-KEY): ${isLocal ? key : accepted}`);
  console.log(`State: ${stateDir}`);
  console.log(`Try: curl -H "X-API-KEY: ${key}"${host} ${address}/${EXAMPLE_PROCESSOR}/status`);
}

/** Builds in a process of its own: wrangler, once loaded, answers signals in its own way. A stop waits for it, but not for long. */
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

/** Serves until `stop` aborts. Throws a Complaint when it cannot serve, or cannot any longer. */
async function serve(stop) {
  assertInstalled();
  const settings = readSettings(process.env);
  await assertFree(settings);
  const building = build(stop, settings.stopMs);
  // Where the folder is refused, nobody asks how the build ended.
  building.catch(() => {});
  const folder = await openStateFolder(settings.stateDir);
  try {
    await building;
    const start = async (previous) => {
      const port = previous?.port ?? settings.port;
      const workerd = await startWorkerd({ ...settings, port }, folder, stop);
      folder.note(workerd.pid, workerd.address);
      if (previous === undefined) greet(workerd.address, settings);
      return workerd;
    };
    await supervise(start, stop, settings.failedStarts);
  } finally {
    folder.release();
  }
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
