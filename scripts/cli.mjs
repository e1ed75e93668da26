/** Builds the command line `noema` into one file. Part of `npm run build`. */

import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { DIST, ROOT } from "./project.mjs";

/** Packages that are CommonJS call `require`, which a module has to make. */
const BANNER = `#!/usr/bin/env node
import { createRequire as __createRequire } from "node:module";
const require = __createRequire(import.meta.url);`;

/**
 * Builds the command line into a folder.
 *
 * @param {string} folder made if it is missing
 * @returns {Promise<import("esbuild").Metafile>} what is in it
 */
export async function buildCli(folder) {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const outfile = join(folder, "noema.js");
  const { metafile } = await build({
    absWorkingDir: ROOT,
    metafile: true,
    entryPoints: [join(ROOT, "src", "cli", "main.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.3",
    banner: { js: BANNER },
    define: { NOEMA_VERSION: JSON.stringify(version) },
    logLevel: "warning",
  });
  chmodSync(outfile, 0o755);
  return metafile;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await buildCli(join(DIST, "cli"));
