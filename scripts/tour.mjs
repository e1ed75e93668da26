/**
 * `npm run tour`: writes the tour of the code in README.md, a line a file, from the first sentence of every file's head. With
 * `--check` it writes nothing and fails when the tour is out of date.
 */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./project.mjs";

const BEGIN = "<!-- tour: written by npm run tour -->";
const END = "<!-- end of tour -->";

/** The rooms in the order in which a request meets them, and what each is for. */
const ROOMS = [
  ["src", "The entry."],
  ["src/gateway", "Tower one speaks HTTP and JSON to the world. It knows processors only by the services of `proto/`."],
  ["src/rpc", "The bridge: the services of `proto/` on both of its ends."],
  [
    "src/object",
    "Tower two owns minds: a Durable Object for each processor and each agent builds, serves and commits.",
  ],
  ["src/processor", "One mind, in plain TypeScript that knows no network, no database and no clock."],
  ["src/store", "The processor's store, in the SQLite of its object."],
  ["src/kernel", "The TypeScript side of the kernel."],
  ["assembly", "The kernel: matching, scoring and nearest neighbours in WebAssembly, written in AssemblyScript."],
  ["scripts", "What `npm run` runs."],
];

/** What a file may begin with: a comment, or a docstring or comment of Python after the line that names the interpreter. */
const HEADS = [/^\/\*\*(.*?)\*\//s, /^(?:#![^\n]*\n)?"""(.*?)"""/s, /^(?:#!.*\n)?((?:# .*\n)+)/];

/** The first sentence of the comment that a file begins with. */
function firstSentence(file) {
  const source = readFileSync(file, "utf8");
  const [head] = HEADS.map((pattern) => pattern.exec(source)?.[1]).filter((each) => each !== undefined);
  if (head === undefined) throw new Error(`${file} does not begin with a comment that says what it is`);
  const [paragraph] = head.split(/\n[\s*#]*\n/);
  const text = paragraph
    .replace(/\s*\n\s*[*#]?\s*/g, " ")
    .replace(/^# /, "")
    .trim();
  return /^.*?[.!?](?=\s+[A-Z`(]|$)/.exec(text)?.[0] ?? text;
}

function room([folder, purpose]) {
  const files = readdirSync(join(ROOT, folder)).filter((file) => /(?<!\.d)\.(ts|mjs|py)$/.test(file));
  const lines = files.sort().map((file) => `- \`${file}\`: ${firstSentence(join(ROOT, folder, file))}`);
  return `### ${folder}/\n\n${purpose}\n\n${lines.join("\n")}\n`;
}

const readme = join(ROOT, "README.md");
const old = readFileSync(readme, "utf8");
const [before, rest] = old.split(BEGIN);
const [, after] = rest.split(END);
const tour = `${before}${BEGIN}\n\n${ROOMS.map(room).join("\n")}\n${END}${after}`;
if (!process.argv.includes("--check")) writeFileSync(readme, tour);
else if (tour !== old) {
  console.error("The tour in README.md is not that of the files' heads: run npm run tour.");
  process.exitCode = 1;
}
