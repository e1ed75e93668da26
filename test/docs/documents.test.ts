/** Every document of the project names only what there is: links, files, commands, variables, services, rooms. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { BUDGETS } from "../../src/text/budgets";

const NOT_OURS = new Set(["node_modules", "dist", "build", ".git", ".state", ".wrangler"]);

/** All files of the project, from its root. */
const files: readonly string[] = filesIn(".");

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.has(entry.name) || entry.name.startsWith("dist.")) return [];
    const path = normalize(join(folder, entry.name));
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

const documents = files.filter((file) => file.endsWith(".md")).map((file) => [file, read(file)] as const);

function read(file: string): string {
  return readFileSync(file, "utf8");
}

/** The heading's name in links, as GitHub makes it. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

function anchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => slug(heading));
}

/** Whether a link of a document leads somewhere. */
function leads(document: string, link: string): boolean {
  if (/^\w+:/.test(link)) return true;
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? document : normalize(join(dirname(document), path));
  if (!existsSync(target)) return false;
  return anchor === undefined || anchors(read(target)).includes(anchor);
}

const FILE = /^[\w./-]+\.(?:ts|mjs|js|py|toml|json|proto|md|binpb|jsonc|capnp)$/;
const FOLDER = /^(?:src|test|docs|assembly|scripts|proto|examples)\/[\w./-]*$/;

/** Files that are made by a command, or that documents name as examples. */
const MADE = new Set(["openapi.json", "worker.js", "types.ts", "quick-start.mjs", "quick_start.py"]);

/** A name in a file, as in "`learn` in `verbs/learning.ts`". */
const PLACED_NAME = /`([A-Za-z_][\w.]*)` in `([\w./-]+\.(?:ts|mjs))`/g;

/** Whether a path in a document may mean a file: from the root, beside the document, or as the end of the file's path. */
function isMeant(document: string, path: string, file: string): boolean {
  return file === path || file === normalize(join(dirname(document), path)) || file.endsWith(`/${path}`);
}

