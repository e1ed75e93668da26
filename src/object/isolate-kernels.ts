/**
 * The kernels of one isolate, in one linear memory with one limit. Objects of one class may share an isolate and
 * its 128 MB, linear memory never shrinks, and V8 collects a dropped one late. So no kernel has a memory of its
 * own: when one needs room, or the processors' heaps together take too much, the least recently used processors are
 * released, and rebuilt from their rows on the next call. Owns which processor is released; knows nothing of what
 * it holds (docs/decisions/033).
 */

import { Kernel } from "../kernel/kernel";
import { KernelMemory } from "../kernel/memory";

/**
 * How many bytes the models, symbols and vectors of all processors of an isolate may take. The platform gives no
 * warning before it ends an isolate that needs more than its 128 MB. A quarter is left for code, heap and answers.
 */
const MEMORY_BYTES = 96 * 1024 * 1024;

/**
 * How many bytes of heap all processors of an isolate may hold, as they estimate it, when linear memory has grown to
 * its limit. The one in use may hold more.
 */
const HEAP_BYTES = 4 * 1024 * 1024;

/**
 * Number of bytes that linear memory has not grown to yet which allow one more byte of heap: V8 collects garbage late.
 */
const SPARE_PER_HEAP_BYTE = 3;

/** Holds what was built on a kernel. */
export interface KernelOwner {
  /**
   * The kernel was released: everything built on it must be dropped. Called while other objects work, so
   * it must do nothing else.
   */
  kernelReleased(): void;
}

/**
 * Memory was cleared in the middle of a verb, because the processor may fit once nothing else is in it. The
 * code that runs verbs rolls this one back, builds the processor again and repeats the verb, whose effect
 * happens once.
 */
export class MemoryCleared extends Error {
  constructor() {
    super("the kernel's memory was cleared; the verb must be repeated with the processor built again");
  }
}

/** A kernel and who uses it. */
interface Tenant {
  readonly kernel: Kernel;
  /** Weak, so that an evicted object can be collected. */
  readonly owner: WeakRef<KernelOwner>;
  /** The greatest is the most recent. */
  used: number;
  heapBytes: number;
}

/** What an isolate allows its processors, in bytes; each has a default. */
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
  /** How many kernels were made since memory was fresh or cleared. A single one has all of it, and in one piece. */
  #created = 0;
  /** Whether a kernel was released since free memory was joined. */
  #isLoose = false;
  #clock = 0;
  /** What all tenants hold in the heap. */
  #heap = 0;

  /** @param module the compiled `build/kernel.wasm` */
  constructor(module: WebAssembly.Module, { memoryBytes = MEMORY_BYTES, heapBytes = HEAP_BYTES }: IsolateLimits = {}) {
    this.#module = module;
    this.#memoryBytes = memoryBytes;
    this.#heapBytes = heapBytes;
  }

  /** How many objects have a kernel. */
  get size(): number {
    return this.#tenants.size;
  }

  /** How many bytes linear memory has grown to. */
  get bytes(): number {
    return this.#memory?.bytes ?? 0;
  }

  /** How many bytes it may grow to. */
  get limitBytes(): number {
    return this.#memoryBytes;
  }

  /**
   * Creates an empty kernel for an object, and releases the object's last one, so that an earlier life of the object or
   * a dropped processor that still refers to it cannot use it any more.
   *
   * @param objectId the object's own
   * @param owner told when the kernel is released for others; held weakly
   */
  create(objectId: string, owner: KernelOwner): Kernel {
    this.release(objectId);
    // Alone, a processor starts as in a fresh isolate, whatever it left there before.
    if (this.#tenants.size === 0 && this.#created > 0) this.#clear();
    this.#memory ??= new KernelMemory(this.#module, this.#memoryBytes);
    const kernel = Kernel.create(this.#memory, () => this.#makeRoom(objectId));
    this.#created++;
    this.#tenants.set(objectId, { kernel, owner: new WeakRef(owner), used: ++this.#clock, heapBytes: 0 });
    return kernel;
  }

  /**
   * Notes that an object uses its kernel now, and releases others when the processors' heaps take too much.
   *
   * @param heapBytes what its processor holds in the heap
   */
  use(objectId: string, heapBytes: number): void {
    const tenant = this.#tenants.get(objectId);
    if (tenant === undefined) return;
    tenant.used = ++this.#clock;
    this.#heap += heapBytes - tenant.heapBytes;
    tenant.heapBytes = heapBytes;
    while (this.#heap > this.#heapLimit() && this.#releaseOldest(objectId));
  }

  /** Notes that an object uses its kernel now, if it has one. */
  touch(objectId: string): void {
    const tenant = this.#tenants.get(objectId);
    if (tenant !== undefined) tenant.used = ++this.#clock;
  }

  /** Releases an object's kernel, if it has one. The object has dropped what it built on it. */
  release(objectId: string): void {
    const tenant = this.#tenants.get(objectId);
    if (tenant === undefined) return;
    this.#tenants.delete(objectId);
    this.#heap -= tenant.heapBytes;
    this.#isLoose = true;
    try {
      tenant.kernel.release();
    } catch {
      // The kernel has a defect: what others hold can be relied on no more.
      this.#clear();
    }
  }

  /**
   * Releases an object's kernel after a verb failed in the middle of a change. After a trap nothing in memory can be
   * relied on, so all kernels are released.
   */
  discard(objectId: string, error: unknown): void {
    // A RangeError is an exhausted stack: it may have ended the kernel anywhere.
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) this.#clear();
    else this.release(objectId);
  }

  #heapLimit(): number {
    return this.#heapBytes + Math.max(0, this.#memoryBytes - this.bytes) / SPARE_PER_HEAP_BYTE;
  }

  /**
   * Makes room for a kernel whose change does not fit.
   *
   * @returns false if there is no other kernel to release, and this one has all of memory
   * @throws MemoryCleared when others have left memory in pieces
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

  /** Releases the kernel used least recently, but not this object's. @returns false when there is no other */
  #releaseOldest(objectId: string): boolean {
    let oldest: string | undefined;
    let used = Number.POSITIVE_INFINITY;
    for (const [id, tenant] of this.#tenants) {
      if (id !== objectId && tenant.used < used) {
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

  /** Releases all kernels, whatever state they are in, and starts on cleared memory. */
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
