/** What the reference says of the rows in src/gateway/operations/encoders.ts. */

import type { Reference } from "./entry";
import { envelope, inData, ref, word } from "./schemas/schema";

const STEP = { hysteresis: 0.1, kind: "step", on_change: false, origin: 0, size: 0.5 };

const PUT = {
  method: "PUT",
  path: "/p46b6b076c/encoders/temp",
  body: { data: { kind: "step", size: 0.5, hysteresis: 0.1 } },
} as const;

/** By row. */
export const encoderReference: Reference = {
  "GET /:id/encoders": {
    operationId: ["listEncoders"],
    doc: ["All encoders by name."],
    returns: "`{name: encoder, ...}`, as GET /encoders/:encoder returns one.",
    answer: envelope(ref("Encoders")),
    example: {
      after: [PUT],
      request: { method: "GET", path: "/p46b6b076c/encoders" },
      response: { id: "p46b6b076c", interval: 3, message: { temp: STEP }, status: "okay", time_stamp: 1795250628 },
    },
  },
  "GET /:id/encoders/:encoder": {
    operationId: ["getEncoder"],
    doc: ["One encoder.", "@throws NoemaError 404 if none has the name"],
    returns: "The encoder with all its members. HTTP 404 when there is none of the name.",
    answer: envelope(ref("Encoder")),
    example: {
      after: [PUT],
      request: { method: "GET", path: "/p46b6b076c/encoders/temp" },
      response: { id: "p46b6b076c", interval: 3, message: STEP, status: "okay", time_stamp: 1795250628 },
    },
  },
  "PUT /:id/encoders/:encoder": {
    operationId: ["putEncoder"],
    doc: [
      "Adds an encoder for the numbers of its name, or replaces it. Changing it makes memories forget the bin of the last number. An encoder of the kind auto that has found its edges keeps them when it is put again.",
      "@returns the encoder with all its members",
      "@throws NoemaError 400 if a member is wrong, 429 if the processor already has the maximum number of encoders",
    ],
    takes:
      '`{"data": {"kind": "step", "size", "origin"?, "hysteresis"?, "on_change"?}}` or `{"data": {"kind": "edges", "edges", "hysteresis"?, "on_change"?}}` or `{"data": {"kind": "auto", "bins"?, "hysteresis"?, "on_change"?}}`; `{"data": {"kind": "clock", "of", "step"?, "zone"?}}` or `{"data": {"kind": "elapsed", "edges"?}}`; or that object alone. [Numbers](numbers.md) and [Time](time.md) explain the kinds.',
    returns:
      "The encoder with all its members. One that changes lets memories forget the bins of its numbers. An encoder that has found its edges keeps them when it is put again.",
    request: inData(ref("NewEncoder")),
    answer: envelope(ref("Encoder")),
    example: {
      request: PUT,
      response: { id: "p46b6b076c", interval: 3, message: STEP, status: "okay", time_stamp: 1795250628 },
    },
  },
  "DELETE /:id/encoders/:encoder": {
    operationId: ["deleteEncoder"],
    doc: ["Deletes the encoder with the name, if there is one. Numbers of the name are refused from then on."],
    returns: '`"encoder-deleted"`, also if there was no such encoder.',
    answer: envelope(word("encoder-deleted", "There is no encoder of the name.")),
    example: {
      request: { method: "DELETE", path: "/p46b6b076c/encoders/temp" },
      response: { id: "p46b6b076c", interval: 3, message: "encoder-deleted", status: "okay", time_stamp: 1795250628 },
    },
  },
};
