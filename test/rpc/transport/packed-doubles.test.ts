/** Lists of doubles in messages: written as the library writes them, and read back bit for bit. */

import { create, type DescMessage, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { GdfSchema } from "../../../src/gen/noema/v1/gdf_pb";
import {
  GetPredictionsResponseSchema,
  ObserveSequenceRequestSchema,
} from "../../../src/gen/noema/v1/memory_service_pb";
import { VectorRecordSchema } from "../../../src/gen/noema/v1/model_pb";
import { messageFromBytes, messageToBytes } from "../../../src/rpc/transport/message-bytes";

const DOUBLES = [0, -0, 1, -1, 0.1, 2 ** -1074, Number.MAX_VALUE, -Math.PI, Number.NaN, Number.NEGATIVE_INFINITY];
const MANY = Array.from({ length: 1000 }, (_, at) => Math.sqrt(at) / 3);

/** The bytes in groups of eight, so that a difference shows where it is. */
function expectSame<Desc extends DescMessage>(desc: Desc, message: MessageInitShape<Desc>) {
  const whole = create(desc, message);
  const bytes = messageToBytes(desc, message);
  expect(bytes).toHaveLength(toBinary(desc, whole).length);
  expect(messageFromBytes(desc, bytes)).toStrictEqual(fromBinary(desc, toBinary(desc, whole)));
  return { bytes, whole };
}

describe("lists of doubles", () => {
  test.each([[[]], [[0]], [DOUBLES], [MANY]])("have the library's bytes", (components) => {
    const message = { strings: ["a"], vectors: [{ components }, { components: [1] }, {}], uniqueId: "u" };
    const { bytes, whole } = expectSame(GdfSchema, message);
    expect(bytes).toStrictEqual(toBinary(GdfSchema, whole));
  });

  test("are found in messages in lists of messages, and beside other fields", () => {
    expectSame(ObserveSequenceRequestSchema, { sequence: [{ strings: ["a"] }, { vectors: [{ components: MANY }] }] });
    expectSame(VectorRecordSchema, { name: "n", components: MANY, order: 7 });
    const ensemble = { frequencies: MANY, potential: DOUBLES, snr: [] };
    expectSame(GetPredictionsResponseSchema, { packed: ensemble });
  });

  test("leave the message as it was", () => {
    const message = create(GdfSchema, { vectors: [{ components: [...MANY] }] });
    messageToBytes(GdfSchema, message);
    expect(message).toStrictEqual(create(GdfSchema, { vectors: [{ components: MANY }] }));
  });

  test("are left to the library when they hold something else than numbers", () => {
    for (const odd of ["2", null, [3], 4n] as unknown[] as number[]) {
      const message = { vectors: [{ components: [1, odd] }] };
      const outcome = (write: () => Uint8Array) => {
        try {
          return write();
        } catch {
          return "refused";
        }
      };
      const own = outcome(() => messageToBytes(GdfSchema, message));
      expect(own).toStrictEqual(outcome(() => toBinary(GdfSchema, create(GdfSchema, message))));
    }
  });
});
