/** The knowledge base in the form of the HTTP interface: reads it page by page, loads it part by part. */

import type { KnowledgeSection } from "../../../src/processor/knowledge/snapshot";
import type { Processor } from "../../../src/processor/processor";
import type { KnowledgePage } from "../../../src/processor/verbs/knowledge/knowledge-page";
import { emotiveValuesOf, recordForm, type SentModel } from "./message-form";

/** A knowledge base as clients send it. */
export interface SentKnowledge {
  models_kb: Record<string, SentModel>;
  vectors_kb: Record<string, { vector: number[] }>;
}

/** All pages of a section. @param order whether models and vectors say their order */
export function pagesOf(processor: Processor, section: KnowledgeSection, order = false): KnowledgePage[] {
  const pages = [processor.knowledge.exportKnowledge({ section, after: "", revision: 0, order })];
  for (let page = pages[0]; page?.more; page = pages.at(-1)) {
    const last = [...page.models, ...page.symbols, ...page.vectors].at(-1);
    pages.push(
      processor.knowledge.exportKnowledge({ section, after: last?.name ?? "", revision: page.revision, order }),
    );
  }
  return pages;
}

/** The knowledge base. */
export function exportForm(processor: Processor): Record<string, unknown> {
  return formOf([...pagesOf(processor, "models"), ...pagesOf(processor, "symbols"), ...pagesOf(processor, "vectors")]);
}

/** The knowledge base that all pages of all sections hold. */
export function formOf(pages: readonly KnowledgePage[]): Record<string, unknown> {
  const totals = pages[0]?.totals;
  return {
    metadata: {
      total_model_frequencies: totals?.totalModelFrequencies,
      total_symbol_frequencies: totals?.totalSymbolFrequencies,
      total_symbols_in_models_frequencies: totals?.totalSymbolsInModelsFrequencies,
    },
    models_kb: Object.fromEntries(pages.flatMap((page) => page.models).map((model) => [model.name, recordForm(model)])),
    symbols_kb: Object.fromEntries(
      pages
        .flatMap((page) => page.symbols)
        .map(({ name, frequency, modelMemberFrequency }) => [
          name,
          { features: { frequency, model_member_frequency: modelMemberFrequency }, name },
        ]),
    ),
    vectors_kb: Object.fromEntries(
      pages
        .flatMap((page) => page.vectors)
        .map(({ name, components, length }) => [
          name,
          { hash: name, length, name: `VECTOR|${name}`, vector: components },
        ]),
    ),
  };
}

/** Loads a knowledge base, two models and two vectors at a time. */
export function loadAll(processor: Processor, { models_kb, vectors_kb }: SentKnowledge): void {
  const { loadId } = processor.knowledge.beginLoad("load-1");
  const models = Object.entries(models_kb).map(([name, sent]) => ({
    name,
    sequence: (sent.sequence ?? []).map((symbols) => ({ symbols })),
    frequency: sent.frequency ?? 1,
    emotives: emotiveValuesOf(sent.emotives ?? {}),
    metadataJson: (sent.metadata ?? []).map((object) => JSON.stringify(object)),
  }));
  const vectors = Object.entries(vectors_kb).map(([name, { vector }]) => ({ name, components: vector }));
  for (let at = 0; at < Math.max(models.length, vectors.length); at += 2) {
    processor.knowledge.loadKnowledge({ loadId, models: models.slice(at, at + 2), vectors: vectors.slice(at, at + 2) });
  }
  processor.knowledge.commitLoad(loadId);
}
