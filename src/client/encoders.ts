/**
 * The encoders of a processor, which turn the numbers of records into symbols. docs/numbers.md explains their kinds.
 */

import type { Encoder, Encoders, NewEncoder } from "./gen/operations";
import { message } from "./transport/call";
import type { Processor } from "./transport/connection";
import type { CallOptions, WriteOptions } from "./transport/exchange";
import { checked } from "./transport/members";
import { nameSegment } from "./transport/names";

const NAME = "the name of an encoder";

/** All encoders by name. */
export function listEncoders(processor: Processor, options?: CallOptions): Promise<Encoders> {
  return message(processor, { operation: "listEncoders", method: "GET", path: "encoders", repeats: "read" }, options);
}

/** One encoder. @throws NoemaError 404 if none has the name */
export function getEncoder(processor: Processor, name: string, options?: CallOptions): Promise<Encoder> {
  const path = `encoders/${nameSegment(NAME, name)}`;
  return message(processor, { operation: "getEncoder", method: "GET", path, repeats: "read" }, options);
}

/**
 * Adds an encoder for the numbers of its name, or replaces it. Changing it makes memories forget the bin of the last
 * number. An encoder of the kind auto that has found its edges keeps them when it is put again.
 *
 * @returns the encoder with all its members
 * @throws NoemaError 400 if a member is wrong, 429 if the processor already has the maximum number of encoders
 */
export async function putEncoder(
  processor: Processor,
  name: string,
  encoder: NewEncoder,
  options?: WriteOptions,
): Promise<Encoder> {
  checked("an encoder", "member", encoder, {
    kind: 1,
    size: 1,
    origin: 1,
    bins: 1,
    edges: 1,
    of: 1,
    step: 1,
    zone: 1,
    hysteresis: 1,
    on_change: 1,
  });
  const path = `encoders/${nameSegment(NAME, name)}`;
  const call = { operation: "putEncoder", method: "PUT", path, repeats: "keyed", body: { data: encoder } } as const;
  return message(processor, call, options);
}

/** Deletes the encoder with the name, if there is one. Numbers of the name are refused from then on. */
export async function deleteEncoder(processor: Processor, name: string, options?: WriteOptions): Promise<void> {
  const path = `encoders/${nameSegment(NAME, name)}`;
  await message(processor, { operation: "deleteEncoder", method: "DELETE", path, repeats: "keyed" }, options);
}
