/** Symbols and vectors as they travel. */

import type { Mind } from "../mind";
import type { VectorRow } from "../ports/store";

/** Smaller sums of squares have lost digits to underflow. */
const LEAST_EXACT_SQUARES = 1e-290;

/** What is known of one symbol. */
export interface SymbolRecord {
  name: string;
  /** Its occurrences in everything learned. */
  frequency: number;
  /** In how many learnings it took part, each model once per learning. */
  modelMemberFrequency: number;
}

/** A learned vector. */
export interface VectorRecord {
  /** 40 hex digits, without prefix. */
  name: string;
  components: number[];
  /** The Euclidean norm. */
  length: number;
}

/** The Euclidean norm; scaled only where the squares leave the range of doubles. */
function norm(components: Float64Array): number {
  const squares = components.reduce((sum, component) => sum + component * component, 0);
  if (Number.isFinite(squares) && squares >= LEAST_EXACT_SQUARES) return Math.sqrt(squares);
  const greatest = components.reduce((most, component) => Math.max(most, Math.abs(component)), 0);
  if (greatest === 0) return 0;
  return greatest * Math.sqrt(components.reduce((sum, component) => sum + (component / greatest) ** 2, 0));
}

/** A vector as it travels. */
export function vectorFrom(row: VectorRow): VectorRecord {
  return { name: row.name, components: Array.from(row.components), length: norm(row.components) };
}

/** A known symbol as it travels; `undefined` when it is not known. */
export function getSymbol(mind: Mind, name: string): SymbolRecord | undefined {
  const id = mind.knowledge.symbols.idOf(name);
  if (id === undefined) return undefined;
  const { frequency, memberFrequency } = mind.knowledge.symbols.row(id);
  return { name, frequency, modelMemberFrequency: memberFrequency };
}

/** A learned vector; `undefined` when there is none of this name. */
export function getVector(mind: Mind, name: string): VectorRecord | undefined {
  const row = mind.store.vectorByName(name);
  return row && vectorFrom(row);
}
