/** Counts a knowledge base anew, model by model, and says where its own counters differ. */

/** The part of an answer of get_kb that is counted. */
export interface CountedKnowledge {
  readonly metadata: Readonly<Record<string, number>>;
  readonly models_kb: Readonly<Record<string, { readonly frequency: number; readonly sequence: readonly string[][] }>>;
  readonly symbols_kb: Readonly<
    Record<string, { readonly features: { readonly frequency: number; readonly model_member_frequency: number } }>
  >;
}

interface Count {
  frequency: number;
  members: number;
}

function countsOf({ models_kb: models }: CountedKnowledge): Map<string, Count> {
  const counts = new Map<string, Count>();
  for (const { frequency, sequence } of Object.values(models)) {
    const symbols = sequence.flat();
    const seen = new Set<string>();
    for (const symbol of symbols) {
      const count = counts.get(symbol) ?? { frequency: 0, members: 0 };
      count.frequency += frequency;
      if (!seen.has(symbol)) count.members += frequency;
      seen.add(symbol);
      counts.set(symbol, count);
    }
  }
  return counts;
}

/** Every counter that is not what its models say, as a sentence; empty when all are right. */
export function wrongCounters(knowledge: CountedKnowledge): string[] {
  const counts = countsOf(knowledge);
  const wrong: string[] = [];
  const compare = (what: string, kept: number | undefined, counted: number) => {
    if (kept !== counted) wrong.push(`${what} is ${kept}, and its models say ${counted}`);
  };
  for (const name of new Set([...counts.keys(), ...Object.keys(knowledge.symbols_kb)])) {
    const features = knowledge.symbols_kb[name]?.features;
    compare(`frequency of ${name}`, features?.frequency, counts.get(name)?.frequency ?? 0);
    compare(`model_member_frequency of ${name}`, features?.model_member_frequency, counts.get(name)?.members ?? 0);
  }
  const all = [...counts.values()];
  const { metadata } = knowledge;
  const models = Object.values(knowledge.models_kb);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  compare("total_model_frequencies", metadata.total_model_frequencies, sum(models.map(({ frequency }) => frequency)));
  compare("total_symbol_frequencies", metadata.total_symbol_frequencies, sum(all.map(({ frequency }) => frequency)));
  compare(
    "total_symbols_in_models_frequencies",
    metadata.total_symbols_in_models_frequencies,
    sum(all.map(({ members }) => members)),
  );
  return wrong;
}
