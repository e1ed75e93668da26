import { expect, test } from "vitest";
import { SymbolTable } from "../../../src/processor/knowledge/symbol-table";
import { EventLog } from "../../../src/processor/memory/event-log";
import { QueryMemory } from "../../../src/processor/memory/query-memory";
import { UNKNOWN_SYMBOL_BASE } from "../../../src/processor/ports/matcher";
import { Random } from "../../support/random";

test("numbers follow the range, wherever it moves and whichever symbols become known", () => {
  const random = new Random(11);
  const names = Array.from({ length: 30 }, (_, at) => `s${at}`);
  const log = new EventLog([]);
  const symbols = new SymbolTable();
  const memory = new QueryMemory(log, symbols);
  const events: string[][] = [];
  let [first, start, end] = [0, 0, 0];
  for (let round = 0; round < 3000; round++) {
    const event = Array.from({ length: 1 + random.below(4) }, () => random.pick(names));
    log.append({ position: events.length, symbols: event, metadata: "{}" });
    events.push(event);
    const name = random.pick(names);
    const id = symbols.idOf(name);
    if (random.below(20) === 0) id === undefined ? symbols.intern(name) : symbols.forget(id);
    end = random.below(9) === 0 ? end : events.length;
    start = Math.min(end, start + (random.below(3) === 0 ? 1 + random.below(3) : 0));
    const numbers = Array.from(memory.numbers(start, end));
    expect(numbers.map((number) => memory.nameOf(number))).toEqual(events.slice(start, end).flat());
    const known = numbers.filter((number) => number < UNKNOWN_SYMBOL_BASE);
    expect(known.filter((number) => symbols.idOf(memory.nameOf(number)) !== number)).toEqual([]);
    expect(new Set(numbers).size).toBe(new Set(events.slice(start, end).flat()).size);
    if (random.below(4) === 0) {
      first = Math.max(first, start);
      log.dropBefore(first);
    }
  }
});
