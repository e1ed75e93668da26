/** Makes a project with which the user deploys Noema: copies the template and fills it in. Installs nothing. */

import { type Dirent, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "../terminal/failure";

/** In the bundle, this module is next to the template. */
const TEMPLATE = fileURLToPath(new URL("template", import.meta.url));
/** The folder of the package. */
const PACKAGE = fileURLToPath(new URL("../..", import.meta.url));

/** npm leaves files with this name out of packages. */
const RENAMED: Readonly<Record<string, string>> = { gitignore: ".gitignore" };

/** Maximum length of a Worker's name. */
const MAX_NAME_LENGTH = 63;

/** What the project needs to know about the package that makes it. */
interface Manifest {
  readonly version: string;
  readonly private?: boolean;
  readonly devDependencies: { readonly wrangler: string };
}

/**
 * The project's name: the folder's name, reduced to what is valid for a Worker and a package.
 *
 * @param folder an absolute path
 */
function nameOf(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-")
    .slice(0, MAX_NAME_LENGTH)
    .replace(/^-+|-+$/g, "");
  return name === "" ? "noema" : name;
}

/** A file or folder in the form in which npm finds it from a project. */
function local(folder: string, path: string): string {
  return `file:${relative(folder, resolve(path)).split(sep).join("/")}`;
}

/**
 * Where npm finds the package: the given `spec`, else its version, or this copy of it while the package is in no
 * registry.
 */
function packageFor(folder: string, { version, private: isPrivate }: Manifest, spec?: string): string {
  if (spec === undefined) return isPrivate === true ? local(folder, PACKAGE) : version;
  // npm resolves paths from the project's folder; people write them relative to the working directory.
  return existsSync(spec) ? local(folder, spec) : spec;
}

/** The entries of a folder; none if it does not exist. Throws UsageError if the path is not a folder. */
function contentOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    throw new UsageError(`${folder} is not a folder that can be used: ${message}`);
  }
}

/** The template's files, as paths relative to it. */
function templateFiles(): readonly string[] {
  const files = readdirSync(TEMPLATE, { recursive: true, withFileTypes: true }).filter((entry: Dirent) =>
    entry.isFile(),
  );
  // Node 20.3 has the folder in `path`; later versions call it `parentPath`.
  return files.map((file) => relative(TEMPLATE, join(file.parentPath ?? file.path, file.name))).sort();
}

/**
 * Makes a project.
 *
 * @param path the folder, created if missing
 * @param spec where npm finds the package `noema`: a version, or a path to a tarball or folder. This version if absent,
 *   or this copy as long as the package is private
 * @returns the folder as an absolute path, and the files in it
 * @throws UsageError if the folder is not empty, or the path is not a folder
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
