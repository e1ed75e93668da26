/** The tables `routes` and `route_revision`: which messages of MQTT become records. Does not check routes. */

import { Database, upsert } from "../database/database";
import { Revision } from "./revision";

/** A stored route. */
export interface StoredRoute {
  /** Unique in the agent. */
  readonly name: string;
  /** The route without its name: a JSON object as text. */
  readonly json: string;
}

const PUT_ROUTE = upsert("routes", ["name", "json"]);
const BYTES = "SELECT coalesce(sum(length(CAST(name AS BLOB)) + length(CAST(json AS BLOB))), 0) FROM routes";

/** Reads and writes the routes of an agent. The caller holds the transaction of every call. */
export class RouteTable {
  readonly #database: Database;
  readonly #revision: Revision;

  constructor(sql: SqlStorage) {
    this.#database = new Database(sql);
    this.#revision = new Revision(sql, this.#database, "route_revision");
  }

  /** Grows with every route set or removed; 0 if there never was one. Writes nothing. */
  revision(): number {
    return this.#revision.read();
  }

  /** All routes by name, in the order of bytes. */
  all(): StoredRoute[] {
    if (this.revision() === 0) return [];
    const rows = this.#database.all<[string, string]>("SELECT name, json FROM routes ORDER BY name");
    return rows.map(([name, json]) => ({ name, json }));
  }

  /** Number of routes. */
  count(): number {
    if (this.revision() === 0) return 0;
    return this.#database.first<[number]>("SELECT count(*) FROM routes")?.[0] ?? 0;
  }

  /** Bytes of the names and texts of all routes. */
  bytes(): number {
    if (this.revision() === 0) return 0;
    return this.#database.first<[number]>(BYTES)?.[0] ?? 0;
  }

  /** Inserts or replaces a route. */
  put({ name, json }: StoredRoute): void {
    this.#revision.migrate();
    this.#database.run(PUT_ROUTE, name, json);
    this.#revision.grow();
  }

  /** Removes a route. @returns whether it existed */
  delete(name: string): boolean {
    if (this.revision() === 0) return false;
    if (this.#database.first("SELECT 1 FROM routes WHERE name = ?", name) === undefined) return false;
    this.#database.run("DELETE FROM routes WHERE name = ?", name);
    this.#revision.grow();
    return true;
  }

  /** Replaces all routes. Writes nothing if there were none and are none. */
  replace(routes: readonly StoredRoute[]): void {
    if (routes.length === 0 && this.count() === 0) return;
    this.#revision.migrate();
    this.#database.run("DELETE FROM routes");
    for (const { name, json } of routes) this.#database.run(PUT_ROUTE, name, json);
    this.#revision.grow();
  }
}
