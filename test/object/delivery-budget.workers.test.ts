/** Deliveries that multiply: an agent whose genome is from before the budget opens, and one observe of it ends. */

import { afterEach, describe, expect, test } from "vitest";
import { AGENT, forgetAgent, fresh, hotswap, observe, processor, symbol } from "../support/object/agents";
import { agentNamed, processorNamed } from "../support/object/clients";
import { genomeText, manipulative, primitive } from "../support/object/genomes";

afterEach(forgetAgent);

/** The ids of a chain of levels. */
function levelsOf(count: number): string[] {
  const agent = fresh("level");
  return Array.from({ length: count + 1 }, (_, at) => `${agent}-${at}`);
}

/** A genome in which each level tells the next twice. */
function doubling(levels: readonly string[]): string {
  const nodes = levels.flatMap((id, at) => {
    const next = levels[at + 1];
    // A longer memory would soon have too little in common with the model.
    const genes = { max_sequence_length: 1 };
    if (next === undefined) return [primitive(id, genes)];
    const own = [`a-${id}`, `b-${id}`];
    return [primitive(id, { ...genes, manipulatives: own }), ...own.map((each) => manipulative(each, id, [next]))];
  });
  return genomeText(...nodes);
}

/** Has each level predict whatever the level before tells it. */
async function teachAll(levels: readonly string[]): Promise<void> {
  let told = "x";
  for (const id of levels) {
    const sequence = { events: [{ symbols: [told] }, { symbols: ["z"] }] };
    const { name } = await processor(id).knowledge.addModel({ sequence });
    told = symbol(id, name, "name", name);
  }
}

/** How often each level has observed. */
function timesOf(levels: readonly string[]): Promise<number[]> {
  return Promise.all(levels.map(async (id) => (await processor(id).inspection.ping({})).stamp?.time ?? 0));
}

describe("levels that each tell the next twice", () => {
  test("within the budget tell all", async () => {
    const levels = levelsOf(7);
    await hotswap(doubling(levels));
    await teachAll(levels);
    const { deliveries, untold } = await observe(levels[0] ?? "", "x");
    expect(await timesOf(levels)).toEqual([1, 2, 4, 8, 16, 32, 64, 128]);
    expect({ deliveries, untold }).toEqual({ deliveries: 254, untold: false });
  });

  test("beyond it are refused by a hotswap, by name", async () => {
    const levels = levelsOf(8);
    await expect(hotswap(doubling(levels))).rejects.toThrow(
      `one observe of the genome's processor "${levels[0]}" can cause 510 deliveries to other processors; at most 256 are accepted (NOEMA_DELIVERIES)`,
    );
    await expect(agentNamed(AGENT).getGenome({})).resolves.toBeDefined();
  });

  test("beyond it, from an earlier version, tell as many as the budget allows, and the observe is answered", async () => {
    const levels = levelsOf(30);
    const genes = [{ name: "max_sequence_length", value: { value: { case: "number" as const, value: 1 } } }];
    for (const [at, id] of levels.entries()) {
      const next = levels[at + 1];
      const targets = next === undefined ? [] : [{ id: next, endpoint: "" }];
      const outlets =
        next === undefined ? [] : ["a", "b"].map((manipulative) => ({ manipulative, fields: ["name"], targets }));
      await processorNamed(`${AGENT}/${id}`).provisioning.provision({ id, name: id, genes, agent: AGENT, outlets });
    }
    await teachAll(levels);
    const { deliveries } = await observe(levels[0] ?? "", "x");
    const times = await timesOf(levels);
    expect(times[1]).toBe(2);
    const told = times.slice(1).reduce((sum, time) => sum + time, 0);
    expect(deliveries).toBe(told);
    expect(told).toBeLessThanOrEqual(2 * (1 + 256));
  });
});
