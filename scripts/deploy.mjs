/**
 * `npm run deploy`: builds, and uploads to Cloudflare as wrangler does, with what the Worker says of its build. Arguments are passed on
 * to wrangler.
 */

import { once } from "node:events";
import { bundleFingerprint, defines } from "./bundle-inputs.mjs";
import { spawnWrangler } from "./quiet-wrangler.mjs";

const args = ["deploy", ...defines(bundleFingerprint()), ...process.argv.slice(2)];
const [code] = await once(spawnWrangler(args, "inherit"), "exit");
process.exit(code ?? 1);
