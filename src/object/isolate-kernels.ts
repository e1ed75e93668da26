/**
 * Creates the kernels of one isolate, so that an object never has two linear memories there. An object that comes back after an eviction,
 * or rebuilds its processor, leaves its last kernel to be collected. V8 collects it late, because V8 does not count linear memory, and an
 * isolate has no room for two full kernels. So the next kernel of an object takes over the memory of the last.
 */

import { Kernel } from "../kernel/kernel";

/** The kernels of one isolate. Keeps none of them alive. */
export class IsolateKernels {
  readonly #module: WebAssembly.Module;
  readonly #last = new Map<string, WeakRef<Kernel>>();
  readonly #collected = new FinalizationRegistry<string>((objectId) => {
    if (this.#last.get(objectId)?.deref() === undefined) this.#last.delete(objectId);
  });

  /** @param module the compiled `build/kernel.wasm` */
  constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /** How many objects have a kernel here that may not be collected yet. */
  get size(): number {
    return this.#last.size;
  }

  /**
   * Creates an empty kernel, and releases the last kernel of the same object if that was not collected yet: whoever still holds it, an
   * earlier life of the object or a dropped processor, cannot use it any more.
   *
   * @param objectId the object's own: objects never share memory
   * @param limitBytes how many bytes the kernel may hold
   */
  create(objectId: string, limitBytes: number): Kernel {
    const last = this.#last.get(objectId)?.deref();
    // Forgotten first: if creating fails, the next attempt must not ask the released kernel for its memory again.
    this.#last.delete(objectId);
    const kernel = Kernel.create(this.#module, limitBytes, last?.release());
    this.#last.set(objectId, new WeakRef(kernel));
    this.#collected.register(kernel, objectId);
    return kernel;
  }
}
