/** `npm run docs`: writes docs/http.md from the table of operations. A test fails if the file is out of date. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { ROOT } from "./project.mjs";

const bundle = join(ROOT, "build", "http-page.mjs");
const page = join(ROOT, "docs", "http.md");

mkdirSync(join(ROOT, "build"), { recursive: true });
await build({
  entryPoints: [join(ROOT, "scripts", "http-page.ts")],
  outfile: bundle,
  bundle: true,
  format: "esm",
  platform: "node",
  packages: "external",
  logLevel: "warning",
});
const { httpPage } = await import(pathToFileURL(bundle).href);
writeFileSync(page, httpPage());
console.log(`Wrote ${page}.`);
