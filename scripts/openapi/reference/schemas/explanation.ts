/** Schemas of why something is predicted. */

import { ExplainForecastRequestSchema } from "../../../../src/gen/noema/v1/memory_service_pb";
import { schemaOf } from "../../from-contract";
import { byName, closed, double, either, flag, list, open, ref, type Schemas, text, whole } from "./schema";

const PROBABILITY = { minimum: 0, maximum: 1 };

/** A memory in place of the one that a processor has. */
const SEQUENCE = list(
  "What to predict from in place of working memory. Nothing is observed.",
  list("The symbols of an event; one or more.", ref("Symbol"), { minItems: 1 }),
);

/** Where what belongs to the calibration table is null. */
const NEXT_EVENT = "for the next event";

const orNull = (description: string, when: string) =>
  either(`${description}; null ${when}.`, double(description), { type: "null" });

/** By name. */
export const explanationSchemas: Schemas = {
  AskPredictionExplanation: closed("Which prediction to explain.", {
    model: text("The model's hash, with or without `MODEL|`."),
    "sequence?": SEQUENCE,
  }),
  PredictionExplanation: open("A prediction, and all values that its numbers are computed from.", {
    blocks: list(
      "What matched with what, in order. No two blocks touch in both sequences.",
      open("A run of symbols that match.", {
        length: whole("How many symbols it has.", 1),
        memory: whole("Where it begins among the symbols of memory, 0 the first."),
        model: whole("Where it begins among the symbols of the model, 0 the first."),
      }),
    ),
    emotives: byName(
      "The values that the model keeps of each emotive, oldest first.",
      list("The values.", { type: "number", format: "double" }),
    ),
    known_symbols: whole("N: how many symbols are known."),
    ln_known_symbols: double("The natural logarithm of N."),
    matching_frequencies: whole("F: the sum of the frequencies of all models that match, cut off or not.", 1),
    memory: list("The memory that it is made from, oldest event first.", ref("Event")),
    prediction: ref("Prediction"),
    symbols: list(
      "What is known of each distinct symbol: those of `present` in the order of appearance, then those of memory.",
      open("A symbol. Its probability is `frequency` / `total_symbols_in_models_frequencies`.", {
        frequency: whole("How often it occurs in everything learned; 0 for an unknown symbol."),
        ln_probability: orNull("The natural logarithm of its probability", "where that is 0"),
        ln_share: orNull("The natural logarithm of its share of `present`", "where `present` does not hold it"),
        log2_probability: orNull("The logarithm to the base 2 of its probability", "where that is 0"),
        symbol: ref("Symbol"),
        weighs: flag(
          "Whether the present of some matching model holds it. Others weigh nothing in `itfdf_similarity`.",
        ),
      }),
    ),
    total_model_frequencies: whole("The sum of the frequencies of all models.", 1),
    total_symbols_in_models_frequencies: whole(
      "The sum over all symbols of how many models hold each; a model counts as often as it was learned.",
      1,
    ),
  }),
  AskForecastExplanation: closed("Which probability to explain.", {
    symbol: ref("Symbol"),
    "horizon?": schemaOf(ExplainForecastRequestSchema.field.horizon),
    "within?": schemaOf(ExplainForecastRequestSchema.field.within),
    "sequence?": SEQUENCE,
  }),
  ForecastExplanation: open("Why a symbol has its probability in a forecast.", {
    context: list("The events that are taken into account, oldest first.", ref("Event")),
    correction: either(
      "How the list is corrected by what has proved true; null where no symbol has a probability, for a step beyond the next event, and where an event that was counted holds several symbols.",
      ref("ForecastCorrection"),
      { type: "null" },
    ),
    likeliest_step: either(
      "The step up to the horizon, or with `within` the list of all events up to a nearer one, that gives the symbol more than the list within all of them, corrected, and most: then that is its probability. For the first symbol also one that gives another as much or more: then its probability is the next number above. Null where there is none, and for a single step.",
      open("What one event ahead, or all up to there, give a symbol.", {
        horizon: whole("How many events ahead.", 1),
        probability: double("The symbol's probability there, as forecast gives it.", PROBABILITY),
        symbol: ref("Symbol"),
        within: flag("Whether in one or more of the events up to `horizon`, and not in the one at it."),
      }),
      { type: "null" },
    ),
    mixed: double(
      "The probability of the list before it is corrected: the share, or within h events 1 - (1 - share)^h.",
      PROBABILITY,
    ),
    models: whole("How many models speak."),
    normalizer: orNull("The logarithm by which shares sum to 1", "where `share` is"),
    probability: double("The symbol's probability, as forecast gives it; 0 where it has none.", PROBABILITY),
    rules: list(
      "What each rule gives the symbol, in their order.",
      open("A rule.", {
        evidence: double(
          "The weight times (ln probability - the mean of that over all outcomes): above 0 it speaks for the symbol more than for what is expected anyway.",
        ),
        given: double("What it gives the symbol.", PROBABILITY),
        name: text("Its name."),
        probability: double(
          "What of that counts in the pool: smoothed by the mean of the rules order and alike.",
          PROBABILITY,
        ),
        says: text("What it goes by, as a sentence."),
        takes_part: flag("Whether it has anything to go by here."),
        weight: double("Its weight in the pool, an exponent; may be negative."),
      }),
    ),
    share: orNull(
      "The symbol's share of the pool: exp(sum of weight times ln probability - normalizer)",
      "where an event that was counted holds several symbols: there the rule of what is alike says how probable each is",
    ),
    situation: either(
      "What the weights depend on; null where `share` is.",
      open("A situation.", {
        behind: double("How many events stand behind the last shared one in the models that are heard, on average."),
        bucket: whole("Its number, 0 to 11."),
        longest_order: whole("How many of the latest events stand somewhere in the same order, at most."),
        says: text("The bucket in words."),
      }),
      { type: "null" },
    ),
    strongest: list("At most 5 of the models that say the symbol, strongest first.", ref("ModelHash")),
    support: whole("How many models say the symbol."),
    symbol: ref("Symbol"),
  }),
  ForecastCorrection: open(
    "How the first symbol gets a probability that has proved true, and the others what is left.",
    {
      exclusive: flag(
        "Whether symbols exclude each other: then each other probability is multiplied by (1 - q) / (1 - p).",
      ),
      factor: orNull("f: what the odds of the next event's first symbol are multiplied by", "within a horizon"),
      first: ref("Symbol"),
      forecasts: orNull("u: how many past forecasts, by weight, had their first symbol in this range", NEXT_EVENT),
      from: orNull("The range of p begins with this probability", NEXT_EVENT),
      mixed: double("p: the probability of the first symbol before the correction.", PROBABILITY),
      prior: orNull("c: the number of pseudo-forecasts, right as often as they said", NEXT_EVENT),
      proved: double(
        "q: the probability that the first symbol gets. Within a horizon (v + c p) / (u + c); for the next event p f / (p f + 1 - p), with its factor f. No other becomes greater.",
        PROBABILITY,
      ),
      right: orNull("v: in how many of these forecasts, by weight, it came", NEXT_EVENT),
      terms: list(
        "For the next event, what its odds are multiplied by: f is e to the power of the sum of weight times value, which is cut at -20 and 20. Empty within a horizon.",
        open("A term.", {
          name: text("Its name."),
          says: text("What its value is, as a phrase."),
          value: double("Its value here."),
          weight: double("How much it weighs; may be negative."),
        }),
      ),
      to: orNull("The range ends below this probability; 1 is within the last", NEXT_EVENT),
    },
  ),
  AskSurpriseExplanation: closed("Of which event to say how unexpected it would be.", {
    event: list("Its symbols; one or more.", ref("Symbol"), { minItems: 1 }),
    "sequence?": SEQUENCE,
  }),
  SurpriseExplanation: open("How unexpected an event is, and why.", {
    context: list("The events that the forecast takes into account, oldest first.", ref("Event")),
    factors: list(
      "The factors of the event's probability, in the order in which they are multiplied: the least probable symbol first.",
      open("A symbol, given those of the factors before.", {
        factor: double("What the prior has become.", PROBABILITY),
        levels: list(
          "What corrects the prior, the lowest level first: P becomes (holding + P) / (places + 1). Empty for an event of one symbol.",
          open("What was counted where the latest events were alike on one level.", {
            holding: whole("How often the next event held this symbol, too."),
            level: whole("1 to 16; 16 is the most alike."),
            places: whole("How often the next event held all symbols of the factors before."),
          }),
        ),
        prior: double("The probability that it begins with.", PROBABILITY),
        symbol: ref("Symbol"),
      }),
    ),
    known_symbols: whole("How many symbols are known."),
    models: whole("How many models speak."),
    occurrences: whole("How often sequences and symbols occur in all models: the sum of the frequencies of both."),
    rest: double(
      "What the rules leave, of 1, to be divided as often as symbols occur at all; 1 when no model speaks.",
      PROBABILITY,
    ),
    surprise: ref("Surprise"),
    symbols: list(
      "The distinct symbols of the event.",
      open("A symbol of the event.", {
        given: double("What the forecast gives it; 0 for none.", PROBABILITY),
        probability: double("What it begins with as a factor.", PROBABILITY),
        symbol: ref("Symbol"),
      }),
    ),
    unexpected_probability: double(
      "rest / (2 occurrences): what a symbol counts with to which the forecast gives none.",
      PROBABILITY,
    ),
  }),
};
