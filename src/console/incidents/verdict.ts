/** Gives verdicts, and explains what a key may not do. */

import { judgeIncident, type Memory, session } from "../../client";
import { type Refusal, refusal } from "../rights";
import type { Agent } from "../server";
import type { KnownIncident, Verdict } from "./known-incident";

/** The keys of the keyboard, by verdict. */
export const VERDICT_KEYS = { n: "normal", f: "fault", i: "ignored", u: null } as const;

/** Why the key may not give a verdict on an incident; empty if it may. */
export function verdictRefusal({ processor, session: name }: Pick<KnownIncident, "processor" | "session">): Refusal {
  return refusal({ of: "memory", processor, session: name ?? undefined }, "manage");
}

/** The memory through which an incident is read and judged: the session's own, for keys that open only sessions. */
export function memoryOf(
  agent: Agent,
  { processor: id, session: name }: Pick<KnownIncident, "processor" | "session">,
): Memory | undefined {
  const known = agent.processors.find((each) => each.id === id || each.name === id);
  if (known === undefined) return undefined;
  return name === null || agent.rights?.sessions === undefined ? known.processor : session(known.processor, name);
}

/**
 * Gives a verdict, with an optional note.
 *
 * @returns what was done, as a sentence
 * @throws NoemaError if it is refused
 */
export async function judge(
  agent: Agent,
  incident: KnownIncident,
  judgement: { readonly verdict: Verdict; readonly note?: string },
): Promise<string> {
  const memory = memoryOf(agent, incident);
  if (memory === undefined) throw new Error("The processor of this incident is gone.");
  const { learned } = await judgeIncident(memory, incident.id, judgement);
  if (judgement.verdict === incident.verdict && judgement.note !== undefined) return "The note is kept.";
  if (judgement.verdict === null) return "It is open again.";
  if (learned !== null) return "Normal: its course was learned, and surprises less from now on.";
  return { normal: "Normal.", fault: "A fault.", ignored: "Ignored." }[judgement.verdict];
}
