/** An oracle that runs out of memory when a test wants it. */

import { Fault } from "../../src/processor/ports/fault";
import type { MatchableModel } from "../../src/processor/ports/matcher";
import { Oracle } from "../oracle/oracle";

/** A Matcher without free memory while `isFull` returns true. */
export class ScarceOracle extends Oracle {
  readonly #isFull: () => boolean;

  constructor(isFull: () => boolean) {
    super();
    this.#isFull = isFull;
  }

  override add(model: MatchableModel): void {
    if (this.#isFull()) throw new Fault("exhausted", "memory is used up");
    super.add(model);
  }
}
