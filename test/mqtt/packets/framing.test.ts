/** Packets come whole out of bytes that were cut anywhere. */

import { expect, test } from "vitest";
import { Framing, MAX_PACKET_BYTES } from "../../../src/mqtt/packets/framing";
import { packet } from "../../support/mqtt/packets.mjs";

/** A packet of PUBLISH with this many bytes behind its header. */
function packetOf(length: number, fill: number): Uint8Array {
  const head = [0x30];
  for (let left = length; ; left >>= 7) {
    if (left < 0x80) return Uint8Array.from([...head, left, ...Array.from({ length }, () => fill)]);
    head.push((left & 0x7f) | 0x80);
  }
}

const PACKETS = [0, 1, 127, 128, 5_000, 3, 20_000].map((length, at) => packetOf(length, at));

test.each([1, 2, 3, 7, 4_096, 1_000_000])("cut into parts of %d bytes", (size) => {
  const all = Uint8Array.from(PACKETS.flatMap((packet) => [...packet]));
  const framing = new Framing();
  const found: Uint8Array[] = [];
  for (let at = 0; at < all.length; at += size) {
    framing.push(all.subarray(at, at + size));
    for (let next = framing.next(); next !== undefined; next = framing.next()) found.push(next);
  }
  expect(found).toEqual(PACKETS);
  expect(framing.held).toBe(0);
});

test("what is held is counted, and let go", () => {
  const framing = new Framing();
  framing.push(packetOf(200, 7).subarray(0, 150));
  expect(framing.next()).toBeUndefined();
  expect(framing.held).toBe(150);
  framing.drop();
  expect(framing.held).toBe(0);
});

test("a byte that is left of a large message keeps no large buffer", () => {
  const framing = new Framing();
  framing.most = MAX_PACKET_BYTES;
  framing.push(Buffer.concat([packet(0x30, Buffer.alloc(900_000)), packet(0xc0), Buffer.of(0xc0)]));
  expect([framing.next()?.length, framing.next()?.length, framing.next()]).toEqual([900_004, 2, undefined]);
  expect([framing.held, framing.capacity]).toEqual([1, 4096]);
  framing.push(Buffer.of(0));
  expect([framing.next()?.length, framing.held, framing.capacity]).toEqual([2, 0, 0]);
});

test("a packet that comes alone and whole is passed on without a copy, within its bounds", () => {
  const framing = new Framing();
  const whole = packetOf(200, 7);
  framing.push(whole);
  expect(framing.held).toBe(whole.length);
  expect(framing.next()).toBe(whole);
  expect([framing.next(), framing.held, framing.capacity]).toEqual([undefined, 0, 0]);
  framing.push(whole);
  framing.push(whole.subarray(0, 3));
  framing.push(whole.subarray(3));
  expect([framing.next(), framing.next(), framing.next()]).toEqual([whole, whole, undefined]);
  framing.most = whole.length - 1;
  framing.push(whole);
  expect(() => framing.next()).toThrow("a packet may have 202 bytes here, got one of 203");
});
