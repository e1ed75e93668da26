/**
 * The words of texts: how a text is taken apart, and how the words of all texts are sent, as one line for each word with
 * the texts that have it. That takes half of what the texts take.
 */

/** Words that nearly every text has, so that they find nothing. */
const COMMON = new Set(
  `a about all also am an and any are as at be because been but by can could did do does each else for from get had has have how i
  if in into is it its just like me more most my need no not now of on one only or other our out over own should so some such
  than that the their them then there these they this those to too up use want was way we were what when where which while who
  why will with without would you your`.split(/\s+/),
);

/** Longer words are addresses, hashes and numbers: not words to search for. */
const LONGEST = 30;

/**
 * A text's words, and the parts of those that have capitals inside: `recall_threshold` is found as `threshold`, and
 * `TypeScript` also as `script`.
 */
export function wordsOf(text: string): string[] {
  const words = text.match(/[\p{L}\d]+/gu) ?? [];
  const parts = words.flatMap(
    (word) => word.match(/\p{Lu}?\p{Ll}[\p{Ll}\d]*|\p{Lu}+(?!\p{Ll})\d*|\d+|\p{Lo}+/gu) ?? [],
  );
  return [...new Set([...words, ...parts])];
}

/**
 * A word as it is compared.
 *
 * @returns null for one that finds nothing
 */
export function compared(word: string): string | null {
  const lower = word.toLowerCase();
  return COMMON.has(lower) ? null : lower;
}

/** Whether a word of a long text is worth its place: it has a letter, or it is an HTTP status. */
function isWorthIt(word: string): boolean {
  return word.length > 1 && word.length <= LONGEST && (/^\p{L}/u.test(word) || /^[45]\d\d$/.test(word));
}

/**
 * Packs the words of texts.
 *
 * @returns a line for each word, sorted: the word, then the places of its texts, each as the distance from the one before, in base 36
 */
export function packWords(texts: readonly string[]): string {
  const places = new Map<string, number[]>();
  for (const [place, text] of texts.entries()) {
    const words = new Set(wordsOf(text).map(compared));
    for (const word of words) {
      if (word === null || !isWorthIt(word)) continue;
      const before = places.get(word) ?? [];
      places.set(word, before);
      before.push(place);
    }
  }
  const lines = [...places].map(([word, all]) => {
    const distances = all.map((place, at) => (place - (all[at - 1] ?? 0)).toString(36));
    return `${word} ${distances.join(" ")}`;
  });
  return lines.sort().join("\n");
}

/** The words of each text, in any order. @param count of the texts */
export function unpackWords(packed: string, count: number): string[] {
  const texts = Array.from({ length: count }, (): string[] => []);
  for (const line of packed.split("\n")) {
    const [word = "", ...distances] = line.split(" ");
    let place = 0;
    for (const distance of distances) {
      place += Number.parseInt(distance, 36);
      texts[place]?.push(word);
    }
  }
  return texts.map((words) => words.join(" "));
}
