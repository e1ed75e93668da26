/** The codec reads packets without a fault, and refuses each packet with one, by its reason. */

import { describe, expect, test } from "vitest";
import { Framing, MAX_PACKET_BYTES } from "../../../src/mqtt/packets/framing";
import { ProtocolFault } from "../../../src/mqtt/packets/packet";
import { readConnect, readPacket } from "../../../src/mqtt/packets/reading";
import { bytesOf, connectMutants, packetMutants, soundConnect, soundPackets } from "../../support/mqtt/mutants";

const TOPIC = "noema/P1/sessions/mutants/observe";
const FILTER = "noema/P1/sessions/mutants/observed";

/** The reason with which bytes are refused; `undefined` when they are not. */
function codeOf(bytes: Buffer, read: (packet: Uint8Array) => unknown): number | undefined {
  const framing = new Framing();
  framing.most = MAX_PACKET_BYTES;
  try {
    framing.push(bytes);
    for (let next = framing.next(); next !== undefined; next = framing.next()) read(next);
    return undefined;
  } catch (error) {
    if (error instanceof ProtocolFault) return error.code;
    throw error;
  }
}

describe.each([4, 5] as const)("protocol level %d", (version) => {
  const read = (packet: Uint8Array) => readPacket(packet, version);

  test("packets without a fault are read", () => {
    expect(readConnect(bytesOf(soundConnect(version, TOPIC, "key"))).will?.topic).toBe(TOPIC);
    for (const sound of soundPackets(version, TOPIC, FILTER)) {
      expect(codeOf(bytesOf(sound), read), sound.name).toBe(undefined);
      expect(read(bytesOf(sound)).type, sound.name).toBe((sound.name.split(" ")[0] ?? "").toLowerCase());
    }
  });

  test("each packet with a fault is refused", () => {
    const mutants = packetMutants(version, TOPIC, FILTER);
    expect(mutants.length).toBeGreaterThan(version === 5 ? 1000 : 200);
    const wrong = mutants.flatMap(({ what, bytes, code }) => {
      const got = codeOf(bytes, read);
      // MQTT 3.1.1 knows no reasons: any ends the connection.
      const isRight = version === 5 ? got === code : got !== undefined;
      return isRight ? [] : [`${what}: ${got?.toString(16)}, expected ${code?.toString(16)}`];
    });
    expect(wrong).toEqual([]);
  });

  test("each CONNECT with a fault is refused", () => {
    const mutants = connectMutants(version, TOPIC, "key");
    const wrong = mutants.flatMap(({ what, bytes, code }) => {
      const got = codeOf(bytes, readConnect);
      const isRight = code === undefined || code === 1 ? got !== undefined || bytes.length < 6 : got === code;
      return isRight ? [] : [`${what}: ${got?.toString(16)}, expected ${code?.toString(16)}`];
    });
    expect(wrong).toEqual([]);
  });
});
