/**
 * Makes the kernels of an isolate so that no object ever has two linear memories there. An object that was evicted and comes back, or
 * that drops its processor and builds it anew, leaves a kernel that is garbage but is collected late, because V8 does not see how
 * much it holds; and two full ones do not fit into an isolate. So the next kernel of an object takes over the memory of the last.
 */

import { Kernel } from "../kernel/kernel";

/** Who made the last kernel for which object. Keeps none of them alive. */
export class KernelSuccession {
  readonly #module: WebAssembly.Module;
  readonly #last = new Map<string, WeakRef<Kernel>>();
  readonly #collected = new FinalizationRegistry<string>((objectId) => {
    if (this.#last.get(objectId)?.deref() === undefined) this.#last.delete(objectId);
  });

  /** @param module the compiled `build/kernel.wasm` */
  constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /** How many objects have a kernel here that is not known to be collected. */
  get size(): number {
    return this.#last.size;
  }

  /**
   * An empty kernel. The last one made for the same object, if it was not collected yet, is released: whoever still has it, a life of
   * the object that has ended or a processor that was dropped, can do nothing with it.
   *
   * @param objectId the object's, unlike that of any other: objects never share memory
   * @param limitBytes how many bytes the kernel may hold
   */
  next(objectId: string, limitBytes: number): Kernel {
    const last = this.#last.get(objectId)?.deref();
    // Forgotten first: should no kernel come of it, the one after must not ask the same for its memory again.
    this.#last.delete(objectId);
    const kernel = Kernel.create(this.#module, limitBytes, last?.release());
    this.#last.set(objectId, new WeakRef(kernel));
    this.#collected.register(kernel, objectId);
    return kernel;
  }
}
