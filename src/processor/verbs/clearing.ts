/** Clears working memory, or everything learned and observed. */

import type { Mind } from "../mind";

/** Empties working memory and everything that came with it: the vectors and emotives not yet learned, and the percept. */
export function clearWorkingMemory(mind: Mind): void {
  mind.memory.clear();
  mind.memory.dropEnsemble();
  mind.vectors.dropWaiting();
  mind.update({ observeCalls: 0, pendingEmotives: [], percept: undefined });
}

/** Forgets everything learned and observed, and the blacklist unless `keepBlacklist`. Genes, flags and the target class stay. */
export function clearAllMemory(mind: Mind, keepBlacklist: boolean): void {
  clearWorkingMemory(mind);
  mind.knowledge.clear();
  mind.vectors.clear();
  mind.update({ time: 0, lastLearned: "", vectorDimensionality: -1, emotives: [] });
  if (!keepBlacklist && mind.blacklist.size > 0) {
    mind.store.record({ kind: "blacklist-removed", symbols: [...mind.blacklist] });
    mind.blacklist.clear();
  }
}
