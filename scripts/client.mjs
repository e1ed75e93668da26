/** Builds the package `noema/client`: one module, and its types. Part of `npm run build`. */

import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { KEEP_OUTPUT, waitForStep } from "./build-step.mjs";
import { ROOT } from "./project.mjs";

const SOURCES = join(ROOT, "src", "client");
const COMPILER = join(ROOT, "node_modules", "typescript", "bin", "tsc");

/** The names of the declaration files in a folder and below. */
function declarationsIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".d.ts"));
}

/** Writes the declarations. Node's way to find modules needs the ends of their names, which the sources leave out. */
async function writeTypes(folder) {
  const flags = [
    "--noEmit",
    "false",
    "--declaration",
    "--emitDeclarationOnly",
    "--rootDir",
    SOURCES,
    "--outDir",
    folder,
  ];
  await waitForStep(
    spawn(process.execPath, [COMPILER, "-p", join(SOURCES, "tsconfig.json"), ...flags], { stdio: KEEP_OUTPUT }),
    "declaring the client's types",
  );
  for (const file of declarationsIn(folder)) {
    const text = readFileSync(join(folder, file), "utf8");
    writeFileSync(join(folder, file), text.replace(/(["'])(\.{1,2}\/[\w/-]+)\1/g, "$1$2.js$1"));
  }
}

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
  await writeTypes(folder);
  // Bundlers may leave out what is not used.
  writeFileSync(join(folder, "package.json"), `${JSON.stringify({ type: "module", sideEffects: false }, null, 2)}\n`);
}
