/**
 * Answers get_kb. Passes on each page of the knowledge base as it comes, so that a large one is never held as a whole.
 */

import { decodeLines } from "../decode/knowledge";
import { flagIn, noteAll, refuseUnknown } from "../decode/value";
import { envelopeHalves, stampOf } from "../encode/envelope";
import { forecastRecordMember, totalsMembers } from "../encode/knowledge";
import { type Member, object, record, text } from "../json/writer";
import { refusalOf } from "../refusal";
import type { Answer, RequestContext } from "../request-context";
import { hasChanged, type KnowledgePage, type KnowledgePart, knowledgePages } from "./pages";

/** An answer is held back up to this many characters, so that a failure until then gets a failed answer. */
const HELD_CHARACTERS = 256 * 1024;

/**
 * Maximum number of attempts to start reading, if the snapshot is lost at once, or an older processor keeps none and
 * the knowledge base changes.
 */
const MAX_ATTEMPTS = 5;

const encoder = new TextEncoder();

/** Text that is produced piece by piece. */
export type Pieces = AsyncGenerator<string, void, void>;

/**
 * Answers get_kb, as an object or, if the body asks for it, as lines. With `order=true` in the query, models and
 * vectors have their order, and the metadata has the record of past forecasts.
 *
 * @throws Refusal 400 for another value of `order`
 */
export async function exportKnowledgeBase(context: RequestContext): Promise<Answer> {
  const body = await context.body();
  const write = decodeLines(body) ? asLines : asObject;
  const { ignored } = body.unknown;
  const extra = ignored === "" ? {} : { detail: text(ignored) };
  return answerOf(context, async function* (first, rest) {
    const { before, after } = envelopeHalves(first.reply, extra);
    yield before;
    yield* write(first, rest);
    yield after;
  });
}

/** Answers get_kb/raw: the knowledge base alone. Otherwise as {@link exportKnowledgeBase}. */
export async function exportRaw(context: RequestContext): Promise<Answer> {
  const body = await context.body();
  noteAll(body);
  refuseUnknown(body);
  return answerOf(context, asObject);
}

type Pages = AsyncGenerator<KnowledgePage, void, void>;

/** Writes a knowledge base. @param rest the pages after the first */
type Writer = (first: KnowledgePage, rest: Pages) => Pieces;

/** Reads and writes a knowledge base. Releases the snapshot if it is stopped early. */
async function* written(context: RequestContext, write: Writer): Pieces {
  const pages = knowledgePages(context, flagIn(context.query, "order"));
  try {
    const first = await pages.next();
    if (first.done) throw new Error("a knowledge base has no page");
    yield* write(first.value, pages);
  } finally {
    await pages.return();
  }
}

async function* asObject(first: KnowledgePage, rest: Pages): Pieces {
  yield `{"metadata":${record(metadataOf(first))}`;
  let part: KnowledgePart | undefined;
  let separator = "";
  for await (const page of chain(first, rest)) {
    if (page.part !== part) {
      yield `${part === undefined ? "" : "}"},${text(page.part.member)}:{`;
      part = page.part;
      separator = "";
    }
    let piece = "";
    for (const { key, members } of page.records) {
      piece += `${separator}${text(key)}:${record(members)}`;
      separator = ",";
    }
    yield piece;
  }
  yield "}}";
}

async function* asLines(first: KnowledgePage, rest: Pages): Pieces {
  const node: Member = ["node", text(stampOf(first.reply).id)];
  yield `[${object([...metadataOf(first), ["kind", '"metadata"'], node])}`;
  for await (const { part, records } of chain(first, rest)) {
    const kind: Member = ["kind", text(part.kind)];
    yield records.map(({ members }) => `,${object([...members, kind, node])}`).join("");
  }
  yield "]";
}

/**
 * The record of past forecasts, if the page has it, and the counters.
 *
 * @throws Error when the processor leaves out the counters
 */
function metadataOf({ reply: { totals, forecastRecord } }: KnowledgePage): readonly Member[] {
  if (totals === undefined) throw new Error("a processor gave a page without the counters");
  return [...forecastRecordMember(forecastRecord), ...totalsMembers(totals)];
}

async function* chain(first: KnowledgePage, rest: Pages): Pages {
  yield first;
  yield* rest;
}

/** Answers with the whole text if it is short, starting over if necessary; otherwise with a stream. */
async function answerOf(context: RequestContext, write: Writer): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await holdBack(written(context, write), context.brokeOff);
    } catch (reason) {
      if (attempt === MAX_ATTEMPTS || !hasChanged(reason)) throw reason;
    }
  }
}

/**
 * The whole text if it is short; otherwise a stream. A failure within the short text is thrown.
 *
 * @param brokeOff called with a failure after that
 */
export async function holdBack(pieces: Pieces, brokeOff: (reason: unknown) => void): Promise<Answer> {
  let held = "";
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    held += next.value;
    if (held.length > HELD_CHARACTERS) return textStream(held, pieces, brokeOff);
  }
  return held;
}

/**
 * Turns text into a stream of bytes. Produces each piece on demand, so that only one piece is held for a stalled
 * reader.
 *
 * @param first the text produced so far
 * @param rest the remaining text; stopped when the reader leaves. If it fails, the text reports that and ends, because
 *   the status of the answer has been sent
 * @param brokeOff called with the failure
 */
function textStream(first: string, rest: Pieces, brokeOff: (reason: unknown) => void): ReadableStream<Uint8Array> {
  let held = first;
  let isBroken = false;
  return new ReadableStream(
    {
      async pull(controller) {
        if (isBroken) return controller.close();
        while (held === "") {
          try {
            const next = await rest.next();
            if (next.done) return controller.close();
            held = next.value;
          } catch (reason) {
            brokeOff(reason);
            isBroken = true;
            held = brokenOff(reason);
          }
        }
        controller.enqueue(encoder.encode(held));
        held = "";
      },
      async cancel() {
        await rest.return();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * The end of a text that breaks off, which is not valid JSON. Failing the stream would also report it, but then workerd
 * drops what it has not sent, including this.
 */
function brokenOff(reason: unknown): string {
  return `\n\nTHIS ANSWER IS NOT COMPLETE: ${refusalOf(reason).message}\n`;
}
