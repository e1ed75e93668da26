/** Tells whether the packages are there that building and serving need. */

import { createRequire } from "node:module";
import { Complaint } from "../src/serve/complaint.mjs";

const require = createRequire(import.meta.url);

/** What each is for: `npm ci --omit=dev` leaves all of them out. */
const PACKAGES = {
  assemblyscript: "compiles the kernel",
  wrangler: "bundles the Worker",
  workerd: "serves it",
  "fs-native-extensions": "locks the state folder",
};

function isInstalled(name) {
  try {
    require.resolve(`${name}/package.json`);
    return true;
  } catch (error) {
    // A package that does not export its package.json is there all the same.
    return error.code === "ERR_PACKAGE_PATH_NOT_EXPORTED";
  }
}

/** Throws a Complaint that names the packages that are missing. */
export function assertInstalled() {
  const missing = Object.entries(PACKAGES).filter(([name]) => !isInstalled(name));
  if (missing.length === 0) return;
  const list = missing.map(([name, purpose]) => `${name} (${purpose})`).join(", ");
  throw new Complaint(`npm start needs packages that are not installed: ${list}. Run npm ci without --omit=dev.`);
}
