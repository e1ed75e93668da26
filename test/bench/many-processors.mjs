/** An agent of many processors that have nothing to do with each other. */

/** Their identifiers. */
export function manyProcessors(count) {
  return Array.from({ length: count }, (_, at) => `many${at}`);
}

/** Its genome. @param memorySymbols the most that the working memory of each holds */
export function genomeOf(count, memorySymbols) {
  const nodes = manyProcessors(count).map((id, at) => ({
    data: { id, name: `P${at + 1}`, type: "primitive", max_sequence_length: memorySymbols, manipulatives: [] },
  }));
  return JSON.stringify({ agent: "simple", description: "many", elements: { nodes } });
}
