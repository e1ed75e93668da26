/**
 * Finds the models that hold given symbols, or matches of given patterns. The work of patterns is bounded in advance:
 * by their text, by the size of their programs, and by that size times the text of all known symbols.
 */

import { checkListed } from "../../input/gdf-input";
import { eachModel } from "../../knowledge/model-batch";
import type { Mind } from "../../mind";
import { Fault } from "../../ports/fault";
import type { Unsigned } from "../../ports/matcher";
import { compilePattern, type Pattern } from "../../text/python-pattern";

/** The symbols or patterns to look for. */
export interface SymbolSearch {
  symbols: string[];
  /** Regular expressions; each must match a whole symbol. */
  patterns: string[];
}

/** Maximum number of distinct patterns in one request. */
const MAX_PATTERNS = 256;
/** Maximum text of one request's patterns together, in UTF-16 units. */
const MAX_PATTERN_UNITS = 10_000;
/** Maximum number of instructions of one request's programs together. */
const MAX_INSTRUCTIONS = 10_000;
/**
 * Maximum size of a program that the engine turns into a table; then the cost of a character does not depend on the
 * size.
 */
const TABLE_INSTRUCTIONS = 15;
/** Maximum number of models named in one answer: 11 MB. */
const MAX_FOUND = 250_000;
/** Fixed cost of a comparison, in characters. */
const COMPARISON_UNITS = 4;

/** @throws Fault `too-large` */
function assertAtMost(most: number, got: number, what: string): void {
  if (got > most) throw new Fault("too-large", `${what}: at most ${most} are accepted, got ${got}`);
}

/**
 * Compiles distinct patterns within the budgets of one request.
 *
 * @throws Fault `too-large` beyond a budget; `invalid` when a pattern is wrong
 */
export function compilePatterns(mind: Mind, texts: readonly string[]): Pattern[] {
  assertAtMost(MAX_PATTERNS, texts.length, "different patterns in a request");
  const units = texts.reduce((sum, { length }) => sum + length, 0);
  assertAtMost(MAX_PATTERN_UNITS, units, "characters in the patterns of a request");
  const { symbols } = mind.knowledge;
  const perInstruction = symbols.units + COMPARISON_UNITS * symbols.size;
  let instructions = 0;
  let steps = 0;
  return texts.map((text) => {
    const pattern = compilePattern(text, MAX_INSTRUCTIONS - instructions);
    instructions += pattern.instructions;
    assertAtMost(MAX_INSTRUCTIONS, instructions, "instructions in the compiled patterns of a request");
    steps += (pattern.instructions > TABLE_INSTRUCTIONS ? pattern.instructions : 1) * perInstruction;
    assertSteps(mind, steps);
    return pattern;
  });
}

function assertSteps(mind: Mind, steps: number): void {
  const { patternSteps: most } = mind.budgets;
  if (steps <= most) return;
  const { size, units } = mind.knowledge.symbols;
  throw new Fault(
    "too-large",
    `to compare the patterns with all ${size} known symbols, ${units} characters, takes more than ${most} steps, ` +
      "the most that one request may take (NOEMA_PATTERN_STEPS); ask with fewer or simpler patterns",
  );
}

/** One bit for each symbol number and each pattern: whether the pattern matches the symbol. */
class PatternBits {
  readonly #words: number;
  readonly #bits: Uint32Array;
  /** The bits of all patterns. */
  readonly #all: Uint32Array;

  /** @param numbers the number of symbol numbers */
  constructor(patterns: number, numbers: number) {
    this.#words = Math.ceil(patterns / 32);
    this.#bits = new Uint32Array(this.#words * numbers);
    this.#all = new Uint32Array(this.#words);
    for (let at = 0; at < patterns; at++) this.#all[at >>> 5] = (this.#all[at >>> 5] ?? 0) | (1 << (at & 31));
  }

