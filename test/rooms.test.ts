/** Every room of src and assembly stays small enough to take in at a glance (docs/decisions/023-rooms-and-floors.md). */

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

const MAX_FILES = 15;
/** The compiler of proto/ decides how many files it writes. */
const GENERATED = join("src", "gen");

/** A folder and all folders in it, with the number of source files that each holds itself. */
function roomsUnder(folder: string): [folder: string, files: number][] {
  if (folder === GENERATED) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(".md")).length;
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  return [[folder, files], ...folders.flatMap(roomsUnder)];
}

test("a room has at most 15 files of its own", () => {
  const rooms = [...roomsUnder("src"), ...roomsUnder("assembly")];
  expect(rooms.length).toBeGreaterThan(20);
  expect(rooms.filter(([, files]) => files > MAX_FILES)).toEqual([]);
});

// The gateway's README names rows of operations by groups.
test.each([
  "cli",
  "client",
  "console",
  "kernel",
  "object",
  "processor",
  "rpc",
  "serve",
  "store",
  "testing",
  "text",
])("src/%s/README.md names every file", (room) => {
  const readme = readFileSync(join("src", room, "README.md"), "utf8");
  const files = readdirSync(join("src", room), { recursive: true, encoding: "utf8" })
    .map((path) => basename(path))
    .filter((name) => /\.(?:tsx?|mjs|json|css)$/.test(name));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((name) => ![`\`${name}\``, `/${name}\``].some((mention) => readme.includes(mention)))).toEqual(
    [],
  );
});
