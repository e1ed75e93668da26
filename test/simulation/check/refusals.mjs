/**
 * What a verb asked of the models of a split processor and was refused, because a part was away. A twin, which has all
 * models at hand, is refused the same when the same verb runs there: so it does what is to be done without an answer.
 */

/** The methods that change what is asked. */
const CHANGING = new Set(["add", "remove", "setFrequency", "setSymbolFrequency"]);

/** The methods that ask, and what of their arguments they ask. */
const ASKING = {
  predict: ([{ symbols, target, maxPredictions }]) => [...symbols, "", target, maxPredictions],
  matchesAny: ([{ symbols, target }]) => [...symbols, "", target],
  explain: ([{ symbols, target }, id]) => [...symbols, "", target, id],
  countMatching: ([{ symbols, target }]) => [...symbols, "", target],
  compare: ([sequence]) => [JSON.stringify(sequence)],
  ask: ([{ symbols, lengths, target }, excluded]) => [...symbols, "", ...lengths, "", target, excluded],
};

/** Refusals of one world: those of its split processors are noted, or those of another world are repeated. */
export class Refusals {
  /** How many changes the verb has made that runs. */
  #changes = 0;
  #lastRun;
  /** What is refused: messages by what is asked. `undefined` where it is noted. */
  repeated;

  /** @param {() => { refused?: Map<string, string> }} lastRun the verb that runs */
  constructor(lastRun) {
    this.#lastRun = lastRun;
  }

  /** A verb begins. */
  begins() {
    this.#changes = 0;
  }

  /** Models or rules of forecasts of which it is noted what they refuse. @param Fault what refuses */
  heard(models, Fault) {
    return new Proxy(models, {
      get: (target, name) => {
        const value = target[name];
        if (typeof value !== "function") return value;
        return (...args) => {
          if (CHANGING.has(name)) this.#changes++;
          const keyOf = ASKING[name];
          if (keyOf === undefined) return value.apply(target, args);
          return this.#ask(`${this.#changes} ${name} ${keyOf(args).join()}`, () => value.apply(target, args), {
            Fault,
            isGlance: name === "matchesAny" && args[2] === true,
          });
        };
      },
    });
  }

  #ask(key, ask, { Fault, isGlance }) {
    const refusal = this.repeated?.get(key);
    if (refusal !== undefined) {
      // A glance asks no part.
      if (isGlance) return undefined;
      throw new Fault("unavailable", refusal);
    }
    try {
      return ask();
    } catch (error) {
      if (this.repeated === undefined && error?.kind === "unavailable") {
        const run = this.#lastRun();
        run.refused ??= new Map();
        run.refused.set(key, error.message);
      }
      throw error;
    }
  }
}
