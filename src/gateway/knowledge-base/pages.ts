/** Reads a knowledge base page by page, as records that are ready to be written as JSON. */

import { Code, ConnectError } from "@connectrpc/connect";
import {
  type ExportKnowledgeResponse,
  KnowledgeSection,
  KnowledgeService,
} from "../../gen/noema/v1/knowledge_service_pb";
import { yieldToEventLoop } from "../../rpc/transport/yield-to-event-loop";
import { modelMembers, symbolMembers, vectorMembers } from "../encode/knowledge";
import type { Member } from "../json/writer";
import type { RequestContext } from "../request-context";

/** One record: the key under which it stands, and its members, sorted. */
interface KnowledgeRecord {
  readonly key: string;
  readonly members: readonly Member[];
}

/** One part of a knowledge base. */
export interface KnowledgePart {
  /** The member of a knowledge base that holds it. */
  readonly member: string;
  /** What a line calls a record of it. */
  readonly kind: string;
  readonly section: KnowledgeSection;
  /** The records of a page. */
  recordsOf(page: ExportKnowledgeResponse): KnowledgeRecord[];
}

/** One page. */
export interface KnowledgePage {
  readonly part: KnowledgePart;
  readonly reply: ExportKnowledgeResponse;
  /** Sorted by key. */
  readonly records: readonly KnowledgeRecord[];
}

/** The parts in the order in which they are written. */
const PARTS: readonly KnowledgePart[] = [
  {
    member: "models_kb",
    kind: "model",
    section: KnowledgeSection.MODELS,
    recordsOf: ({ models }) => models.map((model) => ({ key: model.name, members: modelMembers(model) })),
  },
  {
    member: "symbols_kb",
    kind: "symbol",
    section: KnowledgeSection.SYMBOLS,
    recordsOf: ({ symbols }) => symbols.map((symbol) => ({ key: symbol.name, members: symbolMembers(symbol) })),
  },
  {
    member: "vectors_kb",
    kind: "vector",
    section: KnowledgeSection.VECTORS,
    recordsOf: ({ vectors }) => vectors.map((vector) => ({ key: vector.name, members: vectorMembers(vector) })),
  },
];

/**
 * Reads all pages, at least one of every part, with one call each. All pages are of one revision until the answer begins. After
 * that, each page is of the revision at its reading: the answer cannot be taken back, and one that ends early would look complete
 * on the wire. Every record is still whole, and a load counts totals itself, so only records that changed meanwhile can be missed.
 *
 * @param isSent whether the answer has begun
 * @throws ConnectError with code Aborted when the knowledge base changes before the answer begins
 */
export async function* knowledgePages(
  context: RequestContext,
  isSent: () => boolean,
): AsyncGenerator<KnowledgePage, void, void> {
  let revision = 0;
  for (const part of PARTS) {
    let after = "";
    for (let more = true; more; ) {
      const reply = await pageOf(context, part.section, after, revision, isSent);
      const records = part.recordsOf(reply);
      yield { part, reply, records };
      more = reply.more;
      revision = reply.revision;
      const last = records.at(-1);
      if (more && last === undefined) throw new Error("a processor gave an empty page and says that more follows");
      after = last?.key ?? after;
      if (more) await yieldToEventLoop();
    }
  }
}

async function pageOf(
  context: RequestContext,
  section: KnowledgeSection,
  after: string,
  revision: number,
  isSent: () => boolean,
): Promise<ExportKnowledgeResponse> {
  const page = { section, after };
  try {
    return await context.call(KnowledgeService.method.exportKnowledge, { ...page, revision });
  } catch (reason) {
    if (!isSent() || !hasChanged(reason)) throw reason;
    return context.call(KnowledgeService.method.exportKnowledge, { ...page, revision: 0 });
  }
}

/** Whether a processor refused a page because the knowledge base has changed since the page before. */
export function hasChanged(reason: unknown): boolean {
  return reason instanceof ConnectError && reason.code === Code.Aborted;
}
