/** The sources of the bundle, and what the bundle says about its build. */

import { fingerprint } from "./fingerprint.mjs";
import { ROOT } from "./project.mjs";

const INPUTS = [
  ".dev.vars.example",
  "build/kernel.wasm",
  "build/pages.js",
  "package.json",
  "package-lock.json",
  "scripts",
  "src",
  "tsconfig.json",
  "wrangler.toml",
];
const NUMBER_LENGTH = 12;

/** The fingerprint of all sources of the bundle. The kernel and the pages must be built before. */
export function bundleFingerprint() {
  return fingerprint(ROOT, INPUTS);
}

/**
 * Arguments of wrangler that write the date and the number of the build into the bundle.
 *
 * @param {string} inputs the fingerprint of the sources; its beginning is the number
 */
export function defines(inputs) {
  const values = { NOEMA_BUILD_DATE: new Date().toISOString(), NOEMA_BUILD_NUMBER: inputs.slice(0, NUMBER_LENGTH) };
  return Object.entries(values).flatMap(([name, value]) => ["--define", `${name}:${JSON.stringify(value)}`]);
}
