/**
 * About how many bytes models and symbols take in a kernel, from nothing but how many there are: hardly ever less than
 * they do, and as a rule 2 to 25 % more. assembly/README.md says how a kernel holds them.
 */

/** What models add up to. */
export interface Amount {
  models: number;
  /** All models' symbols together, each as often as it occurs in them. */
  symbols: number;
  /** All models' events together. */
  events: number;
}

/** Models of a segment, and symbols at most. */
const SEGMENT_MODELS = 1_024;
const SEGMENT_SYMBOLS = 65_536;
/** Bytes that a kernel takes for itself. */
const OWN_BYTES = 512;
/** Bytes of a segment's description, and how much of the list of them may be unused. */
const SEGMENT_BYTES = 64;
/** Bytes of a model in columns of a segment: its id, where its symbols and its events begin, its frequency. */
const MODEL_BYTES = 2 + 2 + 2 + 1;
/** Bytes of the columns that are still open, about: wide, for one segment. */
const OPEN_MODEL_BYTES = 24;
const OPEN_EVENT_BYTES = 4;
/** Bytes of a symbol in each of the tables by symbol. */
const SYMBOL_BYTES = [16, 8, 4, 4];
/** Average capacity of a list that has grown, relative to its contents. */
const LIST_GROWTH = 1.3;
/** Typical size of a block, relative to its contents. */
const BLOCK_ROUNDING = 1.2;
/** The first chunk of a symbol's postings, how much of it are entries, and the bytes of a chunk besides its entries. */
const FIRST_CHUNK_BYTES = 32;
const FIRST_ENTRIES_BYTES = 24;
const CHUNK_HEAD_BYTES = 8;
/** Each chunk has a quarter of the bytes before it, so the number of chunks is a logarithm to base 1.25. */
const LOG_OF_GROWTH = Math.log(1.25);
/** From this gap between two models on, a posting takes two bytes; from this one on, three. */
const TWO_BYTES_GAP = 64;
const THREE_BYTES_GAP = 8_192;

/**
 * About how many bytes models take.
 *
 * @param numbers all numbers of symbols are less than this
 */
export function bytesOf({ models, symbols, events }: Amount, numbers: number): number {
  const tables = SYMBOL_BYTES.reduce((sum, bytes) => sum + grown(numbers, bytes), OWN_BYTES);
  if (models === 0) return tables;
  const segments = Math.max(models / SEGMENT_MODELS, symbols / SEGMENT_SYMBOLS);
  const inOpen = 1 / Math.max(1, segments);
  const columns = (1 - inOpen) * (MODEL_BYTES * models + symbolBytes(numbers) * symbols + events);
  const open = inOpen * (OPEN_MODEL_BYTES * models + symbolBytes(numbers) * symbols + OPEN_EVENT_BYTES * events);
  return (
    tables +
    BLOCK_ROUNDING * columns +
    LIST_GROWTH * (SEGMENT_BYTES * Math.ceil(segments) + open) +
    postings(models, symbols, numbers)
  );
}

/** Bytes of a table that has grown entry by entry. */
function grown(entries: number, entryBytes: number): number {
  let bytes = 0;
  while (bytes < entries * entryBytes) bytes = blockBytes(1.5 * (bytes + entryBytes));
  return bytes;
}

/** Bytes of a block: there are four sizes to the octave. */
function blockBytes(bytes: number): number {
  const step = 2 ** Math.max(4, Math.floor(Math.log2(Math.max(1, bytes - 1))) - 2);
  return Math.ceil(bytes / step) * step;
}

/** Bytes of one symbol in the column of symbols. */
function symbolBytes(numbers: number): number {
  if (numbers <= 2 ** 8) return 1;
  return numbers <= 2 ** 16 ? 2 : 4;
}

/**
 * Approximate bytes of the postings. The gaps between the models that have a symbol add up to at most all models, which
 * limits the number of wide gaps. Equally frequent symbols take the most bytes.
 */
function postings(models: number, symbols: number, numbers: number): number {
  const used = Math.min(numbers, symbols);
  const most = Math.min(symbols, used * models);
  // Where a model has a symbol several times, its entry says how often.
  const counts = Math.min(most, symbols - most);
  const wide = (gap: number) => Math.min(most, (used * models) / gap);
  const entries = (most + counts + wide(TWO_BYTES_GAP) + wide(THREE_BYTES_GAP)) / used;
  if (entries <= FIRST_ENTRIES_BYTES) return FIRST_CHUNK_BYTES * used;
  const chunks = 1 + Math.log(entries / FIRST_ENTRIES_BYTES) / LOG_OF_GROWTH;
  return used * (BLOCK_ROUNDING * entries + CHUNK_HEAD_BYTES * chunks);
}
