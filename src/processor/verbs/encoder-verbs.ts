/** The verbs of EncoderService: reads and changes the encoders of a processor. */

import type { NamedEncoder } from "../../gen/plain";
import type { Mind } from "../mind";

/** One method per rpc of EncoderService. */
export class EncoderVerbs {
  readonly #mind: Mind;

  constructor(mind: Mind) {
    this.#mind = mind;
  }

  /**
   * All encoders by name, in the order of UTF-8 bytes; if `name` is not empty, only the encoder of that name, if any.
   */
  get(name: string): { encoders: NamedEncoder[] } {
    const { encoders } = this.#mind.shared;
    const one = name === "" ? undefined : encoders.get(name);
    const found = one === undefined ? [] : [one];
    const asked = name === "" ? encoders.all() : found;
    return { encoders: asked.map((encoder) => ({ name: encoder.name, encoderJson: encoder.text })) };
  }

  /**
   * Adds or replaces an encoder. Replacing it makes memories forget the bin of the last number of that name.
   *
   * @param encoderJson the definition as JSON text; members that have a default may be left out
   * @returns the definition as canonical JSON text
   * @throws Fault `invalid` when the name or the definition is wrong; `over-limit` if the maximum
   *   number of encoders is reached
   */
  put(name: string, encoderJson: string): { encoderJson: string } {
    return { encoderJson: this.#mind.shared.encoders.put(name, encoderJson) };
  }

  /** Deletes an encoder. Does nothing if none has the name. */
  delete(name: string): Record<string, never> {
    this.#mind.shared.encoders.delete(name);
    return {};
  }
}
