/**
 * The compiled kernel as TypeScript sees it. The types come from the compiler that built it, so a call that no longer fits is a
 * compile error. Run `npm run kernel` to have them.
 */

import type { instantiate } from "../../build/kernel";

/** What the kernel exports; addresses and counts are unsigned. */
export type KernelExports = Awaited<ReturnType<typeof instantiate>>;

/** A new instance with a memory of its own. The logarithms are V8's, so that every double is too. */
export function instantiateKernel(module: WebAssembly.Module): KernelExports {
  const instance = new WebAssembly.Instance(module, { host: { log: Math.log, log2: Math.log2 } });
  const exports = instance.exports as unknown as KernelExports;
  exports.start();
  return exports;
}
