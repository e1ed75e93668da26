/**
 * Two projects: `node` runs what needs no Cloudflare in plain Node, `workers` runs inside workerd. The processor and the
 * kernel are tested in both, because their numbers must not depend on where they run.
 */

import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig, type Plugin } from "vitest/config";

/** Tests that run in both projects. */
const EVERYWHERE = ["test/processor/**/*.test.ts", "test/kernel/**/*.test.ts"];

/** Far beyond what any test needs: a busy machine must not fail one. Those that start servers set their own. */
const PATIENCE = { testTimeout: 60_000, hookTimeout: 60_000 };

/** Gives an import of a `.wasm` file the meaning that it has in workerd: a compiled `WebAssembly.Module`. */
function compiledWasm(): Plugin {
  return {
    name: "compiled-wasm",
    enforce: "pre",
    load(id) {
      const path = id.split("?")[0] ?? id;
      if (!path.endsWith(".wasm")) return null;
      return [
        'import { readFileSync } from "node:fs";',
        `export default new WebAssembly.Module(readFileSync(${JSON.stringify(path)}));`,
      ].join("\n");
    },
  };
}

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [compiledWasm()],
        test: {
          ...PATIENCE,
          name: "node",
          environment: "node",
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.workers.test.ts"],
        },
      },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: "./wrangler.toml" },
            // Local mode accepts the local key; a deployment never sets it.
            miniflare: { bindings: { NOEMA_LOCAL: "true" }, cf: false },
          }),
        ],
        test: {
          ...PATIENCE,
          name: "workers",
          include: ["test/**/*.workers.test.ts", ...EVERYWHERE],
        },
      },
    ],
  },
});
