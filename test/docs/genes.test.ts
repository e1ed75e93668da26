/** docs/genes.md says what the table of genes says, and which genes nothing in the processor reads. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { changeGenes, genesFrom, readGene } from "../../src/processor/genes/genes";
import { GENE_NAMES, GENES, type GeneName, genomeSettingOf, hasEffect } from "../../src/processor/genes/table";
import { METRICS } from "../../src/processor/ports/matcher";

const PAGE = readFileSync("docs/genes.md", "utf8");
const PROCESSOR = "src/processor";
const DEFAULTS = genesFrom({});

/** The cells of the table under a heading, by their first. */
function tableUnder(heading: string): Map<string, string[]> {
  const [, section = ""] = PAGE.split(`## ${heading}\n`);
  const lines = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("| `"));
  const cells = lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return new Map(cells.map(([name = "", ...rest]) => [name.replaceAll("`", ""), rest]));
}

const withEffect = tableUnder("Genes with an effect");
const withoutEffect = tableUnder("Genes without an effect");

/** What a gene accepts, in the words of its own refusal. */
function accepted(name: GeneName): string {
  const isNumber = typeof GENES[name].default === "number";
  const value = isNumber ? ({ case: "flag", value: true } as const) : ({ case: "number", value: 0.5 } as const);
  const { refusal } = changeGenes(DEFAULTS, [{ name, value: { value } }]);
  const [, words = ""] = /^\w+ must be (.*), got .*$/.exec(refusal) ?? [];
  return words === `one of ${METRICS.map((metric) => `"${metric}"`).join(", ")}` ? "a metric" : words;
}

/** The sources of the processor that use genes: all but those that declare and read them. */
function users(folder = PROCESSOR): string {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== "genes")
    .map((entry) =>
      entry.isDirectory() ? users(join(folder, entry.name)) : readFileSync(join(folder, entry.name), "utf8"),
    )
    .join("\n");
}

describe("docs/genes.md", () => {
  test("has every gene once", () => {
    expect([...withEffect.keys(), ...withoutEffect.keys()].sort()).toEqual(GENE_NAMES);
  });

  test.each(GENE_NAMES)("tells %s as the table does", (name) => {
    const cells = withEffect.get(name) ?? withoutEffect.get(name) ?? [];
    const { value } = readGene(DEFAULTS, name).value.value;
    expect(cells.slice(0, 3)).toEqual([`\`${genomeSettingOf(name)}\``, `\`${value}\``, accepted(name)]);
  });

  test("says of exactly those genes that they have an effect which the processor's code uses", () => {
    const code = users().replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, "");
    const used = GENE_NAMES.filter((name) => new RegExp(`\\b${name}\\b`).test(code));
    expect(used).toEqual([...withEffect.keys()].sort());
    expect(used).toEqual(GENE_NAMES.filter(hasEffect));
  });

  test("lists the metrics", () => {
    const [, list = ""] = /A metric is one of (.*?)\.\n/s.exec(PAGE) ?? [];
    expect(list.match(/\w+(?=`)/g)).toEqual([...METRICS]);
  });
});
