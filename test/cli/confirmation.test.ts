/** What is asked before something is lost, and what counts as yes. */

import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { confirm } from "../../src/cli/terminal/confirmation";
import { Output } from "../../src/cli/terminal/output";

function contextWith(isTTY: boolean) {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const controller = new AbortController();
  const context = { env: {}, stdin, output: new Output(stdout, stderr, {}), signal: controller.signal };
  return { context, stdin, stdout, stderr, controller };
}

test.each(["y", "yes", "YES", " yes "])("%j goes on", async (answer) => {
  const { context, stdin, stdout, stderr } = contextWith(true);
  stdin.write(`${answer}\n`);
  await confirm("This replaces all.", context);
  expect(String(stderr.read())).toBe("This replaces all. Go on? Type yes, or anything else to change nothing.\n");
  expect(stdout.read()).toBeNull();
});

test.each(["", "no", "yesterday"])("%j does not", async (answer) => {
  const { context, stdin } = contextWith(true);
  stdin.write(`${answer}\n`);
  await expect(confirm("This replaces all.", context)).rejects.toThrow("nothing was changed");
});

test("the end of the input does not either", async () => {
  const { context, stdin } = contextWith(true);
  stdin.end();
  await expect(confirm("This replaces all.", context)).rejects.toThrow("nothing was changed");
});

test("Ctrl-C ends the question", async () => {
  const { context, controller } = contextWith(true);
  const asked = confirm("This replaces all.", context);
  controller.abort("SIGINT");
  await expect(asked).rejects.toBe("SIGINT");
});

test("no question is asked where there is no terminal", async () => {
  const { context, stderr } = contextWith(false);
  await confirm("This replaces all.", context);
  expect(stderr.read()).toBeNull();
});
