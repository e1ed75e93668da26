/**
 * `npm run demo:machine -- [address] [--clear] [--learn 20] [--watch 5]`: learns 20 days of a machine's telemetry over a stream, chooses a
 * threshold by 3 other days, and then watches 5 days in which faults happen: what is more surprising than the threshold is printed at once.
 * In the end it says how well it forecast the machine's next state, and how well surprise found the faults, beside Markov chains. Without
 * an address it starts a temporary server and deletes the state at the end.
 *
 * The telemetry is generated, the same in every run: machine-telemetry.mjs. Nothing is tuned on the days that are watched.
 */

import { runDemo } from "./demo.mjs";
import { bestOf, judgedBy, markovMeasures, measuresOf, thresholdOf } from "./machine-measures.mjs";
import { judgeReadings, learnReadings, symbolsOf } from "./machine-observer.mjs";
import { PER_DAY, readingsOf } from "./machine-telemetry.mjs";
import { progressOf } from "./progress.mjs";

const SEEDS = { training: 1, normal: 2, watched: 3 };

const NORMAL_DAYS = 3;

/** How often a fault begins while the machine is watched: about three times a day. */
const FAULTS = 0.01;

const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** Judges readings, and shows the progress. @param onJudged hears each */
async function judgeAll(name, p1, readings, onJudged = (_judgement, _at, _clear) => {}) {
  const progress = progressOf(name, readings.length);
  const judgements = [];
  for await (const judgement of judgeReadings(p1, readings)) {
    onJudged(judgement, judgements.length, progress.print);
    judgements.push(judgement);
    progress.update(judgements.length);
  }
  progress.stop();
  return judgements;
}

/** `day 2, 08:35`, for the place of a reading. */
function timeOf(at) {
  const minutes = ((at % PER_DAY) * 24 * 60) / PER_DAY;
  const two = (number) => String(number).padStart(2, "0");
  return `day ${1 + Math.floor(at / PER_DAY)}, ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function lineOf({ reading, surprise, expected }, at) {
  const strange = surprise.unexpected.length > 0 ? surprise.unexpected : symbolsOf(reading);
  const really = reading.fault === undefined ? "no fault" : `fault: ${reading.fault}`;
  return `${timeOf(at)}  ${surprise.bits.toFixed(1)} bits  ${strange.join(" ")}, where ${expected} was expected (${really})`;
}

function conclusionOf(noema, chains) {
  const best = bestOf(chains);
  return [
    "",
    `The next state: ${percent(noema.accuracy)} right, log loss ${noema.logLoss.toFixed(2)} bits.`,
    `  ${best.accuracy.name}: ${percent(best.accuracy.accuracy)}; ${best.logLoss.name}: ${best.logLoss.logLoss.toFixed(2)} bits.`,
    `Readings with faults: ${noema.alarms} alarms, precision ${percent(noema.precision)}, recall ${percent(noema.recall)}, ` +
      `area under precision and recall ${noema.area.toFixed(3)}.`,
    `  ${best.area.name}: ${best.area.alarms} alarms, precision ${percent(best.area.precision)}, ` +
      `recall ${percent(best.area.recall)}, area ${best.area.area.toFixed(3)}.`,
    "Of each measure, the best of 30 Markov chains is named: of the orders 1 to 10, over states, whole readings and single sensors.",
  ].join("\n");
}

await runDemo({ learn: 20, watch: 5 }, async (p1, address, { learn, watch }) => {
  const training = readingsOf(learn * PER_DAY, SEEDS.training);
  const normal = readingsOf(NORMAL_DAYS * PER_DAY, SEEDS.normal);
  const watched = readingsOf(watch * PER_DAY, SEEDS.watched, FAULTS);
  const learning = progressOf("Learning", training.length);
  await learnReadings(p1, training, learning.update);
  learning.stop();
  console.log(`Learned ${learn} days, ${training.length} readings, over a stream at ${address}.`);
  const usual = judgedBy(await judgeAll("Asking about normal days", p1, normal), training);
  const threshold = thresholdOf(usual);
  console.log(`The threshold is ${threshold.toFixed(1)} bits: on a normal day, one reading is more surprising.`);
  const judgements = await judgeAll("Watching", p1, watched, (judgement, at, print) => {
    if ((judgement.surprise?.bits ?? 0) > threshold) print(lineOf(judgement, at));
  });
  const noema = measuresOf("Noema", usual, judgedBy(judgements, training));
  console.log(conclusionOf(noema, markovMeasures({ training, normal, watched })));
});
