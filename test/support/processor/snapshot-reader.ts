/** Reads a snapshot page by page, with whatever happens between two pages. */

import type { KnowledgeSection } from "../../../src/processor/knowledge/snapshot";
import type { Processor } from "../../../src/processor/processor";
import type { KnowledgePage, PageRequest } from "../../../src/processor/verbs/knowledge/knowledge-page";

const SECTIONS: readonly KnowledgeSection[] = ["models", "symbols", "vectors"];

/** An export under way. */
export class SnapshotReader {
  readonly #name: string;
  readonly pages: KnowledgePage[] = [];
  #next: PageRequest | undefined;

  constructor(name: string) {
    this.#name = name;
    this.#next = { section: "models", after: "", revision: 0, snapshot: name };
  }

  /** Whether all pages were read. */
  get isDone(): boolean {
    return this.#next === undefined;
  }

  /** Reads one page. @throws Fault when the processor refuses it */
  read(processor: Processor): void {
    if (this.#next === undefined) throw new Error("the export was read to its end");
    const { section } = this.#next;
    const page = processor.knowledge.exportKnowledge(this.#next);
    this.pages.push(page);
    const last = [...page.models, ...page.symbols, ...page.vectors].at(-1)?.name ?? "";
    const following = SECTIONS[SECTIONS.indexOf(section) + 1];
    const base = { revision: page.revision, snapshot: this.#name };
    if (page.more) this.#next = { section, after: last, ...base };
    else this.#next = following === undefined ? undefined : { section: following, after: "", ...base };
  }
}
