/** How well scores tell faults from all else. */

/**
 * @typedef {object} Scored
 * @property {number} score greater for what is rather a fault
 * @property {boolean} isFault whether it is one
 */

/**
 * The area under the curve of precision over recall, as average precision: the mean, over all faults, of the
 * precision at a threshold of that fault's score. 0 to 1; what scores at random has the share of faults. Equal
 * scores stand or fall together.
 *
 * @param {Scored[]} scored with at least one fault
 */
export function averagePrecision(scored) {
  const byScore = [...scored].sort((one, other) => other.score - one.score);
  const faults = scored.filter(({ isFault }) => isFault).length;
  let [area, found, seen] = [0, 0, 0];
  for (let at = 0; at < byScore.length; ) {
    const before = found;
    const { score } = byScore[at];
    for (; at < byScore.length && byScore[at].score === score; at++) {
      seen++;
      if (byScore[at].isFault) found++;
    }
    area += ((found - before) / faults) * (found / seen);
  }
  return area;
}

/**
 * Precision and recall of the rule that whatever scores above a threshold is a fault. Precision is 1 when nothing does.
 */
export function atThreshold(scored, threshold) {
  const alarms = scored.filter(({ score }) => score > threshold);
  const right = alarms.filter(({ isFault }) => isFault).length;
  const faults = scored.filter(({ isFault }) => isFault).length;
  return { alarms: alarms.length, precision: alarms.length === 0 ? 1 : right / alarms.length, recall: right / faults };
}

/** The score that a share of normal events does not exceed. @param {number[]} scores @param {number} share 0 to 1 */
export function quantile(scores, share) {
  const sorted = [...scores].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
