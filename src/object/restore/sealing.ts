/** Has an agent's processors seal what a restore has staged, and derives a processor's identity from a genome. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import type { BackupService } from "../../gen/noema/v1/backup_service_pb";
import type { ProvisionRequestSchema } from "../../gen/noema/v1/provisioning_service_pb";
import { ANYWHERE, type Place } from "../../text/placement";
import type { Genome } from "../genome/genome";

/** A processor to be restored. */
interface StagedProcessor {
  /** The identity that it is to have. */
  readonly identity: MessageInitShape<typeof ProvisionRequestSchema>;
  readonly backup: Pick<Client<typeof BackupService>, "dropRestore" | "sealRestore">;
}

/** An agent's genome, with the places of its processors. */
interface PlacedGenome {
  /** The agent's name. */
  readonly name: string;
  readonly genome: Genome;
  readonly places: ReadonlyMap<string, Place>;
}

/** The identity of a processor of a genome. @throws Error when the genome does not have it */
export function identityOf({ name: agent, genome, places }: PlacedGenome, id: string) {
  const node = genome.primitive(id);
  if (node === undefined) throw new Error(`the genome has no processor ${id}`);
  const outlets = genome.manipulativesOf(node).map(({ id: manipulative, fields, targets }) => ({
    manipulative,
    fields,
    targets: targets.map((target) => ({ ...target, ...(places.get(target.id) ?? ANYWHERE) })),
  }));
  return { id, name: node.name, genes: [...node.genes], agent, outlets, parts: node.parts };
}

/**
 * Has all processors seal what is staged for them.
 *
 * @param most maximum number at the same time
 * @throws ConnectError of the first that refuses
 */
export async function sealAll(
  { restoreId, agent }: { readonly restoreId: string; readonly agent: string },
  processors: readonly StagedProcessor[],
  most: number,
): Promise<void> {
  for (let at = 0; at < processors.length; at += most) {
    const batch = processors.slice(at, at + most);
    await Promise.all(batch.map(({ backup, identity }) => backup.sealRestore({ restoreId, agent, identity })));
  }
}

/** Has all processors drop what is staged for them. Never throws: each processor asks its agent at its next call. */
export async function dropAll(restoreId: string, processors: readonly StagedProcessor[]): Promise<void> {
  await Promise.allSettled(processors.map(({ backup }) => backup.dropRestore({ restoreId })));
}
