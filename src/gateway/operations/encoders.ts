/** The rows of encoders, which turn the numbers of records into symbols. */

import { EncoderService } from "../../gen/noema/v1/encoder_service_pb";
import { decodeEncoderName, decodePutEncoder } from "../decode/encoder";
import { encodeEncoder, encodeEncoders, encodePutEncoder } from "../encode/encoder";
import { okay } from "../encode/envelope";
import { decodeNothing, type Operation, processorCall } from "./operation";

const { getEncoders, putEncoder, deleteEncoder } = EncoderService.method;

/** Encoders. */
export const encoderOperations: readonly Operation[] = [
  processorCall({
    methods: ["GET"],
    path: "/:id/encoders",
    rpc: getEncoders,
    isOwn: true,
    decode: decodeNothing,
    encode: encodeEncoders,
    summary: "Returns all encoders by name.",
  }),
  processorCall({
    methods: ["GET"],
    path: "/:id/encoders/:encoder",
    rpc: getEncoders,
    isOwn: true,
    decode: decodeEncoderName,
    encode: encodeEncoder,
    summary: "Returns one encoder.",
  }),
  processorCall({
    methods: ["PUT"],
    path: "/:id/encoders/:encoder",
    rpc: putEncoder,
    isOwn: true,
    decode: decodePutEncoder,
    encode: encodePutEncoder,
    summary: "Adds an encoder for the numbers of its name, or replaces it.",
  }),
  processorCall({
    methods: ["DELETE"],
    path: "/:id/encoders/:encoder",
    rpc: deleteEncoder,
    isOwn: true,
    decode: decodeEncoderName,
    encode: (reply) => okay(reply, '"encoder-deleted"'),
    summary: "Deletes an encoder. Numbers of its name are refused from then on.",
  }),
];
