/** Looks up single symbols and learned vectors. */

import type { SymbolRecord, VectorRecord } from "../../../gen/plain";
import type { Mind } from "../../mind";
import type { VectorRow } from "../../ports/store";

/** Below this, a sum of squares may have lost digits to underflow. */
const MIN_EXACT_SQUARES = 1e-290;

/** The Euclidean norm. Scales only if the squares leave the range of doubles. */
function norm(components: Float64Array): number {
  const squares = components.reduce((sum, component) => sum + component * component, 0);
  if (Number.isFinite(squares) && squares >= MIN_EXACT_SQUARES) return Math.sqrt(squares);
  const greatest = components.reduce((most, component) => Math.max(most, Math.abs(component)), 0);
  if (greatest === 0) return 0;
  return greatest * Math.sqrt(components.reduce((sum, component) => sum + (component / greatest) ** 2, 0));
}

/** The record of a stored vector. */
export function vectorFrom(row: VectorRow): VectorRecord {
  return { name: row.name, components: Array.from(row.components), length: norm(row.components) };
}

/** A symbol; `undefined` if unknown. */
export function getSymbol(mind: Mind, name: string): SymbolRecord | undefined {
  const id = mind.knowledge.symbols.idOf(name);
  if (id === undefined) return undefined;
  const { frequency, memberFrequency } = mind.knowledge.symbols.row(id);
  return { name, frequency, modelMemberFrequency: memberFrequency };
}

/** A learned vector; `undefined` if none has the name. */
export function getVector(mind: Mind, name: string): VectorRecord | undefined {
  const row = mind.store.knowledge.vectorByName(name);
  return row && vectorFrom(row);
}
