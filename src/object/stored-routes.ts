/**
 * The routes of one agent, in the storage of its object: which messages of MQTT become records. Checks each again,
 * because the code that handles messages relies on them.
 */

import { MAX_ROUTES, MAX_ROUTES_BYTES, type Route, RouteFault, readRoute, routeData } from "../mqtt/routes";
import { Fault } from "../processor/ports/fault";
import type { RouteHost } from "../rpc/services/route-service";
import { RouteTable, type StoredRoute } from "../store/tables/route-table";
import { isJsonObject } from "../text/located";

/** The routes in one object's storage. */
export class StoredRoutes implements RouteHost {
  readonly #storage: DurableObjectStorage;
  readonly #table: RouteTable;
  readonly #opened: () => Promise<string>;
  readonly #tell: (agent: string) => Promise<void>;

  /**
   * @param opened makes sure that the agent exists, and returns its name
   * @param tell tells those who know the agent's routes that they have changed
   */
  constructor(storage: DurableObjectStorage, opened: () => Promise<string>, tell: (agent: string) => Promise<void>) {
    this.#storage = storage;
    this.#table = new RouteTable(storage.sql);
    this.#opened = opened;
    this.#tell = tell;
  }

  async put(route: Route): Promise<void> {
    const agent = await this.#opened();
    const stored = storedRoute(route);
    this.#storage.transactionSync(() => {
      this.#table.put(stored);
      checkSize(this.#table.count(), this.#table.bytes());
    });
    await this.#changed(agent);
  }

  async delete(name: string): Promise<void> {
    const agent = await this.#opened();
    this.#storage.transactionSync(() => this.#table.delete(name));
    await this.#changed(agent);
  }

  /** A failure is no reason to refuse the change: routes are read again every few seconds anyway. */
  async #changed(agent: string | Promise<string>): Promise<void> {
    try {
      await this.#tell(await agent);
    } catch (error) {
      console.error(`a change of routes could not be sent to the MQTT connections: ${error}`);
    }
  }

  revision(): number {
    return this.#storage.transactionSync(() => this.#table.revision());
  }

  all(): readonly Route[] {
    return this.#storage.transactionSync(() => this.#table.all()).map(routeOfStored);
  }

  /**
   * Reads routes that are to replace all existing ones.
   *
   * @returns writes them; its caller holds the transaction
   * @throws Fault `invalid` for a wrong route, or two of one name; `over-limit` for too many
   */
  replacing(routes: readonly Route[]): () => void {
    const stored = routes.map(storedRoute);
    const names = new Set(stored.map(({ name }) => name));
    if (names.size < stored.length) throw new Fault("invalid", "two routes have the same name");
    const encoder = new TextEncoder();
    const bytes = stored.reduce((sum, { name, json }) => sum + encoder.encode(name + json).length, 0);
    checkSize(stored.length, bytes);
    return () => {
      this.#table.replace(stored);
      // The call leaves only once the transaction is on disk.
      void this.#changed(this.#opened());
    };
  }
}

/** @throws Fault `invalid` for a wrong route */
function storedRoute({ name, ...data }: Route): StoredRoute {
  try {
    return { name, json: JSON.stringify(routeData(readRoute(name, data))) };
  } catch (error) {
    if (error instanceof RouteFault) throw new Fault("invalid", error.message);
    throw error;
  }
}

function routeOfStored({ name, json }: StoredRoute): Route {
  const data: unknown = JSON.parse(json);
  if (!isJsonObject(data)) throw new Error(`the stored route ${name} is no object`);
  return { name, ...data } as Route;
}

function checkSize(count: number, bytes: number): void {
  if (count > MAX_ROUTES) {
    throw new Fault(
      "over-limit",
      `an agent may have ${MAX_ROUTES} routes, and it would have ${count}; delete some first`,
    );
  }
  if (bytes > MAX_ROUTES_BYTES) {
    throw new Fault(
      "over-limit",
      `the routes of an agent may take ${MAX_ROUTES_BYTES} bytes, and they would take ${bytes}; delete some first`,
    );
  }
}
