/** `npm run deploy`, after the build: uploads the bundle to Cloudflare with wrangler, which gets all arguments. */

import { once } from "node:events";
import { bundleFingerprint, defines } from "./bundle-inputs.mjs";
import { spawnWrangler } from "./quiet-wrangler.mjs";

const args = ["deploy", ...defines(bundleFingerprint()), ...process.argv.slice(2)];
const [code] = await once(spawnWrangler(args, "inherit"), "exit");
process.exit(code ?? 1);
