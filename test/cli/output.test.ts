/** What goes to a terminal, and what elsewhere. */

import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { Output } from "../../src/cli/terminal/output";

function streams(isTTY: boolean) {
  const made = () => Object.assign(new PassThrough(), { isTTY, columns: 80, rows: 5 });
  return { stdout: made(), stderr: made() };
}

const ESCAPE = "\u001b";
const textOf = (stream: PassThrough) => String(stream.read() ?? "");

describe("colours", () => {
  test.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: "1" }, false],
    [true, { TERM: "dumb" }, false],
  ])("on a terminal: %s, with %j", (isTTY, env, isColoured) => {
    const { stdout, stderr } = streams(isTTY);
    const table = new Output(stdout, stderr, env).table(["a", "b"], [["x", 1]]);
    expect(table.includes(ESCAPE)).toBe(isColoured);
    if (!isColoured) expect(table).toBe("a  b\nx  1");
  });
});

test("a result is JSON or text on stdout, and a note goes to stderr", async () => {
  const { stdout, stderr } = streams(false);
  const output = new Output(stdout, stderr, {});
  await output.result({ json: true }, { a: "é\n" }, () => "text");
  await output.result({}, { a: 1 }, () => "text");
  await output.result({}, {}, () => "");
  output.note("a note");
  expect(textOf(stdout)).toBe('{"a":"é\\n"}\ntext\n');
  expect(textOf(stderr)).toBe("a note\n");
});

test("a screen is cut to the height of the terminal", async () => {
  const { stdout, stderr } = streams(true);
  await new Output(stdout, stderr, {}).redraw("1\n2\n3\n4\n5\n6");
  expect(textOf(stdout).split("\n")).toHaveLength(5);
});

describe("progress", () => {
  test("is a line for each tenth where there is no terminal", () => {
    const { stdout, stderr } = streams(false);
    const progress = new Output(stdout, stderr, {}).progress("Learning", 40);
    for (let done = 1; done <= 40; done++) progress.update(done);
    progress.stop();
    const lines = textOf(stderr).trim().split("\n");
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toMatch(/^Learning 40\/40, \d+\/s$/);
    expect(textOf(stdout)).toBe("");
  });
});
