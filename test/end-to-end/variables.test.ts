/** Which variables a server, a Worker and the command line know, and what is said of one that none of them reads. */

import { afterEach, describe, expect, test, vi } from "vitest";
import { VARIABLES } from "../../src/gateway/gateway";
import { warnOfUnknown } from "../../src/gateway/watching/unknown-variables";
import { unknownVariables } from "../../src/serve/variables.mjs";
import { PASSED_ON } from "../../src/serve/workerd-config.mjs";

const unknown = (name: string, hint = ".") => `The variable ${name} is unknown and has no effect${hint}`;

afterEach(() => {
  vi.restoreAllMocks();
});

test("the Worker knows what a server passes on, the keys, and what only a deployment binds", () => {
  const set = Object.entries(VARIABLES).flatMap(([name, isSetByUsers]) => (isSetByUsers ? [name] : []));
  expect(set.sort()).toEqual([...PASSED_ON, "API_KEYS", "NOEMA_ANALYTICS"].sort());
});

describe("of the environment of a server", () => {
  test.each([
    ["NOEMA_SESION", "; did you mean NOEMA_SESSIONS?"],
    ["NOEMA_MATCHNG_STEP", "; did you mean NOEMA_MATCHING_STEPS?"],
    ["NOEMA_API_KEYS", "; did you mean API_KEYS?"],
    ["NOEMA_STATEDIR", "; did you mean STATE_DIR?"],
    ["NOEMA_PORT", "; did you mean PORT?"],
    ["NOEMA_XYZ", "."],
    ["NOEMA_", "."],
  ])("%s is named", (name, hint) => {
    expect(unknownVariables({ [name]: "a-secret" }, "servers")).toEqual([unknown(name, hint)]);
  });

  test("nothing is said of what servers and commands read, of others' variables and of those of Kubernetes", () => {
    const known = [...PASSED_ON, "API_KEYS", "NOEMA_STOP_SECONDS", "NOEMA_API_KEY", "NOEMA_SESSION", "PATH", "API_KEY"];
    const others = ["NOEMA_SERVICE_HOST", "NOEMA_SERVICE_PORT_HTTP", "NOEMA_PORT_8787_TCP_ADDR"];
    const env = Object.fromEntries([...known, ...others].map((name) => [name, "1"]));
    const linked = { ...env, NOEMA_PORT: "tcp://10.0.0.7:8787", NOEMA_ABSENT: undefined };
    expect(unknownVariables(linked, "servers")).toEqual([]);
  });
});

test("of the environment of a command, what commands read is suggested", () => {
  expect(unknownVariables({ NOEMA_SESION: "1", NOEMA_ADRESS: "1" }, "commands")).toEqual([
    unknown("NOEMA_SESION", "; did you mean NOEMA_SESSION?"),
    unknown("NOEMA_ADRESS", "; did you mean NOEMA_ADDRESS?"),
  ]);
});

test("a Worker writes a line of JSON for each, without its value", () => {
  const lines = vi.spyOn(console, "error").mockImplementation(() => {});
  const known = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, null]));
  warnOfUnknown({ ...known, PROCESSORS: {}, OWN: "1", NOEMA_KEY: "a-secret", NOEMA_AGENT_KEY: "a-secret" }, VARIABLES);
  const said = lines.mock.calls.map(([line]) => JSON.parse(line));
  expect(said).toEqual([
    {
      time: expect.any(String),
      event: "unknown-variable",
      message: unknown("NOEMA_KEY", "; did you mean NOEMA_KEYS?"),
    },
    {
      time: expect.any(String),
      event: "unknown-variable",
      message: unknown("NOEMA_AGENT_KEY", "; did you mean AGENT_KEYS?"),
    },
  ]);
});
