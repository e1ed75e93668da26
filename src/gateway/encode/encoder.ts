/** Writes encoders as JSON text. */

import type { GetEncodersResponse, PutEncoderResponse } from "../../gen/noema/v1/encoder_service_pb";
import { excerpt } from "../../text/excerpt";
import { object } from "../json/writer";
import { Refusal } from "../refusal";
import { okay } from "./envelope";

/** The answer of encoders: all of them by name. */
export function encodeEncoders(reply: GetEncodersResponse): string {
  return okay(reply, object(reply.encoders.map(({ name, encoderJson }) => [name, encoderJson])));
}

/** The answer of encoders/<name>. @throws Refusal 404 if none has the name */
export function encodeEncoder(reply: GetEncodersResponse, { name = "" }: { readonly name?: string }): string {
  const [encoder] = reply.encoders;
  if (encoder !== undefined) return okay(reply, encoder.encoderJson);
  throw new Refusal(404, `there is no encoder ${excerpt(name)}; GET encoders lists them`);
}

/**
 * The answer to an encoder that was put: the encoder with all its members.
 *
 * @throws Error when the processor leaves it out
 */
export function encodePutEncoder(reply: PutEncoderResponse): string {
  if (reply.encoderJson === "") throw new Error("a processor left out the encoder that it put");
  return okay(reply, reply.encoderJson);
}
