/** Finds entries by what they are called and by what is written there. Knows no page, so that tests can ask it. */

import MiniSearch from "minisearch";
import type { Entry, SearchData } from "./entry";
import { compared, unpackWords, wordsOf } from "./words";

/** Of several that fit, what a reader looks for first. Parts of a guide, and members of schemas, have 1. */
const WEIGHTS: { readonly [kind: string]: number } = { operation: 2.5, gene: 2, guide: 3, schema: 1.5, failure: 2 };

/** Shorter words are found as they are typed, or as the beginning of others. */
const SHORTEST_MISTYPED = 5;

/** Answers a query with what fits, best first. */
export type Search = (query: string) => Entry[];

/** Makes a search. Takes some 50 ms. */
export function searchIn({ entries, words }: SearchData): Search {
  const index = new MiniSearch<Entry & { readonly words: string; readonly place: number }>({
    idField: "place",
    fields: ["name", "text", "words"],
    tokenize: wordsOf,
    processTerm: compared,
    searchOptions: {
      boost: { name: 5, text: 2 },
      boostDocument: (place) => WEIGHTS[entries[Number(place)]?.kind ?? ""] ?? 1,
      fuzzy: (word) => (word.length >= SHORTEST_MISTYPED ? 0.2 : false),
      prefix: true,
    },
  });
  const texts = unpackWords(words, entries.length);
  index.addAll(entries.map((entry, place) => ({ ...entry, words: texts[place] ?? "", place })));
  return (query) => {
    const all = index.search(query, { combineWith: "AND" });
    const found = all.length > 0 ? all : index.search(query);
    return found.flatMap(({ id }) => entries[id as number] ?? []);
  };
}
