/** `npm run docs`: writes docs/http.md from the table of operations. A test fails if the file is out of date. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { importTypeScript } from "./import-typescript.mjs";
import { ROOT } from "./project.mjs";

const page = join(ROOT, "docs", "http.md");

const { httpPage } = await importTypeScript(join("scripts", "http-page.ts"));
writeFileSync(page, httpPage());
console.log(`Wrote ${page}.`);
