/** Numbers from a seed. Each part of a simulation has a stream of its own, so that one part less changes no other. */

const MAX_SEED = 0xffff_ffff;

/**
 * Reads a seed.
 *
 * @param {string | number} text
 * @returns {number} a whole number from 0 to 2^32 - 1
 * @throws Error that names what was given, when it is none
 */
export function seedFrom(text) {
  const seed = typeof text === "number" || /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isInteger(seed) && seed >= 0 && seed <= MAX_SEED) return seed;
  throw new Error(`a seed is a whole number from 0 to ${MAX_SEED}, got ${JSON.stringify(text)}`);
}

/** Four words that depend on every character of a text (cyrb128). */
function wordsOf(text) {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = b ^ Math.imul(a ^ code, 597399067);
    b = c ^ Math.imul(b ^ code, 2869860233);
    c = d ^ Math.imul(c ^ code, 951274213);
    d = a ^ Math.imul(d ^ code, 2716044179);
  }
  return [a ^ b ^ c ^ d, b ^ a, c ^ a, d ^ a];
}

/** One stream of numbers (sfc32). */
export class Random {
  #label;
  #a;
  #b;
  #c;
  #d;

  /** @param {string} label the seed and the purpose: the same label gives the same numbers */
  constructor(label) {
    this.#label = label;
    [this.#a, this.#b, this.#c, this.#d] = wordsOf(label);
    for (let warmUp = 0; warmUp < 12; warmUp++) this.word();
  }

  /** Another stream. @param {string | number} purpose */
  fork(purpose) {
    return new Random(`${this.#label}/${purpose}`);
  }

  /** A whole number from 0 to 2^32 - 1. */
  word() {
    const sum = (this.#a + this.#b + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** A number from 0 up to, not including, 1. */
  fraction() {
    return this.word() / 2 ** 32;
  }

  /** A whole number from 0 to `end` - 1. */
  below(end) {
    return Math.floor(this.fraction() * end);
  }

  /** A whole number from `first` to `last`. */
  between(first, last) {
    return first + this.below(last - first + 1);
  }

  /** Whether something happens that happens with this probability. */
  chance(probability) {
    return this.fraction() < probability;
  }

  /** One of a list. */
  one(list) {
    return list[this.below(list.length)];
  }

  /** One of weighted values. @param {[number, Value][]} weighted @template Value @returns {Value} */
  weighted(weighted) {
    let left = this.fraction() * weighted.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of weighted) {
      left -= weight;
      if (left < 0) return value;
    }
    return weighted.at(-1)[1];
  }

  /** Fills bytes. */
  fill(bytes) {
    for (let at = 0; at < bytes.length; at++) bytes[at] = this.word() & 255;
    return bytes;
  }
}
