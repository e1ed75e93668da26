/** Reads a knowledge base page by page, as records ready to be written as JSON. */

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

/** One record: its key, and its members, sorted. */
interface KnowledgeRecord {
  readonly key: string;
  readonly members: readonly Member[];
}

/** One part of a knowledge base. */
export interface KnowledgePart {
  /** The member of a knowledge base for this part. */
  readonly member: string;
  /** The kind of its records in lines. */
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

/** Sorts after the names of all vectors, so that the page after it is the last and empty. */
const AFTER_ALL_VECTORS = "f".repeat(40);

/**
 * Reads all pages, at least one of every part, with one call each. All show the moment of the first, because the
 * processor keeps a snapshot; an older processor without snapshots refuses a page if the knowledge base has changed.
 * Stopping early releases the snapshot.
 *
 * @param order whether models and vectors have their order
 * @throws ConnectError with code Aborted when the snapshot is lost; Unimplemented when the processor sends no order
 */
export async function* knowledgePages(
  context: RequestContext,
  order: boolean,
): AsyncGenerator<KnowledgePage, void, void> {
  const snapshot = crypto.randomUUID();
  let revision = 0;
  let isOpen = false;
  const pageOf = async (section: KnowledgeSection, after: string) => {
    const asked = { section, after, revision, snapshot, order };
    const reply = await context.call(KnowledgeService.method.exportKnowledge, asked);
    if (order) assertOrdered(reply);
    return reply;
  };
  try {
    for (const part of PARTS) {
      let after = "";
      for (let more = true; more; ) {
        const reply = await pageOf(part.section, after);
        ({ more, revision } = reply);
        isOpen = more || part.section !== KnowledgeSection.VECTORS;
        const records = part.recordsOf(reply);
        yield { part, reply, records };
        const last = records.at(-1);
        if (more && last === undefined) throw new Error("a processor gave an empty page and says that more follows");
        after = last?.key ?? after;
        if (more) await yieldToEventLoop();
      }
    }
  } catch (reason) {
    isOpen &&= !hasChanged(reason);
    throw reason;
  } finally {
    // A snapshot left open expires, so a failure here does not matter.
    if (isOpen) await pageOf(KnowledgeSection.VECTORS, AFTER_ALL_VECTORS).catch(() => undefined);
  }
}

/** A processor on another server may be too old to know the order. */
function assertOrdered({ models, vectors }: ExportKnowledgeResponse): void {
  if ([...models, ...vectors].every((record) => record.order !== undefined)) return;
  throw new ConnectError(
    "this processor does not give the order in which it learned; ask without order",
    Code.Unimplemented,
  );
}

/** Whether a processor refused a page because it could not show the same moment as the previous page. */
export function hasChanged(reason: unknown): boolean {
  return reason instanceof ConnectError && reason.code === Code.Aborted;
}
