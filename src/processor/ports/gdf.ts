/** What a processor observes: the incoming GDF record, and the event made from it. */

/** A named value of an observation. Names are unique in one record. */
export interface Emotive {
  name: string;
  /** Finite. */
  value: number;
}

/**
 * A number of an observation, which the encoder with the same name turns into a symbol. Names are unique in one record.
 */
export interface NamedNumber {
  name: string;
  /** Finite. */
  value: number;
}

/** A vector of finite doubles. */
export interface Vector {
  components: number[];
}

/** One input record. */
export interface Gdf {
  /** Symbols in the sender's order; well-formed Unicode. */
  strings: string[];
  vectors: Vector[];
  emotives: Emotive[];
  /** A JSON object as compact text, members in the sender's order; empty text means `{}`. */
  metadataJson: string;
  /** The record's identifier. May be empty from outside; the services fill it in before the processor observes. */
  uniqueId: string;
  /** Deprecated by the API. The processor only copies it in the cognition record. */
  command: string;
  numbers: NamedNumber[];
  /** When the event happened, epoch seconds, 0 to 253402300799; `undefined` if the sender did not say. */
  time?: number | undefined;
}

/** Symbols observed at one moment. */
export interface Event {
  symbols: string[];
}
