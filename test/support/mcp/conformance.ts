/**
 * Runs the conformance suite of the Model Context Protocol against a server. The suite sends no key, so a proxy adds it.
 * It is bundled first: as published, it imports a function of `node:fs` that Node 20 does not have, for a command that
 * is not used here.
 */

import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";

const run = promisify(execFile);

/** One check of a scenario, as the suite reports it. */
export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/**
 * Runs all scenarios for servers.
 *
 * @param address of the server, without the path
 * @param key one that it accepts
 * @returns the checks by the scenario's name
 */
export async function conformanceOf(address: string, key: string): Promise<Map<string, readonly Check[]>> {
  const folder = mkdtempSync(join(tmpdir(), "noema-mcp-"));
  const proxy = createServer((incoming, answer) => {
    const { method, url, headers } = incoming;
    const outgoing = request(address + url, { method, headers: { ...headers, "x-api-key": key } }, (reply) => {
      answer.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(answer);
    });
    outgoing.on("error", () => answer.destroy());
    incoming.pipe(outgoing);
  });
  try {
    await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
    const { port } = proxy.address() as AddressInfo;
    const suite = await bundled(folder);
    const results = join(folder, "results");
    const options = ["server", "--url", `http://127.0.0.1:${port}/mcp`, "--suite", "all", "-o", results];
    // It ends with 1, since some scenarios ask for what this server does not offer.
    await run(process.execPath, [suite, ...options], { cwd: folder, maxBuffer: 2 ** 26 }).catch(() => undefined);
    return checksIn(results);
  } finally {
    proxy.close();
    proxy.closeAllConnections();
    rmSync(folder, { recursive: true });
  }
}

async function bundled(folder: string): Promise<string> {
  const require = createRequire(import.meta.url);
  const suite = join(dirname(require.resolve("@modelcontextprotocol/conformance/package.json")), "dist", "index.js");
  const outfile = join(folder, "suite.mjs");
  await build({
    entryPoints: [suite],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    plugins: [
      {
        name: "fs-of-node-20",
        setup(bundle) {
          bundle.onResolve({ filter: /^fs$/ }, ({ importer }) =>
            importer === suite ? { path: "fs", namespace: "fs-of-node-20" } : undefined,
          );
          bundle.onLoad({ filter: /.*/, namespace: "fs-of-node-20" }, () => ({
            contents: 'export * from "node:fs"; export { default } from "node:fs"; export const globSync = undefined;',
          }));
        },
      },
    ],
  });
  return outfile;
}

/** Results are in folders such as `server-tools-list-2026-11-23T09-30-00-000Z`. */
const FOLDER = /^server-(?<scenario>.*?)-\d{4}-\d{2}-\d{2}T.*$/;

function checksIn(results: string): Map<string, readonly Check[]> {
  return new Map(
    readdirSync(results).map((name) => {
      const scenario = FOLDER.exec(name)?.groups?.scenario ?? name;
      return [scenario, JSON.parse(readFileSync(join(results, name, "checks.json"), "utf8"))] as const;
    }),
  );
}
