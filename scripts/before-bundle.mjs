/**
 * Makes what the Worker imports and no source is, the kernel and the pages: wrangler runs this before it bundles.
 * Skips what is up to date.
 */

import { buildKernel } from "./kernel.mjs";
import { buildPages } from "./pages.mjs";

await buildKernel();
await buildPages();
