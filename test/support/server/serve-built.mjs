/** Serves as `npm start` does, without the look whether the bundle is up to date. */

import { DIST, ROOT } from "../../../scripts/project.mjs";
import { serveUntilStopped } from "../../../src/serve/serve.mjs";

process.exitCode = await serveUntilStopped({ env: process.env, home: ROOT, bundle: DIST });
