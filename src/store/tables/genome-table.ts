/**
 * The tables of an agent: its genome as text, the pending steps, the processors that were retired or tuned, and where
 * objects live. The text is stored in parts, because a genome of ten thousand nodes exceeds the size of a row.
 */

import { AGENT_MIGRATIONS } from "../database/agent-schema";
import { Database, upsert } from "../database/database";
import { isMigrated, migrate } from "../database/migrations";

/** Bytes in a part. A row holds at most 2 MB. */
const PART_BYTES = 1024 * 1024;

const PUT_AGENT = upsert("agent", ["row", "name", "revision"]);
const PUT_PART = upsert("genome", ["part", "bytes"]);
const PUT_STEP = upsert("steps", ["id", "action"]);
const PUT_PLACE = upsert("places", ["id", "location_hint", "jurisdiction"]);
const PUT_RESIDENCE = upsert("residence", ["row", "jurisdiction"]);

/**
 * A step for one processor: put it into service now (`provision`) or on its first call (`admit`), take it out of
 * service (`retire`), delete it with its data (`purge`), or replace it by what a restore staged (`restore`).
 */
export type Action = "provision" | "admit" | "retire" | "purge" | "restore";

/** The place of a processor's object on the platform. */
export interface StoredPlace {
  /** The region near which it is created; empty if the genome does not say. */
  locationHint: string;
  /** Its jurisdiction; empty if the genome does not say. */
  jurisdiction: string;
}

/** A stored genome. */
export interface StoredGenome {
  /** The agent's name. */
  name: string;
  /** At least 1. */
  revision: number;
  json: string;
  /** The places of the processors that a genome has placed, including those out of service. */
  places: ReadonlyMap<string, StoredPlace>;
}

/** Reads and writes an agent's genome. The caller holds the transaction of every write. */
export class GenomeTable {
  readonly #sql: SqlStorage;
  readonly #database: Database;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#database = new Database(sql);
  }

  /** The genome; `undefined` if none was put, without writing anything. */
  read(): StoredGenome | undefined {
    if (!isMigrated(this.#sql)) return undefined;
    migrate(this.#sql, AGENT_MIGRATIONS);
    const agent = this.#database.first<[string, number]>("SELECT name, revision FROM agent");
    if (agent === undefined) return undefined;
    const parts = this.#database.all<[ArrayBuffer]>("SELECT bytes FROM genome ORDER BY part");
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const json = parts.map(([bytes]) => decoder.decode(bytes, { stream: true })).join("") + decoder.decode();
    return { name: agent[0], revision: agent[1], json, places: this.#places() };
  }

  /** Replaces the genome and its steps. The previous genome must have no steps left except `admit`. */
  put({ name, revision, json, places }: StoredGenome, steps: ReadonlyMap<string, Action>): void {
    migrate(this.#sql, AGENT_MIGRATIONS);
    this.#database.run(PUT_AGENT, 0, name, revision);
    this.#database.run("DELETE FROM genome");
    const bytes = new TextEncoder().encode(json);
    for (let part = 0; part * PART_BYTES < bytes.byteLength; part++) {
      this.#database.run(PUT_PART, part, bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES));
    }
    this.#database.run("DELETE FROM steps");
    for (const [id, action] of steps) this.#database.run(PUT_STEP, id, action);
    this.#putPlaces(places);
  }

  /**
   * The jurisdiction that the agent of this name lives in, empty for none; `undefined` if none was put,
   * without writing anything.
   */
  jurisdiction(): string | undefined {
    if (!isMigrated(this.#sql)) return undefined;
    migrate(this.#sql, AGENT_MIGRATIONS);
    const residence = this.#database.first<[string]>("SELECT jurisdiction FROM residence")?.[0];
    if (residence !== undefined) return residence;
    return this.#database.first("SELECT 1 FROM agent") === undefined ? undefined : "";
  }

  /** Sets the jurisdiction of the agent of this name. */
  putJurisdiction(jurisdiction: string): void {
    migrate(this.#sql, AGENT_MIGRATIONS);
    this.#database.run(PUT_RESIDENCE, 0, jurisdiction);
  }

  /** The pending steps by processor: all except `admit`. */
  steps(): Map<string, Action> {
    return new Map(this.#database.all<[string, Action]>("SELECT id, action FROM steps WHERE action <> 'admit'"));
  }

  /** The processors that are put into service on their first call. */
  waiting(): Set<string> {
    return new Set(this.#database.all<[string]>("SELECT id FROM steps WHERE action = 'admit'").map(([id]) => id));
  }

  /** Whether a processor is put into service on its first call. */
  isToBeAdmitted(id: string): boolean {
    return this.#database.first("SELECT 1 FROM steps WHERE id = ? AND action = 'admit'", id) !== undefined;
  }

  /** Removes the finished step of a processor, and records its effect. */
  done(id: string, action: Action): void {
    this.#database.run("DELETE FROM steps WHERE id = ?", id);
    if (action === "retire") this.#database.run("INSERT INTO retired (id) VALUES (?) ON CONFLICT DO NOTHING", id);
    else this.#database.run("DELETE FROM retired WHERE id = ?", id);
    if (action !== "purge") return;
    this.#database.run("DELETE FROM tuned WHERE id = ?", id);
    this.#database.run("DELETE FROM places WHERE id = ?", id);
  }

  /** The processors of earlier genomes whose data was kept. */
  retired(): Set<string> {
    return new Set(this.#database.all<[string]>("SELECT id FROM retired").map(([id]) => id));
  }

  /** The processors whose genes may differ from their nodes. */
  tuned(): Set<string> {
    return new Set(this.#database.all<[string]>("SELECT id FROM tuned ORDER BY id").map(([id]) => id));
  }

  /** Records that the genes of a processor may differ from its node. */
  putTuned(id: string): void {
    this.#database.run("INSERT INTO tuned (id) VALUES (?) ON CONFLICT DO NOTHING", id);
  }

  #places(): Map<string, StoredPlace> {
    const rows = this.#database.all<[string, string, string]>("SELECT id, location_hint, jurisdiction FROM places");
    return new Map(rows.map(([id, locationHint, jurisdiction]) => [id, { locationHint, jurisdiction }]));
  }

  /** Writes only the differences. */
  #putPlaces(places: StoredGenome["places"]): void {
    const before = this.#places();
    for (const id of before.keys()) if (!places.has(id)) this.#database.run("DELETE FROM places WHERE id = ?", id);
    for (const [id, { locationHint, jurisdiction }] of places) {
      const old = before.get(id);
      if (old?.locationHint === locationHint && old.jurisdiction === jurisdiction) continue;
      this.#database.run(PUT_PLACE, id, locationHint, jurisdiction);
    }
  }
}
