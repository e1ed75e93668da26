/** Rows that are left to be deleted: an alarm deletes for a while, and tries again after a failure. */

import { afterEach, expect, test, vi } from "vitest";
import { Deletions } from "../../src/object/deletions";

/** A processor with pieces to delete, each of which takes some milliseconds, and may fail. */
class Emptied {
  pieces: number;
  endings: number;
  fails = false;
  readonly clock = { now: 1_000_000 };
  readonly pieceMs: number;

  constructor(pieces: number, { endings = 0, pieceMs = 1 } = {}) {
    this.pieces = pieces;
    this.endings = endings;
    this.pieceMs = pieceMs;
  }

  get hasDiscarded(): boolean {
    return this.pieces > 0;
  }

  get hasLateEndings(): boolean {
    return this.endings > 0;
  }

  deleteSome(): void {
    if (this.fails) throw new Error("the disk is full");
    this.clock.now += this.pieceMs;
    this.endings--;
    this.pieces--;
  }
}

function deletionsOf(stored: Emptied) {
  const rings: number[] = [];
  const alarm = { ringBy: (at: number) => void rings.push(at) };
  return {
    rings,
    deletions: new Deletions(
      stored,
      alarm,
      (_, work) => work() as never,
      () => stored.clock.now,
    ),
  };
}

afterEach(() => vi.restoreAllMocks());

test("all pieces are deleted, and nothing wakes it afterwards", async () => {
  const stored = new Emptied(5);
  const { rings, deletions } = deletionsOf(stored);
  deletions.isDue();
  expect([rings, deletions.nextWake()]).toEqual([[1_000_000], 1_000_000]);
  await deletions.wake();
  expect([stored.pieces, deletions.nextWake()]).toEqual([0, undefined]);
});

test("an alarm deletes for two seconds, and the next goes on at once", async () => {
  const stored = new Emptied(10, { pieceMs: 500 });
  const { deletions } = deletionsOf(stored);
  await deletions.wake();
  expect([stored.pieces, deletions.nextWake()]).toEqual([6, stored.clock.now]);
});

test("after a failure it waits for a minute, whatever else is cleared meanwhile", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const stored = new Emptied(2);
  const { rings, deletions } = deletionsOf(stored);
  stored.fails = true;
  await deletions.wake();
  expect(said.mock.calls[0]?.[0]).toContain("trying again in 60 s: Error: the disk is full");
  deletions.isDue();
  await deletions.wake();
  expect([rings, said.mock.calls.length, deletions.nextWake()]).toEqual([[], 1, 1_060_000]);
  stored.fails = false;
  stored.clock.now += 60_000;
  await deletions.wake();
  expect([stored.pieces, deletions.nextWake()]).toEqual([0, undefined]);
});

test("a backup waits until the incidents have ended, not until all is deleted", async () => {
  const stored = new Emptied(5, { endings: 2 });
  await deletionsOf(stored).deletions.endIncidents();
  expect([stored.endings, stored.pieces]).toEqual([0, 3]);
});
