/**
 * What a memory predicts, written from the wire contract, section 8, in its own order: a naive difflib, then formula by formula. Slow, and
 * meant to be read.
 */

import log from "@stdlib/math-base-special-ln";
import log2 from "@stdlib/math-base-special-log2";

/** The longest common run within bounds; of equally long ones the earliest in `model`, then the earliest in `memory`. */
function longest(model, memory, [fromModel, toModel, fromMemory, toMemory]) {
  let best = { model: fromModel, memory: fromMemory, length: 0 };
  for (let i = fromModel; i < toModel; i++) {
    for (let j = fromMemory; j < toMemory; j++) {
      let length = 0;
      while (i + length < toModel && j + length < toMemory && model[i + length] === memory[j + length]) length++;
      if (length > best.length) best = { model: i, memory: j, length };
    }
  }
  return best;
}

/** Matching blocks in order; those that touch are one. */
function blocksOf(model, memory, bounds = [0, model.length, 0, memory.length]) {
  const best = longest(model, memory, bounds);
  if (best.length === 0) return [];
  const [fromModel, toModel, fromMemory, toMemory] = bounds;
  const left = blocksOf(model, memory, [fromModel, best.model, fromMemory, best.memory]);
  const rightBounds = [best.model + best.length, toModel, best.memory + best.length, toMemory];
  return [...left, best, ...blocksOf(model, memory, rightBounds)];
}

function joined(blocks) {
  const result = [];
  for (const block of blocks) {
    const last = result.at(-1);
    const touches = last && last.model + last.length === block.model && last.memory + last.length === block.memory;
    if (touches) last.length += block.length;
    else result.push({ ...block });
  }
  return result;
}

const matchingBlocks = (model, memory) => joined(blocksOf(model, memory));

/** What one model has in common with memory, and how that cuts the model; undefined when it is nothing. */
function candidateOf(model, memory) {
  const flat = model.sequence.flat();
  const blocks = matchingBlocks(flat, memory);
  if (blocks.length === 0) return undefined;
  const [first, last] = [blocks[0].model, blocks.at(-1).model + blocks.at(-1).length - 1];
  const eventAt = model.sequence.flatMap((event, at) => event.map(() => at));
  const [from, to] = [eventAt[first], eventAt[last] + 1];
  const present = model.sequence.slice(from, to);
  const matches = blocks.flatMap((block) => flat.slice(block.model, block.model + block.length));
  const spanBlocks = matchingBlocks(flat.slice(first, last + 1), memory);
  const isUsed = (at) => spanBlocks.some((block) => at >= block.memory && at < block.memory + block.length);
  return {
    model,
    blocks: blocks.length,
    matches,
    past: model.sequence.slice(0, from),
    present,
    future: model.sequence.slice(to),
    missing: present.flat().filter((symbol) => !matches.includes(symbol)),
    extras: memory.filter((_, at) => !isUsed(at)),
    similarity: (2 * matches.length) / (flat.length + memory.length),
    evidence: matches.length / flat.length,
  };
}

const count = (symbols, symbol) => symbols.filter((other) => other === symbol).length;

/** 1 less what the vectors of counts, weighed by probability, have not in common, as large as the model's share is. */
function itfdf({ model, present }, memory, { p, weighed, total }) {
  const flat = present.flat();
  let [dot, uu, vv] = [0, 0, 0];
  for (const symbol of new Set([...flat, ...memory])) {
    const weight = weighed.has(symbol) ? p(symbol) : 0;
    const u = count(memory, symbol) * weight;
    const v = count(flat, symbol) * weight;
    dot += u * v;
    uu += u * u;
    vv += v * v;
  }
  const denominator = Math.sqrt(uu) * Math.sqrt(vv);
  const cosine = denominator === 0 ? 0 : dot / denominator;
  return 1 - ((1 - cosine) * model.frequency) / total;
}

function entropies(flat, p, known) {
  let [entropy, hamiltonian, grand] = [0, 0, 0];
  for (const symbol of flat) {
    const q = count(flat, symbol) / flat.length;
    if (p(symbol) > 0) entropy += -p(symbol) * log2(p(symbol));
    hamiltonian += -q * (log(q) / log(known));
  }
  for (const symbol of [...new Set(flat)].reverse()) {
    if (p(symbol) > 0) grand += -p(symbol) * (log(p(symbol)) / log(known));
  }
  return known <= 1 ? { entropy, hamiltonian: 0, grand: 0 } : { entropy, hamiltonian, grand };
}

