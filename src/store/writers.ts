/** The write half of the store: what each kind of Change does to the tables. */

import type { Change } from "../processor/ports/store";
import type { DeliveryTables } from "./tables/delivery-tables";
import type { KnowledgeTables } from "./tables/knowledge-tables";
import type { MemoryTables } from "./tables/memory-tables";
import type { StagingTable } from "./tables/staging-table";
import type { StateTable } from "./tables/state-table";

/** All tables of one processor. */
export interface Tables {
  state: StateTable;
  memory: MemoryTables;
  deliveries: DeliveryTables;
  /** The knowledge base in use. */
  knowledge: KnowledgeTables;
  staging: StagingTable;
  /** The knowledge base of the load under way. */
  staged: KnowledgeTables;
}

/** The writer of each kind of Change. */
export type Writers = { readonly [Kind in Change["kind"]]: (change: Extract<Change, { kind: Kind }>) => void };

/** Binds the Changes to tables. */
export function writers({ state, memory, deliveries, knowledge, staging, staged }: Tables): Writers {
  return {
    state: (change) => state.put(change.state),
    genes: (change) => state.putGenes(change.genes),
    "event-appended": (change) => memory.appendEvent(change.event),
    "events-dropped": (change) => memory.dropEvents(change.before),
    "vector-waiting": (change) => memory.addWaiting(change.vector),
    "waiting-dropped": () => memory.dropWaiting(),
    "vector-learned": (change) => knowledge.putVector(change.vector),
    "symbols-put": (change) => knowledge.putSymbols(change.symbols),
    "symbols-removed": (change) => knowledge.removeSymbols(change.ids),
    "model-put": (change) => knowledge.putModel(change.model),
    "model-renewed": (change) => knowledge.renewModel(change.id, change.frequency, change.emotives),
    "model-removed": (change) => knowledge.removeModel(change.id),
    "event-forwarded": (change) => deliveries.forward(change.event),
    "delivery-taken": (change) => deliveries.putTaken(change.source, change.number),
    "blacklist-added": (change) => memory.addBlacklisted(change.symbols),
    "blacklist-removed": (change) => memory.removeBlacklisted(change.symbols),
    "knowledge-cleared": () => knowledge.clear(),
    "staging-begun": (change) => {
      staged.clear();
      staging.put(change.staging);
    },
    "staging-grown": (change) => {
      staged.putSymbols(change.symbols);
      for (const model of change.models) staged.putModel(model);
      for (const vector of change.vectors) staged.putVector(vector);
      staging.put(change.staging);
    },
    "staging-dropped": () => {
      staged.clear();
      staging.drop();
    },
    "staging-committed": () => {
      knowledge.takeOver(staged);
      staging.drop();
    },
  };
}

/** What a client calls one row of each Change that can be larger than a row may be. */
const ROW_NOUNS: { readonly [Kind in Change["kind"]]?: string } = {
  state: "the observation",
  genes: "the value of a gene",
  "event-appended": "the event",
  "event-forwarded": "the event for another processor",
  "vector-waiting": "the vector",
  "vector-learned": "the vector",
  "symbols-put": "a symbol",
  "model-put": "the model",
  "model-renewed": "the model",
  "blacklist-added": "a symbol",
  "staging-grown": "a model, symbol or vector",
};

/** What a client calls a row that a Change writes. */
export function rowNoun(kind: Change["kind"]): string {
  return ROW_NOUNS[kind] ?? "a record";
}
