/** Random calls of every operation of one processor over HTTP. Some refer to what earlier answers have named. */

import type { Call } from "../backup/agent-life";
import type { Random } from "../random";

const SYMBOLS = ["a", "b", "c", "d", "e", "f", "\u{1f600}", "ﬁ", "it's", "__proto__", 'q"\\', "temp=1"];
const SESSIONS = ["s", "ünïcode/%"];
const METRICS = ["potential", "similarity", "evidence", "entropy", "confluence", "itfdf_similarity", "hamiltonian"];
const PATTERNS = ["a|b", "temp=.*", "[c-e]", "("];
const FIELDS = ["name", "future", "potential", "matches", "missing", "past", "frequency"];
/** Symbols of most records, in this order, so that there is something to predict. */
const COURSE = ["a", "b", "c", "d", "e", "f"];
const GENES = ["recall_threshold", "max_models", "SORT", "wm_mode", "nothing"];

/** A call, and the operation that it calls: its method, and its path in the table of operations. */
export interface DrawnCall {
  readonly operation: string;
  readonly call: Call;
}

/** How often an operation is drawn, and its path and body. */
type Draw = readonly [weight: number, call: () => readonly [path: string, body?: unknown]];

/** See the head of the file. Two of the same seed that are told the same answers draw the same calls. */
export class RandomCalls {
  readonly #random: Random;
  readonly #id: string;
  readonly #draws: ReadonlyMap<string, Draw>;
  /** Named by answers. */
  readonly #models = ["0".repeat(40)];
  readonly #vectors = ["VECTOR|0"];
  readonly #incidents = [1];
  readonly #cursors = new Map<string, string>();
  #knowledge: unknown = { models_kb: {}, symbols_kb: {}, vectors_kb: {}, metadata: {} };
  #records = 0;
  #time = 1_900_000_000;

  /** @param id the processor's */
  constructor(random: Random, id: string) {
    this.#random = random;
    this.#id = id;
    const draws = { ...this.#observing(), ...this.#asking(), ...this.#modes(), ...this.#knowing(), ...this.#keeping() };
    this.#draws = new Map(Object.entries(draws));
  }

  /** The operations that are drawn. */
  get operations(): readonly string[] {
    return [...this.#draws.keys()];
  }

  /** The next call. */
  next(): DrawnCall {
    const sum = [...this.#draws.values()].reduce((all, [weight]) => all + weight, 0);
    let left = this.#random.below(sum);
    for (const operation of this.#draws.keys()) {
      left -= this.#draws.get(operation)?.[0] ?? 0;
      if (left < 0) return this.drawn(operation);
    }
    throw new Error("no operation was drawn");
  }

  /** A call of an operation. */
  drawn(operation: string): DrawnCall {
    const draw = this.#draws.get(operation);
    if (draw === undefined) throw new Error(`no call of ${operation} can be drawn`);
    const [path, body] = draw[1]();
    return { operation, call: [`${operation.split(" ")[0]} ${path}`, body] };
  }

  /** Notes what an answer has named. @param message the answer's */
  // biome-ignore lint/suspicious/noExplicitAny: answers of all operations
  note({ operation }: DrawnCall, message: any): void {
    if (typeof message !== "object" || message === null) return;
    const namesOf = (rows: unknown) => (rows as { name: string }[]).map(({ name }) => name);
    if (Array.isArray(message.models) && operation === "GET /:id/models") this.#models.push(...namesOf(message.models));
    if (Array.isArray(message.vectors)) this.#vectors.push(...namesOf(message.vectors));
    if (operation === "GET /:id/incidents") this.#incidents.push(...message.map((one: { id: number }) => one.id));
    // Without a record of forecasts, a split processor grades afterwards what it has loaded.
    if (operation === "GET /:id/get_kb" && message.metadata?.forecast_record !== undefined) this.#knowledge = message;
    if (typeof message.next === "string") this.#cursors.set(operation, message.next);
  }

  get #memory(): string {
    const session = this.#random.below(2) === 0 ? "" : `/sessions/${encodeURIComponent(this.#one(SESSIONS))}`;
    return `/${this.#id}${session}`;
  }

  #one<T>(values: readonly T[]): T {
    return this.#random.pick(values);
  }

  #below(bound: number): number {
    return this.#random.below(bound);
  }

