/**
 * Prints a part of a JSON text again, compactly, with its members in the sender's order. Parsed objects keep that order but
 * for names such as "10", which they put first. A name that occurs twice keeps its first place and its last value.
 */

import { createScanner, type Node, parseTree } from "jsonc-parser";
import { memberPath } from "../../text/located";
import { Refusal } from "../refusal";
import { text } from "./writer";

/** The names that JavaScript's objects put before all others, and a few more. */
const INDEX = /^(?:0|[1-9]\d{0,9})$/;

/** The way from the root of a JSON text to one of its values: names of members and places in lists. */
export type Way = readonly (string | number)[];

/**
 * Whether `JSON.stringify` prints a parsed value in the order of its source.
 *
 * @param path where the value stands, as messages write it
 * @throws Refusal 400 for a number that no double can hold
 */
export function isInSourceOrder(value: unknown, path: string): boolean {
  if (typeof value === "number") assertFinite(value, path);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every((item, i) => isInSourceOrder(item, `${path}[${i}]`));
  return Object.entries(value).every(
    ([name, inner]) => !INDEX.test(name) && isInSourceOrder(inner, memberPath(path, name)),
  );
}

function assertFinite(value: number, path: string): void {
  if (Number.isFinite(value)) return;
  throw new Refusal(400, `${path} must be a finite number, got a number too large for a double`);
}

/**
 * Parses a text for {@link printOrdered} and {@link textAt}.
 *
 * @param source valid JSON, nested no deeper than MAX_JSON_DEPTH levels
 */
export function readOrdered(source: string): Node {
  const tree = parseTree(source, [], { disallowComments: true, allowTrailingComma: false });
  if (tree === undefined) throw new Error("text that is valid JSON has no tree");
  return tree;
}

/**
 * Prints the value at the end of a way.
 *
 * @param way must lead to a value that exists
 * @param path where the value stands, as messages write it
 * @throws Refusal 400 for a number that no double can hold
 */
export function printOrdered(tree: Node, way: Way, path: string): string {
  return print(nodeAt(tree, way), path);
}

/**
 * The text of the value at the end of a way, as it stands in the source, without the white space between its tokens.
 *
 * @param source the text that `tree` was read from
 * @param way must lead to a value that exists
 */
export function textAt(source: string, tree: Node, way: Way): string {
  const { offset, length } = nodeAt(tree, way);
  const written = source.slice(offset, offset + length);
  const scanner = createScanner(written, true);
  const tokens: string[] = [];
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const start = scanner.getTokenOffset();
    tokens.push(written.slice(start, start + scanner.getTokenLength()));
  }
  return tokens.join("");
}

function nodeAt(tree: Node, way: Way): Node {
  let node = tree;
  for (const step of way) node = childOf(node, step);
  return node;
}

function childOf(node: Node, step: string | number): Node {
  const child =
    typeof step === "number"
      ? node.children?.[step]
      : node.children?.findLast((property) => property.children?.[0]?.value === step)?.children?.[1];
  if (child === undefined) throw new Error("a way leads to no value");
  return child;
}

function print(node: Node, path: string): string {
  switch (node.type) {
    case "object":
      return printObject(node, path);
    case "array":
      return `[${(node.children ?? []).map((child, i) => print(child, `${path}[${i}]`)).join(",")}]`;
    case "string":
      return text(node.value);
    case "number":
      assertFinite(node.value, path);
      return JSON.stringify(node.value);
    default:
      return String(node.value);
  }
}

function printObject(node: Node, path: string): string {
  const members = new Map<string, string>();
  for (const property of node.children ?? []) {
    const [name, value] = property.children ?? [];
    if (name === undefined || value === undefined) throw new Error("a property of valid JSON has no name or value");
    members.set(name.value, print(value, memberPath(path, name.value)));
  }
  return `{${[...members].map(([name, value]) => `${text(name)}:${value}`).join(",")}}`;
}
