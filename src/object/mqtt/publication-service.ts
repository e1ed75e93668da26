/**
 * PublicationService: runs what MQTT messages ask of the processor. The number of a message is written in the turn of
 * its effect, apart from the numbers that clients can choose. The runtime commits what one turn writes as a whole.
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
import { ClosedNumbers } from "./closed-numbers";

/** The name of messages in the log. */
const PATH = "/mqtt";

/** The name of messages in the counts of calls. */
const KIND = "publication";

/** Final refusals: the same message would be refused again. */
const FINAL_CODES: readonly Code[] = [
  Code.InvalidArgument,
  Code.NotFound,
  Code.OutOfRange,
  Code.AlreadyExists,
  Code.PermissionDenied,
];

/**
 * Maximum time of one call's messages, in milliseconds; those left have to be sent again, so that other calls get
 * turns.
 */
export const MAX_WORK_MS = 30;

/** What the service needs from the processor's object. */
export interface PublicationParts {
  readonly processor: Pick<StoredProcessor, "isSplit" | "run">;
  readonly numbers: PublicationTable;
  /** Ends the object with all that it has written in this turn. */
  abort(reason: string): void;
  /** Time that the current call has taken so far, in milliseconds. */
  workedMs(): number;
  /** Notes that the endpoint wants other kinds of events. */
  watchedChanged(): void;
}

/** Implements the service. */
export function publicationService(parts: PublicationParts): ServiceImpl<typeof PublicationService> {
  const { processor, numbers } = parts;
  const closedNumbers = new ClosedNumbers(numbers);
  return {
    takePublications: ({ source, publications }) => takeAll({ ...parts, closedNumbers }, source, publications),
    settleSource: async ({ source, session, number }) => ({
      last: await processor.run(
        true,
        () => {
          const { last, closed } = numbers.numbers(session, source);
          closedNumbers.forget(session, source);
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
    watchEvents: async ({ events, revision }) => {
      const put = () => {
        const known = numbers.watchedRevision();
        if (revision > 0 && revision <= known) return known;
        if (revision === 0) numbers.putWatched(events);
        else numbers.putWatched(events, revision);
        return Math.max(revision, known);
      };
      const inForce = await processor.run(true, put, "", KIND);
      parts.watchedChanged();
      return { revision: inForce };
    },
  };
}

/**
 * Handles messages up to the first that may succeed later, or until the time limit.
 *
 * @throws ConnectError when the first may succeed later
 */
function takeAll(
  parts: TakingParts,
  source: string,
  publications: readonly Publication[],
): PublicationsTaken | Promise<PublicationsTaken> {
  const outcomes: Published[] = [];
  for (const publication of publications) {
    if (outcomes.length > 0 && parts.workedMs() >= MAX_WORK_MS) return { outcomes };
    try {
      const outcome = takeOne(parts, source, publication);
      // Waiting for parts is not work in this turn: leave the rest to the next call.
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
 * @returns the answer with the reason, when it may succeed later
 * @throws ConnectError when it may succeed later, and is the first
 */
function refusedAfter(outcomes: Published[], error: unknown): PublicationsTaken {
  const refusal = toConnectError(error, PATH);
  const isFinal = FINAL_CODES.includes(refusal.code);
  // The caller gets the same refusal as from any call, and looks up a processor that is not in service.
  if (!isFinal && outcomes.length === 0) throw refusal;
  if (!isFinal) return { outcomes, reason: refusal.rawMessage };
  outcomes.push(create(PublishedSchema, { code: refusal.code, reason: refusal.rawMessage }));
  return { outcomes };
}

/** What a message needs. */
interface TakingParts extends PublicationParts {
  readonly closedNumbers: ClosedNumbers;
}

/** @throws Fault as the calls of MemoryService; then the message has no effect */
function takeOne(parts: TakingParts, source: string, { session, frame }: Publication): Published | Promise<Published> {
  if (frame === undefined) throw new ConnectError("a message must have a frame", Code.InvalidArgument);
  const { processor, numbers, closedNumbers } = parts;
  const { n, observe, clear, learn } = frame;
  const isNumbered = source !== "" && n > 0;
  // The turn of a message that waits for parts is over before its effect.
  const isInTransaction = isNumbered && processor.isSplit;
  const isMostlyOneRow = !isInTransaction && observe?.gdfs.length === 1 && !clear && !learn;
  const redelivered = processor.run(
    true,
    (memory) => {
      if (isNumbered && n <= closedNumbers.of(session, source)) return true;
      answerFrame(memory, create(FrameSchema, frame), undefined);
      if (isInTransaction) {
        closedNumbers.forget(session, source);
        numbers.put(session, source, { last: n, closed: n });
      }
      return false;
    },
    session,
    KIND,
    isMostlyOneRow,
  );
  if (redelivered instanceof Promise) return redelivered.then(publishedAs);
  if (isNumbered && !isInTransaction && !redelivered) putNumber(parts, session, source, n);
  return publishedAs(redelivered);
}

/** Writes the number of a message after its effect, in the same turn. */
function putNumber({ closedNumbers, abort }: TakingParts, session: string, source: string, n: number): void {
  try {
    closedNumbers.put(session, source, n);
  } catch (error) {
    // Without its number, the message would take effect once more: nothing of this turn may be committed.
    abort(`the number of an MQTT message could not be written: ${error}`);
    throw error;
  }
}

function publishedAs(redelivered: boolean): Published {
  if (redelivered) streamCounts.redelivered++;
  else streamCounts.taken++;
  return create(PublishedSchema, { redelivered });
}
