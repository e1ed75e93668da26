/** A processor over memory and the oracles, for tests. */

import { Processor } from "../../src/processor/processor";
import { OracleNeighbours } from "../oracle/neighbours";
import { Oracle } from "../oracle/oracle";
import { MemoryStore } from "./memory-store";

/** Opens a processor on a store, as after an eviction when the store holds anything. */
export function openProcessor(store = new MemoryStore(), name = "P1", id = "p46b6b076c"): Processor {
  return Processor.open({ id, name, store, matcher: new Oracle(), neighbours: new OracleNeighbours() });
}
