/** The verbs of GeneService: reads and changes the configuration of a processor. */

import type { GeneChange } from "../../gen/plain";
import { excerpt } from "../../text/excerpt";
import { changeGenes, everyGene, type Gene, listedGenes, readGene, unknownGene } from "../genes/genes";
import { isGeneName } from "../genes/table";
import type { Mind } from "../mind";
import { Fault } from "../ports/fault";

/** One method per rpc of GeneService. */
export class GeneVerbs {
  readonly #mind: Mind;

  constructor(mind: Mind) {
    this.#mind = mind;
  }

  /**
   * All genes to list, sorted by name in byte order, or the named one. `refusal` is not empty if no gene has the name.
   *
   * @param isComplete whether to include those that the list omits while they have their defaults
   */
  get(name: string, isComplete = false): { genes: Gene[]; refusal: string } {
    const { genes } = this.#mind;
    if (name === "") return { genes: isComplete ? everyGene(genes) : listedGenes(genes), refusal: "" };
    return isGeneName(name)
      ? { genes: [readGene(genes, name)], refusal: "" }
      : { genes: [], refusal: unknownGene(name) };
  }

  /** Sets several genes, all or none. If nothing changed, `refusal` says why; else it is empty. */
  change(changes: readonly GeneChange[]): { refusal: string } {
    const { genes, refusal } = changeGenes(this.#mind.genes, changes);
    if (genes !== undefined) this.#mind.shared.setGenes(genes);
    return { refusal };
  }

  /**
   * Adds to the gene recall_threshold.
   * @throws Fault `invalid` when the sum leaves 0 to 1
   */
  incrementRecallThreshold(increment: number): { recallThreshold: number; text: string } {
    const value = this.#mind.genes.recall_threshold + increment;
    const { refusal } = this.change([{ name: "recall_threshold", value: { value: { case: "number", value } } }]);
    if (refusal !== "") throw new Fault("invalid", `${refusal} after an increment of ${excerpt(increment)}`);
    const { genes } = this.#mind;
    return { recallThreshold: genes.recall_threshold, text: readGene(genes, "recall_threshold").text };
  }
}
