/** Messages to bytes and back, with the errors that the library's transports give for a message they cannot carry. */

import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { withPackedDoubles } from "./packed-doubles";
import { useFastTextEncoding } from "./text-encoding";

useFastTextEncoding();

/**
 * The largest message, in bytes, either way. The runtime carries at most 32 MiB in a native call; the rest is for what it puts around
 * the message.
 */
export const MAX_MESSAGE_BYTES = 31 * 1024 * 1024;

/**
 * The bytes of a message.
 *
 * @throws ConnectError `ResourceExhausted` above {@link MAX_MESSAGE_BYTES}; `Internal` when a field's value has the wrong type
 */
export function messageToBytes<Desc extends DescMessage>(desc: Desc, message: MessageInitShape<Desc>): Uint8Array {
  const bytes = encoded(desc, message);
  if (bytes.byteLength <= MAX_MESSAGE_BYTES) return bytes;
  const reason = `message size ${bytes.byteLength} is larger than the ${MAX_MESSAGE_BYTES} bytes that one call may carry`;
  throw new ConnectError(reason, Code.ResourceExhausted);
}

/**
 * The message of some bytes.
 *
 * @throws ConnectError `Internal` when the bytes are not a message of this type
 */
export function messageFromBytes<Desc extends DescMessage>(desc: Desc, bytes: Uint8Array): MessageShape<Desc> {
  try {
    return fromBinary(desc, bytes);
  } catch (error) {
    throw new ConnectError(`parse binary: ${reasonOf(error)}`, Code.Internal);
  }
}

function encoded<Desc extends DescMessage>(desc: Desc, message: MessageInitShape<Desc>): Uint8Array {
  try {
    return toBinary(desc, withPackedDoubles(desc, create(desc, message)));
  } catch (error) {
    throw new ConnectError(`serialize binary: ${reasonOf(error)}`, Code.Internal);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
