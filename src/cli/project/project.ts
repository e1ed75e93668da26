/** Makes a project of one's own that deploys Noema: copies the template and fills it in. Installs nothing. */

import { type Dirent, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "../terminal/failure";

/** In the bundle, this module is beside the template. */
const TEMPLATE = fileURLToPath(new URL("template", import.meta.url));
/** The folder of the package. */
const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));

/** npm leaves files of this name out of packages. */
const RENAMED: Readonly<Record<string, string>> = { gitignore: ".gitignore" };

/** The longest name that a Worker can have. */
const MOST_LETTERS = 63;

/** What the project needs to know of the package that it is made with. */
interface Manifest {
  readonly version: string;
  readonly private?: boolean;
  readonly devDependencies: { readonly wrangler: string };
}

/**
 * The project's name: that of the folder, as far as a Worker and a package can have it.
 *
 * @param folder an absolute path
 */
function nameOf(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-")
    .slice(0, MOST_LETTERS)
    .replace(/^-+|-+$/g, "");
  return name === "" ? "noema" : name;
}

/** A file or folder as npm finds it from a project. */
function local(folder: string, path: string): string {
  return `file:${relative(folder, resolve(path)).split(sep).join("/")}`;
}

/**
 * Where npm finds the package: what was said, else its version, or this very copy of it as long as no registry has one.
 */
function packageFor(folder: string, { version, private: isPrivate }: Manifest, spec?: string): string {
  if (spec === undefined) return isPrivate === true ? local(folder, PACKAGE) : version;
  // npm reads paths from the project's folder, people write them from where they are.
  return existsSync(spec) ? local(folder, spec) : spec;
}

/** What is in a folder, or nothing where there is none. Throws UsageError if it is no folder. */
function contentOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    throw new UsageError(`${folder} is not a folder that can be used: ${message}`);
  }
}

/** The files of the template, as paths in it. */
function templateFiles(): readonly string[] {
  const files = readdirSync(TEMPLATE, { recursive: true, withFileTypes: true }).filter((entry: Dirent) =>
    entry.isFile(),
  );
  // Node 20.3 has the folder in `path`; later ones call it `parentPath`.
  return files.map((file) => relative(TEMPLATE, join(file.parentPath ?? file.path, file.name))).sort();
}

/**
 * Makes a project.
 *
 * @param path the folder, which is made if it is missing
 * @param spec where npm finds the package `noema`: a version, or a path to a tarball or folder. This version if absent,
 *   or this copy as long as the package is private
 * @returns the folder as an absolute path, and the files in it
 * @throws UsageError if something is in the folder, or it is none
 */
export function makeProject(path: string, spec?: string): { folder: string; files: readonly string[] } {
  const folder = resolve(path);
  const [first, ...others] = contentOf(folder);
  if (first !== undefined) {
    const more = others.length > 0 ? ` and ${others.length} more` : "";
    throw new UsageError(`${folder} is not empty (${first}${more}): name a new folder, or an empty one`);
  }
  const manifest: Manifest = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  const values: Readonly<Record<string, string>> = {
    name: nameOf(folder),
    noema: packageFor(folder, manifest, spec),
    wrangler: manifest.devDependencies.wrangler,
  };
  const files = templateFiles().map((file) => {
    const target = join(dirname(file), RENAMED[basename(file)] ?? basename(file));
    const text = readFileSync(join(TEMPLATE, file), "utf8").replace(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? "");
    mkdirSync(dirname(join(folder, target)), { recursive: true });
    writeFileSync(join(folder, target), text, { flag: "wx" });
    return target.split(sep).join("/");
  });
  return { folder, files: files.sort() };
}
