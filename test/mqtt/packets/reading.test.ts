/** Packets of very many parts are refused before all of them are read. */

import { expect, test } from "vitest";
import { type ProtocolFault, REASON } from "../../../src/mqtt/packets/packet";
import { MAX_FILTERS, readPacket } from "../../../src/mqtt/packets/reading";
import { packet, text, two } from "../../support/mqtt/packets.mjs";

const subscribe = (count: number) =>
  packet(0x82, two(1), [0], ...Array.from({ length: count }, (_, at) => Buffer.concat([text(`${at}`), Buffer.of(1)])));

const unsubscribe = (count: number) =>
  packet(0xa2, two(1), [0], ...Array.from({ length: count }, (_, at) => text(`${at}`)));

function codeOf(bytes: Buffer): number {
  try {
    readPacket(bytes, 5);
    return REASON.success;
  } catch (error) {
    return (error as ProtocolFault).code;
  }
}

test.each([
  ["SUBSCRIBE", subscribe],
  ["UNSUBSCRIBE", unsubscribe],
])("%s may have 1,000 topic filters", (_, make) => {
  expect([MAX_FILTERS, MAX_FILTERS + 1].map((count) => codeOf(make(count)))).toEqual([REASON.success, REASON.quota]);
});
