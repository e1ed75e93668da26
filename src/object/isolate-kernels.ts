/**
 * The kernels of one isolate, in one linear memory with one limit. Objects of one class may share an isolate and its
 * 128 MB, linear memory never shrinks, and V8 is late to collect a dropped one. So kernels do not have memories of
 * their own: when one needs room, or the processors' heaps together take too much, the least recently used processors
 * are released, and rebuilt from their rows on the next call. Decides which processor is released; knows nothing of
 * what it holds (docs/decisions/033).
 */

import { Kernel } from "../kernel/kernel";
import { KernelMemory } from "../kernel/memory";

/**
 * Maximum bytes of the models, symbols and vectors of all processors of an isolate. The platform ends an isolate that
 * exceeds its 128 MB without warning; a quarter is left for code, heap and answers.
 */
const MEMORY_BYTES = 96 * 1024 * 1024;

/**
 * Maximum heap bytes of all processors of an isolate, by their own estimate, once linear memory has grown to its limit.
 * The current processor may exceed it.
 */
const HEAP_BYTES = 4 * 1024 * 1024;

/**
 * Each additional heap byte is allowed for this many bytes that linear memory has not grown to yet, because V8 collects
 * garbage late.
 */
const SPARE_PER_HEAP_BYTE = 3;

/** The owner of what was built on a kernel. */
export interface KernelOwner {
  /**
   * Notes that the kernel was released: everything built on it must be dropped. Called while other objects work, so it
   * must do nothing else.
   */
  kernelReleased(): void;
}

/**
 * Memory was cleared in the middle of a verb, because the processor may fit when it is alone. The code that runs verbs
 * rolls the verb back, rebuilds the processor and repeats the verb, so that its effect happens once.
 */
export class MemoryCleared extends Error {
  constructor() {
    super("the kernel's memory was cleared; the verb must be repeated with the processor built again");
  }
}

/** A kernel and its user. */
interface Tenant {
  readonly kernel: Kernel;
  /** Weak, so that an evicted object can be collected. */
  readonly owner: WeakRef<KernelOwner>;
  /** A counter: the greatest is the most recently used. */
  used: number;
  heapBytes: number;
}

/** Limits of an isolate's processors, in bytes; each has a default. */
export interface IsolateLimits {
  memoryBytes?: number;
  heapBytes?: number;
}

/** The kernels of one isolate, by the object that each belongs to. */
export class IsolateKernels {
  readonly #module: WebAssembly.Module;
  readonly #memoryBytes: number;
  readonly #heapBytes: number;
  readonly #tenants = new Map<string, Tenant>();
  #memory: KernelMemory | undefined;
  /** Number of kernels created since memory was fresh or cleared. A single one has all of memory, in one piece. */
  #created = 0;
  /** Whether a kernel was released since free memory was last joined. */
  #isLoose = false;
  #clock = 0;
  /** Heap bytes of all tenants. */
  #heap = 0;

  /** @param module the compiled `build/kernel.wasm` */
  constructor(module: WebAssembly.Module, { memoryBytes = MEMORY_BYTES, heapBytes = HEAP_BYTES }: IsolateLimits = {}) {
    this.#module = module;
    this.#memoryBytes = memoryBytes;
    this.#heapBytes = heapBytes;
  }

  /** Number of objects with a kernel. */
  get size(): number {
    return this.#tenants.size;
  }

  /** Current size of linear memory in bytes. */
  get bytes(): number {
    return this.#memory?.bytes ?? 0;
  }

  /** Maximum size of linear memory in bytes. */
  get limitBytes(): number {
    return this.#memoryBytes;
  }

