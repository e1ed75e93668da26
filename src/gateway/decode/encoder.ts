/** Turns requests about encoders into messages. The processor checks the encoders. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { PutEncoderRequestSchema } from "../../gen/noema/v1/encoder_service_pb";
import { nameRefusal } from "../../text/chosen-names";
import type { Body } from "../json/body";
import type { Address } from "../request-context";
import { asObject, dataOf, noteAll, wrong } from "./value";

/** Reads the name of the encoder from the path. @throws Refusal 400 when no encoder can have it */
export function decodeEncoderName(body: Body, address: Address): { name: string } {
  noteAll(body);
  return { name: nameIn(address) };
}

/**
 * Reads the name of the encoder from the path, and the encoder from the body: `{data: {kind, …}}`, or that object
 * alone.
 *
 * @throws Refusal 400 when no encoder can have the name, when the body holds no object, or when it holds a number that
 *   no double can hold
 */
export function decodePutEncoder(body: Body, address: Address): MessageInitShape<typeof PutEncoderRequestSchema> {
  const name = nameIn(address);
  const data = asObject(dataOf(body, []), "an object {data: {kind, ...}}");
  return { name, encoderJson: body.ordered(data) };
}

function nameIn({ params: { encoder = "" } }: Address): string {
  const refusal = nameRefusal(encoder);
  if (refusal !== undefined) throw wrong("the encoder in the path", refusal, encoder);
  return encoder;
}
