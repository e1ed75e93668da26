import { createHash } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { LineReader, LineWriter, MAX_LINE_VALUES } from "../../../src/gateway/backup/line";
import { BackupRecordSchema } from "../../../src/gen/noema/v1/backup_pb";

/** Reads a first line that holds a record, with the right check. */
function read(record: string) {
  const check = createHash("sha256").update(record).digest("hex").slice(0, 16);
  const text = `{"check":"${check}",${record.slice(1)}`;
  return () => new LineReader().read(text, new TextEncoder().encode(`${text}\n`));
}

describe("a line of a backup", () => {
  it("is read as it was written", () => {
    const record = create(BackupRecordSchema, { record: { case: "backup", value: { version: 1, processor: "p1" } } });
    const line = new LineWriter().line(record);
    expect(new LineReader().read(line.slice(0, -1), new TextEncoder().encode(line))).toEqual(record.record);
  });

  it.each([
    [
      "more values than any line that is written",
      `{"memory":{"events":[${"{},".repeat(MAX_LINE_VALUES / 2)}{}]}}`,
      `it holds more than ${MAX_LINE_VALUES} values, the maximum`,
    ],
    [
      "different members without end",
      `{"memory":{${Array.from({ length: 110_000 }, (_, at) => `"m${at}":1`).join()}}}`,
      "it holds more than 100000 different members, the maximum",
    ],
    [
      "more sources than a memory keeps",
      `{"memory":{"sources":[${"{},".repeat(20_016)}{}]}}`,
      "memory.sources may have 20016 members, got 20017",
    ],
    [
      "a list under its other name",
      `{"memory":{"silenceTold":[${"1,".repeat(10_000)}1]}}`,
      "memory.silence_told may have 10000 members, got 10001",
    ],
    [
      "more events than a memory may hold",
      `{"memory":{"events":[${"{},".repeat(250_000)}{}]}}`,
      "memory.events may have 250000 members, got 250001",
    ],
    [
      "more symbols than a memory may hold",
      `{"memory":{"events":[{"symbols":[${'"a",'.repeat(250_000)}"a"]}]}}`,
      "memory.events may have 250000 symbols together, got 250001",
    ],
    ["nesting without end", `{"memory":${"[".repeat(200_000)}`, "it is nested deeper than 100 levels"],
  ])("with %s is refused before anything is made of it", (_, record, message) => {
    expect(read(record)).toThrow(message);
  });

  it("may hold as many symbols as a memory, if that is more", () => {
    const record = `{"memory":{"events":[{"symbols":[${'"a",'.repeat(250_000)}"a"]}]}}`;
    const check = createHash("sha256").update(record).digest("hex").slice(0, 16);
    const text = `{"check":"${check}",${record.slice(1)}`;
    const { value } = new LineReader(300_000).read(text, new Uint8Array());
    expect(value).toMatchObject({ events: [{ symbols: { length: 250_001 } }] });
  });

  it("that is no record is refused by the library's words", () => {
    expect(read('{"memory":{"none":1}}')).toThrow(/^it is not a record of a backup: /);
  });
});
