/**
 * `npm run dev`: runs wrangler dev, which reloads when a source changes, and accepts the local key. Use it only to develop:
 * `npm start` serves the same bundle faster and keeps its own state. Wrangler gets all arguments.
 */

import { once } from "node:events";
import { buildKernel } from "./kernel.mjs";
import { buildPages } from "./pages.mjs";
import { spawnWrangler } from "./quiet-wrangler.mjs";
import { LOCAL_KEY } from "./settings.mjs";

/** Serves until a signal arrives. Returns wrangler's exit code. */
async function develop() {
  await buildKernel();
  await buildPages();
  const port = process.env.PORT || "8787";
  console.log(`Key (X-API-KEY): ${LOCAL_KEY}`);
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
