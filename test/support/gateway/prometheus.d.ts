/** The parts of parse-prometheus-text-format that tests use; the package has no types of its own. */

declare module "parse-prometheus-text-format" {
  /** One sample, or one histogram. */
  interface Metric {
    readonly labels?: { readonly [name: string]: string };
    readonly value?: string;
    readonly buckets?: { readonly [bound: string]: string };
    readonly count?: string;
    readonly sum?: string;
  }

  /** All samples of one name. */
  interface Family {
    readonly name: string;
    readonly help: string;
    readonly type: string;
    readonly metrics: readonly Metric[];
  }

  /** @throws Error when the text is not in Prometheus' format */
  // biome-ignore lint/style/noDefaultExport: that is how the package exports it.
  export default function parsePrometheusTextFormat(text: string): Family[];
}
