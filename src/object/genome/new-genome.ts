/**
 * Extra rules for a new genome: rules that were added later, and rules of the deployment. A stored genome is not checked against them,
 * because an earlier version may have accepted it.
 */

import { Fault } from "../../processor/ports/fault";
import { excerpt } from "../../text/excerpt";
import { assertDeliveries } from "./deliveries";
import { Genome } from "./genome";

/** Clients and servers fold these away when they stand in a path. */
const FOLDED: ReadonlySet<string> = new Set([".", ".."]);

/**
 * Reads a genome that shall replace another.
 *
 * @param endpointRefusal why an address may not serve a processor; `undefined` when it may
 * @param mostDeliveries how many deliveries one observe may cause
 * @throws Fault `invalid` that names what is wrong and what is accepted; `too-large` when one observe can cause too many deliveries
 */
export function newGenome(
  json: string,
  endpointRefusal: (endpoint: string) => string | undefined,
  mostDeliveries: number,
): Genome {
  const genome = new Genome(json);
  for (const { id, name, endpoint } of genome.primitives) {
    checkPath(id, "id", id);
    checkPath(id, "name", name);
    const refusal = endpoint === "" ? undefined : endpointRefusal(endpoint);
    if (refusal === undefined) continue;
    throw new Fault(
      "invalid",
      `the genome's processor ${excerpt(id)} has the endpoint ${excerpt(endpoint)}; ${refusal}`,
    );
  }
  assertDeliveries(genome, mostDeliveries);
  return genome;
}

/** @throws Fault `invalid` when paths cannot hold a word that they begin with */
function checkPath(id: string, member: "id" | "name", word: string): void {
  if (!FOLDED.has(word)) return;
  throw new Fault(
    "invalid",
    `the genome's processor ${excerpt(id)} has the ${member} ${excerpt(word)}; it must be another word than "." and "..", which vanish from paths`,
  );
}
