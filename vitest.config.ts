/**
 * Two projects: `node` runs in plain Node what does not need Cloudflare, and `workers` runs inside workerd. Tests of the processor
 * and the kernel run in both, because their numbers must be the same everywhere.
 */

import { availableParallelism } from "node:os";
import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig, type Plugin } from "vitest/config";

/** Tests that run in both projects. */
const EVERYWHERE = [
  "test/processor/**/*.test.ts",
  "test/kernel/**/*.test.ts",
  "test/assembly/**/*.test.ts",
  "test/text/**/*.test.ts",
];

/**
 * Far more than nearly any test needs, so that a busy machine fails none: a hook may have to build the bundle and start a server. The few
 * longer tests set their own limits.
 */
const LIMITS = { testTimeout: 120_000, hookTimeout: 120_000 };

/** Makes the import of a `.wasm` file a compiled `WebAssembly.Module`, as it is in workerd. */
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

/** At least two, also on two processors, where the default is one: many tests mostly wait for a server. */
const WORKERS = Math.max(2, availableParallelism() - 1);

export default defineConfig({
  test: {
    maxWorkers: WORKERS,
    projects: [
      {
        plugins: [compiledWasm()],
        test: {
          ...LIMITS,
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
          ...LIMITS,
          name: "workers",
          include: ["test/**/*.workers.test.ts", ...EVERYWHERE],
        },
      },
    ],
  },
});
