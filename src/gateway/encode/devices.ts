/** Joins the memories of several processors into one list, and writes it as canonical JSON. */

import { getOption } from "@bufbuild/protobuf";
import { bounds } from "../../gen/noema/v1/bounds_pb";
import type { Device } from "../../gen/noema/v1/incident_pb";
import { ListDevicesRequestSchema } from "../../gen/noema/v1/incident_service_pb";
import { compareCodePoints } from "../../text/code-points";
import { list, number, text } from "../json/writer";

/** A memory, and the identifier of its processor. */
interface Listed {
  readonly processor: string;
  readonly device: Device;
}

const { standard: STANDARD = 0 } = getOption(ListDevicesRequestSchema.field.limit, bounds);

/**
 * The memories of an agent that come first: those with open incidents, then silent ones, then by latest surprise, then
 * by name.
 */
export class ListedDevices {
  readonly #limit: number;
  #listed: Listed[] = [];

  /** @param limit maximum number of memories; the standard if absent */
  constructor(limit: number = STANDARD) {
    this.#limit = limit;
  }

  /** Adds the memories of a processor. */
  add(processor: string, devices: readonly Device[]): void {
    for (const device of devices) this.#listed.push({ processor, device });
  }

  /** Drops those beyond the limit. */
  cut(): void {
    this.#listed.sort(compareListed);
    this.#listed = this.#listed.slice(0, this.#limit);
  }

  /** The list as JSON. */
  encode(): string {
    return list(this.#listed.map(listedObject));
  }
}

function compareListed(one: Listed, other: Listed): number {
  const [a, b] = [one.device, other.device];
  return (
    Number(b.incidents > 0) - Number(a.incidents > 0) ||
    Number(b.silent) - Number(a.silent) ||
    (b.lastSurprise?.time ?? Number.NEGATIVE_INFINITY) - (a.lastSurprise?.time ?? Number.NEGATIVE_INFINITY) ||
    compareCodePoints(one.processor, other.processor) ||
    compareCodePoints(a.session, b.session)
  );
}

function listedObject({ processor, device }: Listed): string {
  const { incidents, lastObserved, lastSurprise, session, silent } = device;
  const surprise =
    lastSurprise === undefined ? "null" : `{"bits":${number(lastSurprise.bits)},"time":${number(lastSurprise.time)}}`;
  return (
    `{"incidents":${number(incidents)},"last_observed":${number(lastObserved)},"last_surprise":${surprise},` +
    `"processor":${text(processor)},"session":${session === "" ? "null" : text(session)},"silent":${silent}}`
  );
}
