/** The write half of the store: how each kind of Change alters the tables. */

import type { Change } from "../processor/ports/store";
import type { AlertQueueTable } from "./alerts/alert-queue-table";
import type { AlertTable } from "./alerts/alert-table";
import type { BlacklistTable } from "./tables/blacklist-table";
import type { DiscardedTables } from "./tables/discarded-tables";
import type { EncoderTable } from "./tables/encoder-table";
import type { IncidentTable } from "./tables/incident-table";
import type { KnowledgeTables } from "./tables/knowledge-tables";
import type { MemoryTable } from "./tables/memory-table";
import type { OutboxTable } from "./tables/outbox-table";
import type { PublicationTable } from "./tables/publication-table";
import type { ScoreTable } from "./tables/score-table";
import type { SilenceTable } from "./tables/silence-table";
import type { SourceTable } from "./tables/source-table";
import type { StagingTable } from "./tables/staging-table";
import type { StateTable } from "./tables/state-table";

/** All tables of one processor. */
export interface Tables {
  state: StateTable;
  memories: MemoryTable;
  sources: SourceTable;
  publications: PublicationTable;
  blacklist: BlacklistTable;
  encoders: EncoderTable;
  outbox: OutboxTable;
  alerts: AlertTable;
  alertQueue: AlertQueueTable;
  incidents: IncidentTable;
  scores: ScoreTable;
  silences: SilenceTable;
  discarded: DiscardedTables;
  /** The knowledge base in use. */
  knowledge: KnowledgeTables;
  staging: StagingTable;
  /** The knowledge base of the load in progress. */
  staged: KnowledgeTables;
}

/** The writer of each kind of Change. */
export type Writers = { readonly [Kind in Change["kind"]]: (change: Extract<Change, { kind: Kind }>) => void };

/** Binds the Changes to tables. */
export function writers(tables: Tables): Writers {
  const { state, memories, sources, publications, blacklist, encoders, outbox, alerts } = tables;
  const { alertQueue, incidents, scores, silences, discarded, knowledge, staging, staged } = tables;
  return {
    state: (change) => state.put(change.state),
    genes: (change) => state.putGenes(change.genes),
    memory: (change) => memories.put(change),
    "session-ended": ({ session }) => {
      memories.end(session);
      sources.end(session);
      publications.end(session);
      silences.end(session);
    },
    "sessions-ended": () => {
      memories.endAll();
      sources.endAll();
      publications.endAll();
      silences.endAll();
    },
    "discarded-deleted": () => discarded.deleteSome(),
    "sessions-redated": ({ at }) => memories.redate(at),
    "source-kept": ({ session, sender, source, number }) => memories.putSource(session, { sender, source, number }),
    "vector-learned": (change) => knowledge.putVector(change.vector),
    "symbols-added": (change) => knowledge.addSymbols(change.symbols),
    "symbols-removed": (change) => knowledge.removeSymbols(change.ids),
    "model-put": (change) => knowledge.putModel(change.model),
    "model-renewed": (change) => knowledge.renewModel(change),
    "model-removed": (change) => knowledge.removeModel(change.id),
    "event-forwarded": (change) => outbox.forward(change.event),
    "alert-put": ({ alert, at }) => {
      alerts.put(alert);
      // Without a url, waiting notices cannot be delivered.
      if (alert.url === "") alertQueue.removeAll(alert.name);
      else alertQueue.hasten(alert.name, at);
    },
    "alert-removed": ({ name }) => {
      alerts.remove(name);
      alertQueue.removeAll(name);
    },
    "threshold-kept": ({ threshold }) => alerts.keepThreshold(threshold),
    "alert-told": ({ notice }) => alertQueue.add(notice),
    "incident-put": ({ incident }) => incidents.put(incident),
    "silences-told": (change) => tellSilences(tables, change),
    "scores-kept": (block) => scores.put(block),
    "scores-cleared": () => scores.clear(),
    "encoder-put": ({ name, definition }) => encoders.put(name, definition),
    "encoder-deleted": ({ name }) => encoders.delete(name),
    "encoder-changed": ({ name, definition }) => encoders.change(name, definition),
    "blacklist-added": (change) => blacklist.add(change.symbols),
    "blacklist-removed": (change) => blacklist.remove(change.symbols),
    "knowledge-cleared": () => knowledge.clear(),
    "staging-begun": (change) => {
      staged.clear();
      staging.put(change.staging);
    },
    "staging-grown": (change) => {
      staged.addSymbols(change.symbols);
      if (change.isOrdered) staged.putUnpacked(change.models);
      else for (const model of change.models) staged.putModel(model);
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

/** Writes what was reported of silent memories together with the notices about them. */
function tellSilences({ alertQueue, silences }: Tables, change: Extract<Change, { kind: "silences-told" }>): void {
  silences.putAll(change.silences);
  alertQueue.addSilences(change.notices);
}

/** For each kind of Change that can exceed the size of a row: the name of that row for clients. */
const ROW_NOUNS: { readonly [Kind in Change["kind"]]?: string } = {
  genes: "the value of a gene",
  memory: "the observation",
  "event-forwarded": "the event for another processor",
  "alert-put": "the alert",
  "alert-told": "what an alert tells",
  "silences-told": "what an alert tells",
  "incident-put": "an incident",
  "vector-learned": "the vector",
  "symbols-added": "a symbol",
  "model-put": "the model",
  "model-renewed": "the model",
  "blacklist-added": "a symbol",
  "staging-grown": "a model, symbol or vector",
};

/** The name, for clients, of a row that a Change writes. */
export function rowNoun(kind: Change["kind"]): string {
  return ROW_NOUNS[kind] ?? "a record";
}
