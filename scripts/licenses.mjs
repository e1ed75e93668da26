/** Writes the licences of the packages whose code is in the bundles, as those licences ask. Part of `npm run build`. */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "./project.mjs";

const require = createRequire(import.meta.url);

/** The folder of a package in the path of one of its files, inside other packages too. */
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** The kernel, which a bundle holds as a file, has the standard library of this package. */
const WITHIN = ["node_modules/assemblyscript"];

/** The folders of the packages that have code in a bundle. */
function packagesIn(metafile) {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 ? (PACKAGE.exec(path)?.slice(0, 1) ?? []) : [],
  );
}

/** The text of a package's licence. Throws when neither the package nor SPDX has it. */
function licenseText(folder, { name, license = "" }) {
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
  if (files.length > 0) return files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
  const ids = license.split(/[\s()]+/).filter((word) => word !== "" && !["AND", "OR", "WITH"].includes(word));
  // Every SPDX licence by its identifier. Read here, because it takes longer than to see that a build is up to date.
  const spdx = require("spdx-license-list/full");
  const texts = ids.map((id) => spdx[id]?.licenseText.trim());
  if (texts.length > 0 && !texts.includes(undefined)) return texts;
  throw new Error(`${name} is in a bundle, but its licence (${license}) has no text: add it to ${folder}`);
}

/**
 * Writes the licences, sorted by package.
 *
 * @param {string} file where to
 * @param {import("esbuild").Metafile[]} metafiles what esbuild says of each bundle and each script of a page, with
 *   paths from the project's root
 */
export function writeLicenses(file, metafiles) {
  const folders = new Set([...WITHIN, ...metafiles.flatMap(packagesIn)]);
  const parts = [...folders].sort().map((path) => {
    const folder = join(ROOT, path);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const heading = `${manifest.name} ${manifest.version} (${manifest.license})`;
    return [heading, "=".repeat(heading.length), ...licenseText(folder, manifest)].join("\n\n");
  });
  writeFileSync(file, `This package contains code of the following packages.\n\n${parts.join("\n\n\n")}\n`);
}
