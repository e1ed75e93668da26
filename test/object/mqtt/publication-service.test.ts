/** Messages of one call that take long leave the rest to another call, and a late call does not undo a newer one. */

import { create } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { expect, test } from "vitest";
import {
  PublicationSchema,
  type TakePublicationsRequest,
  TakePublicationsRequestSchema,
  type TakePublicationsResponse,
  WatchEventsRequestSchema,
} from "../../../src/gen/noema/v1/publication_service_pb";
import { MAX_WORK_MS, type PublicationParts, publicationService } from "../../../src/object/mqtt/publication-service";

/** How many of ten messages are answered when each takes `eachMs`. */
function answered(eachMs: number): { count: number; reason: string | undefined } {
  let workedMs = 0;
  const parts = {
    processor: {
      run: () => {
        workedMs += eachMs;
        return false;
      },
    },
    numbers: { put: () => {} },
    workedMs: () => workedMs,
  } as unknown as PublicationParts;
  const publications = Array.from({ length: 10 }, (_, at) => create(PublicationSchema, { frame: { n: at + 1 } }));
  const request: TakePublicationsRequest = create(TakePublicationsRequestSchema, { source: "s", publications });
  const reply = publicationService(parts).takePublications(request, {} as HandlerContext) as TakePublicationsResponse;
  return { count: reply.outcomes.length, reason: reply.reason };
}

test.each([
  [MAX_WORK_MS / 100, 10],
  [MAX_WORK_MS / 3, 3],
  [10 * MAX_WORK_MS, 1],
])("of messages that take %d ms each, %d of ten are done", (eachMs, count) => {
  const { count: done, reason } = answered(eachMs);
  expect(done).toBe(count);
  expect(reason ?? "").toBe("");
});

test("what the endpoint wants to hear of is as its newest call says, not as one says that comes late", async () => {
  let stored: { events: readonly string[]; revision: number } = { events: [], revision: 0 };
  const parts = {
    processor: { run: (_writes: boolean, verb: () => unknown) => verb() },
    numbers: {
      watchedRevision: () => stored.revision,
      putWatched: (events: readonly string[], revision = stored.revision) => {
        stored = { events, revision };
      },
    },
    watchedChanged: () => {},
  } as unknown as PublicationParts;
  const told = async (events: string[], revision: number) => {
    const request = create(WatchEventsRequestSchema, { events, revision });
    const { revision: inForce } = await publicationService(parts).watchEvents(request, {} as HandlerContext);
    return [stored.events.join(), inForce];
  };
  expect(await told(["learned"], 7)).toEqual(["learned", 7]);
  expect(await told([], 6)).toEqual(["learned", 7]);
  expect(await told(["observed"], 7)).toEqual(["learned", 7]);
  expect(await told(["observed"], 8)).toEqual(["observed", 8]);
  // An endpoint of an earlier release numbers nothing.
  expect(await told(["incident"], 0)).toEqual(["incident", 8]);
});
