/** A world in which plans are played: how it goes on while clients do something, and how it comes to rest. */

import { judgeDisks } from "./check/disks.mjs";
import { Device, runRequests, send } from "./clients.mjs";
import { genomeOf } from "./genome.mjs";
import { World } from "./kernel/world.mjs";

/** When nothing goes wrong any more, all that is on its way arrives in this time, in simulated milliseconds. */
const QUIET_MS = 600_000;

/** How many turns the program may need by itself until it waits for an event. */
const MAX_TURNS = 10;

/** The steps of each client. */
function byClient(steps) {
  const all = new Map();
  for (const step of steps) all.set(step.client, [...(all.get(step.client) ?? []), step]);
  return [...all.values()];
}

/** A world, and who drives it. */
export class Stage {
  world;
  /** Whether what is to be done at a time is: a clock that is set back is noticed at the next call. */
  isTimely = true;
  /** What was left on the disks when they were read, in sentences. */
  left = [];

  /** @param {import("./kernel/world.mjs").World} world */
  constructor(world) {
    this.world = world;
  }

  /** Lets the world go on until something is done. @returns what it resolves to */
  async until(work) {
    let outcome;
    work.then(
      (value) => {
        outcome = { value };
      },
      (error) => {
        outcome = { error };
      },
    );
    // What is done already needs no event.
    await new Promise((resolve) => setImmediate(resolve));
    // What an event has led to may go on by itself for some turns of the program before it wants the next.
    for (let turn = 0; turn < MAX_TURNS && outcome === undefined; turn++) {
      await this.world.run(() => outcome !== undefined);
      if (outcome === undefined) await new Promise((resolve) => setImmediate(resolve));
    }
    if (outcome === undefined) throw new Error("nothing happens any more, and clients wait");
    if (outcome.error !== undefined) throw outcome.error;
    return outcome.value;
  }

  /**
   * Begins with an agent in service. To put it there takes as long as a short plan, so it is done once for all plans.
   *
   * @param program the loaded Worker
   * @param {object[]} processors see genomeOf
   */
  async setUp(program, processors) {
    const genome = JSON.stringify(processors);
    let images = program.images.get(genome);
    if (images === undefined) {
      images = await besides(`agent ${genome}`, program, async (stage) => {
        await stage.putIntoService(processors);
        await stage.quiet();
        return stage.world.images();
      });
      program.images.set(genome, images);
      this.world.serve();
    }
    this.world.begin(images);
  }

  /** Puts an agent into service. @param {object[]} processors see genomeOf */
  async putIntoService(processors) {
    const step = { id: "genome", call: "POST genome/hotswap", path: "/genome/hotswap", body: genomeOf(processors) };
    const { status, text } = await this.until(send(this.world, step));
    if (status !== 200) throw new Error(`the genome of the simulation was answered ${status}: ${text}`);
  }

  /** Has all clients do their steps at the same time. */
  async play(steps) {
    const clients = byClient(steps).map((own) =>
      own[0].frame === undefined ? runRequests(this.world, own) : new Device(this.world, own).run(),
    );
    await this.until(Promise.all(clients));
  }

  /** Nothing goes wrong any more, and everything that is on its way arrives. @param ms in simulated milliseconds */
  async quiet(ms = QUIET_MS) {
    this.world.disarm();
    await this.world.runUntil(this.world.scheduler.now + ms);
  }

  /** Reads what is on the disks. @param {object[]} steps are given their outcomes @returns them */
  async read(steps) {
    if (this.isTimely) this.left.push(...judgeDisks(this.world));
    this.world.evict();
    if (steps.length > 0) await this.until(runRequests(this.world, steps));
    return steps;
  }
}

/** Does something in another world, in which nothing goes wrong, nothing takes time, and no fault is planted. */
export async function besides(label, program, work) {
  const planted = program.plant(undefined);
  const world = new World(label, (one) => program.start(one), { isInstant: true });
  try {
    return await work(new Stage(world));
  } finally {
    program.plant(planted);
    world.close();
  }
}
