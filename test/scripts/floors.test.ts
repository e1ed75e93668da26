/** Rooms import only what floors.json allows, and the check that says so finds what it should. */

import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { floors, sourceFiles, violations } from "../../scripts/floors.mjs";

describe("the floors of the source", () => {
  test("no file imports what its room may not", () => {
    const files = sourceFiles();
    expect(Object.keys(files).length).toBeGreaterThan(300);
    expect(violations(files, floors())).toEqual([]);
  });

  test("each row is about a room or a file that is there", () => {
    const missing = floors().filter(({ room }) => !existsSync(room.replace("/**", "")));
    expect(missing).toEqual([]);
  });

  test.each([
    ['import { a } from "../high/a";', "../high/a"],
    ['import type { A } from "../high/a";', "../high/a"],
    ['export { a } from "../high/a";', "../high/a"],
    ['export * from "../high/a";', "../high/a"],
    ['const a = await import("../high/a");', "../high/a"],
    ['import { a } from "../low/other";', "../low/other"],
    ['import { a } from "package/part";', "package/part"],
    ['import { a } from "node:fs";', "node:fs"],
  ])("%s is found, and the reason given", (text, specifier) => {
    const rows = [
      { room: "src/middle", imports: ["src/low/only.ts", "npm:pack"], why: "The middle stands on the low." },
    ];
    expect(violations({ "src/middle/a.ts": text }, rows)).toEqual([
      `src/middle/a.ts imports "${specifier}". The middle stands on the low.`,
    ]);
  });

  test.each([
    'import { a } from "./b";',
    'import { a } from "../low/only";',
    'import { a } from "../low/only.ts";',
    'import { a } from "../lower";',
    'import { a } from "../all/of/it";',
    'import { a } from "pack";',
    'import { a } from "pack/part";',
    'import { a } from "node:fs";',
  ])("%s is allowed", (text) => {
    const imports = ["src/low/only.ts", "src/lower/index.ts", "src/all/**", "npm:pack", "node:*"];
    expect(violations({ "src/middle/a.ts": text }, [{ room: "src/middle", imports, why: "" }])).toEqual([]);
  });

  test("of two rows that hold a file the longer name counts", () => {
    const rows = [
      { room: "src/middle", imports: ["src/low"], why: "The middle." },
      { room: "src/middle/strict.ts", imports: [], why: "The file." },
    ];
    const files = { "src/middle/strict.ts": 'import "../low/a";', "src/middle/a.ts": 'import "../low/a";' };
    expect(violations(files, rows)).toEqual(['src/middle/strict.ts imports "../low/a". The file.']);
  });

  test("a file in no room is named", () => {
    expect(violations({ "src/new/a.ts": "" }, [])).toEqual([
      "src/new/a.ts is in no room of floors.json: add a row that says what the room may import, and why.",
    ]);
  });
});
