/**
 * Runs the shop's Worker and Noema in Miniflare, the local runtime of Workers, joined as the wrangler.toml of each says. Needs the bundle in
 * dist, which `npm run build` makes.
 */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions as optionsIn } from "wrangler";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DIST = join(ROOT, "dist");
const KEY = "a-key-of-this-example";

/** What wrangler would bundle and deploy. */
async function shop() {
  const config = join(ROOT, "examples/prefetch-worker/wrangler.toml");
  const { main, workerOptions } = optionsIn(config);
  const { outputFiles } = await build({ entryPoints: [main], bundle: true, format: "esm", write: false });
  const modules = [{ type: "ESModule", path: "shop.js", contents: outputFiles[0].text }];
  return { ...workerOptions, name: "prefetch-shop", modules, bindings: { NOEMA_KEY: KEY } };
}

/** The bundle that `npm run deploy` uploads. */
function noema() {
  const { workerOptions } = optionsIn(join(ROOT, "wrangler.toml"));
  const kernels = readdirSync(DIST).filter((file) => file.endsWith(".wasm"));
  const modules = [
    { type: "ESModule", path: join(DIST, "worker.js") },
    ...kernels.map((file) => ({ type: "CompiledWasm", path: join(DIST, file) })),
  ];
  return { ...workerOptions, modulesRoot: DIST, modules, bindings: { API_KEYS: KEY } };
}

/**
 * Starts both, without a port and with nothing on the disk.
 *
 * @param {import("miniflare").WorkerOptions} [behind] stands in for Noema, to see what the shop does when it fails
 * @returns {Promise<Miniflare>} `dispatchFetch` calls the shop; `dispose` ends both
 */
export async function startWorkers(behind = noema()) {
  return new Miniflare({ workers: [await shop(), { ...behind, name: "noema" }], cf: false });
}
