/** The newest events of a memory: what a surprise came after is told only where it is known. */

import { describe, expect, test } from "vitest";
import type { StreamEvent } from "../../src/client";
import { RecentEvents } from "../../src/console/live/recent-events";

const observed = (symbol: string) => ({ event: "observed", symbols: [symbol] }) as unknown as StreamEvent;
const surprise = (bits: number | null) =>
  ({ event: "surprise", surprise: bits === null ? null : { bits } }) as unknown as StreamEvent;
const learned = { event: "learned" } as StreamEvent;

describe("recent events", () => {
  test("are those that were read, and those that were heard since", () => {
    const recent = new RecentEvents();
    recent.replace([["alarm"], ["coffee"]]);
    for (const event of [observed("bus"), surprise(1)]) recent.hear(event);
    expect(recent.events).toEqual([["alarm"], ["coffee"], ["bus"]]);
  });

  test("are an observation and at most ten before it", () => {
    const recent = new RecentEvents();
    recent.replace(Array.from({ length: 30 }, (_, at) => [`${at}`]));
    recent.hear(observed("last"));
    expect(recent.events).toEqual([...Array.from({ length: 10 }, (_, at) => [`${at + 20}`]), ["last"]]);
  });

  test("begin anew where an observation had nothing before it, after a clear or a learning", () => {
    const recent = new RecentEvents();
    recent.replace([["coffee"], ["mail"]]);
    for (const event of [learned, observed("tea"), surprise(null), observed("mail"), surprise(0.5)]) recent.hear(event);
    expect(recent.events).toEqual([["tea"], ["mail"]]);
    for (const event of [observed("tea"), surprise(null), observed("review"), surprise(3)]) recent.hear(event);
    expect(recent.events).toEqual([["tea"], ["review"]]);
  });

  test("a record without symbols is no event", () => {
    const recent = new RecentEvents();
    recent.replace([["coffee"]]);
    const nothing = { event: "observed", symbols: [] as string[] } as unknown as StreamEvent;
    for (const event of [nothing, surprise(null), observed("mail"), surprise(1)]) recent.hear(event);
    expect(recent.events).toEqual([["coffee"], ["mail"]]);
  });

  test("are not known after a learning that may have left some, until memory was read", () => {
    const recent = new RecentEvents();
    recent.replace([["coffee"]]);
    for (const event of [observed("mail"), learned, observed("tea"), surprise(1)]) recent.hear(event);
    expect(recent.events).toEqual([]);
    recent.replace([["mail"], ["tea"]]);
    recent.hear(observed("walk"));
    expect(recent.events).toEqual([["mail"], ["tea"], ["walk"]]);
  });
});
