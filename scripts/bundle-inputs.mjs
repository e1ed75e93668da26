/** What a bundle is made of, and what it says of itself. */

import { fingerprint } from "./fingerprint.mjs";
import { ROOT } from "./project.mjs";

const INPUTS = [
  "build/kernel.wasm",
  "package.json",
  "package-lock.json",
  "scripts",
  "src",
  "tsconfig.json",
  "wrangler.toml",
];
const NUMBER_LENGTH = 12;

/** The fingerprint of all that goes into the bundle. The kernel must have been built. */
export function bundleFingerprint() {
  return fingerprint(ROOT, INPUTS);
}

/** Arguments of wrangler that write into the bundle when it was made, and of which sources. */
export function defines(inputs) {
  const values = { NOEMA_BUILD_DATE: new Date().toISOString(), NOEMA_BUILD_NUMBER: inputs.slice(0, NUMBER_LENGTH) };
  return Object.entries(values).flatMap(([name, value]) => ["--define", `${name}:${JSON.stringify(value)}`]);
}
