/**
 * Where the processors of a genome live. The first genome with a processor decides its place; a later genome that
 * differs is refused. Pure: no I/O, no clock (docs/decisions/018).
 */

import { Fault } from "../../processor/ports/fault";
import { excerpt } from "../../text/excerpt";
import type { Located } from "../../text/located";
import { ANYWHERE, isSamePlace, JURISDICTIONS, LOCATION_HINTS, type Place } from "../../text/placement";
import type { Genome } from "./genome";
import { JURISDICTION, LOCATION_HINT, type PlaceWish } from "./place-wish";
import type { PrimitiveNode } from "./primitive";
import { wrong } from "./value";

/** The deployment's rules for places. */
export interface PlacementRules {
  /** The jurisdiction of every processor of the deployment; empty for none. */
  readonly jurisdiction: string;
  /** Why objects cannot live in a jurisdiction; `undefined` when they can. */
  jurisdictionRefusal(jurisdiction: string): string | undefined;
}

/** What an agent knows of its processors' places. */
export interface KnownPlaces {
  /** The current genome; `undefined` for an agent that had none. */
  readonly genome: Genome | undefined;
  /** Processors of earlier genomes whose data was kept. */
  readonly retired: ReadonlySet<string>;
  /** The places of processors that were placed. */
  readonly places: ReadonlyMap<string, Place>;
}

/** A processor and its place. */
export interface PlacedProcessor extends Place {
  id: string;
}

/**
 * The places of the processors whose nodes wish for one. A wish for the deployment's own jurisdiction does not count.
 *
 * @throws Fault `invalid` when a wish is not a place, or not one of this deployment
 */
export function wishedPlaces(genome: Genome, rules: PlacementRules): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const node of genome.primitives) {
    if (node.placeWish === undefined) continue;
    const place = placeOf(node, node.placeWish, rules);
    if (!isSamePlace(place, ANYWHERE)) places.set(node.id, place);
  }
  return places;
}

/**
 * The new processors that a genome places.
 *
 * @param wished from {@link wishedPlaces}
 * @returns the new processors with a place, in the genome's order
 * @throws Fault `invalid` when the genome wishes for another place for an existing processor
 */
export function newlyPlaced(known: KnownPlaces, next: Genome, wished: ReadonlyMap<string, Place>): PlacedProcessor[] {
  const placed: PlacedProcessor[] = [];
  for (const { id, endpoint } of next.primitives) {
    if (endpoint !== "") continue;
    const wish = wished.get(id) ?? ANYWHERE;
    if (isKnown(known, id)) checkUnmoved(id, known.places.get(id) ?? ANYWHERE, wish);
    else if (wished.has(id)) placed.push({ id, ...wish });
  }
  return placed;
}

/**
 * The places to store with a genome: of its processors, and of those whose data is kept.
 *
 * @param placed from {@link newlyPlaced}
 * @param leaving the processors that it takes out of service
 */
export function placesWith(
  known: KnownPlaces,
  next: Genome,
  placed: readonly PlacedProcessor[],
  leaving: { has(id: string): boolean },
): Map<string, Place> {
  const stays = (id: string) => next.primitive(id)?.endpoint === "" || known.retired.has(id) || leaving.has(id);
  const places = new Map([...known.places].filter(([id]) => isKnown(known, id) && stays(id)));
  for (const { id, ...place } of placed) places.set(id, place);
  return places;
}

/** Whether this processor's object may already exist. */
function isKnown({ genome, retired }: KnownPlaces, id: string): boolean {
  return genome?.primitive(id)?.endpoint === "" || retired.has(id);
}

function placeOf({ id, endpoint }: PrimitiveNode, wish: PlaceWish, rules: PlacementRules): Place {
  const { locationHint, jurisdiction } = wish;
  if (endpoint !== "") {
    const name = locationHint.value === undefined ? JURISDICTION : LOCATION_HINT;
    throw new Fault(
      "invalid",
      `the genome's processor ${excerpt(id)} has an endpoint, so it is served elsewhere, and must have no ${name}`,
    );
  }
  return { locationHint: wordAt(locationHint, LOCATION_HINTS), jurisdiction: jurisdictionAt(jurisdiction, rules) };
}

function jurisdictionAt(located: Located, rules: PlacementRules): string {
  const jurisdiction = wordAt(located, JURISDICTIONS);
  if (jurisdiction === rules.jurisdiction || jurisdiction === "") return "";
  if (rules.jurisdiction !== "") {
    throw wrong(located, `${excerpt(rules.jurisdiction)}, the jurisdiction of this deployment (NOEMA_JURISDICTION)`);
  }
  const refusal = rules.jurisdictionRefusal(jurisdiction);
  if (refusal === undefined) return jurisdiction;
  throw new Fault("invalid", `the genome's ${located.path} is ${excerpt(jurisdiction)}; ${refusal}`);
}

/** A word from a list; empty for none. */
function wordAt(located: Located, words: readonly string[]): string {
  const { value } = located;
  if (value === undefined) return "";
  if (typeof value === "string" && words.includes(value)) return value;
  throw wrong(located, `one of ${words.join(", ")}`);
}

/** @throws Fault `invalid` when the places differ */
function checkUnmoved(id: string, made: Place, wish: Place): void {
  const isOther = made.jurisdiction !== wish.jurisdiction;
  if (!isOther && made.locationHint === wish.locationHint) return;
  const [name, before, after] = isOther
    ? [JURISDICTION, made.jurisdiction, wish.jurisdiction]
    : [LOCATION_HINT, made.locationHint, wish.locationHint];
  throw new Fault(
    "invalid",
    `the genome's processor ${excerpt(id)} has ${shown(name, after)}, and was made with ${shown(name, before)}; ` +
      `a processor stays where it was made: keep its ${name} as it was, or give the processor another id`,
  );
}

function shown(name: string, value: string): string {
  return value === "" ? `no ${name}` : `the ${name} ${excerpt(value)}`;
}
