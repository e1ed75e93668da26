/** What a command advises when its stream ended: requests instead, where these can do what the stream could not. */

import { expect, test } from "vitest";
import { withAdvice } from "../../src/cli/terminal/streams";
import { NoemaError } from "../../src/client";

const ADVICE = "--http sends requests instead";

test.each([
  ["the link was lost", `the link was lost; ${ADVICE}`],
  [
    "the link was lost: the disk of the server is full: nothing is accepted until there is room",
    "the link was lost: the disk of the server is full: nothing is accepted until there is room",
  ],
])("%s", (message, told) => {
  const lost = new NoemaError(message, { operation: "stream", status: 0 });
  expect(withAdvice(lost, ADVICE)).toMatchObject({ message: told });
});
