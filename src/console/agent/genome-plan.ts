/**
 * What a hotswap would do, in sentences: the server's dry run names the processors, the comparison of the genomes
 * says what changes in them.
 */

import { type GenomeDifference, genomeDifference } from "../../cli/genome/difference";
import type { Schemas } from "../../client";

/** Maximum number of processors listed by name. */
const MAX_NAMED = 20;

/** Sentences about things of one kind. */
export interface PlanPart {
  readonly title: string;
  readonly lines: readonly string[];
}

/** What a hotswap with this text would do. */
export interface Plan {
  /** The text and the option that were checked. A plan is void as soon as either changes. */
  readonly text: string;
  readonly purge: boolean;
  readonly genome: Schemas.Genome;
  /** In one sentence. */
  readonly summary: string;
  readonly parts: readonly PlanPart[];
  /** Whether data would be deleted for good. */
  readonly deletes: boolean;
}

/**
 * Puts a plan into words.
 *
 * @param now the running genome
 * @param next the new genome
 * @param change the result of the server's dry run
 */
export function planOf(
  now: Schemas.Genome,
  next: Schemas.Genome,
  change: Schemas.GenomeChange,
): Pick<Plan, "summary" | "parts" | "deletes"> {
  const nameOf = namesIn(next, now);
  const all = (ids: readonly string[], sentence: (name: string) => string) =>
    limited(ids.map((id) => sentence(nameOf(id))));
  const left = change.retired.filter((id) => !change.purged.includes(id));
  const difference = genomeDifference(now, next);
  const parts: PlanPart[] = [
    {
      title: "Stay",
      lines: [
        ...change.renamed.map(
          ({ id, from, to }) => `${from} (${id}) is called ${to} from then on. It keeps its models, memory and genes.`,
        ),
        ...all(change.kept, (name) => `${name} keeps its models, memory and genes.`),
      ],
    },
    {
      title: "Come",
      lines: [
        ...all(
          change.added,
          (name) =>
            `${name} begins empty, with the genes of its node. If it was here before and was not deleted, it comes ` +
            "back as it was.",
        ),
        ...change.placed.map((place) => `${nameOf(place.id)} will live in ${placeOf(place)}.`),
      ],
    },
    {
      title: "Leave",
      lines: all(
        left,
        (name) => `${name} can no longer be reached. Its data stays, and is there again if the processor comes back.`,
      ),
    },
    { title: "Are deleted", lines: all(change.purged, (name) => `${name} loses all data for good.`) },
    { title: "Nodes that differ", lines: limited(linesOf(difference)) },
    {
      title: "Have no effect",
      lines: limited(
        difference.ignored.map(
          (line) => `${line}. A processor that stays keeps its settings: change them under Genes.`,
        ),
      ),
    },
  ];
  return {
    summary: summaryOf(change, left),
    parts: parts.filter(({ lines }) => lines.length > 0),
    deletes: change.purged.length > 0,
  };
}

function namesIn(next: Schemas.Genome, now: Schemas.Genome): (id: string) => string {
  const nodes = [...now.elements.nodes, ...next.elements.nodes];
  const names = new Map(nodes.map(({ data }) => [data.id, data.name]));
  return (id) => {
    const name = names.get(id);
    return name === undefined || name === id ? id : `${name} (${id})`;
  };
}

function placeOf(place: Schemas.PlacedProcessor): string {
  const { id: _, ...rest } = place;
  return Object.values(rest).filter(Boolean).join(", ");
}

function limited(lines: readonly string[]): string[] {
  const rest = lines.length - MAX_NAMED;
  return rest > 0 ? [...lines.slice(0, MAX_NAMED), `… and ${rest} more.`] : [...lines];
}

function linesOf({ added, removed, changed }: GenomeDifference): string[] {
  return [
    ...added.map((line) => `+ ${line}`),
    ...removed.map((line) => `− ${line}`),
    ...changed.map((line) => `~ ${line}`),
  ];
}

function summaryOf({ added, kept, renamed, purged }: Schemas.GenomeChange, left: readonly string[]): string {
  const counts: readonly (readonly [number, string, string])[] = [
    [kept.length + renamed.length, "stays", "stay"],
    [added.length, "comes", "come"],
    [left.length, "leaves", "leave"],
    [purged.length, "is deleted", "are deleted"],
  ];
  const told = counts
    .filter(([count]) => count > 0)
    .map(([count, one, more]) => `${count} ${count === 1 ? one : more}`);
  return `Of the processors ${told.join(", ")}.`;
}
