/** Agents with genomes of their own, for tests inside workerd. */

import { abortAllDurableObjects, env, runInDurableObject } from "cloudflare:test";
import { agentNamed, type ProcessorClient, processorNamed } from "./clients";
import { genomeText, manipulative, primitive } from "./genomes";

/** The default agent, the one that every deployment has. */
export const AGENT = "simple";

/** The processor that the default genome brings. */
export const FIRST = "p46b6b076c";

/** Gives the agent a genome. */
export async function hotswap(genomeJson: string, purge = false): Promise<void> {
  await agentNamed(AGENT).hotswap({ genomeJson, purge });
}

/** A processor of the agent. */
export function processor(id: string): ProcessorClient {
  return processorNamed(`${AGENT}/${id}`);
}

/** A word that no test used before: objects outlive tests. */
export function fresh(word: string): string {
  return `${word}-${crypto.randomUUID().slice(0, 8)}`;
}

/** Deletes an agent, so that the next test begins with none, and the processor that the default genome brings. */
export async function forgetAgent(): Promise<void> {
  // Not `reset()`: it forgets the objects that are not loaded.
  for (const stub of [env.AGENTS.getByName(AGENT), env.PROCESSORS.getByName(`${AGENT}/${FIRST}`)]) {
    await runInDurableObject(stub as DurableObjectStub, async (_, { storage }) => {
      await storage.deleteAlarm();
      await storage.deleteAll();
    });
  }
  await abortAllDurableObjects();
}

/** The symbols of a processor's working memory, event by event. */
export async function memoryOf(id: string): Promise<string[][]> {
  return (await processor(id).memory.getWorkingMemory({})).events.map(({ symbols }) => symbols);
}

/** Has a processor observe strings, one event. */
export async function observe(id: string, ...strings: string[]) {
  return processor(id).memory.observe({ gdf: { strings } });
}

/** Has a processor learn a sequence of events of one string each. Returns the model's name. */
export async function teach(id: string, ...strings: string[]): Promise<string> {
  const sequence = strings.map((each) => ({ strings: [each] }));
  return (await processor(id).memory.observeSequence({ sequence, learn: true, clear: true })).learnedModel;
}

/** A processor that keeps what it is fed as it comes. */
export function listener(id: string): Record<string, unknown> {
  return primitive(id, { sort: false });
}

/** A symbol that announces a prediction. */
export const symbol = (id: string, model: string, field: string, value: string) =>
  `PRIMITIVE|${id}|${model}|${field}|${value}`;

/** An agent in which p1 tells p2. */
export async function pair(...fields: string[]) {
  const [p1, p2] = [fresh("p1"), fresh("p2")] as const;
  const nodes = fields.map((field, at) => manipulative(`m${at}-${p1}`, p1, [p2], [field]));
  const manipulatives = fields.map((_, at) => `m${at}-${p1}`);
  await hotswap(genomeText(primitive(p1, { manipulatives, sort: false }), listener(p2), ...nodes));
  return { p1, p2 };
}

/** The stub of a processor of the agent. */
export function stubOf(id: string): DurableObjectStub {
  return env.PROCESSORS.getByName(`${AGENT}/${id}`) as DurableObjectStub;
}

/** How many events of a processor wait. */
export function waitingFor(id: string): Promise<number> {
  return runInDurableObject(stubOf(id), (_, { storage }) => {
    return storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM outbox").one().n;
  });
}