  /**
   * Creates an empty kernel for an object. Releases the object's previous one, so that an earlier life of the object,
   * or a dropped processor that still refers to it, cannot use it any more.
   *
   * @param objectId the object's own
   * @param owner notified when the kernel is released for others; held weakly
   */
  create(objectId: string, owner: KernelOwner): Kernel {
    this.release(objectId);
    // An only processor starts as in a fresh isolate, whatever was in memory before.
    if (this.#tenants.size === 0 && this.#created > 0) this.#clear();
    this.#memory ??= new KernelMemory(this.#module, this.#memoryBytes);
    const kernel = Kernel.create(this.#memory, () => this.#makeRoom(objectId));
    this.#created++;
    this.#tenants.set(objectId, { kernel, owner: new WeakRef(owner), used: ++this.#clock, heapBytes: 0 });
    return kernel;
  }

  /**
   * Notes that an object uses its kernel now. Releases others when the processors' heaps take too much.
   *
   * @param heapBytes heap bytes of its processor
   */
  use(objectId: string, heapBytes: number): void {
    const tenant = this.#tenants.get(objectId);
    if (tenant === undefined) return;
    tenant.used = ++this.#clock;
    this.#heap += heapBytes - tenant.heapBytes;
    tenant.heapBytes = heapBytes;
    // The kernel of a part has no heap: releasing it gains nothing, and its head fills it again for each call.
    while (this.#heap > this.#heapLimit() && this.#releaseOldest(objectId, 1));
  }

  /** Notes that an object with a kernel uses it now. */
  touch(objectId: string): void {
    const tenant = this.#tenants.get(objectId);
    if (tenant !== undefined) tenant.used = ++this.#clock;
  }

  /** Releases an object's kernel, if it has one. The object has already dropped what it built on it. */
  release(objectId: string): void {
    const tenant = this.#tenants.get(objectId);
    if (tenant === undefined) return;
    this.#tenants.delete(objectId);
    this.#heap -= tenant.heapBytes;
    this.#isLoose = true;
    try {
      tenant.kernel.release();
    } catch {
      // The kernel is defective, so none of memory can be trusted.
      this.#clear();
    }
  }

  /**
   * Releases an object's kernel after a verb failed in the middle of a change. After a trap, nothing in memory can be
   * trusted, so all kernels are released.
   */
  discard(objectId: string, error: unknown): void {
    // A RangeError is an exhausted stack, which may have interrupted the kernel anywhere.
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) this.#clear();
    else this.release(objectId);
  }

  #heapLimit(): number {
    return this.#heapBytes + Math.max(0, this.#memoryBytes - this.bytes) / SPARE_PER_HEAP_BYTE;
  }

  /**
   * Makes room for a change that does not fit.
   *
   * @returns false if there is no other kernel to release, and this one has all of memory
   * @throws MemoryCleared when others have left memory fragmented
   */
  #makeRoom(objectId: string): boolean {
    if (!this.#isLoose && !this.#releaseOldest(objectId)) {
      if (this.#created === 1) return false;
      this.#clear();
      throw new MemoryCleared();
    }
    if (!this.#tenants.has(objectId)) throw new MemoryCleared();
    this.#memory?.joinFree();
    this.#isLoose = false;
    return true;
  }

  /**
   * Releases the least recently used kernel other than this object's.
   *
   * @param leastHeapBytes of processors with less heap none is released
   * @returns false when there is none to release
   */
  #releaseOldest(objectId: string, leastHeapBytes = 0): boolean {
    let oldest: string | undefined;
    let used = Number.POSITIVE_INFINITY;
    for (const [id, tenant] of this.#tenants) {
      if (id !== objectId && tenant.used < used && tenant.heapBytes >= leastHeapBytes) {
        oldest = id;
        used = tenant.used;
      }
    }
    if (oldest === undefined) return false;
    const owner = this.#tenants.get(oldest)?.owner.deref();
    this.release(oldest);
    owner?.kernelReleased();
    return true;
  }

  /** Releases all kernels, in whatever state, and starts over with cleared memory. */
  #clear(): void {
    const tenants = [...this.#tenants.values()];
    this.#tenants.clear();
    this.#heap = 0;
    this.#created = 0;
    this.#isLoose = false;
    this.#memory?.clear();
    for (const { owner } of tenants) owner.deref()?.kernelReleased();
  }
}
