/** Where to query incidents: the processors that the key opens, or its sessions. */

import { listDevices, type Memory, session } from "../../client";
import { may, opens } from "../rights";
import type { Agent } from "../server";

/** A session, or a processor with all of its memories, that lists incidents. */
export interface Source {
  /** The processor's id. */
  readonly processor: string;
  readonly memory: Memory;
}

/** Maximum number of memories queried. */
const MAX_SOURCES = 500;

/**
 * The sources of an agent.
 *
 * @param only the id of the one processor wanted; `undefined` for all
 * @throws NoemaError if there is no answer
 */
export async function sourcesOf(
  { noema, processors, rights }: Agent,
  only: string | undefined,
  signal: AbortSignal,
): Promise<readonly Source[]> {
  const wanted = processors.filter(({ id }) => opens(id) && (only === undefined || id === only));
  if (rights?.sessions === undefined) {
    return wanted.slice(0, MAX_SOURCES).map(({ id, processor }) => ({ processor: id, memory: processor }));
  }
  // Such a key may not query a processor as a whole.
  const devices = await listDevices(noema, {}, { signal });
  const found = devices.flatMap((device) => {
    const known = wanted.find(({ id }) => id === device.processor);
    if (known === undefined || device.session === null) return [];
    return [{ processor: known.id, memory: session(known.processor, device.session) }];
  });
  return found.slice(0, MAX_SOURCES);
}

/** Maximum number of streams opened for new incidents; with more processors the list is only polled. */
const MAX_STREAMS = 8;

/** The sources for which a stream may be opened. */
export function heardSources(sources: readonly Source[]): readonly Source[] {
  const heard = sources.filter(({ processor, memory }) => {
    const what = { of: "processor", processor } as const;
    return memory.kind === "processor" && may(what, "read") && may(what, "observe");
  });
  return heard.length > MAX_STREAMS ? [] : heard;
}
