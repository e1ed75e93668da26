/** Checks the members of a model from outside. Each check returns a copy, so that the caller cannot change it later. */

import type { Event } from "../../gen/plain";
import { excerpt } from "../../text/excerpt";
import { Fault } from "../ports/fault";
import type { EmotiveValues } from "../ports/store";
import { assertWellFormed } from "../text/well-formed";
import { checkSymbols } from "./gdf-input";
import { checkMetadata } from "./metadata";

/**
 * Checks a sequence: at least one event, none empty. Symbols keep the order given.
 * @param model names the model in messages
 * @throws Fault `invalid`
 */
export function checkEvents(events: readonly Event[], model: string): string[][] {
  if (events.length === 0) throw new Fault("invalid", `${model}: sequence must hold at least one event, got []`);
  return events.map(({ symbols }, at) => {
    if (symbols.length === 0) {
      throw new Fault("invalid", `${model}: sequence[${at}] must hold at least one symbol, got []`);
    }
    return checkSymbols(symbols, `${model}: a symbol of sequence[${at}]`);
  });
}

/** Checks a frequency. @param model names the model in messages @throws Fault `invalid` */
export function checkFrequency(frequency: number, model: string): number {
  if (!Number.isSafeInteger(frequency) || frequency < 1) {
    throw new Fault("invalid", `${model}: frequency must be a whole number of 1 or more, got ${excerpt(frequency)}`);
  }
  return frequency;
}

/** Checks the emotives of a model. @param model names the model in messages @throws Fault `invalid` */
export function checkEmotiveValues(emotives: readonly EmotiveValues[], model: string): EmotiveValues[] {
  const names = new Set<string>();
  return emotives.map(({ name, values }) => {
    assertWellFormed(name, `${model}: the name of an emotive`);
    if (names.has(name)) throw new Fault("invalid", `${model}: emotives may hold ${excerpt(name)} once, got it twice`);
    names.add(name);
    const wrong = values.find((value) => !Number.isFinite(value));
    if (wrong !== undefined) {
      throw new Fault(
        "invalid",
        `${model}: emotives[${excerpt(name)}] must hold finite numbers, got ${excerpt(wrong)}`,
      );
    }
    return { name, values: [...values] };
  });
}

/**
 * Checks metadata objects, and fits their number to the events.
 * @param model names the model in messages
 * @throws Fault `invalid`
 */
export function checkMetadataList(metadata: readonly string[], events: number, model: string): string[] {
  return fitMetadata(
    metadata.map((text, at) => checkMetadata(text, `${model}: metadata[${at}]`)),
    events,
  );
}

/** Pads metadata with empty objects, or cuts it, to one per event. */
export function fitMetadata(metadata: readonly string[], events: number): string[] {
  return Array.from({ length: events }, (_, at) => metadata[at] ?? "{}");
}
