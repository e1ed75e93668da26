/** The learned vectors, with their neighbours and sums. Records what it learns. */

import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import type { Neighbours } from "../ports/matcher";
import type { Store } from "../ports/store";
import { CompositionSearch } from "./composition";

const NAME_BYTES = 20;
const FIRST_CAPACITY = 64;
/**
 * Maximum number of components in all learned vectors for which sums are searched; the index of more would exceed 8 MB.
 */
const MAX_COMPOSED_COMPONENTS = 1_048_576;

/** Learned vectors, all of one dimensionality. */
export class Vectors {
  #store: Store;
  readonly #neighbours: Neighbours;
  /** The learned vectors' names in the order of learning, packed. */
  #names = new Uint8Array(FIRST_CAPACITY * NAME_BYTES);
  #count = 0;
  #dimensionality = -1;
  /** Missing until the first search for a sum, and after every change. */
  #composition: CompositionSearch | undefined;
  /** How many changes were made. */
  #changes = 0;
  /** The number of changes at the beginning of the verb. */
  #keptAt = 0;

  /** Fills the neighbours from the store. */
  constructor(store: Store, neighbours: Neighbours) {
    this.#store = store;
    this.#neighbours = neighbours;
    this.reload();
  }

  /** Starts to note whether anything changes, for {@link takeBack}. Call it between verbs. */
  keepChanges(): void {
    this.#keptAt = this.#changes;
  }

  /** Goes back to the stored state, after the changes since {@link keepChanges} were rolled back in the store. */
  takeBack(store: Store): void {
    this.#store = store;
    if (this.#changes !== this.#keptAt) this.reload();
  }

  /** The number of learned vectors. */
  get count(): number {
    return this.#count;
  }

  /** Components of a learned vector; -1 when there is no vector. */
  get dimensionality(): number {
    return this.#dimensionality;
  }

  /** The names of the `count` nearest learned vectors, nearest first, ties oldest first. */
  nearest(components: Float64Array, count: number): string[] {
    if (this.#count === 0 || count === 0) return [];
    return this.#neighbours.nearest(components, count).map((position) => this.#nameAt(position));
  }

  /**
   * The names of the learned vectors in the smallest sum that equals `components` to six decimals, oldest first.
   * @param most maximum number of members
   * @returns `undefined` when there is none, or the search exceeded its work limit
   */
  compose(components: Float64Array, most: number): string[] | undefined {
    if (this.#count === 0 || this.#count * this.#dimensionality > MAX_COMPOSED_COMPONENTS) return undefined;
    this.#composition ??= this.#readComposition();
    return this.#composition.find(components, most)?.map((position) => this.#nameAt(position));
  }

  /**
   * Learns a vector unless it is known.
   *
   * @returns whether it was new
   * @throws Fault `exhausted` when memory is used up
   */
  learn(name: string, components: Float64Array): boolean {
    if (this.#store.knowledge.vectorByName(name) !== undefined) return false;
    this.#store.record({ kind: "vector-learned", vector: { id: this.#count + 1, name, components } });
    this.#hold(name, components);
    return true;
  }

  /** Forgets the learned vectors, here and in the neighbours. Knowledge deletes them from the store. */
  clear(): void {
    this.#changes++;
    this.#neighbours.clear();
    this.#count = 0;
    this.#dimensionality = -1;
    this.#composition = undefined;
  }

  /** Reads the learned vectors again from the store. */
  reload(): void {
    this.clear();
    for (const { name, components } of this.#store.knowledge.vectors()) this.#hold(name, components);
  }

  /** The names in the order of learning. */
  *names(): Iterable<string> {
    for (let position = 0; position < this.#count; position++) yield this.#nameAt(position);
  }

  /** The name of the `order`th learned vector, from 1 on; it must exist. */
  nameOf(order: number): string {
    return this.#nameAt(order - 1);
  }

  #hold(name: string, components: Float64Array): void {
    this.#changes++;
    this.#neighbours.add(components);
    if ((this.#count + 1) * NAME_BYTES > this.#names.length) {
      const grown = new Uint8Array(2 * this.#names.length);
      grown.set(this.#names);
      this.#names = grown;
    }
    this.#names.set(hexToBytes(name), this.#count * NAME_BYTES);
    this.#dimensionality = components.length;
    this.#count++;
    this.#composition?.add(components);
  }

  #readComposition(): CompositionSearch {
    const composition = new CompositionSearch(this.#dimensionality);
    for (const { components } of this.#store.knowledge.vectors()) composition.add(components);
    return composition;
  }

  #nameAt(position: number): string {
    return bytesToHex(this.#names.subarray(position * NAME_BYTES, (position + 1) * NAME_BYTES));
  }
}
