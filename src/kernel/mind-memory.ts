/**
 * One mind's part of the kernel's memory: what a kernel and its vectors share. Enters the mind before
 * any call is made for it.
 */

import { Fault } from "../processor/ports/fault";
import type { KernelMemory } from "./memory";
import type { KernelExports } from "./module";

/**
 * Frees memory that another mind holds. Called when a change of this mind does not fit.
 * @returns false when there is nothing to free
 */
export type MakeRoom = () => boolean;

/** The models and vectors of one mind, in a memory that it may share with others. */
export class MindMemory {
  /** How queries and models go in, and matches come out. */
  readonly shared: KernelMemory;
  readonly #makeRoom: MakeRoom;
  /** Changes whenever the memory is cleared, which releases all minds. */
  readonly #life: number;
  /** The address that names the mind; `undefined` once it is released. */
  #mind: number | undefined;

  constructor(shared: KernelMemory, makeRoom: MakeRoom) {
    this.shared = shared;
    this.#makeRoom = makeRoom;
    this.#life = shared.life;
    this.#mind = shared.exports.createMind();
  }

  /**
   * The instance's exports, with the mind entered. Throws after {@link release}: what the mind held
   * may belong to others now.
   */
  get exports(): KernelExports {
    const { exports } = this.shared;
    if (this.#mind === undefined || this.#life !== this.shared.life) {
      throw new Error("this kernel has released its memory; a kernel is used no more after its release");
    }
    exports.enterMind(this.#mind);
    return exports;
  }

  /** How many bytes the mind holds. */
  get bytes(): number {
    return this.exports.mindBytes() >>> 0;
  }

  /**
   * Makes a change, again and again while it does not fit and room can be made for it.
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

  /** Gives back all that the mind holds. Later calls throw. Does nothing if that has happened already. */
  release(): void {
    const mind = this.#mind;
    this.#mind = undefined;
    if (mind === undefined || this.#life !== this.shared.life) {
      return;
    }
    const left = this.shared.exports.releaseMind(mind) >>> 0;
    if (left !== 0) {
      throw new Error(`a released mind has left ${left} bytes in the kernel's memory`);
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
