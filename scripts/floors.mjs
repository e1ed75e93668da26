/**
 * Checks what each room imports against the table floors.json, as `npm run lint` does. A row has a room: a folder with
 * the files it holds itself, a folder with all below it (`/**`), or one file. Of the rows that hold a file, the one
 * with the longest name counts. A room may import its own files, and what the row lists: a room, `/**` of one, a file,
 * `npm:` and a package with all of its parts, `node:*`, or `npm:*` for every package and Node.
 */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join, normalize } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";

/** @typedef {{ room: string, imports: string[], why: string }} Row */

const ENDINGS = [".ts", ".tsx", ".mjs"];

/** Whether a row's room, or an entry of its imports, holds a file. Paths are relative to the project. */
function holds(room, file) {
  if (room.endsWith("/**")) return file.startsWith(room.slice(0, -2));
  return room === file || room === dirname(file) || ENDINGS.some((ending) => room + ending === file);
}

/** The row of a file; `undefined` if no row holds it. */
function rowOf(file, rows) {
  return rows.filter(({ room }) => holds(room, file)).sort((one, other) => other.room.length - one.room.length)[0];
}

/** The import specifiers of a file, including type imports and re-exports. */
function specifiersIn(file, text) {
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0].message}`);
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.map(({ moduleRequest }) => moduleRequest?.value),
  );
  const dynamic = module.dynamicImports.map(
    ({ moduleRequest: { start, end } }) => /^["']([^"']+)["']$/.exec(text.slice(start, end))?.[1],
  );
  const all = [...module.staticImports.map(({ moduleRequest }) => moduleRequest.value), ...exported, ...dynamic];
  return [...new Set(all.filter((specifier) => specifier !== undefined))];
}

/** Whether a row allows an import of one of its files. */
function allows({ room, imports }, file, specifier) {
  if (specifier.startsWith(".")) {
    const target = normalize(join(dirname(file), specifier));
    const targets =
      extname(target) === "" ? ENDINGS.flatMap((end) => [target + end, `${target}/index${end}`]) : [target];
    return (
      targets.some((path) => holds(room, path) || imports.some((entry) => holds(entry, path))) ||
      imports.includes(target)
    );
  }
  if (specifier.startsWith("node:") && imports.includes("node:*")) return true;
  return imports.some((entry) => {
    const name = entry.replace("npm:", "");
    return entry === "npm:*" || (entry !== name && (specifier === name || specifier.startsWith(`${name}/`)));
  });
}

/**
 * Compares files with the table.
 *
 * @param {Record<string, string>} files the text of each, by its path in the project
 * @param {Row[]} rows the table
 * @returns {string[]} a line for each import that no row allows, with the reason, and for each file that no row holds
 */
export function violations(files, rows) {
  return Object.entries(files).flatMap(([file, text]) => {
    const row = rowOf(file, rows);
    if (row === undefined)
      return [`${file} is in no room of floors.json: add a row that says what the room may import, and why.`];
    return specifiersIn(file, text)
      .filter((specifier) => !allows(row, file, specifier))
      .map((specifier) => `${file} imports ${JSON.stringify(specifier)}. ${row.why}`);
  });
}

/**
 * The source files of the project, generated ones and the template of a new project left out.
 *
 * @returns {Record<string, string>} the text of each, by its path
 */
export function sourceFiles() {
  const paths = ["assembly", "src"].flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((path) => join(folder, path)),
  );
  const own = paths.filter(
    (path) =>
      ENDINGS.includes(extname(path)) && !/(^assembly\/gen\/|^src\/gen\/|^src\/client\/gen\/|\/template\/)/.test(path),
  );
  return Object.fromEntries(own.sort().map((path) => [path, readFileSync(path, "utf8")]));
}

/**
 * The table.
 *
 * @returns {Row[]}
 */
export function floors() {
  return JSON.parse(readFileSync("floors.json", "utf8"));
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const found = violations(sourceFiles(), floors());
  for (const line of found) console.error(line);
  if (found.length > 0) process.exitCode = 1;
}
