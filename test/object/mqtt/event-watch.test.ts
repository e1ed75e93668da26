/** What a processor tells the MQTT endpoint, and what it knows of what that wants to hear of. */

import { expect, test } from "vitest";
import { EventWatch, type ToldEvent } from "../../../src/object/mqtt/event-watch";
import type { PublicationTable } from "../../../src/store/tables/publication-table";

/** A table of what is wanted. */
function table(wanted: readonly string[]) {
  let stored = wanted;
  const fake = {
    watched: () => [...stored],
    putWatched: (events: readonly string[]) => {
      stored = events;
    },
  };
  return { fake: fake as unknown as PublicationTable, stored: () => stored };
}

const event = (text: string): ToldEvent => ({ kind: "observed", session: "", text });

test("the answer to what is told says what is wanted from then on, unless a newer call has said so", async () => {
  const { fake, stored } = table(["observed"]);
  const answers: ((wanted: readonly string[]) => void)[] = [];
  const watch = new EventWatch(
    () => fake,
    () => new Promise((resolve) => answers.push(resolve)),
  );
  const turn = () => new Promise((resolve) => setTimeout(resolve));
  watch.tell(event("one"));
  await turn();
  fake.putWatched(["learned", "observed"]);
  watch.changed();
  answers.shift()?.([]);
  await turn();
  expect(stored()).toEqual(["learned", "observed"]);
  watch.tell(event("two"));
  await turn();
  answers.shift()?.([]);
  await turn();
  expect(stored()).toEqual([]);
  expect(watch.isWatching).toBe(false);
});

test("what happens while the endpoint is told waits, bounded", async () => {
  const { fake } = table(["observed"]);
  const told: number[] = [];
  let answer = () => {};
  const watch = new EventWatch(
    () => fake,
    (events) => {
      told.push(events.length);
      return new Promise((resolve) => {
        answer = () => resolve(["observed"]);
      });
    },
  );
  watch.tell(event("first"));
  await Promise.resolve();
  for (let at = 0; at < 1500; at++) watch.tell(event("x"));
  answer();
  await new Promise((resolve) => setTimeout(resolve));
  expect(told).toEqual([1, 1000]);
  expect(watch.dropped).toBe(500);
});
