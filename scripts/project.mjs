/** What several scripts need to know about this project. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The folder of the bundle that gets deployed. */
export const DIST = join(ROOT, "dist");

/** The identifier of the default genome's processor. */
export const PROCESSOR = "p46b6b076c";
