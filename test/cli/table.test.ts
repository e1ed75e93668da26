/** Tables are read as they are written, and refused by line and column where they are wrong. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ColumnOptions, columnsOf } from "../../src/cli/table/columns";
import { type Group, groupsOf, survey } from "../../src/cli/table/groups";
import { endRemarks, timeRemarks } from "../../src/cli/table/remarks";
import type { Row } from "../../src/cli/table/row";
import { type FileOptions, openTable } from "../../src/cli/table/rows";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "noema-table-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function written(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const NOTHING = Readable.from([]);

async function rowsOf(name: string, content: string | Uint8Array, options: FileOptions = {}): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of (await openTable(written(name, content), options, NOTHING)).rows()) rows.push(row);
  return rows;
}

const OPTIONS: ColumnOptions = { symbol: [], number: [], vector: [], emotive: [] };

async function groups(content: string, options: Partial<ColumnOptions>, name = "table.csv"): Promise<Group[]> {
  const columns = columnsOf({ ...OPTIONS, ...options });
  const table = await openTable(written(name, content), {}, NOTHING);
  const found = await survey(table, columns, new AbortController().signal);
  const all: Group[] = [];
  for await (const group of groupsOf(table, columns, found)) all.push(group);
  return all;
}

describe("rows", () => {
  test("of CSV with a byte order mark, CRLF, quotes, quoted line ends and empty lines", async () => {
    const text = '\ufeffid,"the, state"\r\n1,"a ""b"""\r\n\r\n2,"c\r\nd"\r\n3,e\r\n';
    expect(await rowsOf("a.csv", text)).toEqual([
      { line: 2, cells: { id: "1", "the, state": 'a "b"' } },
      { line: 4, cells: { id: "2", "the, state": "c\r\nd" } },
      { line: 6, cells: { id: "3", "the, state": "e" } },
    ]);
  });

  test("of CSV with line ends of Unix, in quotes too, and none at the end", async () => {
    const rows = await rowsOf("a.csv", 'a,b\n1,"x\ny\nz"\n\n\n2,y\n3,z');
    expect(rows.map(({ line }) => line)).toEqual([2, 7, 8]);
  });

  test("of JSONL, with line ends of Windows, a separator of Unicode in a text, and an empty line", async () => {
    const text = '{"a": "x\u2028y"}\r\n\n{"a": [1, 2]}';
    expect(await rowsOf("a.jsonl", text)).toEqual([
      { line: 1, cells: { a: "x\u2028y" } },
      { line: 3, cells: { a: [1, 2] } },
    ]);
  });

  test("packed, separated by tabs or by what is said, or under any name", async () => {
    const row = { line: 2, cells: { a: "1", b: "2" } };
    expect(await rowsOf("a.csv.gz", gzipSync("a,b\n1,2\n"))).toEqual([row]);
    expect(await rowsOf("a.tsv", "a\tb\n1\t2\n")).toEqual([row]);
    expect(await rowsOf("b.csv", "a;b\n1;2\n", { delimiter: ";" })).toEqual([row]);
    expect(await rowsOf("a.txt", "a,b\n1,2\n", { format: "csv" })).toEqual([row]);
  });

  test("of stdin, as often as they are asked for", async () => {
    const table = await openTable("-", { format: "csv" }, Readable.from([Buffer.from("a\n1\n"), Buffer.from("2\n")]));
    for (const _ of [1, 2]) {
      const cells: unknown[] = [];
      for await (const row of table.rows()) cells.push(row.cells.a);
      expect(cells).toEqual(["1", "2"]);
    }
  });

  test.each([
    ["a.csv", "a,b\n1,2\n1\n", /^line 3: the row has 1 cell, and the first line names 2; /],
    ["a.csv", "a,a\n1,2\n", /line 1: the column "a" is given twice/],
    ["a.csv", "a,b\n1,2\n1,2,3\n", /^line 3: the row has 3 cells, and the first line names 2; /],
    ["a.csv", 'a\n"1\n', /^the file ends in line 2 within a cell: a quotation mark before has opened it/],
    ["a.csv", 'a\r\n1\r\n"2\r\n3\r\n4\r\n', /^the file ends in line 5 within a cell/],
    ["a.csv", 'a,b\n"1"x,2\n', /^line 2: a cell goes on after the quotation mark that closes it; .*is written ""/],
    ["a.csv", 'a,b\n1,2"x"\n', /^line 2: a quotation mark is within a cell; .*is written ""/],
    ["a.jsonl", '{"a": 1}\n{"a": \n', /line 2: .*JSON/],
    ["a.jsonl", "[1]\n", /line 1: accepted is an object, got \[1\]/],
    ["a.txt", "", /does not say which format it has; accepted are \.csv/],
    ["b.csv.gz", "not packed", /incorrect header check/],
  ])("%s with %j is refused", async (name, content, message) => {
    await expect(rowsOf(name, content)).rejects.toThrow(message);
  });

  test("of a file that is not there are refused", async () => {
    const table = await openTable(join(folder, "none.csv"), {}, NOTHING);
    await expect(table.rows()[Symbol.asyncIterator]().next()).rejects.toThrow("ENOENT");
  });
});

describe("groups", () => {
  const STATES = "id,state,temp,joy\n1,idle,20.4,\n1,run,21.6,0.5\n2,jam,19,\n";

  test("are the rows with the same cells, in the order of the file", async () => {
    const all = await groups(STATES, { groupBy: "id", symbol: ["state"], number: ["temp:step=0.5"], emotive: ["joy"] });
    expect(all).toMatchObject([
      {
        name: "1",
        line: 2,
        records: [{ strings: ["idle", "temp=20"] }, { strings: ["run", "temp=21.5"], emotives: { joy: 0.5 } }],
      },
      { name: "2", line: 4, records: [{ strings: ["jam", "temp=19"] }] },
    ]);
  });

  test("are put together where their rows are not", async () => {
    const all = await groups("id,s\n1,a\n2,x\n1,b\n2,y\n", { groupBy: "id", symbol: ["s"] });
    expect(all.map(({ name, records }) => [name, records.flatMap(({ strings }) => strings)])).toEqual([
      ["1", ["a", "b"]],
      ["2", ["x", "y"]],
    ]);
  });

  test("may be said by several columns, by a number of rows, or by each row with its label", async () => {
    const text = "a,b,s,l\n1,1,p,x\n1,2,q,x\n1,2,r,x\n";
    const sizes = async (options: Partial<ColumnOptions>) =>
      (await groups(text, { symbol: ["s"], ...options })).map(({ records }) => records.length);
    expect(await sizes({ groupBy: "a,b" })).toEqual([1, 2]);
    expect(await sizes({ every: "2" })).toEqual([2, 1]);
    expect(await sizes({ label: "l" })).toEqual([1, 1, 1]);
    expect((await groups(text, { symbol: ["s"], groupBy: "a", label: "l:named" }))[0]?.label).toBe("l=x");
  });

  test("make vectors, named symbols and symbols of lists; rows that say nothing are left out", async () => {
    const text = '{"g": 1, "x": 1, "y": 2.5, "s": ["b", true]}\n{"g": 1, "x": null, "y": "", "s": null}\n';
    const all = await groups(text, { groupBy: "g", vector: ["x,y"], symbol: ["s:named"] }, "a.jsonl");
    expect(all[0]?.records).toEqual([{ strings: ["s=b", "s=true"], vectors: [[1, 2.5]] }]);
  });

  test("forget the last bin of the group before", async () => {
    const all = await groups("g,x\n1,1.9\n1,2.1\n2,2.1\n", { groupBy: "g", number: ["x:step=1,hysteresis=0.5"] });
    expect(all.map(({ records }) => records.map(({ strings }) => strings?.[0]))).toEqual([["x=1", "x=1"], ["x=2"]]);
  });

  test("have their numbers in the order of names, as a server would put them", async () => {
    const all = await groups("b,a\n1,2\n", { every: "1", number: ["b:step=1", "a:step=1"] });
    expect(all[0]?.records).toEqual([{ strings: ["a=2", "b=1"] }]);
  });

  test("have the quantiles of the file", async () => {
    const text = `g,x\n${Array.from({ length: 8 }, (_, at) => `1,${at}`).join("\n")}\n`;
    const all = await groups(text, { groupBy: "g", number: ["x:quantiles=2"] });
    expect(all[0]?.records.map(({ strings }) => strings?.[0])).toEqual([
      ...Array(4).fill("x=-inf"),
      ...Array(4).fill("x=4"),
    ]);
  });

  test.each([
    [
      STATES,
      { groupBy: "id", symbol: ["mood", "sky"] },
      'line 2: there are no columns "mood", "sky"; there are "id", "state", "temp", "joy"',
    ],
    [STATES, { groupBy: "nr", symbol: ["state"] }, 'line 2: there is no column "nr"'],
    [
      "id,x\n1,2\n1,warm\n",
      { groupBy: "id", number: ["x:step=1"] },
      'line 3: x is "warm"; accepted is a finite number in decimals',
    ],
    ["id,x\n1,0x10\n", { groupBy: "id", number: ["x:step=1"] }, 'line 2: x is "0x10"'],
    ["id,x\n1,1e999\n", { groupBy: "id", number: ["x:step=1"] }, 'line 2: x is "1e999"'],
    ["x,y\n1,\n", { every: "1", vector: ["x,y"] }, "line 2: y is"],
    [
      "id,s,l\n1,a,x\n1,b,y\n",
      { groupBy: "id", symbol: ["s"], label: "l" },
      'line 3: l is "y", but it is "x" in an earlier row of the group 1',
    ],
  ])("of %j are refused", async (content, options, message) => {
    await expect(groups(content, options)).rejects.toThrow(message);
  });

  test.each([
    [{ groupBy: "id" }, "no column makes symbols: name one with --symbol, --number or --vector"],
    [{ symbol: ["s"] }, "nothing says which rows belong together: name a column with --group-by"],
    [{ symbol: ["s"], groupBy: "a", every: "2" }, "--group-by and --every exclude each other"],
    [{ symbol: ["s"], every: "0" }, '--every is "0"; accepted is a whole number from 1'],
    [{ number: [":step=1"], groupBy: "a" }, "--number :step=1 names no column; accepted is <column>:<bins>"],
  ])("%j is a wrong command", (options, message) => {
    expect(() => columnsOf({ ...OPTIONS, ...options })).toThrow(message);
  });
});

describe("--time", () => {
  const symbolsBy = async (...cells: string[]) => {
    const rows = cells.map((cell, at) => `g,"${cell}",s${at}`);
    const [group] = await groups(`g,t,s\n${rows.join("\n")}\n`, { groupBy: "g", symbol: ["s"], time: "t" });
    return group?.records.map(({ strings }) => strings?.[0]);
  };

  test.each([
    [
      ["3", "1", "2.5", "-1"],
      ["s3", "s1", "s2", "s0"],
    ],
    [
      ["2026-11-22T08:00:00Z", "2026-11-22", "2026-11-22 07:59:59.9", "2026-11-21T23:59Z"],
      ["s3", "s1", "s2", "s0"],
    ],
    // The same moment in three zones, then an earlier one: equal times keep the order of the file.
    [
      ["2026-11-22T10:00:00+02:00", "2026-11-22T08:00Z", "2026-11-22T03:00-0500", "2026-11-22T09:59+02"],
      ["s3", "s0", "s1", "s2"],
    ],
  ])("sorts the rows of a sequence: %j", async (cells, sorted) => {
    expect(await symbolsBy(...cells)).toEqual(sorted);
  });

  test("sorts times of all forms by when they were", async () => {
    const seconds = Date.UTC(2026, 10, 22, 8) / 1_000;
    const forms = ["2026-11-22T08:00:04Z", seconds + 3, 1e3 * (seconds + 2), 1e6 * (seconds + 1), 1e9 * seconds];
    expect(await symbolsBy(...forms.map(String))).toEqual(["s4", "s3", "s2", "s1", "s0"]);
  });

  test.each([
    "",
    "yesterday",
    "2026-13-40",
    "2026-02-30T08:00:00Z",
    "22.11.2026",
    "2026-11-22T25:00Z",
  ])("refuses %j by line and column", async (cell) => {
    await expect(symbolsBy("2026-11-22", cell)).rejects.toThrow(
      `line 3: t is ${JSON.stringify(cell)}; accepted is a number, or a time such as 2026-11-22T08:30:00Z`,
    );
  });

  test("keeps the sequences in the order of the file", async () => {
    const all = await groups("g,t,s\nb,9,x\na,1,y\nb,3,z\n", { groupBy: "g", symbol: ["s"], time: "t" });
    expect(all.map(({ name, line, records }) => [name, line, records.map(({ strings }) => strings?.[0])])).toEqual([
      ["b", 2, ["z", "x"]],
      ["a", 3, ["y"]],
    ]);
  });
});

describe("files of other programs", () => {
  const read = async (bytes: string | Buffer, options: object, columns: ColumnOptions, skipsBad = false) => {
    const table = await openTable("-", { format: "csv", ...options }, Readable.from([Buffer.from(bytes)]));
    const found = await survey(table, columnsOf(columns), new AbortController().signal, skipsBad);
    const all: Group[] = [];
    for await (const group of groupsOf(table, columnsOf(columns), { ...found, encoders: new Map() })) all.push(group);
    return { found, records: all.flatMap(({ records }) => records) };
  };
  const SYMBOL = { symbol: ["s"], number: [], vector: [], emotive: [], every: "2" };
  const NUMBER = { ...SYMBOL, symbol: [], number: ["x"] };

  test.each([
    ["s,x\n1;2,3\n", "1;2"],
    ["s;x\n1,2;3\n", "1,2"],
    ["s\tx\n1,2\t3\n", "1,2"],
    ['"s";"a,b,c"\n1,2;3\n', "1,2"],
    ["\ufeffs;x\r\n1,2;3\r\n", "1,2"],
  ])("%j: the cells are separated by what the first line has most of", async (text, cell) => {
    expect((await read(text, {}, SYMBOL)).records).toEqual([{ strings: [cell] }]);
  });

  test("with a comma in numbers are refused by their line, and read with decimalComma", async () => {
    const text = "s;x\na;20,5\nb;1.5\n";
    await expect(read(text, {}, NUMBER)).rejects.toThrow(
      'line 2: x is "20,5"; accepted is a finite number in decimals; --decimal-comma reads a comma as the decimal point',
    );
    const { records } = await read(text, {}, { ...NUMBER, decimalComma: true });
    expect(records).toEqual([{ numbers: { x: 20.5 } }, { numbers: { x: 1.5 } }]);
  });

  test("that are not UTF-8 are refused by their line, and read in their encoding", async () => {
    const text = Buffer.from("s\nwarm\ncaf\xe9\n", "latin1");
    await expect(read(text, {}, SYMBOL)).rejects.toThrow("line 3 is not UTF-8; --encoding windows-1252 reads");
    await expect(read(Buffer.from("caf\xe9\na\n", "latin1"), {}, SYMBOL)).rejects.toThrow("line 1 is not UTF-8");
    const wide = Buffer.from("\ufeffs\nwarm\n", "utf16le");
    await expect(read(wide, {}, SYMBOL)).rejects.toThrow("--encoding utf-16le reads it");
    expect((await read(text, { encoding: "windows-1252" }, SYMBOL)).records).toEqual([
      { strings: ["warm"] },
      { strings: ["café"] },
    ]);
    expect((await read(wide, { encoding: "utf-16le" }, SYMBOL)).records).toEqual([{ strings: ["warm"] }]);
  });

  test("without rows are refused", async () => {
    for (const text of ["", "\ufeff", "s,x\n", "\n\n"]) {
      await expect(read(text, {}, SYMBOL)).rejects.toThrow("stdin has no rows; accepted is a first line with");
    }
  });

  const CSV = "s,x\na,1\nb,2\n";

  test.each([
    ["packed without a name that says so", gzipSync(CSV), {}, ["a", "b"]],
    ["with line ends of old Macs are one line", Buffer.from("s,x\ra,1\rb,2\r"), {}, ["a", "b"]],
    ["with a mark at the beginning", Buffer.from(`\ufeff${CSV}`), {}, ["a", "b"]],
    ["with quoted line ends", Buffer.from('s,x\r\n"a\r\nb",1\r\n"c",2\r\n'), {}, ["a\r\nb", "c"]],
    ["in Latin-1, with semicolons", Buffer.from("s;x\nä;1,5\nö;2\n", "latin1"), { encoding: "latin1" }, ["ä", "ö"]],
  ])("%s are read", async (_, bytes, options, symbols) => {
    const { records } = await read(bytes, options, SYMBOL);
    expect(records.flatMap(({ strings }) => strings)).toEqual(symbols);
  });

  test.each([
    ["packed, and not whole", gzipSync(CSV).subarray(0, 24), "the gzip file is cut short"],
    ["of a spreadsheet", Buffer.from("PK\u0003\u0004\u0014\u0000", "latin1"), "save the table as CSV"],
    ["of Parquet", Buffer.from("PAR1\u0015\u0004", "latin1"), "the file is Parquet; write the table as CSV"],
    ["without names of columns", Buffer.from("a,1\nb,2\n"), "the first line must hold the names of the columns"],
    ["without the column", Buffer.from("state,x\na,1\n"), 'there is no column "s"; there are "state", "x"'],
    ["with rows of another length", Buffer.from("s,x\na,1\nb,2,3\n"), "line 3: the row has 3 cells"],
  ])("%s are refused", async (_, bytes, message) => {
    await expect(read(bytes, {}, SYMBOL)).rejects.toThrow(message);
  });

  test("a folder is refused", async () => {
    mkdirSync(join(folder, "rows.csv"));
    await expect(openTable(join(folder, "rows.csv"), {}, NOTHING)).rejects.toThrow("rows.csv is a folder");
  });

  test.each([
    ["22.11.2026 08:30", true],
    ["11/22/2026", true],
    ["2026-13-01", false],
  ])("a time that is none, %s, is refused, with how dates are written", async (cell, isDayFirst) => {
    const reading = read(`s,t\na,${cell}\n`, {}, { ...SYMBOL, time: "t" });
    await expect(reading).rejects.toThrow(/line 2: t is .*; accepted is .*2026-11-22T08:30:00Z/);
    const words = expect.stringContaining("the year first");
    await expect(reading).rejects.toEqual(
      expect.objectContaining({ message: isDayFirst ? words : expect.not.stringContaining("the year first") }),
    );
  });

  test("times without a zone are noticed", async () => {
    const at = { ...SYMBOL, time: "t" };
    const lacksZone = async (cell: string) => (await read(`s,t\na,${cell}\n`, {}, at)).found.lacksZone;
    expect(await lacksZone("2026-03-01T08:00:00")).toBe(true);
    for (const cell of ["2026-03-01T08:00:00Z", "2026-03-01 08:00+01", "2026-03-01", "5"]) {
      expect(await lacksZone(cell)).toBe(false);
    }
  });

  test("with bad rows are read without them, if asked to, which are counted and shown", async () => {
    const text = `s,x\na,1\nb,?\nc\nd,4\n${"e,!\n".repeat(6)}f,6\n`;
    const { found, records } = await read(text, {}, NUMBER, true);
    expect(records).toEqual([{ numbers: { x: 1 } }, { numbers: { x: 4 } }, { numbers: { x: 6 } }]);
    expect(found).toMatchObject({ rows: 3, groups: 2, bad: 8 });
    expect(found.reasons).toHaveLength(5);
    for (const reason of ["line 3: x is", "line 4: the row has 1 cell"]) {
      expect(found.reasons).toContainEqual(expect.stringContaining(reason));
    }
    await expect(read("s,x\na,?\n", {}, NUMBER, true)).rejects.toThrow(
      "no row that can be read; the first of 1: line 2",
    );
    const lines = await openTable("-", { format: "jsonl" }, Readable.from([Buffer.from('{"s":1}\n[]\n{"s":2}\n')]));
    const kept = await survey(lines, columnsOf(SYMBOL), new AbortController().signal, true);
    expect(kept).toMatchObject({ rows: 2, bad: 1 });
  });

  test("with times send them in seconds, whether ISO, seconds or parts of them", async () => {
    const at = { ...SYMBOL, time: "t" };
    const text = `s,t\na,2026-03-01T00:00:00.5Z\nb,1772323200\nc,1772323200000\nf,1772323200000000\ng,${1_772_323_200n * 10n ** 9n}\nd,-1\ne,1969-12-31\n`;
    expect((await read(text, {}, at)).records).toEqual([
      { strings: ["a"], time: 1_772_323_200.5 },
      { strings: ["b"], time: 1_772_323_200 },
      { strings: ["c"], time: 1_772_323_200 },
      { strings: ["f"], time: 1_772_323_200 },
      { strings: ["g"], time: 1_772_323_200 },
      { strings: ["d"] },
      { strings: ["e"] },
    ]);
  });

  test("show what the numbers of a column are like, by two hundred of them", async () => {
    const text = `x\n${Array.from({ length: 1_001 }, (_, at) => (at * 10) % 1_001).join("\n")}\n`;
    const { found } = await read(text, {}, NUMBER);
    const sample = found.samples.get("x") ?? [];
    expect([sample.length, sample[0], sample[199]]).toEqual([200, 0, 1_000]);
    expect(sample[100]).toBeCloseTo(503, -1);
  });
});

describe("remarks on times", () => {
  const YEARS = 2 * 366 * 86_400;
  const rows = (...times: (number | undefined)[]) => times.map((seconds, at) => ({ line: at + 2, seconds }));

  test.each([
    { what: "nothing about times in order", groups: [rows(0, 60, 120)], lines: [] },
    {
      what: "a row without a time, whose neighbours are not far from each other",
      groups: [rows(1.6e9, undefined, 1.6e9 + 60)],
      lines: ["1 row has no time from 1970 to 9999 in at, the first in line 3."],
    },
    {
      what: "two rows without times, and a year skipped at them",
      groups: [rows(undefined, 60, undefined, YEARS)],
      lines: [
        "2 rows have no time from 1970 to 9999 in at, the first in line 2.",
        "The time in line 5 is more than a year from that of the previous row.",
      ],
    },
    {
      what: "the first time far from the previous one, backward too",
      groups: [rows(0, YEARS, 0)],
      lines: ["The time in line 3 is more than a year from that of the previous row."],
    },
    { what: "nothing about groups of different years", groups: [rows(0, 60), rows(YEARS, YEARS + 60)], lines: [] },
  ])("say $what", ({ groups: timed, lines }) => {
    expect(timeRemarks("at", timed)).toEqual(lines);
  });
});

describe("remarks on sequences of a number of rows", () => {
  /** Rows at regular times. */
  async function remarks(every: number, rows: number, minutes: number): Promise<string[]> {
    const times = Array.from({ length: rows }, (_, at) => new Date(60_000 * minutes * at).toISOString());
    const columns = columnsOf({ ...OPTIONS, symbol: ["s"], time: "at", every: String(every) });
    const table = await openTable(written("ends.csv", `at,s\n${times.map((at) => `${at},a\n`).join("")}`), {}, NOTHING);
    return endRemarks(columns, await survey(table, columns, new AbortController().signal));
  }

  test.each([
    { every: 24, rows: 240, minutes: 60, ends: "all end at 23:00 UTC:", other: "such as 25," },
    { every: 12, rows: 2_016, minutes: 5, ends: "all end at the same 24 times of day:", other: "such as 13," },
  ])("say that $every of $rows rows always end at the same times of day", async ({
    every,
    rows,
    minutes,
    ends,
    other,
  }) => {
    expect(await remarks(every, rows, minutes)).toEqual([expect.stringContaining(ends)]);
    expect(await remarks(every, rows, minutes)).toEqual([expect.stringContaining(other)]);
  });

  test.each([
    [25, 240, 60],
    [10, 2_016, 5],
    [10, 20_160, 5],
    [48, 480, 60],
    [24, 48, 60],
    [1, 240, 1_440],
  ])("say nothing of %i of %i rows, %i minutes apart", async (every, rows, minutes) => {
    expect(await remarks(every, rows, minutes)).toEqual([]);
  });
});