/** The prediction that a candidate makes. */
function predictionOf(candidate, memory, context) {
  const { model, blocks, matches, past, present, future, missing, extras, similarity, evidence } = candidate;
  const flat = present.flat();
  const confidence = matches.length / flat.length;
  const fragmentation = blocks - 1;
  const snr = matches.length / (matches.length + extras.length);
  const itfdfSimilarity = itfdf(candidate, memory, context);
  const { entropy, hamiltonian, grand } = entropies(flat, context.p, context.known);
  let product = 1;
  for (const symbol of flat) product *= context.p(symbol);
  const means = Object.entries(model.emotives).map(([name, values]) => [
    name,
    values.reduce((sum, value) => sum + value, 0) / values.length,
  ]);
  return {
    confidence,
    confluence: (model.frequency / context.models) * (1 - product),
    emotives: Object.fromEntries(means),
    entropy,
    evidence,
    extras,
    fragmentation,
    frequency: model.frequency,
    future,
    grand_hamiltonian: grand,
    hamiltonian,
    itfdf_similarity: itfdfSimilarity,
    matches,
    missing,
    name: model.name,
    past,
    potential: (evidence + confidence) * snr + itfdfSimilarity + 1 / (fragmentation + 1),
    present,
    similarity,
    snr,
    type: "prototypical",
  };
}

/** A metric by which predictions are sorted or cut; one of them is no member of a prediction. */
function metricOf(prediction, metric) {
  return metric === "number_of_blocks" ? prediction.fragmentation + 1 : prediction[metric];
}

/**
 * The ensemble.
 *
 * @param {string[][]} events the memory
 * @param {{ name: string, sequence: string[][], frequency: number, emotives: Record<string, number[]> }[]} models oldest first
 * @param {Record<string, any>} genes
 * @param {string} target the target class; empty for none
 */
export function ensembleOf(events, models, genes, target) {
  const memory = events.flat();
  const candidates = models
    .filter(({ sequence }) => target === "" || sequence.at(-1).includes(target))
    .map((model) => candidateOf(model, memory))
    .filter((candidate) => candidate !== undefined && candidate.similarity >= genes.recall_threshold);
  const { symbols, totals } = countersOf(models);
  const context = {
    p: (symbol) => (symbols.get(symbol)?.features.frequency ?? 0) / totals.total_symbols_in_models_frequencies,
    weighed: new Set(candidates.flatMap(({ matches, missing }) => [...matches, ...missing])),
    total: candidates.reduce((sum, { model }) => sum + model.frequency, 0),
    models: totals.total_model_frequencies,
    known: symbols.size,
  };
  const isKept = (value) =>
    genes.prediction_threshold_direction ? value >= genes.prediction_threshold : value <= genes.prediction_threshold;
  return candidates
    .reverse()
    .map((candidate) => predictionOf(candidate, memory, context))
    .sort((a, b) => metricOf(b, genes.prediction_sort_metric) - metricOf(a, genes.prediction_sort_metric))
    .filter((prediction) => isKept(metricOf(prediction, genes.prediction_threshold_metric)))
    .slice(0, genes.max_predictions);
}

/** Every counter, from the models alone: each occurrence, and each model once, as often as the model was learned. */
export function countersOf(models) {
  const symbols = new Map();
  for (const { sequence, frequency } of models) {
    const flat = sequence.flat();
    for (const name of new Set(flat)) {
      const known = symbols.get(name) ?? { features: { frequency: 0, model_member_frequency: 0 }, name };
      known.features.frequency += frequency * count(flat, name);
      known.features.model_member_frequency += frequency;
      symbols.set(name, known);
    }
  }
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const features = [...symbols.values()].map((symbol) => symbol.features);
  const totals = {
    total_model_frequencies: sum(models.map(({ frequency }) => frequency)),
    total_symbol_frequencies: sum(features.map(({ frequency }) => frequency)),
    total_symbols_in_models_frequencies: sum(features.map((feature) => feature.model_member_frequency)),
  };
  return { symbols, totals };
}
