/** The blocks of a document, and the requests of a console block. Knows Markdown and curl's options, never a server. */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

/** A fenced block: its language, its text with the last line's end, and the line where its text begins, from 1. */
export interface Block {
  readonly language: string;
  readonly text: string;
  readonly line: number;
}

/** All blocks of a document, in order. */
export function blocksOf(document: string): Block[] {
  const text = readFileSync(document, "utf8");
  return [...text.matchAll(/^```(\w*)\n(.*?)^```/gms)].map(({ 1: language = "", 2: block = "", index }) => {
    return { language, text: block, line: text.slice(0, index).split("\n").length + 1 };
  });
}

/** The texts of a document's blocks in one language. */
export function blocks(document: string, language: string): string[] {
  return blocksOf(document)
    .filter((block) => block.language === language)
    .map(({ text }) => text);
}

/** An answer without what differs between two runs: times, and the identifiers that the server makes. */
export function timeless(text: string): string {
  return text
    .replace(/"time_stamp":\d+/g, '"time_stamp":0')
    .replace(/"last_observed":\d+/g, '"last_observed":0')
    .replace(/"unique_id":"[0-9a-f-]{36}"/g, '"unique_id":""');
}

/** A request of a console block. */
export interface Step {
  /** The line as the document shows it, without the prompt. */
  readonly command: string;
  readonly method: string;
  /** The whole address. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The names that lead to the part of the answer that is shown, on one line; undefined when all of it is shown as it came. */
  readonly member: readonly string[] | undefined;
  /** What the document shows below the command, without the last line's end. */
  readonly shown: string;
}

/** The variables that the documents set before their commands. */
const VARIABLES: Readonly<Record<string, string>> = {
  $P: "http://127.0.0.1:8787/p46b6b076c",
  $KEY: "X-API-KEY: ABCD-1234",
};

const MEMBER = / \| jq -c \.([\w.]+)$/;

/** The words of a command, as a shell splits them. Throws for a variable that no document sets. */
function words(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, literal, quoted, bare]) => {
    return literal ?? (quoted ?? bare ?? "").replace(/\$[A-Z]+/g, valueOfVariable);
  });
}

function valueOfVariable(variable: string): string {
  const value = VARIABLES[variable];
  if (value !== undefined) return value;
  throw new Error(`the documents set ${Object.keys(VARIABLES).join(" and ")}, not ${variable}`);
}

/** The options of curl that the documents use. */
const OPTIONS = {
  data: { type: "string", short: "d" },
  header: { type: "string", short: "H", multiple: true },
  request: { type: "string", short: "X" },
  silent: { type: "boolean", short: "s" },
} as const;

/** What one curl command sends. Throws when it is another command, or has an option that the documents do not use. */
function parse(command: string): Omit<Step, "shown"> {
  const member = MEMBER.exec(command)?.[1]?.split(".");
  const [program, ...args] = words(command.replace(MEMBER, ""));
  if (program !== "curl") throw new Error(`a console block runs curl, got ${command}`);
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const { data: body, header = [], request } = values;
  // What curl sends by itself, and then what it is told to.
  const headers: Record<string, string> = { accept: "*/*" };
  if (body !== undefined) headers["content-type"] = "application/x-www-form-urlencoded";
  for (const [, name = "", text = ""] of header.flatMap((each) => [...each.matchAll(/^([\w-]+): (.*)$/g)])) {
    headers[name.toLowerCase()] = text;
  }
  const method = request ?? (body === undefined ? "GET" : "POST");
  return { command, method, url: positionals[0] ?? "", headers, body, member };
}

/** The requests of a console block, in order. */
export function steps(console: string): Step[] {
  return console
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [line = "", ...shown] = part.trimEnd().split("\n");
      return { ...parse(line), shown: shown.join("\n") };
    });
}
