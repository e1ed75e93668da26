/** Shuffles a list at random. The same seed gives the same order on every machine, so that runs can be compared. */

/**
 * Endless random numbers from 0 to 1, both excluded, the same for the same seed (1 to 2^31 - 2): by the "minimal
 * standard" generator of Park and Miller, 1988.
 */
export function* randomNumbers(seed) {
  const modulus = 2 ** 31 - 1;
  for (let state = seed; ; ) {
    state = (state * 48271) % modulus;
    yield state / modulus;
  }
}

/**
 * Shuffles in place, by Fisher and Yates.
 *
 * @template T
 * @param {T[]} list
 * @param {number} seed a whole number from 1 to 2^31 - 2
 * @returns {T[]} the list
 */
export function shuffle(list, seed) {
  const random = randomNumbers(seed);
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random.next().value * (i + 1));
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}
