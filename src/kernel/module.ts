/**
 * The compiled kernel as TypeScript sees it. The types come from the compiler that built it, so a call that no longer fits is a
 * compile error. Run `npm run kernel` to have them.
 */

import type { instantiate } from "../../build/kernel";

/** What the kernel exports; addresses and counts are unsigned. */
export type KernelExports = Awaited<ReturnType<typeof instantiate>>;

/** How large a fresh memory is, in pages of 64 KiB: the `initialMemory` of asconfig.json. With fewer, nothing can be instantiated. */
const INITIAL_PAGES = 3;

/**
 * A new instance. The logarithms are V8's, so that every double is too.
 *
 * @param memory one on which an earlier instance of the module has ended; otherwise the instance has a fresh one
 */
export function instantiateKernel(
  module: WebAssembly.Module,
  memory = new WebAssembly.Memory({ initial: INITIAL_PAGES }),
): KernelExports {
  const host = { log: Math.log, log2: Math.log2 };
  const instance = new WebAssembly.Instance(module, { env: { memory }, host });
  const exports = instance.exports as unknown as KernelExports;
  exports.start();
  return exports;
}
