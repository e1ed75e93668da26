/**
 * `npm run dev`: runs wrangler dev, which reloads when a source changes, and accepts the local key unless
 * .dev.vars sets others. Use it only to develop: `npm start` serves the same bundle faster and keeps its own
 * state. Wrangler gets all arguments.
 */

import { once } from "node:events";
import { Complaint } from "../src/serve/complaint.mjs";
import { LOCAL_KEY } from "../src/serve/settings.mjs";
import { unknownVariables } from "../src/serve/variables.mjs";
import { PASSED_ON } from "../src/serve/workerd-config.mjs";
import { buildKernel } from "./kernel.mjs";
import { buildPages } from "./pages.mjs";
import { spawnWrangler } from "./quiet-wrangler.mjs";

/** The secrets that `npm start` takes from the environment. Wrangler takes none from there. */
const SECRETS = ["API_KEYS", "AGENT_KEYS"];

/** @throws Complaint if a key is set that would not be read: the local key would then silently stay valid */
function assertNoKeys() {
  const name = SECRETS.find((secret) => process.env[secret]);
  if (name === undefined) return;
  throw new Complaint(`npm run dev does not read ${name} from the environment: write it into the file .dev.vars.`);
}

/** Says which variables of the environment have no effect: wrangler reads none of it. */
function warnOfVariables() {
  const isSet = (name) => process.env[name] !== undefined;
  for (const sentence of unknownVariables(process.env, "servers")) console.error(sentence);
  for (const name of PASSED_ON.filter(isSet)) {
    console.error(`npm run dev does not read ${name} from the environment: write it into .dev.vars.`);
  }
}

/** Serves until a signal arrives. Returns wrangler's exit code. */
async function develop() {
  assertNoKeys();
  warnOfVariables();
  await buildKernel();
  await buildPages();
  const port = process.env.PORT || "8787";
  console.log(`Key (X-API-KEY): ${LOCAL_KEY}, unless .dev.vars sets API_KEYS or AGENT_KEYS`);
  const options = ["--var", "NOEMA_LOCAL:true", "--port", port, "--show-interactive-dev-session=false"];
  const child = spawnWrangler(["dev", ...options, ...process.argv.slice(2)], "inherit");
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, "exit");
  return code ?? 0;
}

try {
  process.exitCode = await develop();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
