/**
 * Additional rules for new genomes: rules added by later versions, and rules of the deployment. A stored genome is not
 * checked against them, because an earlier version may have accepted it.
 */

import { Fault } from "../../processor/ports/fault";
import { excerpt } from "../../text/excerpt";
import type { Place } from "../../text/placement";
import { assertDeliveries } from "./deliveries";
import { Genome } from "./genome";
import { type PlacementRules, wishedPlaces } from "./placement";
import { assertParts } from "./primitive";

/** The deployment's rules for new genomes. */
export interface GenomeRules extends PlacementRules {
  /** Maximum number of deliveries that one observe may cause. */
  readonly mostDeliveries: number;
  /** Maximum number of parts of a processor. */
  readonly mostParts: number;
  /** Why a URL may not serve a processor; `undefined` when it may. */
  endpointRefusal(endpoint: string): string | undefined;
}

/** A genome that may replace the current one. */
export interface NewGenome {
  genome: Genome;
  /** The places of its processors whose nodes name one. */
  wished: Map<string, Place>;
}

/** Path segments that clients and servers resolve. */
const FOLDED: ReadonlySet<string> = new Set([".", ".."]);

/**
 * Reads a genome that is to replace another.
 *
 * @throws Fault `invalid` naming the wrong value and the accepted ones; `too-large` when one observe can cause too many
 *   deliveries
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

/** @throws Fault `invalid` when the word cannot be the first segment of a path */
function checkPath(id: string, member: "id" | "name", word: string): void {
  if (!FOLDED.has(word)) return;
  throw new Fault(
    "invalid",
    `the genome's processor ${excerpt(id)} has the ${member} ${excerpt(word)}; ` +
      `it must be a word other than "." and "..", which vanish from paths`,
  );
}
