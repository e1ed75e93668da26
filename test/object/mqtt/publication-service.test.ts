/** Messages of one call that take long: the rest is left to another call, so that others have turns in between. */

import { create } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { expect, test } from "vitest";
import {
  PublicationSchema,
  type TakePublicationsRequest,
  TakePublicationsRequestSchema,
  type TakePublicationsResponse,
} from "../../../src/gen/noema/v1/publication_service_pb";
import { MOST_WORK_MS, type PublicationParts, publicationService } from "../../../src/object/mqtt/publication-service";

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
    workedMs: () => workedMs,
  } as unknown as PublicationParts;
  const publications = Array.from({ length: 10 }, (_, at) => create(PublicationSchema, { frame: { n: at + 1 } }));
  const request: TakePublicationsRequest = create(TakePublicationsRequestSchema, { source: "s", publications });
  const reply = publicationService(parts).takePublications(request, {} as HandlerContext) as TakePublicationsResponse;
  return { count: reply.outcomes.length, reason: reply.reason };
}

test.each([
  [MOST_WORK_MS / 100, 10],
  [MOST_WORK_MS / 3, 3],
  [10 * MOST_WORK_MS, 1],
])("of messages that take %d ms each, %d of ten are done", (eachMs, count) => {
  const { count: done, reason } = answered(eachMs);
  expect(done).toBe(count);
  expect(reason ?? "").toBe("");
});
