/**
 * `npm run record:state [-- <folder> [<checkout>]]`: records what a release stores and answers, for the test that later releases open it.
 * The folder is one of test/fixtures, by default `state-` and the number of the newest migration; the checkout is this one by default.
 */

import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { ROOT } from "./project.mjs";

const bundle = join(ROOT, "build", "record-state.mjs");

mkdirSync(join(ROOT, "build"), { recursive: true });
await build({
  entryPoints: [join(ROOT, "test", "support", "earlier-state", "record.ts")],
  outfile: bundle,
  bundle: true,
  format: "esm",
  platform: "node",
  packages: "external",
  logLevel: "warning",
});
const { newestFolder, record } = await import(pathToFileURL(bundle).href);
const [folder = newestFolder(), checkout = ROOT] = process.argv.slice(2);
console.log(await record(resolve(checkout), join(ROOT, "test", "fixtures", folder)));
