/** Genomes too large to be put into service at once: each of the other processors waits for its first call. */

import { abortAllDurableObjects } from "cloudflare:test";
import { afterEach, describe, expect, test } from "vitest";
import { AGENT, forgetAgent, fresh, hotswap, memoryOf, observe, processor, teach } from "../support/object/agents";
import { agentNamed } from "../support/object/clients";
import { genomeText, manipulative, primitive } from "../support/object/genomes";

afterEach(forgetAgent);

async function persistenceOf(id: string): Promise<string | undefined> {
  return (await processor(id).genes.getGenes({ name: "persistence" })).genes[0]?.text;
}

function isInService(id: string): Promise<boolean> {
  return processor(id)
    .inspection.ping({})
    .then(
      () => true,
      () => false,
    );
}

describe("a processor of a large genome", () => {
  /** A genome with enough processors before it that it is not put in service at once. */
  function large(...last: Record<string, unknown>[]): string {
    return genomeText(...Array.from({ length: 64 }, () => primitive(fresh("p"))), ...last);
  }

  test("is put into service by its first call, by id or name, with its genes", async () => {
    const [a, b] = [fresh("a"), fresh("b")];
    await hotswap(large(primitive(a, { persistence: 7 }), primitive(b, { name: `name of ${b}` })));
    expect([await isInService(a), await isInService(b)]).toEqual([false, false]);
    await agentNamed(AGENT).getGenome({ wanted: "nobody" });
    await agentNamed(AGENT).getGenome({ wanted: a });
    expect([await isInService(a), await isInService(b)]).toEqual([true, false]);
    await abortAllDurableObjects();
    await agentNamed(AGENT).getGenome({ wanted: `name of ${b}` });
    expect([await persistenceOf(a), await isInService(b)]).toEqual(["7", true]);
  });

  test("is put into service when another sends it a prediction", async () => {
    const [a, b] = [fresh("a"), fresh("b")];
    const telling = [primitive(a, { manipulatives: [`m-${a}`] }), manipulative(`m-${a}`, a, [b])];
    await hotswap(large(...telling, primitive(b)));
    await agentNamed(AGENT).getGenome({ wanted: a });
    await teach(a, "x", "y");
    await observe(a, "x");
    expect((await memoryOf(b)).length).toBe(1);
  });

  test("is never put into service if it leaves before its first call, and gets its newest node if it stays", async () => {
    const [goes, stays] = [fresh("goes"), fresh("stays")];
    await hotswap(large(primitive(goes), primitive(stays)));
    await hotswap(genomeText(primitive(stays, { persistence: 8 })));
    for (const wanted of [goes, stays]) await agentNamed(AGENT).getGenome({ wanted });
    expect([await isInService(goes), await persistenceOf(stays)]).toEqual([false, "8"]);
  });
});
