import { expect, test, vi } from "vitest";
import { SymbolTable } from "../../../src/processor/knowledge/symbol-table";
import { EventLog } from "../../../src/processor/memory/event-log";
import { QueryMemory } from "../../../src/processor/memory/query-memory";
import { UNKNOWN_SYMBOL_BASE } from "../../../src/processor/ports/matcher";
import { timesHere } from "../../support/engine";
import { Random } from "../../support/random";

test("numbers follow the range, wherever it moves and whichever symbols become known", () => {
  const random = new Random(11);
  const names = Array.from({ length: 30 }, (_, at) => `s${at}`);
  const log = new EventLog([]);
  const symbols = new SymbolTable();
  const memory = new QueryMemory(log, symbols);
  const events: string[][] = [];
  let [first, start, end] = [0, 0, 0];
  for (let round = 0; round < timesHere(3000, 300); round++) {
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

const SYMBOLS = 100;

/** A memory of events that share no symbol, none of them known, and a way to add one and query the latest. */
function memoryOfUnknown() {
  const log = new EventLog([]);
  const symbols = new SymbolTable();
  const memory = new QueryMemory(log, symbols);
  let length = 0;
  const add = (events: number, start = 0) => {
    for (const end = length + events; length < end; length++) {
      const event = Array.from({ length: SYMBOLS }, (_, at) => `s${length * SYMBOLS + at}`);
      log.append({ position: length, symbols: event, metadata: "{}" });
    }
    return memory.numbers(Math.max(0, start < 0 ? length + start : start), length);
  };
  return { memory, symbols, add };
}

test("with 70,000 unknown symbols, an event costs what it adds, and not what memory holds", () => {
  const { symbols, add } = memoryOfUnknown();
  add(700);
  const looks = vi.spyOn(symbols, "idOf");
  for (let event = 0; event < 50; event++) expect(add(1)).toHaveLength((701 + event) * SYMBOLS);
  expect(looks).toHaveBeenCalledTimes(50 * SYMBOLS);
});

test("unknown symbols that have left the range are forgotten", () => {
  const { memory, add } = memoryOfUnknown();
  let most = 0;
  for (let event = 0; event < 1000; event++) {
    add(1, -10);
    most = Math.max(most, memory.heapBytes);
  }
  expect(most).toBeLessThan(48 * (65_536 + 2 * 10 * SYMBOLS) + 1_000_000);
});
