/** Where things are in this project. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The folder of the bundle that is deployed. */
export const DIST = join(ROOT, "dist");
