/** Bundles the example, which is TypeScript, and runs it. Build the kernel first: npm run kernel. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const bundle = fileURLToPath(new URL("../../build/node-processor.mjs", import.meta.url));

await build({
  entryPoints: [fileURLToPath(new URL("server.ts", import.meta.url))],
  outfile: bundle,
  bundle: true,
  format: "esm",
  platform: "node",
  packages: "external",
  logLevel: "warning",
});
const child = spawn(process.execPath, [bundle], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
const [code] = await once(child, "exit");
process.exit(code ?? 0);
