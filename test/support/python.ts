/** The Python with which the tests of python/ run: Debian's, or another that has what they need. */

import { spawnSync } from "node:child_process";

/** Debian's packages, which `.ci/run` installs. */
export const PYTHON_PACKAGES =
  "python3-pytest python3-pandas python3-websockets python3-mypy python3-build python3-pip python3-setuptools python3-venv python3-wheel";

const NEEDS = "import setuptools, build, ensurepip, mypy, pandas, pip, pytest, venv, websockets, wheel";

/** A Python that has them all; `undefined` where there is none, of which it prints the reason. */
export function pythonWithPackages(): string | undefined {
  const found = ["/usr/bin/python3", "python3"].find((program) => spawnSync(program, ["-c", NEEDS]).status === 0);
  const missing = `no Python has all that the tests of python/ need; install it with "apt-get install ${PYTHON_PACKAGES}"`;
  if (found === undefined && process.env.NOEMA_PYTHON === "required") throw new Error(missing);
  if (found === undefined) console.error(`The tests of the Python client are left out: ${missing}.`);
  return found;
}
