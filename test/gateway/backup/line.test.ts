import { createHash } from "node:crypto";
import { create, type MessageInitShape, toBinary, toJson } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { LineReader, LineWriter, MAX_LINE_VALUES } from "../../../src/gateway/backup/line";
import { BackupRecordSchema } from "../../../src/gen/noema/v1/backup_pb";

/** Reads a first line that holds a record, with the right check. */
function read(record: string): Promise<unknown> {
  const check = createHash("sha256").update(record).digest("hex").slice(0, 16);
  const text = `{"check":"${check}",${record.slice(1)}`;
  return new LineReader().read(text, new TextEncoder().encode(`${text}\n`));
}

describe("a line of a backup", () => {
  it("is read as it was written", async () => {
    const record = create(BackupRecordSchema, { record: { case: "backup", value: { version: 1, processor: "p1" } } });
    const line = await new LineWriter().line(record);
    expect(await new LineReader().read(line.slice(0, -1), new TextEncoder().encode(line))).toEqual(record.record);
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
  ])("with %s is refused before anything is made of it", async (_, record, message) => {
    await expect(read(record)).rejects.toThrow(message);
  });

  it("may hold as many symbols as a memory, if that is more", async () => {
    const record = `{"memory":{"events":[{"symbols":[${'"a",'.repeat(250_000)}"a"]}]}}`;
    const check = createHash("sha256").update(record).digest("hex").slice(0, 16);
    const text = `{"check":"${check}",${record.slice(1)}`;
    const { value } = await new LineReader(300_000).read(text, new Uint8Array());
    expect(value).toMatchObject({ events: [{ symbols: { length: 250_001 } }] });
  });

  /** A memory and a model of more than a MiB as JSON, with every kind of long list. */
  const LONG: [string, MessageInitShape<typeof BackupRecordSchema>][] = [
    [
      "memory",
      {
        record: {
          case: "memory",
          value: {
            session: 'a "session"',
            time: -0,
            emotives: [{ name: "joy", value: -0 }],
            events: Array.from({ length: 20_000 }, (_, at) => ({
              symbols: [`s${at}`, "é\n"],
              metadataJson: `{"at":${at}}`,
              ...(at % 3 === 0 ? {} : { time: at / 8 }),
            })),
            waiting: Array.from({ length: 9 }, (_, at) => ({ components: new Array(2_000).fill(at / 3) })),
            sources: Array.from({ length: 6_000 }, (_, at) => ({ source: `d${at}`, number: at, fromProcessor: true })),
            ageMs: 5,
          },
        },
      },
    ],
    [
      "model",
      {
        record: {
          case: "model",
          value: {
            name: "m",
            sequence: Array.from({ length: 60_000 }, (_, at) => ({ symbols: [`symbol ${at}`] })),
            metadataJson: new Array(60_000).fill("{}"),
            order: 1,
            runs: [{ times: Array.from({ length: 60_000 }, (_, at) => at / 1000) }],
          },
        },
      },
    ],
  ];

  it.each(
    LONG,
  )("that is long has the text of a short one, is read as it was, and lets others be served: a %s", async (_, init) => {
    const record = create(BackupRecordSchema, init);
    let turns = 0;
    const others = setInterval(() => turns++, 0);
    const line = await new LineWriter().line(record);
    const written = turns;
    const back = await new LineReader().read(line.slice(0, -1), new TextEncoder().encode(line));
    clearInterval(others);
    expect([written, turns - written].every((each) => each >= 3)).toBe(true);
    const minusZero = (_: string, value: unknown) => (Object.is(value, -0) ? "-0" : value);
    const json = JSON.stringify(toJson(BackupRecordSchema, record, { useProtoFieldName: true }), minusZero);
    const check = createHash("sha256").update(json).digest("hex").slice(0, 16);
    expect(line === `{"check":"${check}",${json.slice(1)}\n`).toBe(true);
    // Compared as bytes: to compare messages member by member takes seconds.
    const bytes = (each: unknown) => toBinary(BackupRecordSchema, create(BackupRecordSchema, each as typeof init));
    expect(Buffer.compare(bytes({ record: back }), bytes(record))).toBe(0);
  });

  it("that is long and wrong in the middle of a list is refused", async () => {
    const events = `${'{"symbols":["a"]},'.repeat(100_000)}{"symbols":[7]}`;
    await expect(read(`{"memory":{"events":[${events}]}}`)).rejects.toThrow(/^it is not a record of a backup: /);
    await expect(read(`{"memory":{"none":1,"events":[${events}]}}`)).rejects.toThrow("none");
    await expect(read(`{"memory":{"events":[${events}]},"model":{}}`)).rejects.toThrow(/^it is not a record/);
  });

  it("that is no record is refused by the library's words", async () => {
    await expect(read('{"memory":{"none":1}}')).rejects.toThrow(/^it is not a record of a backup: /);
  });
});
