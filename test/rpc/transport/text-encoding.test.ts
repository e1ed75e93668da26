/** Texts of messages, short and long, ASCII and not: encoded as the platform encodes them, with nothing dropped. */

import { describe, expect, test } from "vitest";
import { GdfSchema } from "../../../src/gen/noema/v1/gdf_pb";
import { messageFromBytes, messageToBytes } from "../../../src/rpc/transport/message-bytes";

const LENGTHS = [0, 1, 2, 11, 12, 13, 63, 64, 65, 1000];
const CHARACTERS = ["a", "\0", "\u007f", "\u0080", "\u00e9", "\ufeff", "\ufffd", "\uffff", "\u{10000}", "\u{1F600}"];

/** Texts of every length, all of one character and with it at the start, in the middle and at the end. */
const TEXTS = CHARACTERS.flatMap((character) =>
  LENGTHS.flatMap((length) => [
    character.repeat(length),
    character + "x".repeat(length),
    "x".repeat(length) + character,
    "x".repeat(length) + character + "x".repeat(length),
  ]),
);

describe("texts of messages", () => {
  test("have the bytes that TextEncoder gives", () => {
    for (const text of TEXTS) {
      const bytes = messageToBytes(GdfSchema, { strings: [text] });
      const utf8 = new TextEncoder().encode(text);
      expect(bytes.slice(bytes.length - utf8.length)).toStrictEqual(utf8);
    }
  });

  test("come back unchanged, with a leading byte order mark", () => {
    const { strings } = messageFromBytes(GdfSchema, messageToBytes(GdfSchema, { strings: TEXTS }));
    expect(strings).toStrictEqual(TEXTS);
  });

  test("must be UTF-8 in received messages", () => {
    const message = messageToBytes(GdfSchema, { strings: ["ab"] });
    const broken = message.slice();
    broken[broken.length - 1] = 0xff;
    expect(messageFromBytes(GdfSchema, message).strings).toStrictEqual(["ab"]);
    expect(() => messageFromBytes(GdfSchema, broken)).toThrow("parse binary");
  });
});
