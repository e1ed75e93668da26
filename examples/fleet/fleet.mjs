/**
 * Twenty washing machines report to one processor over bad links, each in a session of its own: all learn together, and none mixes with
 * another. One heater breaks. Shows that this is noticed, and that no record is lost or counted twice.
 */

import { connect, getKnowledgeBase, processor } from "noema/client";
import { ownProcessor, SERVER } from "../own-processor.mjs";
import { Random } from "../random.mjs";
import { generateCycle } from "./cycles.mjs";
import { FlakyLink } from "./flaky-link.mjs";
import { Washer } from "./washer.mjs";

const ID = "fleet";
const WASHERS = 20;
/** How many cycles each washer runs. The first are only learned; then there is something to compare with. */
const CYCLES = 16;
const WATCHED_FROM = 9;
/** Which heater breaks, and the cycle before which it does. */
const BROKEN = { washer: "washer-13", from: 12 };

/** A washer with its link, and the source of its generated cycles. */
function makeUnit(number) {
  const link = new FlakyLink(1000 + number);
  // A real link needs longer pauses; the client's defaults are good ones.
  const noema = connect({ ...SERVER, fetch: link.fetch, retries: 30, firstPause: 10, longestPause: 100 });
  return { link, washer: new Washer(`washer-${number}`, processor(noema, ID)), random: new Random(number) };
}

async function runAll(units) {
  for (let cycle = 1; cycle <= CYCLES; cycle++) {
    await Promise.all(
      units.map(({ washer, random }) => {
        const heats = washer.name !== BROKEN.washer || cycle < BROKEN.from;
        return washer.run(cycle, generateCycle(random, heats), cycle >= WATCHED_FROM);
      }),
    );
  }
  await Promise.all(units.map(({ link }) => link.settled()));
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Prints what the links did, and whether the processor has counted and learned just what it was sent. */
async function printDeliveries(fleet, units) {
  const washers = units.map(({ washer }) => washer);
  const fated = (fate) => sum(units.map(({ link }) => link.counts[fate]));
  console.log(
    `The links lost ${fated("request lost")} requests and ${fated("answer lost")} answers, and delivered ${fated("comes again")} requests twice.`,
  );
  const counted = await Promise.all(washers.map((washer) => washer.counted()));
  const wrong = washers.filter(({ records }, index) => records !== counted[index]).length;
  console.log(
    `${WASHERS} washers sent ${sum(washers.map(({ records }) => records))} generated records; the processor counted ${sum(counted)}. Washers with another count: ${wrong}.`,
  );
  const cycles = washers.flatMap(({ learned }) => learned);
  const { metadata } = await getKnowledgeBase(fleet);
  console.log(
    `They let it learn ${cycles.length} cycles of ${cycles.flat(2).length} symbols; it knows ${metadata.total_model_frequencies} cycles of ${metadata.total_symbol_frequencies} symbols.`,
  );
}

function printAlarms(washers) {
  const broken = washers.find(({ name }) => name === BROKEN.washer);
  const alarm = broken.alarms.find(({ cycle }) => cycle >= BROKEN.from);
  if (alarm === undefined) {
    console.log(`The heater of ${broken.name} broke before cycle ${BROKEN.from}, and no alarm was raised.`);
  } else {
    const { cycle, first, record, strings, unexplained } = alarm;
    console.log(
      `The heater of ${broken.name} broke before cycle ${BROKEN.from}. Noticed in cycle ${cycle}, at its record ${record - first + 1}: [${strings.join(", ")}]; not explained: ${unexplained.join(", ")}.`,
    );
  }
  const falseAlarms = washers.flatMap(({ name, alarms }) =>
    alarms.filter(({ cycle }) => name !== BROKEN.washer || cycle < BROKEN.from),
  );
  const sound = WASHERS * (CYCLES - WATCHED_FROM + 1) - (CYCLES - BROKEN.from + 1);
  console.log(`False alarms: ${falseAlarms.length} in ${sound} watched cycles without a fault.`);
}

const fleet = await ownProcessor(ID);
const units = Array.from({ length: WASHERS }, (_, index) => makeUnit(index + 1));
await runAll(units);
await printDeliveries(fleet, units);
printAlarms(units.map(({ washer }) => washer));
