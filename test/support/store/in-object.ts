/** Runs tests of the store where it lives: inside a Durable Object of its own. */

import { env, runInDurableObject } from "cloudflare:test";
import { migrate } from "../../../src/store/database/migrations";
import { PROCESSOR_MIGRATIONS } from "../../../src/store/database/schema";
import { SqliteStore } from "../../../src/store/store";

/** Runs `work` on the storage of an object that nothing was ever written to. */
export function inFreshObject<Outcome>(work: (storage: DurableObjectStorage) => Outcome): Promise<Outcome> {
  return runInDurableObject(env.PROCESSORS.getByName(crypto.randomUUID()), (_, { storage }) => work(storage));
}

/** Runs `work` on an empty store. */
export function onFreshStore<Outcome>(
  work: (store: SqliteStore, storage: DurableObjectStorage) => Outcome,
): Promise<Outcome> {
  return inFreshObject((storage) => {
    migrate(storage.sql, PROCESSOR_MIGRATIONS);
    return work(new SqliteStore(storage.sql), storage);
  });
}

/** How many models are stored. */
export function modelCount(store: SqliteStore): number {
  return Array.from(store.knowledge.corpus()).length;
}

/** How many learned vectors are stored. */
export function vectorCount(store: SqliteStore): number {
  return Array.from(store.knowledge.vectors()).length;
}
