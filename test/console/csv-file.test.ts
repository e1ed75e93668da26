/** The console reads tables of separated cells as the command line does, and guesses what their columns are for. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Row, Table } from "../../src/cli/table/row";
import { openTable } from "../../src/cli/table/rows";
import type * as csvFile from "../../src/console/import/csv-file";
import { columnsOf, guessed, lacking } from "../../src/console/import/roles";

const { CsvFile, MAX_BYTES, readingOf } = await asBundled();

/** The module as pages have it: with the console's own Buffer in place of Node's. */
async function asBundled(): Promise<typeof csvFile> {
  const { outputFiles } = await build({
    entryPoints: ["src/console/import/csv-file.ts"],
    inject: ["src/console/import/buffer.ts"],
    bundle: true,
    format: "esm",
    write: false,
  });
  const text = outputFiles[0]?.text ?? "";
  return import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`);
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "noema-csv-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A file whose bytes come in pieces of a size. */
function fileOf(content: string | Uint8Array<ArrayBuffer>, name = "table.csv", size = 7): File {
  const file = new File([content], name);
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  Object.defineProperty(file, "stream", {
    value: () =>
      new ReadableStream({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
          controller.close();
        },
      }),
  });
  return file;
}

interface Found {
  readonly rows: Row[];
  readonly bad: string[];
}

async function found(table: Table, skipsBad: boolean): Promise<Found> {
  const [rows, bad]: [Row[], string[]] = [[], []];
  for await (const row of table.rows(skipsBad ? ({ message }) => void bad.push(message) : undefined)) rows.push(row);
  return { rows, bad };
}

const read = async (file: File) => found(new CsvFile(file, await readingOf(file)), false);

test("any table in pieces of any size has the rows, lines and errors that the command line finds", async () => {
  const plain = fc.oneof(
    fc.stringMatching(/^[a-zäß0-9 .-]{0,6}$/),
    fc.constantFrom('"x;y"', '"a ""b"""', '"two\nlines"'),
  );
  const lineOf = (cell: fc.Arbitrary<string>, minLength: number, maxLength: number) =>
    fc.array(cell, { minLength, maxLength }).map((cells) => cells.join(";"));
  const lines = fc.oneof(
    fc.array(lineOf(plain, 2, 4), { maxLength: 12 }),
    // The command line counts such a line end twice in a row that is left out: no row is.
    fc.array(lineOf(fc.oneof(plain, fc.constant('"two\r\nlines"')), 3, 3), { maxLength: 12 }),
  );
  const table = fc.record({
    lines,
    end: fc.constantFrom("\n", "\r\n"),
    size: fc.integer({ min: 1, max: 40 }),
    mark: fc.constantFrom("", "\ufeff"),
  });
  await fc.assert(
    fc.asyncProperty(table, async ({ lines, end, size, mark }) => {
      const text = `${mark}${["one;two;three", ...lines].join(end)}`;
      const path = join(folder, "any.csv");
      writeFileSync(path, text);
      const expected = await found(await openTable(path, {}, Readable.from([])), true);
      const file = fileOf(text, "any.csv", size);
      expect(await found(new CsvFile(file, await readingOf(file)), true)).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});

test("finds out how a file is written and separated", async () => {
  const text = "Maschine;Temp\nPresse Süd;20,5\n";
  const rows = [{ line: 2, cells: { Maschine: "Presse Süd", Temp: "20,5" } }];
  const latin = Uint8Array.from(Buffer.from(text, "latin1"));
  const wide = Uint8Array.from(Buffer.from(`\ufeff${text}`, "utf16le"));
  const packed = Uint8Array.from(gzipSync(text));
  for (const [content, encoding] of [
    [text, "utf-8"],
    [latin, "windows-1252"],
    [wide, "utf-16le"],
    [packed, "utf-8"],
  ] as const) {
    const file = fileOf(content);
    expect(await readingOf(file)).toEqual({ encoding, delimiter: ";" });
    expect(await read(file)).toEqual({ rows, bad: [] });
  }
});

test.each([
  ["an empty file", "", "table.csv is empty. A table has the names of its columns in the first line, and a line for"],
  [
    "a workbook",
    "PK\u0003\u0004",
    "the file is a ZIP archive, as workbooks of spreadsheets are; save the table as CSV",
  ],
  ["Parquet", "PAR1 more", "the file is Parquet; write the table as CSV"],
  ["a picture", "\u0089PNG\r\n\u001a\n\0\0\0", "table.csv is no text: it holds bytes of zero."],
  ["a name that comes twice", "a,a\n1,2\n", 'line 1: the column "a" is given twice'],
  ["a short row", "a,b\n1,2\n3\n", "line 3: the row has 1 cell, and the first line names 2"],
  ["an open quotation mark", `a,b\n1,"${"x".repeat(1024 ** 2)}\n`, "line 2: a quotation mark is not closed"],
  ["a large file", "x".repeat(MAX_BYTES + 1), "table.csv has more than 50 MiB; noema train, on the command line,"],
])("%s gets an answer that helps", async (_, content, message) => {
  await expect(read(fileOf(content, "table.csv", 1024 ** 2))).rejects.toThrow(message);
});

test("guesses what columns are for, and says what is still lacking", () => {
  const rows = Array.from({ length: 40 }, (_, at) => ({
    Zeit: `2026-11-01T00:${10 + at}:00Z`,
    Maschine: at < 20 ? "Presse" : "Fräse",
    Zustand: at % 3 === 0 ? "heizt" : "steht",
    Temperatur: `${20 + at},5`,
    Notiz: `Freitext ${at}`,
    leer: "",
  }));
  const mapping = guessed(Object.keys(rows[0] ?? {}), rows);
  expect(Object.fromEntries(mapping.roles)).toEqual({
    Zeit: "time",
    Maschine: "group",
    Zustand: "symbol",
    Temperatur: "number",
    Notiz: "ignore",
    leer: "ignore",
  });
  expect([mapping.isDecimalComma, mapping.every, lacking(mapping)]).toEqual([true, 100, ""]);
  const columns = columnsOf(mapping, false);
  expect(columns).toMatchObject({ groupBy: ["Maschine"], every: undefined, time: "Zeit", isDecimalComma: true });
  const alone = { ...mapping, roles: new Map([["Zustand", "symbol"] as const]), every: 20 };
  expect([columnsOf(alone, false).every, columnsOf(alone, true).every]).toEqual([20, undefined]);
  expect(lacking({ ...mapping, roles: new Map([["Zeit", "time"]]) })).toMatch(/^Say of a column/);
  expect(lacking({ ...mapping, every: Number.NaN })).toBe("A sequence has 2 to 1000 rows.");
});

test("a column without a name is left out, because no encoder can have its name", () => {
  const rows = [
    { a: "1", "": "2" },
    { a: "3", "": "4" },
  ];
  const mapping = guessed(["a", ""], rows);
  expect(Object.fromEntries(mapping.roles)).toEqual({ a: "number", "": "ignore" });
  expect(lacking({ ...mapping, roles: new Map([["", "number"]]) })).toBe(
    'A column with the name "" cannot be a number: rename it in the file, or ignore it.',
  );
});
