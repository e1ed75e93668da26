/** Working memory and everything, forgotten on request. */

import type { Mind } from "../mind";

/** Empties working memory and all that came with it: vectors not yet learned, emotives not yet learned, the percept. */
export function clearMemory(mind: Mind): void {
  mind.memory.clear();
  mind.memory.dropEnsemble();
  mind.vectors.dropWaiting();
  mind.feel({ observeCalls: 0, pendingEmotives: [], percept: undefined });
}

/** Forgets everything learned and observed; genes, flags and the target class stay, and the blacklist when asked to. */
export function clearAll(mind: Mind, keepBlacklist: boolean): void {
  clearMemory(mind);
  mind.knowledge.clear();
  mind.vectors.clear();
  mind.feel({ time: 0, lastLearned: "", vectorDimensionality: -1, emotives: [] });
  if (!keepBlacklist && mind.blacklist.size > 0) {
    mind.store.record({ kind: "blacklist-removed", symbols: [...mind.blacklist] });
    mind.blacklist.clear();
  }
}
