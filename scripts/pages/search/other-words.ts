/** Words that other products have for what is here under another name, so that a reader who brings them finds it. */

/** Words, and the entry that they lead to. */
export const otherWords: readonly (readonly [words: string, id: string])[] = [
  ["anomaly anomalies outlier outliers detection", "/docs/guides/surprise"],
  ["anomaly anomalies outlier outliers detection", "/docs/guides/watching-a-machine"],
  ["401 unauthorized password login", "/docs#failure-500"],
  ["401 unauthorized password login token permission scope", "/docs/guides/keys"],
  ["forbidden permission", "/docs#failure-403"],
  ["offline retry retries duplicate duplicates deduplicate exactly once", "/docs/guides/unreliable-links"],
  ["rate limit throttling quota", "/docs/guides/keys#limits-of-a-key"],
  ["docker podman compose image kubernetes", "/docs/guides/self-hosting#in-a-container"],
  ["ssl https certificate", "/docs/guides/self-hosting#tls"],
  ["embedding embeddings", "/docs/guides/numbers#why-not-vectors"],
  ["gdpr privacy erase", "/docs/reference/observing-and-learning#clearAllMemory"],
  ["gdpr privacy erase", "/docs/reference/sessions#endSession"],
  ["mock fake stub unit test", "/docs/guides/testing"],
  ["swagger postman", "/docs/reference/without-a-key#getOpenApi"],
  ["rust java go grpc swift", "/docs/guides/clients"],
  ["latency throughput performance", "/docs/guides/scale"],
  ["migrate migration", "/docs/guides/moving-from-the-original-agent"],
  ["migrate migration", "/docs/guides/moving-from-kato"],
  ["dashboard ui", "/docs/guides/console"],
  ["label classify classification", "/docs/reference/flags-and-target-class#setTargetClass"],
  ["corrupt corruption repair", "/docs/guides/damage"],
  ["pricing bill billing", "/docs/guides/cost"],
  ["cli terminal shell", "/docs/guides/command-line"],
  ["sensor reading measurement", "/docs/guides/numbers"],
];
