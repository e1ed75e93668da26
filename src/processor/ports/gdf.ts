/** The input record of an observation, as the processor takes it. */

/** A named value of an observation; names are unique in one record. */
export interface Emotive {
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
  /** Symbols as they came; well-formed Unicode. */
  strings: string[];
  vectors: Vector[];
  emotives: Emotive[];
  /** A JSON object as compact text, members in the sender's order; empty text means `{}`. */
  metadataJson: string;
  /** The record's identifier; empty from outside, never empty once the processor has taken it. */
  uniqueId: string;
  /** Deprecated by the API; carried to the cognition record. */
  command: string;
}
