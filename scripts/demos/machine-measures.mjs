/**
 * How well the next state of a machine was forecast, and how well surprise finds its faults: by a processor, and by
 * Markov chains of the orders 1 to 10 that learned the same readings.
 */

import { atThreshold, averagePrecision, quantile } from "./detection.mjs";
import { symbolsOf } from "./machine-observer.mjs";
import { PER_DAY } from "./machine-telemetry.mjs";
import { MarkovChain } from "./markov.mjs";

/** One reading of a normal day may exceed the threshold: the accepted rate of false alarms. */
const NORMAL_SHARE = 1 - 1 / PER_DAY;

const ORDERS = Array.from({ length: 10 }, (_, at) => at + 1);

/**
 * What the values of a chain, or of several chains side by side, are. What is forecast, the state, is the first symbol
 * of the first value.
 *
 * @type {Record<string, (reading: any) => string[]>}
 */
const ALPHABETS = {
  states: (reading) => [symbolsOf(reading)[0]],
  events: (reading) => [symbolsOf(reading).join(" ")],
  sensors: symbolsOf,
};

/**
 * @typedef {import("./machine-telemetry.mjs").Reading} Reading
 *
 * @typedef {object} Days
 * @property {Reading[]} training what is learned
 * @property {Reading[]} normal other days without faults, by which the threshold is chosen
 * @property {Reading[]} watched the days to watch, with faults
 *
 * @typedef {object} Judged what was said of a reading
 * @property {boolean} isRight whether the state that came was the most probable
 * @property {number} loss -log2 of the probability of that state
 * @property {number} bits how unexpected the whole reading was
 * @property {boolean} isFault whether it was one
 *
 * @typedef {object} Measures
 * @property {string} name
 * @property {number} accuracy the share of states that were held for the most probable, 0 to 1
 * @property {number} logLoss the mean of the losses, in bits
 * @property {number} area the area under precision over recall of its surprise, as average precision
 * @property {number} threshold the bits that one reading of a normal day exceeds
 * @property {number} alarms how many watched readings exceed it
 * @property {number} precision the share of faults among these, 0 to 1
 * @property {number} recall the share of these among faults, 0 to 1
 */

/** The bits that one normal reading a day exceeds. @param {Judged[]} normal */
export function thresholdOf(normal) {
  return quantile(
    normal.map(({ bits }) => bits),
    NORMAL_SHARE,
  );
}

/**
 * Measures what was said of the watched days.
 *
 * @param {string} name
 * @param {Judged[]} normal what was said of the normal days
 * @param {Judged[]} watched with at least one fault
 * @returns {Measures}
 */
export function measuresOf(name, normal, watched) {
  const scored = watched.map(({ bits, isFault }) => ({ score: bits, isFault }));
  const threshold = thresholdOf(normal);
  return {
    name,
    accuracy: watched.filter(({ isRight }) => isRight).length / watched.length,
    logLoss: watched.reduce((sum, { loss }) => sum + loss, 0) / watched.length,
    area: averagePrecision(scored),
    threshold,
    ...atThreshold(scored, threshold),
  };
}

/**
 * What a processor said, as measures need it. The first reading has nothing before it, and is left out.
 *
 * @param {import("./machine-observer.mjs").Judgement[]} judgements
 * @param {Reading[]} training what the processor had learned
 * @param {(reading: Reading) => string} [wantedOf] what was to be forecast of a reading
 * @returns {Judged[]}
 */
export function judgedBy(judgements, training, wantedOf = ({ state }) => state) {
  // A state without a probability gets its share of what is left, as symbols do in a surprise.
  const places = new Set(training.map(wantedOf)).size + 1;
  const least = 1 / (training.length + 2);
  return judgements.flatMap(({ reading, surprise, expected, probability, none }) => {
    if (surprise === null) return [];
    return {
      isRight: expected === wantedOf(reading),
      loss: -Math.log2(probability > 0 ? probability : Math.max(none, least) / places),
      bits: surprise.bits,
      isFault: reading.fault !== undefined,
    };
  });
}

/**
 * The measures of all chains: of a machine those over states alone, over whole readings, and over each sensor by
 * itself.
 *
 * @param {Days} days
 * @param {Record<string, (reading: any) => string[]>} [alphabets]
 * @returns {Measures[]}
 */
export function markovMeasures({ training, normal, watched }, alphabets = ALPHABETS) {
  return Object.entries(alphabets).flatMap(([alphabet, valuesOf]) =>
    ORDERS.map((order) => {
      const chains = taughtChains(order, training.map(valuesOf));
      const judged = [normal, watched].map((readings) => judgedByChains(chains, readings, valuesOf));
      return measuresOf(`Markov chains of order ${order}, ${alphabet}`, ...judged);
    }),
  );
}

function taughtChains(order, training) {
  const chains = training[0].map(() => new MarkovChain(order));
  for (const values of training) for (const [at, chain] of chains.entries()) chain.add(values[at], true);
  return chains;
}

function judgedByChains(chains, readings, valuesOf) {
  for (const chain of chains) chain.begin();
  const judged = [];
  for (const [at, reading] of readings.entries()) {
    const values = valuesOf(reading);
    if (at > 0)
      judged.push(
        judgedByForecasts(
          chains.map((chain) => chain.forecast()),
          values,
          reading,
        ),
      );
    for (const [column, chain] of chains.entries()) chain.add(values[column], false);
  }
  return judged;
}

function judgedByForecasts(forecasts, values, reading) {
  const states = byState(forecasts[0].values);
  const state = values[0].split(" ", 1)[0];
  const [likeliest] = [...states].sort(([, one], [, other]) => other - one)[0];
  const bits = forecasts.map(({ values: known, rest }, column) => -Math.log2(known.get(values[column]) ?? rest));
  return {
    isRight: likeliest === state,
    loss: -Math.log2(states.get(state) ?? forecasts[0].rest),
    bits: bits.reduce((sum, each) => sum + each, 0),
    isFault: reading.fault !== undefined,
  };
}

/** The probabilities of states, from those of values that begin with them. */
function byState(values) {
  const states = new Map();
  for (const [value, probability] of values) {
    const [state] = value.split(" ", 1);
    states.set(state, (states.get(state) ?? 0) + probability);
  }
  return states;
}

/** The best of several in each measure. @param {Measures[]} all */
export function bestOf(all) {
  const most = (measure) => all.reduce((best, one) => (measure(one) > measure(best) ? one : best));
  return {
    accuracy: most(({ accuracy }) => accuracy),
    logLoss: most(({ logLoss }) => -logLoss),
    area: most(({ area }) => area),
  };
}
