/** Builds the command line `noema` into one file, beside the template of `noema init`. Part of `npm run build`. */

import { chmodSync, copyFileSync, cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { importTypeScript } from "./import-typescript.mjs";
import { DIST, ROOT } from "./project.mjs";

/** Packages that are CommonJS call `require`, which a module has to make. */
const BANNER = `#!/usr/bin/env node
import { createRequire as __createRequire } from "node:module";
const require = __createRequire(import.meta.url);`;

/** The file that says which secrets a deployment needs: ours, and that of projects that `noema init` makes. */
const SECRETS = ".dev.vars.example";

/** What the command line has to know of a parameter. */
function parameterOf({ name, description, schema }) {
  return { name, description, ...(schema.enum !== undefined && { choices: schema.enum.map(String) }) };
}

/**
 * The operations of an OpenAPI document as src/cli/operations/operations.ts describes them. Those in sessions
 * are no operations of their own: the ones that they repeat say that they are there. A stream is no call.
 */
function summaries({ paths, components }) {
  const resolved = (one) => (one.$ref === undefined ? one : components.parameters[one.$ref.split("/").at(-1)]);
  const inSessions = new Set(
    Object.values(paths)
      .flatMap(Object.values)
      .map((one) => one["x-session-of"]),
  );
  return Object.entries(paths).flatMap(([path, { parameters: shared = [], ...methods }]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation["x-session-of"] === undefined && operation["x-stream"] === undefined)
      .map(([method, { operationId: id, summary, "x-roles": roles = [], parameters: own = [], requestBody }]) => {
        const parameters = [...shared, ...own].map(resolved);
        const of = (place) => parameters.filter((one) => one.in === place);
        return {
          id,
          method: method.toUpperCase(),
          path,
          summary,
          roles,
          pathParameters: of("path")
            .filter(({ name }) => name !== "id")
            .map(parameterOf),
          query: of("query").map(parameterOf),
          ...(inSessions.has(id) && { inSessions: true }),
          ...(of("header").some(({ name }) => name === "Idempotency-Key") && { isKeyed: true }),
          // fetch sends no body with GET.
          ...(requestBody !== undefined && method !== "get" && { body: bodyOf(requestBody) }),
        };
      }),
  );
}

function bodyOf({ required, content }) {
  return { isRequired: required === true, example: content["application/json"]?.example };
}

/**
 * Builds the command line into a folder.
 *
 * @param {string} folder made if it is missing
 * @returns {Promise<import("esbuild").Metafile>} what is in it
 */
export async function buildCli(folder) {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const { openApiDocument } = await importTypeScript(join("scripts", "openapi", "document.ts"));
  const operations = summaries(openApiDocument(version));
  const outfile = join(folder, "noema.js");
  const { metafile } = await build({
    absWorkingDir: ROOT,
    metafile: true,
    entryPoints: [join(ROOT, "src", "cli", "main.ts")],
    outdir: folder,
    entryNames: "noema",
    chunkNames: "noema-[hash]",
    // The client and the gate of MQTT have files of their own, which only the commands that need them load.
    splitting: true,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.3",
    banner: { js: BANNER },
    // ws looks for the last two, and does without them.
    external: ["fs-native-extensions", "workerd", "bufferutil", "utf-8-validate"],
    define: { NOEMA_BUILT: JSON.stringify({ version, operations }) },
    logLevel: "warning",
  });
  chmodSync(outfile, 0o755);
  const template = join(folder, "template");
  cpSync(join(ROOT, "src", "cli", "project", "template"), template, { recursive: true });
  copyFileSync(join(ROOT, SECRETS), join(template, SECRETS));
  return metafile;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await buildCli(join(DIST, "cli"));
