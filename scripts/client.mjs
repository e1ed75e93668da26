/** Builds the package `noema/client`: one module, and its types. Part of `npm run build`. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { writeDeclarations } from "./declarations.mjs";
import { ROOT } from "./project.mjs";

const SOURCES = join(ROOT, "src", "client");

/**
 * Builds the client into a folder.
 *
 * @param {string} folder made if it is missing
 */
export async function buildClient(folder) {
  await build({
    entryPoints: [join(SOURCES, "index.ts")],
    outfile: join(folder, "index.js"),
    bundle: true,
    format: "esm",
    target: "es2022",
    logLevel: "warning",
  });
  await writeDeclarations(SOURCES, SOURCES, folder);
  // Bundlers may leave out what is not used.
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ type: "module", sideEffects: false }, null, 2)}\n`);
}
