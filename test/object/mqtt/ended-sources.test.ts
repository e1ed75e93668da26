/** Sessions that have ended: a call that comes late has no effect, and what memories keep of them goes in time. */

import { create } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PublicationSchema, TakePublicationsRequestSchema } from "../../../src/gen/noema/v1/publication_service_pb";
import type { MqttPort } from "../../../src/mqtt/port";
import { EndedSources, MAX_ENDED_SOURCES, NUMBERS_STAY_MS } from "../../../src/object/mqtt/ended-sources";
import { type PublicationParts, publicationService } from "../../../src/object/mqtt/publication-service";
import type { MqttTables } from "../../../src/store/mqtt/mqtt-tables";
import type { PublishedNumbers } from "../../../src/store/tables/publication-table";

const CONTEXT = {} as HandlerContext;

/** A processor that does nothing. */
const EMPTY = {
  time: 0,
  memory: {
    asOneRequest: (verb: () => unknown) => verb(),
    takeFrame: () => ({ observed: [], omitted: 0, learnedModel: "", redelivered: false }),
  },
};

/** A processor, with the numbers of its memory. */
class Memory {
  readonly numbers = new Map<string, PublishedNumbers>();
  readonly service = publicationService({
    processor: {
      run: (_: boolean, verb: (processor: unknown) => unknown) => verb(EMPTY),
    },
    numbers: {
      numbers: (_: string, source: string) => this.numbers.get(source) ?? { last: 0, closed: 0 },
      put: (_: string, source: string, numbers: PublishedNumbers) => this.numbers.set(source, numbers),
      endSource: (source: string) => this.numbers.delete(source),
    },
    workedMs: () => 0,
  } as unknown as PublicationParts);

  /** A call with one message. @returns whether it had no effect, because the number was taken before */
  async take(source: string, n: number): Promise<boolean> {
    const publications = [create(PublicationSchema, { frame: { n, clear: true } })];
    const request = create(TakePublicationsRequestSchema, { source, publications });
    const { outcomes } = await this.service.takePublications(request, CONTEXT);
    return outcomes?.[0]?.redelivered ?? false;
  }
}

const rows = new Map<string, { about: string; at: number }>();
const told: [processors: readonly string[], sources: readonly string[]][] = [];
const rings: number[] = [];
let tell = async (_: readonly string[]): Promise<void> => {};

function start(): EndedSources {
  const tables = {
    endedSources: () => [...rows].map(([source, row]) => ({ source, ...row })),
    addEndedSource: (source: string, about: string, at: number) => rows.set(source, { about, at }),
    removeEndedSource: (source: string) => rows.delete(source),
  } as unknown as MqttTables;
  const port = {
    endSources: async (processors: readonly string[], sources: readonly string[]) => {
      told.push([processors, sources]);
      await tell(sources);
    },
  } as unknown as MqttPort;
  return new EndedSources({ tables, port: () => port, ringBy: (at) => rings.push(at) });
}

beforeEach(() => {
  vi.useFakeTimers();
  for (const each of [told, rings]) each.length = 0;
  rows.clear();
  tell = async () => {};
});

afterEach(() => vi.useRealTimers());

test("a message that its client has repeated under another number is not taken by a late call of its first", async () => {
  const memory = new Memory();
  tell = async (sources) =>
    void memory.service.endSources({ $typeName: "noema.v1.EndSourcesRequest", sources: [...sources] }, CONTEXT);
  // The call with number 5 was on its way when the server was lost. The next connection closes 6, and sends it again as 7.
  await memory.service.settleSource(
    { $typeName: "noema.v1.SettleSourceRequest", source: "s", session: "", number: 6 },
    CONTEXT,
  );
  expect(await memory.take("s", 7)).toBe(false);
  const ended = start();
  ended.add("s", "a", ["P1"]);
  await ended.forget();
  expect(await memory.take("s", 5)).toBe(true);
  vi.advanceTimersByTime(NUMBERS_STAY_MS - 1);
  await ended.forget();
  expect(await memory.take("s", 5)).toBe(true);
  vi.advanceTimersByTime(1);
  await ended.forget();
  expect([memory.numbers.size, rows.size, ended.nextWake()]).toEqual([0, 0, undefined]);
});

test("they are told together, after a start too, and the alarm rings for them", async () => {
  const now = Date.now();
  start().add("s", "a", ["P1", "P2"]);
  vi.advanceTimersByTime(1000);
  const ended = start();
  ended.add("t", "a", ["P2"]);
  expect([ended.agent, ended.nextWake(), rings]).toEqual(["a", now + NUMBERS_STAY_MS, [now + 60_000, now + 61_000]]);
  vi.advanceTimersByTime(NUMBERS_STAY_MS);
  await ended.forget();
  expect(told).toEqual([
    [["P1"], ["s"]],
    [["P2"], ["s", "t"]],
  ]);
  expect([rows.size, ended.agent]).toEqual([0, undefined]);
});

test("of more than may be, the oldest are forgotten at once", async () => {
  const ended = start();
  for (let at = 0; at < MAX_ENDED_SOURCES + 2; at++) ended.add(`s-${at}`, "a", ["P1"]);
  await vi.advanceTimersByTimeAsync(0);
  expect(told.flatMap(([, sources]) => sources)).toEqual(["s-0", "s-1"]);
  expect(rows.size).toBe(MAX_ENDED_SOURCES);
});
