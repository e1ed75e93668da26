/**
 * A request that the gateway answers with a failed envelope: the sentence for the client and the HTTP status it travels
 * under. Anything else that is thrown in the gateway is a defect.
 */

import type { Stamp } from "../../gen/noema/v1/stamp_pb";

/** What a failed envelope may carry besides its sentence. */
export interface RefusalExtras {
  /** Who refused, when a processor did; it fills the members `id` and `interval`. */
  stamp?: Stamp | undefined;
  /** Epoch seconds to show instead of now. */
  timeStamp?: number;
  /** The methods that the path knows, for status 405. */
  allow?: string;
}

/** A refusal with a sentence for the client. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  /** The HTTP status, 200 to 599. */
  readonly http: number;
  readonly extras: RefusalExtras;

  /**
   * @param http the HTTP status of the answer
   * @param message one sentence for the client: the value that was wrong, and what is accepted
   */
  constructor(http: number, message: string, extras: RefusalExtras = {}) {
    super(message);
    this.http = http;
    this.extras = extras;
  }
}
