/**
 * One tenant's part of the kernel's memory, which a kernel and its vectors share. Enters the tenant before any call is
 * made for it.
 */

import { Fault } from "../processor/ports/fault";
import type { KernelMemory } from "./memory";
import type { KernelExports } from "./module";

/**
 * Frees memory that another tenant holds. Called when a change of this tenant does not fit.
 * @returns false when there is nothing to free
 */
export type MakeRoom = () => boolean;

/** The models and vectors of one tenant, in a memory that it may share with others. */
export class TenantMemory {
  /** The transfer of queries, models and matches. */
  readonly shared: KernelMemory;
  readonly #makeRoom: MakeRoom;
  /** Changes whenever the memory is cleared, which releases all tenants. */
  readonly #life: number;
  /** The address that identifies the tenant; `undefined` once it is released. */
  #tenant: number | undefined;

  constructor(shared: KernelMemory, makeRoom: MakeRoom) {
    this.shared = shared;
    this.#makeRoom = makeRoom;
    this.#life = shared.life;
    this.#tenant = shared.exports.createTenant();
  }

  /**
   * The instance's exports, with the tenant entered. Throws after {@link release}, because the tenant's memory may
   * belong to others by then.
   */
  get exports(): KernelExports {
    const { exports } = this.shared;
    if (this.#tenant === undefined || this.#life !== this.shared.life) {
      throw new Error("this kernel has released its memory; a released kernel cannot be used");
    }
    exports.enterTenant(this.#tenant);
    return exports;
  }

  /** Bytes that the tenant holds. */
  get bytes(): number {
    return this.exports.tenantBytes() >>> 0;
  }

  /**
   * Makes a change, repeatedly while it does not fit but room can be made.
   *
   * @param attempt returns whether it fitted
   * @throws Fault `exhausted` when it does not fit and there is nothing to free
   */
  change(attempt: (exports: KernelExports) => boolean): void {
    while (!attempt(this.exports)) {
      if (!this.#makeRoom()) {
        throw this.#exhausted();
      }
    }
  }

  /** Frees everything that the tenant holds. Later calls throw. Does nothing if already released. */
  release(): void {
    const tenant = this.#tenant;
    this.#tenant = undefined;
    if (tenant === undefined || this.#life !== this.shared.life) {
      return;
    }
    const left = this.shared.exports.releaseTenant(tenant) >>> 0;
    if (left !== 0) {
      throw new Error(`a released tenant has left ${left} bytes in the kernel's memory`);
    }
  }

  #exhausted(): Fault {
    return new Fault(
      "exhausted",
      `the memory of this processor is used up: ${this.bytes} of ${this.shared.limitBytes} bytes are held; ` +
        "delete models or clear the memory to free some",
    );
  }
}
