/** Writes the type declarations of a part of the package. */

import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { KEEP_OUTPUT, waitForStep } from "./build-step.mjs";
import { ROOT } from "./project.mjs";

const COMPILER = join(ROOT, "node_modules", "typescript", "bin", "tsc");

/** The names of the declaration files in a folder and below. */
function declarationsIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".d.ts"));
}

/**
 * Writes the declarations of some modules. Node's way to find modules needs the ends of their names,
 * which the sources leave out.
 *
 * @param {string} project the folder of the tsconfig.json that names the modules
 * @param {string} sources the folder whose structure the declarations keep
 * @param {string} folder where they go
 */
export async function writeDeclarations(project, sources, folder) {
  const flags = [
    "--noEmit",
    "false",
    "--declaration",
    "--emitDeclarationOnly",
    "--rootDir",
    sources,
    "--outDir",
    folder,
  ];
  const args = [COMPILER, "-p", join(project, "tsconfig.json"), ...flags];
  await waitForStep(spawn(process.execPath, args, { stdio: KEEP_OUTPUT }), `declaring the types of ${project}`);
  for (const file of declarationsIn(folder)) {
    const text = readFileSync(join(folder, file), "utf8");
    writeFileSync(join(folder, file), text.replace(/(["'])(\.{1,2}\/[\w/-]+)\1/g, "$1$2.js$1"));
  }
}
