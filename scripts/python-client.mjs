/**
 * Writes what the Python client has from the OpenAPI document: its methods and types, python/noema_agent/gen. Part of
 * `npm run generate`.
 */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { importTypeScript } from "./import-typescript.mjs";
import { ROOT } from "./project.mjs";

const FOLDER = join(ROOT, "python", "noema_agent", "gen");

const { openApiDocument } = await importTypeScript(join("scripts", "openapi", "document.ts"));
const { methodsIn } = await importTypeScript(join("scripts", "openapi", "clients", "methods.ts"));
const { pythonSources } = await importTypeScript(join("scripts", "openapi", "clients", "python.ts"));
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

const document = openApiDocument(version);
const methods = methodsIn(document);
mkdirSync(FOLDER, { recursive: true });
for (const [file, text] of Object.entries(pythonSources(document, methods))) writeFileSync(join(FOLDER, file), text);
writeFileSync(join(FOLDER, "__init__.py"), "");
