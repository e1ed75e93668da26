/**
 * Serves as `npm start` does, and takes a workerd that is silent for a second for one that hangs. SIGUSR2 sets its clock
 * back by a day.
 */

import { DIST, ROOT } from "../../../scripts/project.mjs";
import { serveUntilStopped } from "../../../src/serve/serve.mjs";

const now = Date.now;
process.on("SIGUSR2", () => {
  Date.now = () => now() - 86_400_000;
});
const hang = { everyMs: 250, hungMs: 1000 };
process.exitCode = await serveUntilStopped({ env: process.env, home: ROOT, bundle: DIST, hang });
