/** Parses typed text into the parts of a record. */

/** The symbols of a text: words, or text in double quotes for a symbol with blanks. */
export function symbolsOf(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "").filter(Boolean);
}

/** Numbers by name, as in `temperature=21.5 load=0.4`. @throws Error that names the part that is not one */
export function numbersOf(text: string): Record<string, number> {
  const parts = text.trim().split(/[\s,]+/);
  return Object.fromEntries(
    parts.map((part) => {
      const at = part.lastIndexOf("=");
      const number = Number(part.slice(at + 1));
      if (at < 1 || at === part.length - 1 || !Number.isFinite(number))
        throw new Error(`A number is written as name=value, got "${part}".`);
      return [part.slice(0, at), number];
    }),
  );
}

/** Vectors: one or more lists of numbers, as in `[0.1, 0.9] [1, 0]`. @throws Error if it is anything else */
export function vectorsOf(text: string): number[][] {
  const lists = text.trim().match(/\[[^\]]*\]/g) ?? [];
  const rest = text.replace(/\[[^\]]*\]/g, "").replace(/[\s,]/g, "");
  const vectors = lists.map((list) =>
    list
      .slice(1, -1)
      .split(",")
      .map((part) => (part.trim() === "" ? Number.NaN : Number(part))),
  );
  if (lists.length === 0 || rest !== "" || !vectors.flat().every(Number.isFinite))
    throw new Error(`A vector is a list of numbers, as in [0.1, 0.9], got "${text.trim()}".`);
  return vectors;
}
