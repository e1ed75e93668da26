/**
 * Reads the metrics of a server: text in Prometheus' format, as this project writes it. Reads no other dialect of it.
 */

/** The value of a metric with these labels. */
export interface Sample {
  readonly labels: { readonly [name: string]: string };
  readonly value: number;
}

/** The samples of each metric, by its name. */
export type Metrics = ReadonlyMap<string, readonly Sample[]>;

const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/;

const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

const ESCAPES: { readonly [escaped: string]: string } = { "\\n": "\n", '\\"': '"', "\\\\": "\\" };

/** The samples in a text. Other lines, such as comments, are skipped. */
export function metricsIn(text: string): Metrics {
  const metrics = new Map<string, Sample[]>();
  for (const line of text.split("\n")) {
    const [, name, labels = "", value] = LINE.exec(line) ?? [];
    if (name === undefined) continue;
    const samples = metrics.get(name) ?? [];
    samples.push({ labels: labelsIn(labels), value: Number(value) });
    metrics.set(name, samples);
  }
  return metrics;
}

function labelsIn(text: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(text.matchAll(LABEL), ([, name = "", value = ""]) => [
      name,
      value.replace(/\\[n"\\]/g, (escaped) => ESCAPES[escaped] ?? escaped),
    ]),
  );
}

/** The sum of a metric over the wanted samples, by default all; 0 if there are none. */
export function sumOf(metrics: Metrics, name: string, isWanted: (labels: Sample["labels"]) => boolean = () => true) {
  return (metrics.get(name) ?? []).reduce((sum, { labels, value }) => (isWanted(labels) ? sum + value : sum), 0);
}
