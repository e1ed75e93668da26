/** Reads a knowledge base page by page, as records that are ready to be written. */

import { type ExportKnowledgeResponse, KnowledgeSection, KnowledgeService } from "../gen/noema/v1/knowledge_service_pb";
import { modelMembers, symbolMembers, vectorMembers } from "./encode-knowledge";
import type { Exchange } from "./exchange";
import { giveWay } from "./give-way";
import type { Member } from "./json";

/** One record: the name under which it stands, and its members, sorted. */
export interface KnowledgeRecord {
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
 * Reads all pages, at least one of every part, one call each.
 *
 * @throws ConnectError with code Aborted when the knowledge base changes meanwhile
 */
export async function* knowledgePages(exchange: Exchange): AsyncGenerator<KnowledgePage, void, void> {
  let revision = 0;
  for (const part of PARTS) {
    let after = "";
    for (let more = true; more; ) {
      const reply = await exchange.call(KnowledgeService.method.exportKnowledge, {
        section: part.section,
        after,
        revision,
      });
      const records = part.recordsOf(reply);
      yield { part, reply, records };
      more = reply.more;
      revision = reply.revision;
      const last = records.at(-1);
      if (more && last === undefined) throw new Error("a processor gave an empty page and says that more follows");
      after = last?.key ?? after;
      if (more) await giveWay();
    }
  }
}
