/** A genome of many independent processors. */

/** Their identifiers. */
export function manyProcessors(count) {
  return Array.from({ length: count }, (_, at) => `many${at}`);
}

/** The genome. @param memorySymbols the most symbols that each working memory holds */
export function genomeOf(count, memorySymbols) {
  const nodes = manyProcessors(count).map((id, at) => ({
    data: { id, name: `P${at + 1}`, type: "primitive", max_sequence_length: memorySymbols, manipulatives: [] },
  }));
  return JSON.stringify({ agent: "simple", description: "many", elements: { nodes } });
}
