/** What a forecast makes of an event that no model holds, over random knowledges. */

import { expect, test } from "vitest";
import { soleKernel } from "../../../support/kernel/sole-kernel";
import { MemoryStore } from "../../../support/memory-store";
import { openProcessor } from "../../../support/open-processor";
import { Random } from "../../../support/random";

/** The share of symbols that may be raised: where ages say that less agrees, more is left to all of them. */
const MAX_RAISED = 0.03;

function learned(random: Random) {
  const processor = openProcessor(new MemoryStore(), soleKernel());
  const vocabulary = 4 + random.below(12);
  const length = 2 + random.below(8);
  const sequences = Array.from({ length: 3 + random.below(40) }, () => {
    // A cycle, now and then broken, so that some symbols come when they should.
    const start = random.below(vocabulary);
    return Array.from({ length: 2 + random.below(length) }, (_, at) =>
      random.below(3) > 0 ? `s${(start + at) % vocabulary}` : `s${random.below(vocabulary)}`,
    );
  });
  // Models that are added are not graded: next and later have weights of their own where something was learned of them.
  for (const symbols of sequences) {
    processor.knowledge.addModel({ sequence: { events: symbols.map((symbol) => ({ symbols: [symbol] })) } });
  }
  const sequenceOf = (symbols: readonly string[]) => ({ events: symbols.map((symbol) => ({ symbols: [symbol] })) });
  const ask = (symbols: readonly string[]) => {
    const { steps } = processor.memory.getForecast({ top: 1000, sequence: sequenceOf(symbols) }).forecast;
    return new Map(steps[0]?.symbols.map(({ symbol, probability }) => [symbol, probability]));
  };
  // By the rules: a step beyond the next event may give the first symbol of a list what the others then lack.
  const askLater = (symbols: readonly string[], symbol: string) =>
    processor.memory.explainForecast({ symbol, horizon: 2, within: false, sequence: sequenceOf(symbols) }).explanation
      ?.mixed ?? 0;
  return { sequences, ask, askLater };
}

test("hardly ever raises a symbol that never came behind what is in working memory, neither next nor later", () => {
  let asked = 0;
  let raised = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const random = new Random(seed);
    const { sequences, ask, askLater } = learned(random);
    for (let question = 0; question < 10; question++) {
      const sequence = random.pick(sequences);
      const memory = sequence.slice(0, 1 + random.below(sequence.length));
      const [next, after] = [ask(memory), ask([...memory, "never learned"])];
      for (const symbol of new Set(sequences.flat())) {
        const came = (one: readonly string[]) => one.slice(one.findIndex((each) => memory.includes(each)) + 1);
        const follows = sequences.some(
          (one) => one.some((each) => memory.includes(each)) && came(one).includes(symbol),
        );
        if (follows) continue;
        asked++;
        const before = Math.max(next.get(symbol) ?? 0, askLater(memory, symbol));
        raised += Number((after.get(symbol) ?? 0) > before);
      }
    }
  }
  expect(asked).toBeGreaterThan(500);
  expect(raised / asked).toBeLessThan(MAX_RAISED);
});