  #isSo(): boolean {
    return this.#below(2) === 0;
  }

  #symbol(): string {
    return SYMBOLS[Math.min(this.#below(SYMBOLS.length), this.#below(SYMBOLS.length))] ?? "";
  }

  #sequence(most = 5): string[][] {
    const event = () => Array.from({ length: 1 + (this.#below(4) === 0 ? this.#below(3) : 0) }, () => this.#symbol());
    return Array.from({ length: 1 + this.#below(most) }, event);
  }

  #vector(): number[] {
    return [this.#below(4) / 2, this.#below(3)];
  }

  #record() {
    this.#records++;
    this.#time += this.#below(4000) / 4 - 1;
    const usual = [COURSE[this.#records % COURSE.length] ?? ""];
    return {
      strings: this.#below(4) > 0 ? usual : Array.from({ length: this.#below(3) }, () => this.#symbol()),
      vectors: this.#below(8) === 0 ? [this.#vector()] : [],
      emotives: this.#below(4) === 0 ? { u: this.#below(9) - 4.25 } : {},
      metadata: this.#below(4) === 0 ? { z: 1, "10": [this.#records] } : {},
      numbers: this.#below(6) === 0 ? { temp: this.#below(100) / 3 } : {},
      time: this.#time,
      unique_id: `r${this.#records}`,
    };
  }

  /** Of a sequence, or of what is observed. */
  #asked(): { sequence?: string[][] } {
    return this.#isSo() ? { sequence: this.#sequence() } : {};
  }

  #observing(): Record<string, Draw> {
    const explained = () => (this.#below(4) === 0 ? "?explain=true" : "");
    const records = () => Array.from({ length: 1 + this.#below(8) }, () => this.#record());
    return {
      "POST /:id/observe": [40, () => [`${this.#memory}/observe${explained()}`, { data: this.#record() }]],
      "POST /:id/learn": [9, () => [`${this.#memory}/learn`]],
      "POST /:id/sequence-observe": [
        14,
        () => [
          `${this.#memory}/sequence-observe${explained()}`,
          { data: { sequence: records(), learn: this.#isSo(), clear: this.#isSo() } },
        ],
      ],
      "POST /:id/record-symbols": [1, () => [`/${this.#id}/record-symbols`, { data: { records: records() } }]],
      "POST /:id/working-memory/clear": [2, () => [`${this.#memory}/working-memory/clear`]],
      "POST /:id/clear-all-memory": [0, () => [`/${this.#id}/clear-all-memory`, { data: { clear_blacklist: true } }]],
      "DELETE /:id/sessions/:session": [1, () => [`/${this.#id}/sessions/${encodeURIComponent(this.#one(SESSIONS))}`]],
    };
  }

  #asking(): Record<string, Draw> {
    const horizon = () => 1 + this.#below(4);
    const data = (members: object) => ({ data: { ...this.#asked(), ...members } });
    const at = (path: string, body?: () => unknown): Draw => [4, () => [`${this.#memory}${path}`, body?.()]];
    const reading = (path: string): Draw => [1, () => [`${this.#memory}${path}`]];
    const own = (path: string): Draw => [1, () => [`/${this.#id}${path}`]];
    return {
      "POST /:id/predictions": at("/predictions", () => data({ top: 1 + this.#below(9), fields: FIELDS })),
      "POST /:id/forecast": at("/forecast", () => data({ horizon: horizon(), top: 1 + this.#below(8) })),
      "POST /:id/matching-models": at("/matching-models", () => data({ recall_thresholds: [0, 0.3, 0.7] })),
      "POST /:id/surprise/sequence": at("/surprise/sequence", () => ({
        data: { sequence: this.#sequence(9), complete: this.#isSo() },
      })),
      "POST /:id/predictions/explain": at("/predictions/explain", () => data({ model: this.#one(this.#models) })),
      "POST /:id/forecast/explain": at("/forecast/explain", () =>
        data({ symbol: this.#symbol(), horizon: horizon(), within: this.#isSo() }),
      ),
      "POST /:id/surprise/explain": at("/surprise/explain", () => data({ event: [this.#symbol()] })),
      "GET /:id/prediction-ensemble-for-model/:model": [
        3,
        () => [`/${this.#id}/prediction-ensemble-for-model/${this.#one(this.#models)}`],
      ],
      "GET /:id/working-memory": reading("/working-memory"),
      "GET /:id/percept-data": reading("/percept-data"),
      "GET /:id/cognition-data": reading("/cognition-data"),
      "GET /:id/status": reading("/status"),
      "GET /:id/time": reading("/time"),
      "GET /:id/history": reading(`/history?limit=${1 + this.#below(9)}`),
      "GET /:id/sessions": own("/sessions?limit=1"),
      "GET /:id/connect": own("/connect"),
      "GET /:id/ping": own("/ping"),
      "GET /:id/name": own("/name"),
      "GET /:id/info": own("/info"),
    };
  }

  #modes(): Record<string, Draw> {
    const own = (weight: number, path: string, body?: () => unknown): Draw => [
      weight,
      () => [`/${this.#id}${path}`, body?.()],
    ];
    return {
      "POST /:id/predicting/start": own(4, "/predicting/start"),
      "POST /:id/predicting/stop": own(1, "/predicting/stop"),
      "POST /:id/autolearning/start": own(1, "/autolearning/start"),
      "POST /:id/autolearning/stop": own(2, "/autolearning/stop"),
      "POST /:id/sleeping/start": own(1, "/sleeping/start"),
      "POST /:id/sleeping/stop": own(6, "/sleeping/stop"),
      "POST /:id/set-target-class": [1, () => [`${this.#memory}/set-target-class`, { data: this.#symbol() }]],
      "POST /:id/clear-target-class": [2, () => [`${this.#memory}/clear-target-class`]],
      "POST /:id/gene/increment-recall-threshold": own(1, "/gene/increment-recall-threshold", () => ({
        data: { increment: (this.#below(5) - 2) / 20 },
      })),
      "GET /:id/gene/:gene": [1, () => [`/${this.#id}/gene/${this.#one(GENES)}`]],
      "GET /:id/all-genes": own(1, "/all-genes"),
      "POST /:id/genes/change": own(7, "/genes/change", () => ({ data: this.#genes() })),
      "POST /:id/snapshots/clear": own(1, "/snapshots/clear"),
      "POST /:id/clusters/info": own(1, "/clusters/info"),
      "POST /:id/clusters/switch": own(1, "/clusters/switch"),
      "POST /:id/hypotheses/set": own(1, "/hypotheses/set"),
      "POST /:id/hypotheses/get": own(1, "/hypotheses/get"),
      "GET /:id/succesor/:model": [1, () => [`/${this.#id}/succesor/${this.#one(this.#models)}`]],
    };
  }

  #genes(): object {
    return this.#one<() => object>([
      () => ({ recall_threshold: this.#below(6) / 10 }),
      () => ({ max_sequence_length: this.#below(7), wm_resolution: this.#one(["symbol", "event"]) }),
      () => ({ classifier: this.#one(["CVC", "DVC"]), near_vector_count: this.#below(4) }),
      () => ({ max_models: this.#one([0, 0, 8, 40]), wm_mode: this.#one(["clear", "rolling"]) }),
      () => ({ auto_learn_metric: this.#one(["wm_size", "entropy"]), smoothness: this.#below(4) }),
      () => ({ prediction_sort_metric: this.#one(METRICS), max_predictions: this.#one([1, 3, 100, 1000]) }),
      () => ({ prediction_threshold: this.#below(3) / 2, prediction_threshold_metric: this.#one(METRICS) }),
      () => ({ prediction_threshold: 0, prediction_threshold_metric: "potential", history: this.#below(20) }),
      () => ({ SORT: this.#isSo(), predict_on_nth_event: this.#one([1, 1, 2]) }),
      () => ({ recall_threshold: 7 }),
    ])();
  }

  #knowing(): Record<string, Draw> {
    const model = () => `/${this.#id}/model/${this.#one(this.#models)}`;
    const own = (weight: number, path: string, body?: () => unknown): Draw => [
      weight,
      () => [`/${this.#id}${path}`, body && { data: body() }],
    ];
    const listing = (name: string, sorts: readonly string[]): Draw => [3, () => [this.#page(name, sorts)]];
    const vector = () => this.#one(this.#vectors);
    return {
      "GET /:id/model/:model": [2, () => [model()]],
      "DELETE /:id/model/:model": [2, () => [model()]],
      "PUT /:id/model/:model": [3, () => [model(), { data: this.#change() }]],
      "PUT /:id/add-model": own(4, "/add-model", () => ({ sequence: this.#sequence(), frequency: 1 + this.#below(3) })),
      "POST /:id/forget": own(1, "/forget", () => ({ keep_at_most: 10 + this.#below(80), dry_run: this.#isSo() })),
      "POST /:id/get-models-with-symbols": own(1, "/get-models-with-symbols", () => [this.#symbol(), this.#symbol()]),
      "POST /:id/get-models-with-patterns": own(1, "/get-models-with-patterns", () => [this.#one(PATTERNS)]),
      "GET /:id/models": listing("models", ["order", "frequency", "length", "name"]),
      "GET /:id/symbols": listing("symbols", ["frequency", "model_member_frequency", "name"]),
      "GET /:id/vectors": listing("vectors", ["order", "frequency", "name"]),
      "GET /:id/symbol/:symbol+": [1, () => [`/${this.#id}/symbol/${encodeURIComponent(this.#symbol())}`]],
      "GET /:id/vector": [1, () => [`/${this.#id}/vector?data=${encodeURIComponent(vector())}`]],
      "POST /:id/vector": own(1, "/vector", vector),
      "DELETE /:id/symbols/remove": own(1, "/symbols/remove", () => [this.#symbol()]),
      "POST /:id/symbols/remove": own(1, "/symbols/remove", () => ["ﬁ"]),
      "DELETE /:id/patterns/remove": own(1, "/patterns/remove", () => [this.#one(["temp=.*", "("])]),
      "POST /:id/blacklisted-symbols/add": own(1, "/blacklisted-symbols/add", () => [this.#symbol()]),
      "GET /:id/list-blacklisted-symbols": own(1, "/list-blacklisted-symbols"),
      "DELETE /:id/blacklisted-symbols/remove": own(2, "/blacklisted-symbols/remove", () => SYMBOLS.slice(0, 4)),
      "GET /:id/get_kb": [2, () => [`/${this.#id}/get_kb?order=${this.#isSo()}`]],
      "GET /:id/get_kb/raw": own(1, "/get_kb/raw"),
      "POST /:id/load_kb": [
        1,
        () => [`/${this.#id}/load_kb?mode=${this.#one(["merge", "replace"])}`, { data: this.#knowledge }],
      ],
    };
  }

  #change(): object {
    return this.#one<() => object>([
      () => ({ model: { sequence: this.#sequence() } }),
      () => ({ model: { frequency: this.#below(9) } }),
      () => ({ model: { emotives: { u: [this.#below(5), 1] } } }),
      () => ({ model: { metadata: [{ z: this.#below(4) }] } }),
    ])();
  }

  /** A page of a list: a first one, or the one after the last page. */
  #page(name: string, sorts: readonly string[]): string {
    const cursor = this.#cursors.get(`GET /:id/${name}`);
    const search = this.#below(4) === 0 && name !== "vectors" ? `&pattern=${encodeURIComponent("a|b")}` : "";
    if (cursor === undefined || this.#isSo()) {
      return `/${this.#id}/${name}?sort=${this.#one(sorts)}&limit=${1 + this.#below(20)}${search}`;
    }
    return `/${this.#id}/${name}?sort=${sorts[0]}&cursor=${encodeURIComponent(cursor)}`;
  }

  #keeping(): Record<string, Draw> {
    const alert = () => `/${this.#id}/alerts/${this.#one(["x", "y"])}`;
    const encoder = `/${this.#id}/encoders/temp`;
    const incident = () => `/${this.#id}/incidents/${this.#one(this.#incidents)}`;
    const verdict = () => ({ data: { verdict: this.#one(["normal", "fault", null]), note: "n" } });
    return {
      "GET /:id/encoders": [1, () => [`/${this.#id}/encoders`]],
      "GET /:id/encoders/:encoder": [1, () => [encoder]],
      "PUT /:id/encoders/:encoder": [
        2,
        () => [encoder, { data: this.#one([{ kind: "step", size: 5 }, { kind: "auto", bins: 3 }, { kind: "bad" }]) }],
      ],
      "DELETE /:id/encoders/:encoder": [0, () => [encoder]],
      "GET /:id/alerts": [1, () => [`/${this.#id}/alerts`]],
      "GET /:id/alerts/:alert": [1, () => [alert()]],
      "PUT /:id/alerts/:alert": [4, () => [alert(), { data: { when: this.#condition() } }]],
      "DELETE /:id/alerts/:alert": [1, () => [alert()]],
      "POST /:id/alerts/:alert/test": [1, () => [`${alert()}/test`]],
      "GET /:id/incidents": [5, () => [`${this.#memory}/incidents`]],
      "GET /:id/incidents/:incident": [2, () => [incident()]],
      "PUT /:id/incidents/:incident": [4, () => [incident(), verdict()]],
    };
  }

  #condition(): object {
    return this.#one<object>([
      { surprise_above: 1 + this.#below(2) },
      { surprise_above: 1 },
      { forecast: { symbol: this.#symbol(), above: 0.3, horizon: 2 } },
      { silent_for: "expected" },
      { learned: true },
    ]);
  }
}
