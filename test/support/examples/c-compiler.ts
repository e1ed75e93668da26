/** The C compiler that tests build the device of examples/ with. */

import { spawnSync } from "node:child_process";

/**
 * Why there is no compiler to test with; `undefined` when there is one. Where NOEMA_C_COMPILER is `required`, as in .ci/run, there must
 * be one.
 *
 * @throws Error when there must be one and there is none
 */
export function compilerMissing(): string | undefined {
  const lacking = ["make", "cc"].filter((command) => spawnSync(command, ["--version"]).error !== undefined);
  if (lacking.length === 0) return undefined;
  const missing = `there is no ${lacking.join(" and no ")}; install them with "apt-get install make gcc libc6-dev"`;
  if (process.env.NOEMA_C_COMPILER === "required") throw new Error(missing);
  return missing;
}
