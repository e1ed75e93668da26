/**
 * PublicationService: does what messages of MQTT ask of the processor. The number of a message is kept in the
 * transaction of its effect, beside the numbers that clients can name.
 */

import { create } from "@bufbuild/protobuf";
import { Code, ConnectError, type ServiceImpl } from "@connectrpc/connect";
import { FrameSchema } from "../../gen/noema/v1/frame_pb";
import {
  type Publication,
  type PublicationService,
  type Published,
  PublishedSchema,
} from "../../gen/noema/v1/publication_service_pb";
import { toConnectError } from "../../rpc/services/connect-error";
import { answerFrame } from "../../rpc/services/memory-service";
import type { PublicationTable } from "../../store/tables/publication-table";
import { streamCounts } from "../counts/counts";
import type { StoredProcessor } from "../stored-processor";

/** Names messages in the log. */
const PATH = "/mqtt";

/** Names messages where calls are counted. */
const KIND = "publication";

/** The refusals that stand: the same message would be refused again. */
const FINAL: readonly Code[] = [
  Code.InvalidArgument,
  Code.NotFound,
  Code.OutOfRange,
  Code.AlreadyExists,
  Code.PermissionDenied,
];

/** What messages of one call may take until the others have to be sent again, in milliseconds: so others have turns. */
export const MOST_WORK_MS = 30;

/** What the service needs of the object that owns the processor. */
export interface PublicationParts {
  readonly processor: Pick<StoredProcessor, "run">;
  readonly numbers: PublicationTable;
  /** What the present call has taken until now, in milliseconds. */
  workedMs(): number;
  /** The endpoint wants to hear of something else. */
  watchedChanged(): void;
}

/** Implements the service. */
export function publicationService(parts: PublicationParts): ServiceImpl<typeof PublicationService> {
  const { processor, numbers } = parts;
  return {
    takePublications: ({ source, publications }) => takeAll(parts, source, publications),
    settleSource: async ({ source, session, number }) => ({
      last: await processor.run(
        true,
        () => {
          const { last, closed } = numbers.numbers(session, source);
          numbers.put(session, source, { last, closed: Math.max(closed, number) });
          return last;
        },
        "",
        KIND,
      ),
    }),
    endSources: async ({ sources }) => {
      const end = () => {
        for (const source of sources) numbers.endSource(source);
      };
      await processor.run(true, end, "", KIND);
      return {};
    },
    watchEvents: async ({ events }) => {
      const put = () => {
        if (JSON.stringify(numbers.watched()) !== JSON.stringify(events)) numbers.putWatched(events);
      };
      await processor.run(true, put, "", KIND);
      parts.watchedChanged();
      return {};
    },
  };
}

/**
 * Does what messages ask for, up to the first that may succeed later, and until that has taken long.
 *
 * @throws ConnectError when the first may succeed later
 */
function takeAll(
  parts: PublicationParts,
  source: string,
  publications: readonly Publication[],
): PublicationsTaken | Promise<PublicationsTaken> {
  const outcomes: Published[] = [];
  for (const publication of publications) {
    if (outcomes.length > 0 && parts.workedMs() >= MOST_WORK_MS) return { outcomes };
    try {
      const outcome = takeOne(parts, source, publication);
      // What waits for parts is no turn any more: what follows is left to the next call.
      if (outcome instanceof Promise) {
        return outcome.then(
          (last) => ({ outcomes: [...outcomes, last] }),
          (error: unknown) => refusedAfter(outcomes, error),
        );
      }
      outcomes.push(outcome);
    } catch (error) {
      const { reason } = refusedAfter(outcomes, error);
      if (reason !== undefined) return { outcomes, reason };
    }
  }
  return { outcomes };
}

/** What the call answers. */
interface PublicationsTaken {
  readonly outcomes: Published[];
  readonly reason?: string;
}

/**
 * Notes that a message was refused.
 *
 * @returns with a reason, when it may succeed later
 * @throws ConnectError when it may succeed later, and is the first
 */
function refusedAfter(outcomes: Published[], error: unknown): PublicationsTaken {
  const refusal = toConnectError(error, PATH);
  const isFinal = FINAL.includes(refusal.code);
  // The caller sees it as with any call, and looks a processor up again that is not in service.
  if (!isFinal && outcomes.length === 0) throw refusal;
  if (!isFinal) return { outcomes, reason: refusal.rawMessage };
  outcomes.push(create(PublishedSchema, { code: refusal.code, reason: refusal.rawMessage }));
  return { outcomes };
}

/** @throws Fault as the calls of MemoryService; then nothing of the message stays */
function takeOne(
  { processor, numbers }: PublicationParts,
  source: string,
  { session, frame }: Publication,
): Published | Promise<Published> {
  if (frame === undefined) throw new ConnectError("a message must have a frame", Code.InvalidArgument);
  const { n } = frame;
  const redelivered = processor.run(
    true,
    (memory) => {
      const isNumbered = source !== "" && n > 0;
      if (isNumbered && n <= numbers.numbers(session, source).closed) return true;
      answerFrame(memory, create(FrameSchema, frame), undefined);
      if (isNumbered) numbers.put(session, source, { last: n, closed: n });
      return false;
    },
    session,
    KIND,
  );
  return redelivered instanceof Promise ? redelivered.then(publishedAs) : publishedAs(redelivered);
}

function publishedAs(redelivered: boolean): Published {
  if (redelivered) streamCounts.redelivered++;
  else streamCounts.taken++;
  return create(PublishedSchema, { redelivered });
}