  add(symbol: number, pattern: number): void {
    const at = symbol * this.#words + (pattern >>> 5);
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (pattern & 31));
  }

  /** Whether each pattern matches one of the symbols from index `from` to `to`. */
  cover(symbols: Unsigned, from: number, to: number): boolean {
    for (let word = 0; word < this.#words; word++) {
      const wanted = this.#all[word] ?? 0;
      let found = 0;
      for (let at = from; at < to && found >>> 0 !== wanted; at++) {
        found |= this.#bits[(symbols[at] ?? 0) * this.#words + word] ?? 0;
      }
      if (found >>> 0 !== wanted) return false;
    }
    return true;
  }
}

/** A test of a model, whose symbols are those from index `from` to `to`. */
export type Passes = (symbols: Unsigned, from: number, to: number) => boolean;

/**
 * The ids of the models whose symbols pass, oldest first. One pass over all models, without allocating an object for
 * each.
 */
export function modelsWhere(mind: Mind, passes: Passes): number[] {
  const found: number[] = [];
  for (const batch of mind.store.knowledge.corpusBatches()) {
    const { ids, symbols } = batch;
    eachModel(batch, (at, from, to) => {
      if (passes(symbols, from, to)) found.push(ids[at] ?? 0);
    });
  }
  return found;
}

/** The names of the known symbols that match any of the patterns. @throws Fault as {@link findModels} */
export function symbolsMatching(mind: Mind, patterns: readonly string[]): string[] {
  const compiled = compilePatterns(mind, [...new Set(patterns)]);
  const names: string[] = [];
  for (const name of mind.knowledge.symbols.names())
    if (compiled.some(({ matches }) => matches(name))) names.push(name);
  return names;
}

function matchingAll(mind: Mind, texts: readonly string[]): Passes | undefined {
  const patterns = compilePatterns(mind, [...new Set(texts)]);
  const bits = new PatternBits(patterns.length, mind.knowledge.symbols.numbers);
  const unmatched = new Set(patterns.keys());
  for (const name of mind.knowledge.symbols.names()) {
    const symbol = mind.knowledge.symbols.intern(name);
    for (const [at, { matches }] of patterns.entries()) {
      if (!matches(name)) continue;
      bits.add(symbol, at);
      unmatched.delete(at);
    }
  }
  return unmatched.size > 0 ? undefined : (symbols, from, to) => bits.cover(symbols, from, to);
}

function holdingAll(mind: Mind, texts: readonly string[]): Passes | undefined {
  const wanted = new Set<number>();
  for (const text of checkListed(texts, "a symbol")) {
    const symbol = mind.knowledge.symbols.idOf(text);
    if (symbol === undefined) return undefined;
    wanted.add(symbol);
  }
  if (wanted.size === 0) return () => true;
  return (symbols, from, to) => holdsAll(symbols.subarray(from, to), wanted);
}

/**
 * A test for models that hold all symbols and a match of every pattern; `undefined` if no model can pass.
 * @throws Fault as {@link findModels}
 */
export function passesOf(mind: Mind, { symbols, patterns }: SymbolSearch): Passes | undefined {
  const matching = patterns.length > 0 ? matchingAll(mind, patterns) : undefined;
  const holding = holdingAll(mind, symbols);
  if (holding === undefined || patterns.length === 0) return holding;
  if (symbols.length === 0) return matching;
  return matching && ((...model) => holding(...model) && matching(...model));
}

function holdsAll(symbols: Unsigned, wanted: ReadonlySet<number>): boolean {
  if (symbols.length < wanted.size) return false;
  const found = new Set<number>();
  for (const symbol of symbols) if (wanted.has(symbol)) found.add(symbol);
  return found.size === wanted.size;
}

/**
 * The names of the models that hold every symbol, or a match of every pattern, sorted; none for an empty search.
 * @throws Fault `too-large` when the search exceeds a budget; `invalid` when a pattern or a symbol is wrong
 */
export function findModels(mind: Mind, { symbols, patterns }: SymbolSearch): string[] {
  if (symbols.length === 0 && patterns.length === 0) return [];
  const passes = passesOf(mind, patterns.length > 0 ? { symbols: [], patterns } : { symbols, patterns });
  const found = passes === undefined ? [] : modelsWhere(mind, passes);
  assertAtMost(MAX_FOUND, found.length, "models that a search finds");
  return mind.store.knowledge.modelNames(found).sort();
}
