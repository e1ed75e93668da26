/** The shapes of messages that the interface specification and the wire contract name, copied by hand: members, sorted, and forms of strings. */

/** A model's name. */
export const HASH = /^[0-9a-f]{40}$/;

/** A model's name with its prefix. */
export const MODEL = /^MODEL\|[0-9a-f]{40}$/;

/** A number as `%f` prints it. */
export const DECIMAL = /^\d\.\d{6}$/;

/** The sentence about a feature that does not exist here. */
export const ABSENT = /^this processor has no .+; .+$/;

/** A whole number. */
export const WHOLE = /^\d+$/;

/** The members of an observe's message. */
export const OBSERVED = ["auto_learned_model", "prediction_made", "status", "unique_id"];

/** The members of a forecast. */
export const FORECAST = ["context", "models", "steps", "within"];

/** The members of what a prediction is computed from. */
export const EXPLANATION = [
  "blocks",
  "emotives",
  "known_symbols",
  "ln_known_symbols",
  "matching_frequencies",
  "memory",
  "prediction",
  "symbols",
  "total_model_frequencies",
  "total_symbols_in_models_frequencies",
];

/** The members of what a forecast's probability is computed from. */
export const FORECAST_EXPLANATION =
  "context correction followed likeliest_step mixed models normalizer probability rules share situation strongest sum_of_steps support symbol".split(
    " ",
  );

/** The members of a prediction. */
export const PREDICTION = [
  "confidence",
  "confluence",
  "emotives",
  "entropy",
  "evidence",
  "extras",
  "fragmentation",
  "frequency",
  "future",
  "grand_hamiltonian",
  "hamiltonian",
  "itfdf_similarity",
  "matches",
  "missing",
  "name",
  "past",
  "potential",
  "present",
  "similarity",
  "snr",
  "type",
];

/** The members of the status record, with those of the reference agent that the specification does not name. */
export const STATUS = [
  "AUTOLEARN",
  "HYPOTHESIZED",
  "PREDICT",
  "SLEEPING",
  "SNAPSHOT",
  "emotives",
  "last_learned_model_name",
  "models_kb",
  "name",
  "num_observe_call",
  "size_WM",
  "target",
  "time",
  "vector_dimensionality",
  "vectors_kb",
];

/** The members of the cognition record. */
export const COGNITION = [
  "command",
  "emotives",
  "metadata",
  "path",
  "predictions",
  "strings",
  "symbols",
  "unique_id",
  "vectors",
  "working_memory",
];

/** The members of the percept record. */
export const PERCEPT = ["emotives", "metadata", "path", "strings", "unique_id", "vectors"];

/** The members of the debug record, with the two about the use of memory. */
export const DEBUG = [
  "build_date",
  "build_number",
  "classifier",
  "id",
  "memory_bytes",
  "memory_limit_bytes",
  "name",
  "time",
  "version",
];

/** The members of a model record, with that of the reference agent that the specification does not name. */
export const MODEL_RECORD = ["emotives", "frequency", "length", "metadata", "name", "predecessor_model", "sequence"];

/** The members of an encoder whose kind is step. */
export const ENCODER = ["hysteresis", "kind", "on_change", "origin", "size"];

/** The members of a vector. */
export const VECTOR = ["hash", "length", "name", "vector"];

/** The members of a knowledge base. */
export const KNOWLEDGE_MEMBERS = ["metadata", "models_kb", "symbols_kb", "vectors_kb"];

/** The genes that the specification names. */
export const GENES = [
  "SORT",
  "always_update_frequencies",
  "auto_learn_algorithm",
  "auto_learn_metric",
  "classifier",
  "max_predictions",
  "max_sequence_length",
  "near_vector_count",
  "persistence",
  "predict_on_nth_event",
  "prediction_sort_metric",
  "prediction_threshold",
  "prediction_threshold_direction",
  "prediction_threshold_metric",
  "quiescence",
  "recall_threshold",
  "smoothness",
  "wm_resolution",
];
