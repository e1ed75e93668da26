/** What a bridge of MQTT remembers of its messages, over runs that end at any line of its file. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DeliveryLog } from "../../src/cli/bridge/delivery-log";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "noema-log-"));
  file = join(folder, "state");
});

afterEach(() => rmSync(folder, { recursive: true }));

test("a message that comes again before it is settled keeps its number, in a later run, too", () => {
  const log = new DeliveryLog(file);
  const first = log.take(7, false, "a");
  expect(log.take(7, true, "a")).toMatchObject({ source: first.source, number: first.number, isObserved: false });
  const other = log.take(8, false, "b");
  expect(other.number).toBeGreaterThan(first.number);
  log.observed(8);
  const later = new DeliveryLog(file);
  expect(later.client).toBe(log.client);
  expect(later.take(7, true, "a")).toMatchObject({ source: first.source, number: first.number, isObserved: false });
  expect(later.take(8, true, "b")).toMatchObject({ source: other.source, number: other.number, isObserved: true });
  // A run numbers its own messages under a source of its own: those of the run before may still come.
  expect(later.take(9, false, "c").source).not.toBe(first.source);
});

test("a settled identifier, another message, and one that the broker calls new are taken as new", () => {
  const log = new DeliveryLog(file);
  const first = log.take(7, false, "a");
  expect(log.take(7, true, "b").number).toBeGreaterThan(first.number);
  const again = log.take(7, false, "b");
  expect(log.take(7, true, "b").number).toBe(again.number);
  log.settle(7);
  expect(log.take(7, true, "b").number).toBeGreaterThan(again.number);
  log.forget();
  expect(new DeliveryLog(file).take(7, true, "b").isObserved).toBe(false);
  expect(log.take(undefined, false, "q").number).toBeGreaterThan(again.number);
});

test("a file cut off in a line is read up to there, a file of something else is left alone", () => {
  const log = new DeliveryLog(file);
  const kept = log.take(1, false, "a");
  log.take(2, false, "b");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.slice(0, -5));
  const cut = new DeliveryLog(file);
  expect(cut.take(1, true, "a").number).toBe(kept.number);
  expect(cut.take(2, true, "b").source).not.toBe(kept.source);
  for (const other of ["some notes\n", '{"a": 1}\n', "[1\n"]) {
    writeFileSync(file, other);
    expect(() => new DeliveryLog(file)).toThrow("is not the state of a bridge");
    expect(readFileSync(file, "utf8")).toBe(other);
  }
});

test("the file stays small", () => {
  const log = new DeliveryLog(file);
  for (let at = 0; at < 6_000; at++) {
    log.take(1 + (at % 5), false, `${at}`);
    log.settle(1 + (at % 5));
  }
  expect(readFileSync(file, "utf8").split("\n").length).toBeLessThan(10_010);
  expect(new DeliveryLog(file).client).toBe(log.client);
  expect(readFileSync(file, "utf8").split("\n")).toHaveLength(2);
});