/** Whether a file or folder that a document mentions exists: from the root, beside the document, or as the end of some path. */
function exists(document: string, path: string): boolean {
  if (MADE.has(path) || /^(?:build|dist)\//.test(path)) return true;
  if (existsSync(path) || existsSync(join(dirname(document), path))) return true;
  return files.some((file) => file.endsWith(`/${path}`));
}

/** The rows below a table's heading row, cell by cell. */
function tableUnder(text: string, heading: string): string[][] {
  const from = text.indexOf(heading);
  expect(from, heading).toBeGreaterThan(-1);
  const lines = text.slice(from).split("\n\n")[0]?.split("\n").slice(2) ?? [];
  return lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe.each(documents)("%s", (document, text) => {
  test("begins with a heading and says something", () => {
    expect(text).toMatch(/^# \S.*\n+\S/);
  });

  test("has links that lead somewhere", () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !leads(document, link))).toEqual([]);
  });

  test("shows pictures that exist, and says in words what they show", () => {
    const pictures = [...text.matchAll(/<img ([^>]*)>/g)].map(([, attributes = ""]) => attributes);
    expect(pictures.filter((attributes) => !/\balt="[^"]{20,}"/.test(attributes))).toEqual([]);
    const sources = pictures.map((attributes) => /\bsrc="([^"]*)"/.exec(attributes)?.[1] ?? "");
    expect(sources.filter((source) => !existsSync(join(dirname(document), source)))).toEqual([]);
  });

  test("mentions files that exist", () => {
    const mentioned = [...text.matchAll(/`([^`\n]+)`/g)]
      .map(([, code = ""]) => code)
      .filter((code) => FILE.test(code) || FOLDER.test(code));
    expect(mentioned.filter((path) => !exists(document, path))).toEqual([]);
  });

  test("names functions and constants where they are", () => {
    const missing = [...text.matchAll(PLACED_NAME)].filter(([, name = "", path = ""]) => {
      const word = new RegExp(`\\b${name.split(".").at(-1)}\\b`);
      return !files.some((file) => isMeant(document, path, file) && word.test(read(file)));
    });
    expect(missing.map(([mention]) => mention)).toEqual([]);
  });

  test("names commands that exist", () => {
    const { scripts } = JSON.parse(read("package.json"));
    const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe("a picture", () => {
  const pictures = files.filter((file) => /^docs\/.*\.svg$/.test(file));

  test.each(pictures)("%s says what it shows, fits dark and light pages, and is shown", (file) => {
    const svg = read(file);
    expect(svg).toMatch(/role="img" aria-labelledby="title description"/);
    expect(svg).toMatch(/<title id="title">[^<]{10,}<\/title>\s*<desc id="description">[^<]{40,}<\/desc>/);
    expect(svg).toContain("@media (prefers-color-scheme: dark)");
    expect(
      documents.some(
        ([document, text]) => dirname(document) === dirname(file) && text.includes(`src="${basename(file)}"`),
      ),
    ).toBe(true);
  });
});

describe("docs/README.md", () => {
  test("leads to every document and guide", () => {
    const links = [...read("docs/README.md").matchAll(/\]\(([^)#\s]+)/g)].map(([, link = ""]) => join("docs", link));
    const others = documents
      .map(([document]) => document)
      .filter((document) => /^docs\/(guides\/)?[^/]+$/.test(document));
    expect(others.filter((document) => document !== "docs/README.md" && !links.includes(document))).toEqual([]);
  });
});

test("docs/glossary.md has at most 60 words, each of them once", () => {
  const rows = [...read("docs/glossary.md").matchAll(/^\| (?!word \|)([^|]+) \|/gm)];
  const words = rows.flatMap(([, cell = ""]) => cell.split(", "));
  expect(new Set(words).size).toBe(words.length);
  expect(words.length).toBeGreaterThan(40);
  expect(words.length).toBeLessThanOrEqual(60);
});

describe("docs/decisions", () => {
  const numbers = readdirSync("docs/decisions").map((page) => page.slice(0, 3));
  /** As in "docs/decisions/023", "Decision 023" and "decisions 023, 034". */
  const NAMED = /\bdecisions?(?:\/|\s+)\[?(\d{3}(?:, \d{3})*)\b/gi;

  test("has one page for a number", () => {
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
  });

  test("has every page that comments and documents name", () => {
    const named = files
      .filter((file) => /\.(?:[cm]?[jt]sx?|md|proto|py|toml|css)$/.test(file))
      .flatMap((file) =>
        [...read(file).matchAll(NAMED)].flatMap(([, list = ""]) => list.split(", ").map((number) => [file, number])),
      );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(([, number = ""]) => !numbers.includes(number))).toEqual([]);
  });
});

describe("README.md", () => {
  const readme = read("README.md");

  test("fits a few screens, and shows first how to run and how to test", () => {
    expect(readme.split("\n").length).toBeLessThanOrEqual(150);
    const [, first] = /```sh\n(.*?)```/s.exec(readme) ?? [];
    expect(first?.split("\n").map((line) => line.split("#")[0]?.trim())).toEqual([
      "npm ci && npm start",
      "npm ci && npm test",
      "",
    ]);
  });

  test("has a line for every room, which leads to the room's README", () => {
    const rooms = readdirSync("src", { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const named = tableUnder(readme, "| room | what it does |").map(([room = ""]) => /\((.*?)\)/.exec(room)?.[1] ?? "");
    // The generated code is named with the contract that it is generated from.
    const own = rooms.map(({ name }) => `src/${name}`).filter((room) => room !== "src/gen");
    expect(named).toEqual(expect.arrayContaining([...own, "assembly"].map((room) => `${room}/README.md`)));
  });
});

describe("src/README.md", () => {
  /** The rooms that each room of src imports. */
  function imports(): Map<string, string[]> {
    const found = new Map<string, Set<string>>();
    for (const file of files.filter((path) => /^src\/\w+\/.*\.m?[tj]s$/.test(path) && !path.startsWith("src/gen/"))) {
      const room = file.split("/")[1] ?? "";
      const of = found.get(room) ?? new Set();
      found.set(room, of);
      for (const [, path = ""] of read(file).matchAll(/from "(\.[^"]+)"/g)) {
        const [top, other = ""] = normalize(join(dirname(file), path)).split("/");
        if (top === "src" && other !== room) of.add(other);
      }
    }
    return new Map([...found].map(([room, others]) => [room, [...others].sort()]));
  }

  test("says which room imports which", () => {
    const rows = tableUnder(read("src/README.md"), "| room | may import | what it does |");
    const said = rows.map(([room = "", others = ""]) => [
      /\((\w+)/.exec(room)?.[1] ?? "",
      others === "nothing" ? [] : others.split(", "),
    ]);
    expect(Object.fromEntries(said)).toEqual(Object.fromEntries(imports()));
  });
});

describe("docs/serving.md", () => {
  test("has every variable that the server and the Worker read, and no other", () => {
    const said = tableUnder(read("docs/serving.md"), "| variable | default | meaning |").map(([name = ""]) =>
      name.replaceAll("`", ""),
    );
    const server = /env\.([A-Z_]+)|readWhole\(env, "(\w+)"/g;
    const worker = /readonly ([A-Z][A-Z_]+)\?: string/g;
    const names = [
      ...["src/serve/settings.mjs", "src/serve/limits.mjs"].flatMap((file) => [...read(file).matchAll(server)]),
      ...files
        .filter((file) => /^src\/(?!gen\/).*\.ts$/.test(file))
        .flatMap((file) => [...read(file).matchAll(worker)]),
    ].map(([, one, other]) => one ?? other);
    for (const { variable } of Object.values(BUDGETS)) names.push(variable);
    // Not for users: npm start sets the one when it accepts the local key, and the other for its own pings.
    const expected = new Set(names.filter((name) => name !== "NOEMA_LOCAL" && name !== "NOEMA_START_ID"));
    expect([...said].sort()).toEqual([...expected].sort());
  });
});

describe("docs/clients.md", () => {
  test("has every service, and says which are public", () => {
    const services = files
      .filter((file) => file.startsWith("proto/"))
      .flatMap((file) => (file.endsWith(".proto") ? [...read(file).matchAll(/^service (\w+)/gm)] : []))
      .map(([, name = ""]) => name);
    const edge = read("src/gateway/public-rpc.ts");
    const rows = tableUnder(read("docs/clients.md"), "| service | what it does | public |");
    const said = rows.map(([name = "", , isPublic]) => [name.replaceAll("`", ""), isPublic]);
    const built = services.map((name) => [name, edge.includes(`import { ${name} }`) ? "yes" : "no"]);
    expect([...said].sort()).toEqual([...built].sort());
  });
});

test("the packages that the lock file has no checksum of are those that docs/serving.md names", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, { integrity?: string }> };
  const unchecked = Object.entries(packages).filter(([path, { integrity }]) => path !== "" && integrity === undefined);
  expect(unchecked.map(([path]) => path.replace("node_modules/", "")).sort()).toEqual(
    ["darwin-64", "darwin-arm64", "windows-64"].map((system) => `@cloudflare/workerd-${system}`),
  );
  const section = read("docs/serving.md").split("## What the lock file checks")[1]?.split("\n## ")[0] ?? "";
  for (const name of ["`@cloudflare/workerd-darwin-64`", "`-darwin-arm64`", "`-windows-64`"])
    expect(section).toContain(name);
});
