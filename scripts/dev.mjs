/**
 * `npm run dev`: wrangler dev, which reloads when a source changes and accepts the local key. For developing only: `npm start`
 * serves the same bundle faster and keeps its state apart. Arguments are passed on to wrangler.
 */

import { once } from "node:events";
import { spawnWrangler } from "./quiet-wrangler.mjs";
import { LOCAL_KEY } from "./settings.mjs";

const port = process.env.PORT || "8787";
console.log(`Key (X-API-KEY): ${LOCAL_KEY}`);
const child = spawnWrangler(
  [
    "dev",
    "--var",
    "NOEMA_LOCAL:true",
    "--port",
    port,
    "--show-interactive-dev-session=false",
    ...process.argv.slice(2),
  ],
  "inherit",
);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
const [code] = await once(child, "exit");
process.exit(code ?? 0);
