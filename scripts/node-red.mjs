/** Builds the package of nodes for Node-RED, integrations/node-red: `npm run nodered`. */

import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { ROOT } from "./project.mjs";

/** The package. */
export const NODE_RED = join(ROOT, "integrations", "node-red");

/** Bundles the nodes with the client into one file, beside what the editor shows. */
export async function buildNodeRed() {
  const folder = join(NODE_RED, "dist");
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [join(NODE_RED, "src", "index.ts")],
    outfile: join(folder, "noema.js"),
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["ws"],
    // Node-RED calls what the module is, not what it exports.
    footer: { js: "module.exports = module.exports.register;" },
    logLevel: "warning",
  });
  copyFileSync(join(NODE_RED, "src", "noema.html"), join(folder, "noema.html"));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await buildNodeRed();
