/** Imports a TypeScript module of this project into a script: bundles it first, because Node cannot read it. */

import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { ROOT } from "./project.mjs";

/**
 * Imports a module.
 *
 * @param {string} path the module, from the root of the project
 * @param {import("esbuild").Plugin[]} plugins of esbuild, for the bundle
 * @returns {Promise<any>} what the module exports
 */
export async function importTypeScript(path, plugins = []) {
  // In the project, so that the bundle finds the packages; under a name of this process,
  // because others may do the same.
  const bundle = join(ROOT, "build", `${basename(path, ".ts")}.${process.pid}.${randomUUID()}.mjs`);
  try {
    await build({
      entryPoints: [join(ROOT, path)],
      outfile: bundle,
      bundle: true,
      format: "esm",
      platform: "node",
      packages: "external",
      plugins,
      logLevel: "warning",
    });
    return await import(pathToFileURL(bundle).href);
  } finally {
    rmSync(bundle, { force: true });
  }
}
