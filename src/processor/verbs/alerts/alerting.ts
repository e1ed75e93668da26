/** Finds out what alerts have to tell of what a verb does to a memory, and records it in that verb. */

import type { Mind } from "../../mind";
import type { AlertCondition, Told } from "../../ports/alert";

/** An alert, as far as it says when it tells. */
interface Watching {
  readonly name: string;
  readonly number: number;
  readonly when: AlertCondition;
}

/** Tells those who want to hear of it that a memory has learned a model. @param model its name without prefix */
export function tellLearned(mind: Mind, model: string): void {
  for (const alert of mind.shared.alerts)
    if (alert.when.kind === "learned") tell(mind, alert, { kind: "learned", model });
}

/** Records what one alert tells of a memory. @returns the identifier of the delivery */
export function tell({ session, shared, state, store }: Mind, { name }: Pick<Watching, "name">, told: Told): string {
  const webhookId = `msg_${crypto.randomUUID().replaceAll("-", "")}`;
  const notice = { alert: name, webhookId, told, session, interval: state.time, happenedAt: shared.now() };
  store.record({ kind: "alert-told", notice });
  return webhookId;
}
