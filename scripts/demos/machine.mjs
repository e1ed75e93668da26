/**
 * `npm run demo:machine -- [address] [--clear] [--joint] [--learn 20] [--watch 5]`: learns 20 days of a machine's
 * telemetry over a stream, chooses a threshold by 3 other days, and then watches 5 days in which faults happen: what is
 * more surprising than the threshold is printed at once, and an alert tells a webhook that the demo serves. In the end
 * it says how well it forecast the machine's next state, and how well surprise found the faults, beside Markov chains.
 * Without an address it starts a temporary server and deletes the state at the end.
 *
 * The readings are sent as numbers, and encoders make symbols of them. With `--joint` each reading is one
 * symbol instead, made here.
 *
 * The telemetry is generated, the same in every run: machine-telemetry.mjs. Nothing is tuned on
 * the days that are watched.
 */

import { deleteAlert, NoemaError, setAlert } from "noema/client";
import { runDemo } from "./demo.mjs";
import { bestOf, judgedBy, markovMeasures, measuresOf, thresholdOf } from "./machine-measures.mjs";
import { judgeReadings, learnReadings, SHAPES, symbolsOf } from "./machine-observer.mjs";
import { PER_DAY, readingsOf } from "./machine-telemetry.mjs";
import { MachineWebhook } from "./machine-webhook.mjs";
import { progressOf } from "./progress.mjs";

const SEEDS = { training: 1, normal: 2, watched: 3 };

const NORMAL_DAYS = 3;

/** How often a fault begins while the machine is watched: about three times a day. */
const FAULTS = 0.01;

/** What the alert is called. */
const ALERT = "surprised";

/** How long the demo waits for outstanding deliveries, in milliseconds. An alert delivers once a second. */
const PATIENCE_MS = 15_000;

const percent = (share) => `${(100 * share).toFixed(1)} %`;

/** Judges readings, and shows the progress. @param onJudged hears each */
async function judgeAll(name, { p1, shape }, readings, onJudged = (_judgement, _at) => {}, printTo = (_print) => {}) {
  const progress = progressOf(name, readings.length);
  printTo(progress.print);
  const judgements = [];
  for await (const judgement of judgeReadings(p1, readings, shape)) {
    onJudged(judgement, judgements.length);
    judgements.push(judgement);
    progress.update(judgements.length);
  }
  progress.stop();
  printTo(console.log);
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

/** Without an alarm there is no precision. */
function precisionOf({ alarms, precision }) {
  return alarms === 0 ? "-" : percent(precision);
}

function conclusionOf(noema, chains) {
  const best = bestOf(chains);
  return [
    "",
    `The next state: ${percent(noema.accuracy)} right, log loss ${noema.logLoss.toFixed(2)} bits.`,
    `  ${best.accuracy.name}: ${percent(best.accuracy.accuracy)}; ${best.logLoss.name}: ${best.logLoss.logLoss.toFixed(2)} bits.`,
    `Readings with faults: ${noema.alarms} alarms, precision ${precisionOf(noema)}, recall ${percent(noema.recall)}, ` +
      `area under precision and recall ${noema.area.toFixed(3)}.`,
    `  ${best.area.name}: ${best.area.alarms} alarms, precision ${precisionOf(best.area)}, ` +
      `recall ${percent(best.area.recall)}, area ${best.area.area.toFixed(3)}.`,
    "Of each measure, the best of 30 Markov chains is named: of the orders 1 to 10, over states, whole readings and single sensors.",
  ].join("\n");
}

/** Sets the alert. @returns whether the server delivers to this machine */
async function alertAt(p1, webhook, threshold, onDelivery) {
  const when = { surprise_above: threshold };
  try {
    const { secret } = await setAlert(p1, ALERT, { when, url: `http://${webhook.host}/` });
    webhook.open(secret, onDelivery);
    return true;
  } catch (error) {
    // A server started elsewhere may not allow it.
    if (!(error instanceof NoemaError) || error.status !== 400) throw error;
    console.log(`No alert: ${error.message}`);
    return false;
  }
}

/** Waits for the rest of the deliveries, and says what has come. */
async function closeAlert(p1, webhook, surprises) {
  const isWhole = await webhook.heard(surprises, PATIENCE_MS);
  await deleteAlert(p1, ALERT);
  if (surprises === 0) return console.log("Nothing exceeded the threshold, so the webhook heard nothing.");
  const signatures =
    webhook.forgeries === 0 ? "every signature was right" : `${webhook.forgeries} signatures were wrong`;
  const heard = isWhole ? `all ${surprises} surprises` : `${webhook.surprises} of ${surprises} surprises`;
  console.log(`The webhook heard of ${heard} in ${webhook.deliveries} deliveries; ${signatures}.`);
}

const lineOfDelivery = ({ count, surprise }) =>
  `  webhook: ${count === 1 ? "a surprise" : `${count} surprises, the last`} of ${surprise.bits.toFixed(1)} bits`;

const webhook = await MachineWebhook.start();

async function play(p1, address, { joint, learn, watch }) {
  const machine = { p1, shape: joint ? SHAPES.joint : SHAPES.sensors };
  const training = readingsOf(learn * PER_DAY, SEEDS.training);
  const normal = readingsOf(NORMAL_DAYS * PER_DAY, SEEDS.normal);
  const watched = readingsOf(watch * PER_DAY, SEEDS.watched, FAULTS);
  const learning = progressOf("Learning", training.length);
  await learnReadings(p1, training, learning.update, machine.shape);
  learning.stop();
  console.log(`Learned ${learn} days, ${training.length} readings, over a stream at ${address}.`);
  const usual = judgedBy(await judgeAll("Asking about normal days", machine, normal), training);
  const threshold = thresholdOf(usual);
  console.log(`The threshold is ${threshold.toFixed(1)} bits: on a normal day, one reading is more surprising.`);
  let print = console.log;
  const hasAlert = await alertAt(p1, webhook, threshold, (data) => print(lineOfDelivery(data)));
  const isSurprising = ({ surprise }) => (surprise?.bits ?? 0) > threshold;
  const judgements = await judgeAll(
    "Watching",
    machine,
    watched,
    (judgement, at) => isSurprising(judgement) && print(lineOf(judgement, at)),
    (to) => {
      print = to;
    },
  );
  if (hasAlert) await closeAlert(p1, webhook, judgements.filter(isSurprising).length);
  const noema = measuresOf("Noema", usual, judgedBy(judgements, training));
  console.log(conclusionOf(noema, markovMeasures({ training, normal, watched })));
}

try {
  await runDemo({ joint: false, learn: 20, watch: 5 }, play, { NOEMA_ALERT_HOSTS: webhook.host });
} finally {
  await webhook.stop();
}
