/** Clears working memory, or everything learned and observed. */

import type { Mind } from "../mind";
import { NO_SCORES } from "../ports/store";
import type { Sessions } from "../sessions";
import { forgetRisen } from "./alerts/alerting";
import { endIncidents } from "./incidents/noting";

/**
 * Empties working memory and everything that came with it: the vectors and emotives not yet learned, the percept,
 * and the bins of numbers.
 */
export function clearWorkingMemory(mind: Mind): void {
  mind.memory.clear();
  mind.memory.dropEnsemble();
  mind.waiting.drop();
  forgetRisen(mind);
  mind.update({ observeCalls: 0, pendingEmotives: [], percept: undefined, bins: [] });
  mind.cleanUp();
}

/**
 * Forgets everything learned and observed, ends all sessions, and forgets the blacklist unless `keepBlacklist`. Genes,
 * encoders, flags, the target class and the numbers of deliveries stay.
 */
export function clearAllMemory(mind: Mind, sessions: Sessions, keepBlacklist: boolean): void {
  clearWorkingMemory(mind);
  sessions.endAll();
  mind.knowledge.clear();
  mind.vectors.clear();
  mind.shared.update({ vectorDimensionality: -1, learnScores: NO_SCORES });
  mind.store.record({ kind: "scores-cleared" });
  endIncidents(mind);
  mind.update({ time: 0, lastLearned: "", emotives: [], history: [] });
  if (!keepBlacklist && mind.blacklist.size > 0) {
    mind.store.record({ kind: "blacklist-removed", symbols: [...mind.blacklist] });
    mind.blacklist.clear();
  }
}
