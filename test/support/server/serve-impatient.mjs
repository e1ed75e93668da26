/** Serves as `npm start` does, and takes a workerd that is silent for a second for one that hangs. */

import { spawnSync } from "node:child_process";
import { DIST, ROOT } from "../../../scripts/project.mjs";
import { serveUntilStopped } from "../../../src/serve/serve.mjs";

spawnSync(process.execPath, ["scripts/build.mjs"], { cwd: ROOT, stdio: "inherit" });
const hang = { everyMs: 250, hungMs: 1000 };
process.exitCode = await serveUntilStopped({ env: process.env, home: ROOT, bundle: DIST, hang });
