/**
 * Extra rules for a new genome: rules that were added later, and rules of the deployment. A stored genome is not
 * checked against them, because an earlier version may have accepted it.
 */

import { Fault } from "../../processor/ports/fault";
import { excerpt } from "../../text/excerpt";
import type { Place } from "../../text/placement";
import { assertDeliveries } from "./deliveries";
import { Genome } from "./genome";
import { type PlacementRules, wishedPlaces } from "./placement";
import { assertParts } from "./primitive";

/** What a deployment lets a new genome say. */
export interface GenomeRules extends PlacementRules {
  /** How many deliveries one observe may cause. */
  readonly mostDeliveries: number;
  /** How many parts a processor may have. */
  readonly mostParts: number;
  /** Why an address may not serve a processor; `undefined` when it may. */
  endpointRefusal(endpoint: string): string | undefined;
}

/** A genome that may replace another. */
export interface NewGenome {
  genome: Genome;
  /** Where its processors are to live, for those whose node says so. */
  wished: Map<string, Place>;
}

/** Clients and servers fold these away when they stand in a path. */
const FOLDED: ReadonlySet<string> = new Set([".", ".."]);

/**
 * Reads a genome that shall replace another.
 *
 * @throws Fault `invalid` that names what is wrong and what is accepted; `too-large` when one observe can
 *   cause too many deliveries
 */
export function newGenome(json: string, rules: GenomeRules): NewGenome {
  const genome = new Genome(json);
  for (const node of genome.primitives) {
    const { id, name, endpoint } = node;
    checkPath(id, "id", id);
    checkPath(id, "name", name);
    assertParts(node, rules.mostParts);
    const refusal = endpoint === "" ? undefined : rules.endpointRefusal(endpoint);
    if (refusal === undefined) continue;
    throw new Fault(
      "invalid",
      `the genome's processor ${excerpt(id)} has the endpoint ${excerpt(endpoint)}; ${refusal}`,
    );
  }
  assertDeliveries(genome, rules.mostDeliveries);
  return { genome, wished: wishedPlaces(genome, rules) };
}

/** @throws Fault `invalid` when paths cannot hold a word that they begin with */
function checkPath(id: string, member: "id" | "name", word: string): void {
  if (!FOLDED.has(word)) return;
  throw new Fault(
    "invalid",
    `the genome's processor ${excerpt(id)} has the ${member} ${excerpt(word)}; ` +
      `it must be another word than "." and "..", which vanish from paths`,
  );
}
