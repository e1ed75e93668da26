/** Builds the package `noema/testing`: one module, the Worker that it runs, and the types. Part of `npm run build`. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { PASSED_ON } from "../src/serve/workerd-config.mjs";
import { writeDeclarations } from "./declarations.mjs";
import { ROOT } from "./project.mjs";

const SOURCES = join(ROOT, "src", "testing");

/** The module that is imported as `noema/testing`. */
const ENTRY = "test-noema";

/** For `await using`, where a project's own settings do not name it. */
const DISPOSABLE = '/// <reference lib="esnext.disposable" />\n';

/**
 * The deployed Worker and the client are in the package already, beside this folder: what is built here
 * imports them as they are.
 */
const siblings = {
  name: "siblings",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/(?:worker|client\/index)$/ }, ({ path }) => ({ path: `${path}.js`, external: true }));
  },
};

const COMMON = { bundle: true, format: "esm", target: "es2022", plugins: [siblings], logLevel: "warning" };

async function writeTypes(folder) {
  const work = mkdtempSync(join(ROOT, "build", "testing-types-"));
  try {
    await writeDeclarations(SOURCES, join(ROOT, "src"), work);
    const file = `${ENTRY}.d.ts`;
    writeFileSync(join(folder, file), DISPOSABLE + readFileSync(join(work, "testing", file), "utf8"));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Builds `noema/testing` into a folder beside the Worker.
 *
 * @param {string} folder made if it is missing
 * @param {{ compatibility_date: string, compatibility_flags: string[] }} worker what wrangler.toml says
 */
export async function buildTesting(folder, worker) {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  mkdirSync(folder, { recursive: true });
  await build({
    ...COMMON,
    entryPoints: [join(SOURCES, "evictable-worker.ts")],
    outfile: join(folder, "evictable-worker.js"),
    external: ["cloudflare:workers"],
  });
  await build({
    ...COMMON,
    entryPoints: [join(SOURCES, `${ENTRY}.ts`)],
    outfile: join(folder, `${ENTRY}.js`),
    platform: "node",
    external: ["miniflare"],
    define: {
      NOEMA_COMPATIBILITY_DATE: JSON.stringify(worker.compatibility_date),
      NOEMA_COMPATIBILITY_FLAGS: JSON.stringify(worker.compatibility_flags),
      NOEMA_MINIFLARE: JSON.stringify(devDependencies.miniflare),
      NOEMA_VARIABLES: JSON.stringify(["API_KEYS", ...PASSED_ON]),
    },
  });
  await writeTypes(folder);
}
