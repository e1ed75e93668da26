/** What each operation takes and answers, from the OpenAPI document. Written by `npm run generate`; edit the rows of the table instead. */

/**
 * A symbol: the smallest thing that a processor tells apart. Well-formed Unicode, compared to the letter.
 */
export type Symbol = string;
/**
 * A vector: one or more finite doubles. All vectors of a processor have the same number of components.
 *
 * Items: A component. Any finite double.
 */
export type Vector = number[];
/**
 * When an event happened.
 */
export type Time = number | string;
/**
 * How unexpected the event was; null without an event, a memory before it, or knowledge.
 */
export type SurpriseOrNull = Surprise | null;
/**
 * The name of a model behind `MODEL|`.
 */
export type ModelLabel = string;
/**
 * An event: the symbols of one moment. Symbols of vectors come first.
 */
export type Event = Symbol[];
/**
 * Events, oldest first.
 */
export type Sequence = Event[];
/**
 * When the event happened, as its sender said it: epoch seconds.
 */
export type Seconds = number;
/**
 * The name of a model: the SHA-1 of its sequence as 40 hex digits.
 */
export type ModelHash = string;
/**
 * The ensemble: all predictions, sorted by the gene prediction_sort_metric, the highest first; of equals, the newest model first.
 */
export type Predictions = Prediction[];
/**
 * An identifier or a friendly name: 1 to 200 UTF-16 units without `|`, `/` and control characters. Not agent, gaius-api, connect, genome or openapi.json, and not a word that begins with noema.v. Unique in a genome.
 */
export type Identifier = string;
/**
 * Where alone a processor runs and its data stays. Local servers know none.
 */
export type Jurisdiction = "eu" | "us" | "fedramp" | "fedramp-high";
/**
 * The region near which a processor is made.
 */
export type LocationHint = "afr" | "apac" | "eeur" | "enam" | "me" | "oc" | "sam" | "weur" | "wnam";
/**
 * What a key may do. `read`: Ask for predictions and forecasts, and read what was learned, genes and metrics. `observe`: Observe, clear working memory and open streams; and read working memory. `learn`: Learn working memory. To learn what it observes in the same call, a key needs observe, too. `manage`: Change genes, encoders, alerts, models, symbols and sessions, and read them; load and clear knowledge. `admin`: Everything. Genomes, keys, backups and restores need it. It cannot be limited to processors or sessions.
 */
export type Role = "read" | "observe" | "learn" | "manage" | "admin";
/**
 * A name or a value was not accepted, and nothing has changed; `detail` says why.
 */
export type FaultyGenes = "faulty-genes-provided";
/**
 * An encoder with all its members.
 */
export type Encoder =
  | {
      /**
       * The kind.
       */
      kind: "step";
      /**
       * The distance from one edge to the next, in the number's unit.
       */
      size: number;
      /**
       * One of the edges; the others are multiples of size away from it.
       */
      origin: number;
      /**
       * How far a number must go beyond an edge of its bin to leave the bin, in the number's unit.
       */
      hysteresis: number;
      /**
       * Whether a number makes a symbol only when its bin is not that of the previous number.
       */
      on_change: boolean;
    }
  | {
      /**
       * The kind.
       */
      kind: "edges";
      /**
       * The edges, in ascending order.
       *
       * @minItems 1
       * @maxItems 1000
       *
       * Items: An edge.
       */
      edges: number[];
      /**
       * How far a number must go beyond an edge of its bin to leave the bin, in the number's unit.
       */
      hysteresis: number;
      /**
       * Whether a number makes a symbol only when its bin is not that of the previous number.
       */
      on_change: boolean;
    }
  | {
      /**
       * The kind.
       */
      kind: "auto";
      /**
       * The maximum number of bins into which the range of the first 200 numbers is divided.
       */
      bins: number;
      /**
       * The edges that it has found; absent before the 200 numbers. Leave them out to have them found.
       *
       * @minItems 1
       * @maxItems 1000
       *
       * Items: An edge.
       */
      edges?: number[];
      /**
       * How far a number must go beyond an edge of its bin to leave the bin, in the number's unit.
       */
      hysteresis: number;
      /**
       * Whether a number makes a symbol only when its bin is not that of the previous number.
       */
      on_change: boolean;
    }
  | {
      /**
       * The kind.
       */
      kind: "clock";
      /**
       * What is read: month 1 to 12, day 1 to 31, weekday 1 (Monday) to 7, hour 0 to 23, minute 0 to 59.
       */
      of: "month" | "day" | "weekday" | "hour" | "minute";
      /**
       * The value is rounded down to a multiple of it, counted from the least one: with 6, hours are 0, 6, 12, 18.
       */
      step: number;
      /**
       * The IANA time zone of the clock, such as Europe/Berlin.
       */
      zone: string;
    }
  | {
      /**
       * The kind.
       */
      kind: "elapsed";
      /**
       * The edges in seconds, in ascending order.
       *
       * @minItems 1
       * @maxItems 1000
       *
       * Items: An edge.
       */
      edges: number[];
    };
/**
 * An encoder. Members that have a default may be left out.
 */
export type NewEncoder =
  | {
      /**
       * The kind.
       */
      kind: "step";
      /**
       * The distance from one edge to the next, in the number's unit.
       */
      size: number;
      /**
       * One of the edges; the others are multiples of size away from it.
       */
      origin?: number;
      /**
       * How far a number must go beyond an edge of its bin to leave the bin, in the number's unit.
       */
      hysteresis?: number;
      /**
       * Whether a number makes a symbol only when its bin is not that of the previous number.
       */
      on_change?: boolean;
    }
  | {
      /**
       * The kind.
       */
      kind: "edges";
      /**
       * The edges, in ascending order.
       *
       * @minItems 1
       * @maxItems 1000
       *
       * Items: An edge.
       */
      edges: number[];
      /**
       * How far a number must go beyond an edge of its bin to leave the bin, in the number's unit.
       */
      hysteresis?: number;
      /**
       * Whether a number makes a symbol only when its bin is not that of the previous number.
       */
      on_change?: boolean;
    }
  | {
      /**
       * The kind.
       */
      kind: "auto";
      /**
       * The maximum number of bins into which the range of the first 200 numbers is divided.
       */
      bins?: number;
      /**
       * The edges that it has found; absent before the 200 numbers. Leave them out to have them found.
       *
       * @minItems 1
       * @maxItems 1000
       *
       * Items: An edge.
       */
      edges?: number[];
      /**
       * How far a number must go beyond an edge of its bin to leave the bin, in the number's unit.
       */
      hysteresis?: number;
      /**
       * Whether a number makes a symbol only when its bin is not that of the previous number.
       */
      on_change?: boolean;
    }
  | {
      /**
       * The kind.
       */
      kind: "clock";
      /**
       * What is read: month 1 to 12, day 1 to 31, weekday 1 (Monday) to 7, hour 0 to 23, minute 0 to 59.
       */
      of: "month" | "day" | "weekday" | "hour" | "minute";
      /**
       * The value is rounded down to a multiple of it, counted from the least one: with 6, hours are 0, 6, 12, 18.
       */
      step?: number;
      /**
       * The IANA time zone of the clock, such as Europe/Berlin.
       */
      zone?: string;
    }
  | {
      /**
       * The kind.
       */
      kind: "elapsed";
      /**
       * The edges in seconds, in ascending order.
       *
       * @minItems 1
       * @maxItems 1000
       *
       * Items: An edge.
       */
      edges?: number[];
    };
/**
 * When an alert fires.
 */
export type AlertCondition =
  | {
      /**
       * When the surprise of an event exceeds this number of bits.
       */
      surprise_above: number;
    }
  | {
      surprise: DailyCondition;
    }
  | {
      forecast: ForecastCondition;
    }
  | {
      /**
       * For how long.
       */
      silent_for: number | "expected";
    }
  | {
      /**
       * When a model is learned.
       */
      learned: true;
    };
/**
 * The name of a vector: `VECTOR|` and the hash.
 */
export type VectorLabel = string;
/**
 * A record of a knowledge base as a line.
 */
export type KnowledgeLine =
  | {
      /**
       * The sum of all models' frequencies.
       */
      total_model_frequencies: number;
      /**
       * The sum of the symbols' frequencies.
       */
      total_symbol_frequencies: number;
      /**
       * The sum of the symbols' model_member_frequency.
       */
      total_symbols_in_models_frequencies: number;
      /**
       * What past forecasts tell, which docs/forecast.md explains: a list for the next event, for the horizons 2 and 3, 4 to 6, and 7 to 10; no list at all where the knowledge is still to be graded. Only with `order=true` in the query.
       *
       * @maxItems 10
       */
      forecast_record?: number[][];
      /**
       * The kind of the record.
       */
      kind: "metadata";
      /**
       * The identifier of the processor.
       */
      node: string;
    }
  | {
      /**
       * The values of each emotive by name, oldest first.
       */
      emotives: {
        /**
         * Values.
         *
         * Items: Any finite double.
         */
        [k: string]: number[];
      };
      /**
       * How often the model was learned.
       */
      frequency: number;
      /**
       * How many symbols the sequence has.
       */
      length: number;
      /**
       * The metadata of each event, one object per event.
       */
      metadata: Metadata[];
      name: ModelHash;
      sequence: Sequence;
      /**
       * When it was learned: smaller is older. Only with `order=true` in the query.
       */
      order?: number;
      /**
       * The kind of the record.
       */
      kind: "model";
      /**
       * The identifier of the processor.
       */
      node: string;
    }
  | {
      /**
       * The counters of a symbol.
       */
      features: {
        /**
         * How often the symbol occurs in learned models; a model learned again counts again.
         */
        frequency: number;
        /**
         * The same, but a model counts once however often it holds the symbol.
         */
        model_member_frequency: number;
      };
      name: Symbol;
      /**
       * The kind of the record.
       */
      kind: "symbol";
      /**
       * The identifier of the processor.
       */
      node: string;
    }
  | {
      /**
       * The SHA-1 of the components as 40 hex digits.
       */
      hash: string;
      /**
       * The Euclidean norm.
       */
      length: number;
      name: VectorLabel;
      vector: Vector;
      /**
       * When it was learned: smaller is older. Only with `order=true` in the query.
       */
      order?: number;
      /**
       * The kind of the record.
       */
      kind: "vector";
      /**
       * The identifier of the processor.
       */
      node: string;
    };
/**
 * A record as a line.
 */
export type LineToLoad =
  | {
      /**
       * The kind of the record.
       */
      kind: "model";
      /**
       * The values of each emotive by name, oldest first. The gene persistence says how many are kept.
       */
      emotives?: {
        /**
         * The values; a number alone is a list of one.
         */
        [k: string]: number[] | number;
      };
      /**
       * How often the model was learned. 1 if absent.
       */
      frequency?: number;
      /**
       * The metadata of each event, one object per event.
       */
      metadata?: Metadata[];
      name: ModelHash;
      /**
       * When it was learned: smaller is older. Every record of a kind has another one, or none has any.
       */
      order?: number;
      /**
       * The events, oldest first; one or more.
       *
       * @minItems 1
       */
      sequence: Symbol[][];
      [k: string]: unknown;
    }
  | {
      /**
       * The kind of the record.
       */
      kind: "vector";
      /**
       * The SHA-1 of the components as 40 hex digits.
       */
      hash: string;
      /**
       * The name, as the key says it.
       */
      name?: string;
      /**
       * When it was learned: smaller is older. Every record of a kind has another one, or none has any.
       */
      order?: number;
      /**
       * The components, one or more.
       *
       * @minItems 1
       *
       * Items: Any finite double.
       */
      vector: number[];
      [k: string]: unknown;
    }
  | {
      /**
       * The kind of the record.
       */
      kind: "symbol" | "metadata";
      /**
       * What past forecasts tell, which docs/forecast.md explains: a list for the next event, for the horizons 2 and 3, 4 to 6, and 7 to 10; no list at all where the knowledge is still to be graded. Only with `order=true` in the query.
       *
       * @maxItems 10
       */
      forecast_record?: number[][];
      [k: string]: unknown;
    };

/**
 * The operations by name.
 */
export interface Operations {
  /**
   * Returns a page for people, or its JSON for programs
   */
  getFrontPage: {
    answer: FrontPage;
  };
  /**
   * Returns this document
   */
  getOpenApi: {
    /**
     * An OpenAPI document, version 3.1.
     */
    answer: {
      [k: string]: unknown;
    };
  };
  /**
   * Says whether storage works
   */
  getHealth: {
    answer: Health;
  };
  /**
   * Adds one record (a GDF) to working memory
   */
  observe: {
    /**
     * A record inside `data`, or by itself.
     */
    request:
      | {
          data: Gdf;
          /**
           * The identifier of the record, unless the record has its own.
           */
          unique_id?: string;
          delivery?: Delivery;
        }
      | Gdf;
    answer: Envelope & {
      /**
       * The identifier of the record.
       */
      unique_id: string;
      message: Observed;
    };
  };
  /**
   * Stores working memory as a model, then clears working memory
   */
  learn: {
    answer: Envelope & {
      /**
       * The model, or null if working memory held fewer than two symbols.
       */
      message: ModelLabel | null;
    };
  };
  /**
   * Observes several records in order, all or none; clears before and learns after if asked
   */
  observeSequence: {
    /**
     * The records inside `data`, or by themselves.
     */
    request:
      | {
          data: ObservedSequence;
          delivery?: Delivery;
        }
      | ObservedSequence;
    answer: Envelope & {
      /**
       * The model that was learned at the end.
       */
      learned_model?: ModelLabel;
      /**
       * What each observation did, in order.
       */
      message: Observed[];
    };
  };
  /**
   * Empties working memory without learning it
   */
  clearWorkingMemory: {
    answer: Envelope & {
      /**
       * Working memory is empty.
       */
      message: "wm-cleared";
    };
  };
  /**
   * Returns working memory
   */
  getWorkingMemory: {
    answer: Envelope & {
      message: Sequence;
    };
  };
  /**
   * Deletes everything learned and observed; genes, flags and the target class stay
   */
  clearAllMemory: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          data: ClearAllMemory;
        }
      | ClearAllMemory;
    answer: Envelope & {
      /**
       * Everything learned and observed is deleted.
       */
      message: "all-cleared";
    };
  };
  /**
   * Returns the last observation as it was sent
   */
  getPercept: {
    answer: Envelope & {
      /**
       * The last observation, if there was one.
       */
      message: Percept | Nothing;
    };
  };
  /**
   * Returns what working memory predicts, or what a sequence would, best prediction first
   */
  getPredictions: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          data: AskPredictions;
        }
      | AskPredictions;
    answer: Envelope & {
      /**
       * The predictions, with all members unless the request names some.
       */
      message: Predictions | PartialPrediction[];
    };
  };
  /**
   * Says what comes next after working memory, or after a sequence, and how likely it is
   */
  getForecast: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          data: AskForecast;
        }
      | AskForecast;
    answer: Envelope & {
      message: Forecast;
    };
  };
  /**
   * Counts how many models working memory, or a sequence, would match with each recall threshold
   */
  countMatchingModels: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          data: AskMatchingModels;
        }
      | AskMatchingModels;
    answer: Envelope & {
      message: MatchingModels;
    };
  };
  /**
   * Says how unusual a whole sequence would be, and why; nothing is observed
   */
  sequenceSurprise: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          data: AskSequenceSurprise;
        }
      | AskSequenceSurprise;
    answer: Envelope & {
      /**
       * How unusual it would be, or null where there is nothing to compare it with.
       */
      message: SequenceSurprise | null;
    };
  };
  /**
   * Says which symbols records would make, vectors too; nothing is observed
   */
  recordSymbols: {
    /**
     * The records inside `data`, or by themselves.
     */
    request:
      | {
          data: AskedRecords;
        }
      | AskedRecords;
    answer: Envelope & {
      /**
       * The symbols of each record.
       */
      message: Symbol[][];
    };
  };
  /**
   * Returns the last observation as the processor understood it, with working memory and predictions
   */
  getCognition: {
    answer: Envelope & {
      message: Cognition;
    };
  };
  /**
   * Returns what the numbers of a prediction are computed from
   */
  explainPrediction: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          data: AskPredictionExplanation;
        }
      | AskPredictionExplanation;
    answer: Envelope & {
      /**
       * The terms, or null if the model does not match.
       */
      message: PredictionExplanation | null;
    };
  };
  /**
   * Says why a symbol has its probability in a forecast
   */
  explainForecast: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          data: AskForecastExplanation;
        }
      | AskForecastExplanation;
    answer: Envelope & {
      /**
       * The terms, or null if no model speaks.
       */
      message: ForecastExplanation | null;
    };
  };
  /**
   * Says how unexpected an event would be, and why; nothing is observed
   */
  explainSurprise: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          data: AskSurpriseExplanation;
        }
      | AskSurpriseExplanation;
    answer: Envelope & {
      /**
       * The terms, or null where there is nothing to expect the event by.
       */
      message: SurpriseExplanation | null;
    };
  };
  /**
   * Lists sessions by name
   */
  listSessions: {
    answer: Envelope & {
      /**
       * Sessions by name. As many as the limit: there may be more.
       */
      message: Session[];
    };
  };
  /**
   * Ends a session: its memory is gone, and what it has learned stays
   */
  endSession: {
    answer: Envelope & {
      /**
       * The session is gone.
       */
      message: "session-ended";
    };
  };
  /**
   * Answers as long as the gateway runs; asks no processor
   */
  pingAgent: {
    answer: Alive;
  };
  /**
   * Answers as long as the gateway runs; asks no processor
   */
  pingGateway: {
    answer: Alive;
  };
  /**
   * Returns the agent's genome with the genes as they are now, and what the key allows if asked
   */
  connect: {
    answer: Connection;
  };
  /**
   * Returns the same as GET /connect, if the agent has the processor
   */
  connectProcessor: {
    answer: Connection;
  };
  /**
   * Replaces the agent's genome, or says what that would do: adds and removes processors; those that stay keep their memory and genes
   */
  hotswapGenome: {
    /**
     * A genome inside `data`, or by itself.
     */
    request:
      | {
          data: Genome;
        }
      | Genome;
    answer: Envelope & {
      /**
       * Where new processors were placed.
       */
      placed?: PlacedProcessor[];
      /**
       * The processors whose data was deleted.
       *
       * Items: The identifier of a processor.
       */
      purged?: string[];
      /**
       * The processors that have gone out of service.
       *
       * Items: The identifier of a processor.
       */
      retired?: string[];
      /**
       * What has changed.
       */
      message: "hotswapped-genome" | GenomeChange;
    };
  };
  /**
   * Does the same as POST /genome/hotswap; the id is one of the agent's processors or the word `agent`
   */
  hotswapProcessorGenome: {
    /**
     * A genome inside `data`, or by itself.
     */
    request:
      | {
          data: Genome;
        }
      | Genome;
    answer: Envelope & {
      /**
       * Where new processors were placed.
       */
      placed?: PlacedProcessor[];
      /**
       * The processors whose data was deleted.
       *
       * Items: The identifier of a processor.
       */
      purged?: string[];
      /**
       * The processors that have gone out of service.
       *
       * Items: The identifier of a processor.
       */
      retired?: string[];
      /**
       * What has changed.
       */
      message: "hotswapped-genome" | GenomeChange;
    };
  };
  /**
   * Issues a key with some rights. Its text is shown once and never again
   */
  createKey: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          data: NewKey;
        }
      | NewKey;
    answer: Envelope & {
      message: CreatedKey;
    };
  };
  /**
   * Lists the issued keys in the order in which they were made, without their secrets
   */
  listKeys: {
    answer: Envelope & {
      /**
       * The keys in the order in which they were made.
       */
      message: IssuedKey[];
    };
  };
  /**
   * Deletes an issued key: after 30 s at most, it is refused everywhere
   */
  deleteKey: {
    answer: Envelope & {
      /**
       * The key is not there any more.
       */
      message: "key-deleted";
    };
  };
  /**
   * Replaces the agent, or one processor, by a backup, all or nothing
   */
  restore: {
    answer: Envelope & {
      /**
       * What was restored.
       */
      message: {
        /**
         * How many lines the backup has, without the last.
         */
        lines: number;
        /**
         * How many memories: of processors and of sessions.
         */
        memories: number;
        /**
         * How many models.
         */
        models: number;
        /**
         * The processors that the agent has now, or the one that was replaced.
         *
         * Items: The identifier of a processor.
         */
        processors: string[];
        /**
         * The processors that the agent had and the backup has not. Their data is kept.
         *
         * Items: The identifier of a processor.
         */
        retired: string[];
        /**
         * How many vectors.
         */
        vectors: number;
      };
    };
  };
  /**
   * Returns all routes by name
   */
  listMqttRoutes: {
    answer: Envelope & {
      message: MqttRoutes;
    };
  };
  /**
   * Returns one route
   */
  getMqttRoute: {
    answer: Envelope & {
      message: MqttRoute;
    };
  };
  /**
   * Adds a route, which makes records of the messages of some topics, or replaces it
   */
  putMqttRoute: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          data: NewMqttRoute;
        }
      | NewMqttRoute;
    answer: Envelope & {
      message: MqttRoute;
    };
  };
  /**
   * Deletes a route
   */
  deleteMqttRoute: {
    answer: Envelope & {
      /**
       * There is no route of the name.
       */
      message: "route-deleted";
    };
  };
  /**
   * Returns the newest requests that failed, were refused or were slow, as this server remembers them
   */
  getRecentRequests: {
    answer: Envelope & {
      message: RecentRequests;
    };
  };
  /**
   * Returns how much each processor of the agent has learned and how full it is; loads none into memory
   */
  getProcessors: {
    answer: Envelope & {
      /**
       * The processors of the agent.
       */
      message: ProcessorUsage[];
    };
  };
  /**
   * Returns how many events went from processor to processor, and how many wait; loads none into memory
   */
  getLinks: {
    answer: Envelope & {
      /**
       * The processors that have manipulatives.
       */
      message: ToldOthers[];
    };
  };
  /**
   * Answers as long as the processor can be reached
   */
  ping: {
    answer: ProcessorAlive;
  };
  /**
   * Returns the processor's flags, counters and sizes
   */
  getStatus: {
    answer: Envelope & {
      message: Status;
    };
  };
  /**
   * Returns the processor's friendly name
   */
  getName: {
    answer: Envelope & {
      /**
       * The friendly name.
       */
      message: string;
    };
  };
  /**
   * Returns version, build, classifier and memory use
   */
  getInfo: {
    answer: Envelope & {
      message: Info;
    };
  };
  /**
   * Returns the processor's time (the number of its observations) as a string
   */
  getTime: {
    answer: Envelope & {
      /**
       * How many observations the processor has taken, in decimal digits.
       */
      message: string;
    };
  };
  /**
   * Turns predictions on
   */
  startPredicting: {
    answer: Envelope & {
      /**
       * The processor predicts.
       */
      message: "activated-predictions";
    };
  };
  /**
   * Turns predictions off
   */
  stopPredicting: {
    answer: Envelope & {
      /**
       * The processor does not predict.
       */
      message: "deactivated-predictions";
    };
  };
  /**
   * Lets the processor learn by itself, as the genes auto_learn_metric and max_sequence_length say
   */
  startAutolearning: {
    answer: Envelope & {
      /**
       * The processor learns by itself.
       */
      message: "activated-autolearn";
    };
  };
  /**
   * Lets the processor learn only when told
   */
  stopAutolearning: {
    answer: Envelope & {
      /**
       * The processor learns only when told.
       */
      message: "deactivated-autolearn";
    };
  };
  /**
   * Clears working memory and ignores observations from now on
   */
  startSleeping: {
    answer: Envelope & {
      /**
       * The processor ignores observations.
       */
      message: "asleep";
    };
  };
  /**
   * Accepts observations again
   */
  stopSleeping: {
    answer: Envelope & {
      /**
       * The processor takes observations.
       */
      message: "awake";
    };
  };
  /**
   * Limits predictions to models whose last event holds the symbol
   */
  setTargetClass: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          data: Symbol;
        }
      | Symbol;
    answer: Envelope & {
      /**
       * The target class is set.
       */
      message: "set-target-class";
    };
  };
  /**
   * Removes the target class, so that every model can be predicted
   */
  clearTargetClass: {
    answer: Envelope & {
      /**
       * There is no target class.
       */
      message: "cleared-target-class";
    };
  };
  /**
   * Adds a number to the gene recall_threshold, which must stay between 0 and 1
   */
  incrementRecallThreshold: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          data: Increment;
        }
      | Increment;
    answer: Envelope & {
      /**
       * The new value, with six decimals.
       */
      message: string;
    };
  };
  /**
   * Returns one gene as a string
   */
  getGene: {
    answer: Envelope & {
      /**
       * The gene, or that there is none of this name.
       */
      message: FaultyGenes | string;
    };
  };
  /**
   * Returns all genes
   */
  getAllGenes: {
    answer: Envelope & {
      message: AllGenes;
    };
  };
  /**
   * Changes several genes, all or none
   */
  changeGenes: {
    /**
     * The changes inside `data`, or by themselves.
     */
    request:
      | {
          data: GeneChanges;
        }
      | GeneChanges;
    answer: Envelope & {
      /**
       * Whether the genes were changed.
       */
      message: "updated-genes" | FaultyGenes;
    };
  };
  /**
   * Returns all encoders by name
   */
  listEncoders: {
    answer: Envelope & {
      message: Encoders;
    };
  };
  /**
   * Returns one encoder
   */
  getEncoder: {
    answer: Envelope & {
      message: Encoder;
    };
  };
  /**
   * Adds an encoder for the numbers of its name, or replaces it
   */
  putEncoder: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          data: NewEncoder;
        }
      | NewEncoder;
    answer: Envelope & {
      message: Encoder;
    };
  };
  /**
   * Deletes an encoder. Numbers of its name are refused from then on
   */
  deleteEncoder: {
    answer: Envelope & {
      /**
       * There is no encoder of the name.
       */
      message: "encoder-deleted";
    };
  };
  /**
   * Returns all alerts by name, without their secrets
   */
  listAlerts: {
    answer: Envelope & {
      message: Alerts;
    };
  };
  /**
   * Returns one alert, without its secret, and how its last delivery ended
   */
  getAlert: {
    answer: Envelope & {
      message: Alert;
    };
  };
  /**
   * Sets an alert: what stands out becomes an incident, and a webhook is notified of that, of a forecast, or of what is learned
   */
  setAlert: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          data: NewAlert;
        }
      | NewAlert;
    answer: Envelope & {
      message: SetAlert;
    };
  };
  /**
   * Deletes an alert, and what it has not delivered yet
   */
  deleteAlert: {
    answer: Envelope & {
      /**
       * There is no such alert any more.
       */
      message: "alert-deleted";
    };
  };
  /**
   * Queues a test delivery, to see whether it arrives
   */
  testAlert: {
    answer: Envelope & {
      message: QueuedDelivery;
    };
  };
  /**
   * Lists incidents, newest first: events that passed an alert close together
   */
  listIncidents: {
    answer: Envelope & {
      /**
       * Newest first.
       */
      message: Incident[];
    };
  };
  /**
   * Returns one incident with its evidence
   */
  getIncident: {
    answer: Envelope & {
      message: IncidentWithEvidence;
    };
  };
  /**
   * Sets an incident's verdict; the first time it is normal, the incident's events are learned
   */
  judgeIncident: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          data: Judgement;
        }
      | Judgement;
    answer: Envelope & {
      message: Judged;
    };
  };
  /**
   * Returns the history of a memory: its newest events, newest first
   */
  getHistory: {
    answer: Envelope & {
      /**
       * Newest first.
       */
      message: HistoryEvent[];
    };
  };
  /**
   * Lists the memories of all processors that have observed, those that need a look first
   */
  listDevices: {
    answer: Envelope & {
      /**
       * Those that need a look first.
       */
      message: Device[];
    };
  };
  /**
   * Returns a model, or an empty object if there is none with this name
   */
  getModel: {
    answer: Envelope & {
      /**
       * The model, if there is one of this name.
       */
      message: Model | Nothing;
    };
  };
  /**
   * Deletes a model
   */
  deleteModel: {
    answer: Envelope & {
      /**
       * Whether there was a model of this name.
       */
      message: "deleted" | "model-not-found";
    };
  };
  /**
   * Replaces members of a model; a new sequence gives the model a new name
   */
  updateModel: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          /**
           * The change inside `model`, or by itself.
           */
          data:
            | {
                model: ModelChange;
              }
            | (ModelChange &
                (
                  | {
                      sequence: unknown;
                    }
                  | {
                      frequency: unknown;
                    }
                  | {
                      emotives: unknown;
                    }
                  | {
                      metadata: unknown;
                    }
                ));
        }
      | (
          | {
              model: ModelChange;
            }
          | (ModelChange &
              (
                | {
                    sequence: unknown;
                  }
                | {
                    frequency: unknown;
                  }
                | {
                    emotives: unknown;
                  }
                | {
                    metadata: unknown;
                  }
              ))
        );
    answer: Envelope & {
      /**
       * The model's name as it is now, if there is such a model.
       */
      message: ModelHash | "failed-to-update-model";
    };
  };
  /**
   * Adds a model as if the processor had learned it
   */
  addModel: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          data: ModelToAdd;
        }
      | ModelToAdd;
    answer: Envelope & {
      message: Added;
    };
  };
  /**
   * Forgets rarely learned models, or counts them
   */
  forgetModels: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          data: Forgetting;
        }
      | Forgetting;
    answer: Envelope & {
      message: Forgotten;
    };
  };
  /**
   * Returns the names of the models that hold all of the symbols
   */
  findModelsWithSymbols: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          /**
           * Symbols.
           */
          data: Symbol[];
        }
      | Symbol[];
    answer: Envelope & {
      message: FoundModels;
    };
  };
  /**
   * Returns the names of the models in which every regular expression matches a whole symbol
   */
  findModelsWithPatterns: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          /**
           * Patterns: regular expressions as Python's `re` has them. Each must match a whole symbol.
           *
           * Items: A pattern.
           */
          data: string[];
        }
      | string[];
    answer: Envelope & {
      message: FoundModels;
    };
  };
  /**
   * Lists models, sorted and searched, a page at a time
   */
  listModels: {
    answer: Envelope & {
      message: ModelPage;
    };
  };
  /**
   * Returns predictions as if the model's sequence were in working memory
   */
  getPredictionsForModel: {
    answer: Envelope & {
      message: Predictions;
    };
  };
  /**
   * Returns a symbol's counters, or null if the symbol is unknown
   */
  getSymbol: {
    answer: Envelope & {
      /**
       * The symbol, or null if it is unknown.
       */
      message: SymbolRecord | null;
    };
  };
  /**
   * Returns a learned vector; the body or the query's `data` names it
   */
  getVector: {
    /**
     * The name of the vector inside `data`, or by itself.
     */
    request:
      | {
          /**
           * The name of the vector, with `VECTOR|` or without.
           */
          data: string;
          /**
           * The original agent's client may send it; it has no effect.
           */
          unique_id?: unknown;
        }
      | string;
    /**
     * The vector, or that there is none of this name.
     */
    answer:
      | (Envelope & {
          message: VectorRecord;
        })
      | Failure;
  };
  /**
   * Does the same as GET, for clients that cannot send a body with GET
   */
  readVector: {
    /**
     * The name of the vector inside `data`, or by itself.
     */
    request:
      | {
          /**
           * The name of the vector, with `VECTOR|` or without.
           */
          data: string;
          /**
           * The original agent's client may send it; it has no effect.
           */
          unique_id?: unknown;
        }
      | string;
    /**
     * The vector, or that there is none of this name.
     */
    answer:
      | (Envelope & {
          message: VectorRecord;
        })
      | Failure;
  };
  /**
   * Lists the symbols in models, sorted and searched, a page at a time
   */
  listSymbols: {
    answer: Envelope & {
      message: SymbolPage;
    };
  };
  /**
   * Lists the learned vectors, sorted and searched, a page at a time
   */
  listVectors: {
    answer: Envelope & {
      message: VectorPage;
    };
  };
  /**
   * Removes symbols from all models and blacklists them
   */
  removeSymbolsByDelete: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          /**
           * Symbols.
           */
          data: Symbol[];
        }
      | Symbol[];
    answer: Envelope & {
      message: ChangedModels;
    };
  };
  /**
   * Removes symbols from all models and blacklists them
   */
  removeSymbols: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          /**
           * Symbols.
           */
          data: Symbol[];
        }
      | Symbol[];
    answer: Envelope & {
      message: ChangedModels;
    };
  };
  /**
   * Removes the symbols that the regular expressions match from all models, without blacklisting them
   */
  removePatterns: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          /**
           * Patterns: regular expressions as Python's `re` has them. Each must match a whole symbol.
           *
           * Items: A pattern.
           */
          data: string[];
        }
      | string[];
    answer: Envelope & {
      message: ChangedModels;
    };
  };
  /**
   * Blacklists symbols: later observations drop them
   */
  addBlacklistedSymbols: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          /**
           * Symbols.
           */
          data: Symbol[];
        }
      | Symbol[];
    answer: Envelope & {
      /**
       * All of them are on the blacklist.
       */
      message: "added-blacklisted-symbols";
    };
  };
  /**
   * Returns the blacklisted symbols in the order in which they were added
   */
  listBlacklistedSymbols: {
    answer: Envelope & {
      /**
       * The symbols, in the order in which they were added.
       */
      message: Symbol[];
    };
  };
  /**
   * Takes symbols off the blacklist
   */
  removeBlacklistedSymbols: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          /**
           * Symbols.
           */
          data: Symbol[];
        }
      | Symbol[];
    answer: Envelope & {
      /**
       * Whether all of them were on the blacklist.
       */
      message: "removed-blacklisted-symbols" | "failed-to-remove-some-symbols-from-blacklist";
    };
  };
  /**
   * Returns the knowledge base, as an object or as a list of records
   */
  getKnowledgeBase: {
    /**
     * The request inside `data`, or by itself.
     */
    request:
      | {
          data: AskKnowledgeBase;
        }
      | AskKnowledgeBase;
    answer: Envelope & {
      /**
       * The knowledge base, whole or as a list of records.
       */
      message: KnowledgeBase | KnowledgeLine[];
    };
  };
  /**
   * Returns the knowledge base without an envelope, as a file for load_kb
   */
  exportKnowledgeBase: {
    answer: KnowledgeBase;
  };
  /**
   * Replaces the knowledge base by a file, or merges the file into it, all or nothing
   */
  loadKnowledgeBase: {
    /**
     * A knowledge base inside `data`, or by itself; whole, or as a list of records.
     */
    request:
      | {
          /**
           * Whole, or as a list of records.
           */
          data: KnowledgeBaseToLoad | LineToLoad[];
        }
      | KnowledgeBaseToLoad
      | LineToLoad[];
    answer: Envelope & {
      /**
       * The knowledge base is replaced, or merged.
       */
      message: "success";
    };
  };
  /**
   * Fails: this service has no snapshots
   */
  clearSnapshots: {
    answer: Failure;
  };
  /**
   * Fails: this service has no clusters of vectors
   */
  getClusters: {
    answer: Failure;
  };
  /**
   * Fails: this service has no clusters of vectors
   */
  switchClusters: {
    answer: Failure;
  };
  /**
   * Fails: this service has no hypotheses
   */
  setHypotheses: {
    answer: Failure;
  };
  /**
   * Fails: this service has no hypotheses
   */
  getHypotheses: {
    answer: Failure;
  };
  /**
   * Fails: this service has no links to successors of a model
   */
  getSuccessor: {
    answer: Failure;
  };
}
/**
 * What the server is, for programs.
 */
export interface FrontPage {
  /**
   * Paths of this server.
   */
  links: {
    /**
     * What a processor remembers, for people. The page asks for the key.
     */
    console: string;
    /**
     * The reference, for people. Needs no key.
     */
    docs: string;
    /**
     * Says whether storage works. Needs no key.
     */
    health: string;
    /**
     * The OpenAPI document. Needs no key.
     */
    openapi: string;
    /**
     * Answers as long as the server runs.
     */
    ping: string;
  };
  /**
   * What it is.
   */
  name: "Noema";
  /**
   * The version of Noema.
   */
  version: string;
}
/**
 * Whether storage works.
 */
export interface Health {
  /**
   * `okay` when it does.
   */
  status: "okay" | "failed";
}
/**
 * One record of data, a GDF. Every member may be absent. Without strings, vectors and symbols of numbers it adds no event to working memory.
 */
export interface Gdf {
  /**
   * The symbols of the event. The gene SORT sorts them.
   */
  strings?: Symbol[];
  /**
   * Vectors, which are added up. The event gets the symbol of the sum and those of learned vectors near it.
   */
  vectors?: Vector[];
  numbers?: Numbers;
  emotives?: Emotives;
  metadata?: Metadata;
  time?: Time;
  /**
   * The identifier of the record. The processor makes a UUID if it is absent or empty.
   */
  unique_id?: string;
  /**
   * Kept and shown again; it has no effect.
   */
  command?: string;
}
/**
 * Readings: finite doubles by name. The encoder of the name turns each into a symbol; a record is refused when one has no encoder.
 */
export interface Numbers {
  /**
   * Any finite double, in the unit of its encoder.
   */
  [k: string]: number;
}
/**
 * How a moment felt: finite doubles by name.
 */
export interface Emotives {
  /**
   * Any finite double; its unit is yours.
   */
  [k: string]: number;
}
/**
 * Any JSON object. It is kept with the order of its members and is never interpreted.
 */
export interface Metadata {
  [k: string]: unknown;
}
/**
 * By which source and number something is sent, so that it is taken once.
 */
export interface Delivery {
  /**
   * The name of the source. 1 to 128 bytes of UTF-8 without control characters, and not `.` or `..`.
   */
  source: string;
  /**
   * Greater than every number that the source has sent to this memory before. Gaps are allowed.
   */
  number: number;
}
/**
 * What nearly every answer has around its message.
 */
export interface Envelope {
  /**
   * The identifier of the processor; `agent` where the agent itself answers.
   */
  id: string;
  /**
   * The processor's time: how many observations it has taken since its memory was last cleared whole.
   */
  interval: number;
  /**
   * The result. Each operation says what it is.
   */
  message: unknown;
  /**
   * Whether the operation did what was asked.
   */
  status: "okay" | "failed";
  /**
   * When the answer was made, in whole seconds since 1970; -1 in some failures.
   */
  time_stamp: number;
  /**
   * A sentence about an answer with status `okay`: which members of the body were ignored, or why no gene was changed.
   */
  detail?: string;
}
/**
 * What an observation did.
 */
export interface Observed {
  /**
   * The model that autolearning has just learned, as `MODEL|<hash>`; empty for none.
   */
  auto_learned_model: string;
  /**
   * Whether the processor predicts anything now; false also when that takes too many steps to find out.
   */
  prediction_made: boolean;
  /**
   * Set to true if the delivery had come before: nothing has changed.
   */
  redelivered?: boolean;
  /**
   * `asleep`: the processor sleeps and has ignored the record.
   */
  status: "observed" | "asleep";
  surprise?: SurpriseOrNull;
  /**
   * The identifier of the record.
   */
  unique_id: string;
}
/**
 * How unexpected an event was, by the forecast just before it.
 */
export interface Surprise {
  /**
   * -log2 of `probability`.
   */
  bits: number;
  /**
   * The event's: the product of its symbols', each given those before it. Never 0.
   */
  probability: number;
  /**
   * At most 5 symbols that were the most probable, most probable first.
   */
  expected: ExpectedSymbol[];
  /**
   * The symbols of the event that the forecast gave no probability, in their order in the event.
   */
  unexpected: Symbol[];
}
/**
 * A symbol that was expected.
 */
export interface ExpectedSymbol {
  symbol: Symbol;
  /**
   * The probability that it had.
   */
  probability: number;
}
/**
 * Records to observe in order, all or none.
 */
export interface ObservedSequence {
  /**
   * The records, oldest first. 50,000 at most, unless the server was set up otherwise.
   */
  sequence: Gdf[];
  /**
   * Whether to learn working memory at the end. false if absent.
   */
  learn?: boolean;
  /**
   * Whether to empty working memory first. false if absent.
   */
  clear?: boolean;
}
/**
 * What to clear.
 */
export interface ClearAllMemory {
  /**
   * Whether to empty the blacklist too. true if absent.
   */
  clear_blacklist?: boolean;
}
/**
 * The last observation, as it was sent.
 */
export interface Percept {
  emotives: Emotives;
  metadata: Metadata;
  numbers?: Numbers;
  /**
   * The processors and manipulatives that the record came through, the first one first.
   *
   * Items: One of them.
   */
  path: string[];
  /**
   * The strings, in the order in which they came.
   */
  strings: Symbol[];
  time?: Seconds;
  /**
   * The identifier of the record.
   */
  unique_id: string;
  /**
   * The vectors, as they came.
   */
  vectors: Vector[];
}
/**
 * An empty object: there is nothing to show.
 */
export interface Nothing {}
/**
 * Which predictions to return.
 */
export interface AskPredictions {
  /**
   * If the last observation has another identifier, the answer is an empty list.
   */
  unique_id?: string;
  /**
   * What to predict from in place of working memory. Nothing is observed.
   */
  sequence?: Symbol[][];
  /**
   * The most predictions to return.
   */
  top?: number;
  /**
   * The members to return of each prediction; one or more. All if absent.
   *
   * @minItems 1
   *
   * Items: A member of a prediction.
   */
  fields?: (
    | "confidence"
    | "confluence"
    | "emotives"
    | "entropy"
    | "evidence"
    | "extras"
    | "fragmentation"
    | "frequency"
    | "future"
    | "grand_hamiltonian"
    | "hamiltonian"
    | "itfdf_similarity"
    | "matches"
    | "missing"
    | "name"
    | "past"
    | "potential"
    | "present"
    | "similarity"
    | "snr"
    | "type"
  )[];
}
/**
 * One model that matches working memory. All doubles are exact, without rounding. In the formulas, m is the number of matched symbols, f the model's frequency, and |...| a length in symbols.
 */
export interface Prediction {
  /**
   * The matched share of the symbols of present: m / their number. Above 0, at most 1.
   */
  confidence: number;
  /**
   * How much more often the model was learned than chance would have it: f / sum of all models' frequencies * (1 - product of the probabilities of present's symbols). Usually 0 to 1.
   */
  confluence: number;
  /**
   * The mean of the values that the model keeps of each emotive, in the unit that was observed.
   */
  emotives: {
    /**
     * The mean.
     */
    [k: string]: number;
  };
  /**
   * The information in present, in bits: the sum over its symbols of -p log2 p, p the symbol's probability. Usually 0 or more.
   */
  entropy: number;
  /**
   * The matched share of the model's symbols: m / |model|. Above 0, at most 1.
   */
  evidence: number;
  /**
   * The symbols of memory that did not match, in memory's order: those left over when memory is matched again with the model's part from its first matched symbol to its last.
   */
  extras: Symbol[];
  /**
   * How many more blocks than one the match has. From 0 (one unbroken block) to m - 1.
   */
  fragmentation: number;
  /**
   * How often the model was learned: f in the formulas.
   */
  frequency: number;
  /**
   * The events of the model after present: what comes next. The match need not end at the newest event of memory.
   */
  future: Event[];
  /**
   * The information in the distinct symbols of present: the sum over them of -p log p, with logarithms to the base of the number of known symbols. Usually 0 or more.
   */
  grand_hamiltonian: number;
  /**
   * How evenly the symbols of present are spread: the sum over them of -q log q, q the symbol's share of present; the base of the logarithms is the number of known symbols. 0 or more; at most 1 when no symbol repeats in present.
   */
  hamiltonian: number;
  /**
   * How similar memory and present are, with rare symbols counting less and the model's frequency more: 1 - (1 - cosine of present and memory, each symbol weighted by its probability) * f / sum of the frequencies of all matching models. 0 to 1.
   */
  itfdf_similarity: number;
  /**
   * The symbols that matched, in the model's order; m of them, at least 1.
   */
  matches: Symbol[];
  /**
   * The symbols of present that were expected and not seen, in order: their values are not in matches.
   */
  missing: Symbol[];
  name: ModelHash;
  /**
   * The events of the model before present.
   */
  past: Event[];
  /**
   * The usual measure of the whole: (evidence + confidence) * snr + itfdf_similarity + 1 / (fragmentation + 1). Above 0, at most 4. Predictions are sorted by it unless the gene prediction_sort_metric names another metric.
   */
  potential: number;
  /**
   * The whole events of the model from the first that matched to the last that did.
   */
  present: Event[];
  /**
   * Twice the matched symbols over those of model and memory together, the ratio of Ratcliff and Obershelp: 2 m / (|model| + |memory|). At least recall_threshold, at most 1.
   */
  similarity: number;
  /**
   * The matched symbols as a share of matched and extra ones: m / (m + number of extras). Above 0, at most 1.
   */
  snr: number;
  /**
   * The only type there is.
   */
  type: "prototypical";
}
/**
 * A prediction without the members that the request did not ask for.
 */
export interface PartialPrediction {
  /**
   * The matched share of the symbols of present: m / their number. Above 0, at most 1.
   */
  confidence?: number;
  /**
   * How much more often the model was learned than chance would have it: f / sum of all models' frequencies * (1 - product of the probabilities of present's symbols). Usually 0 to 1.
   */
  confluence?: number;
  /**
   * The mean of the values that the model keeps of each emotive, in the unit that was observed.
   */
  emotives?: {
    /**
     * The mean.
     */
    [k: string]: number;
  };
  /**
   * The information in present, in bits: the sum over its symbols of -p log2 p, p the symbol's probability. Usually 0 or more.
   */
  entropy?: number;
  /**
   * The matched share of the model's symbols: m / |model|. Above 0, at most 1.
   */
  evidence?: number;
  /**
   * The symbols of memory that did not match, in memory's order: those left over when memory is matched again with the model's part from its first matched symbol to its last.
   */
  extras?: Symbol[];
  /**
   * How many more blocks than one the match has. From 0 (one unbroken block) to m - 1.
   */
  fragmentation?: number;
  /**
   * How often the model was learned: f in the formulas.
   */
  frequency?: number;
  /**
   * The events of the model after present: what comes next. The match need not end at the newest event of memory.
   */
  future?: Event[];
  /**
   * The information in the distinct symbols of present: the sum over them of -p log p, with logarithms to the base of the number of known symbols. Usually 0 or more.
   */
  grand_hamiltonian?: number;
  /**
   * How evenly the symbols of present are spread: the sum over them of -q log q, q the symbol's share of present; the base of the logarithms is the number of known symbols. 0 or more; at most 1 when no symbol repeats in present.
   */
  hamiltonian?: number;
  /**
   * How similar memory and present are, with rare symbols counting less and the model's frequency more: 1 - (1 - cosine of present and memory, each symbol weighted by its probability) * f / sum of the frequencies of all matching models. 0 to 1.
   */
  itfdf_similarity?: number;
  /**
   * The symbols that matched, in the model's order; m of them, at least 1.
   */
  matches?: Symbol[];
  /**
   * The symbols of present that were expected and not seen, in order: their values are not in matches.
   */
  missing?: Symbol[];
  name?: ModelHash;
  /**
   * The events of the model before present.
   */
  past?: Event[];
  /**
   * The usual measure of the whole: (evidence + confidence) * snr + itfdf_similarity + 1 / (fragmentation + 1). Above 0, at most 4. Predictions are sorted by it unless the gene prediction_sort_metric names another metric.
   */
  potential?: number;
  /**
   * The whole events of the model from the first that matched to the last that did.
   */
  present?: Event[];
  /**
   * Twice the matched symbols over those of model and memory together, the ratio of Ratcliff and Obershelp: 2 m / (|model| + |memory|). At least recall_threshold, at most 1.
   */
  similarity?: number;
  /**
   * The matched symbols as a share of matched and extra ones: m / (m + number of extras). Above 0, at most 1.
   */
  snr?: number;
  /**
   * The only type there is.
   */
  type?: "prototypical";
}
/**
 * What to forecast.
 */
export interface AskForecast {
  /**
   * The number of events ahead. 1 if absent.
   */
  horizon?: number;
  /**
   * Maximum number of symbols of each event. 10 if absent.
   */
  top?: number;
  /**
   * What to forecast from in place of working memory. Nothing is observed. No event may be empty.
   */
  sequence?: Symbol[][];
}
/**
 * What comes next, and how likely it is.
 */
export interface Forecast {
  /**
   * The number of events of the memory that were taken into account, the newest ones.
   */
  context: number;
  /**
   * The number of models heard: those that share a symbol with these events, and that the target class admits.
   */
  models: number;
  /**
   * The next event, the one after it, and so on: as many as `horizon`.
   */
  steps: ForecastStep[];
  /**
   * The symbols by the probability that at least one of these events holds them, most probable first.
   */
  within: ForecastSymbol[];
}
/**
 * One of the next events.
 */
export interface ForecastStep {
  /**
   * The probability of an end, or of something unknown. 1 when no model is heard.
   */
  none: number;
  /**
   * What the event may hold, most probable first; ties by code point. At most `top`.
   */
  symbols: ForecastSymbol[];
  /**
   * In how many seconds it comes, counted from the newest event; null if nothing is known of it.
   */
  when: ForecastWhen | null;
}
/**
 * A symbol that may come.
 */
export interface ForecastSymbol {
  symbol: Symbol;
  /**
   * The probability that it is there.
   */
  probability: number;
  /**
   * The number of models that predict it.
   */
  support: number;
  /**
   * At most 5 of these models, strongest first.
   */
  models: ModelHash[];
}
/**
 * Quantiles, in seconds.
 */
export interface ForecastWhen {
  /**
   * In one of ten cases it comes sooner.
   */
  p10: number;
  /**
   * In half of the cases.
   */
  p50: number;
  /**
   * In nine of ten.
   */
  p90: number;
}
/**
 * Which recall thresholds to count for.
 */
export interface AskMatchingModels {
  /**
   * The thresholds. 0, 0.01, 0.02 and so on up to 1 if absent.
   *
   * @minItems 1
   * @maxItems 1000
   */
  recall_thresholds?: number[];
  /**
   * What to match in place of working memory. Nothing is observed.
   */
  sequence?: Symbol[][];
}
/**
 * How many models recall thresholds let match.
 */
export interface MatchingModels {
  /**
   * A count for each threshold, in the order of the request.
   */
  matching: MatchingCount[];
  /**
   * How many models the processor has.
   */
  models: number;
}
/**
 * How many models match with a recall threshold.
 */
export interface MatchingCount {
  /**
   * How many models have at least this similarity, 1 match or more, and the target class if there is one.
   */
  models: number;
  /**
   * The threshold.
   */
  recall_threshold: number;
}
/**
 * Which sequence to judge.
 */
export interface AskSequenceSurprise {
  /**
   * Whether nothing more comes: then its end counts, and what is missing. True if absent.
   */
  complete?: boolean;
  /**
   * The events, oldest first: 1 to 1,000, none empty.
   *
   * @maxItems 1000
   */
  sequence: Symbol[][];
}
/**
 * How unusual a whole sequence is, and why. docs/sequences.md has the rule.
 */
export interface SequenceSurprise {
  /**
   * The verdict by which sequences are compared: what holds how often, and in which order. 0 or more.
   */
  bits: number;
  /**
   * How unexpected it was to end here; null where more may come.
   */
  end: SequenceEnd | null;
  /**
   * Each event, in order, by those before it. The first one by how the models begin.
   */
  events: EventSurprise[];
  /**
   * What sequences like it hold and it does not: at most 20, most probable first. Empty where more may come.
   */
  missing: MissingSymbol[];
  /**
   * What it holds more often than sequences like it: at most 20, the greatest difference first.
   */
  excess: ExcessSymbol[];
  /**
   * The share of the newest 10,000 scored learns that had fewer bits, 0 to 1. Null while there are fewer than 20.
   */
  rank: number | null;
}
/**
 * The end of a sequence.
 */
export interface SequenceEnd {
  /**
   * -log2 of the probability that a sequence ends after these last events.
   */
  bits: number;
}
/**
 * An event of a sequence.
 */
export interface EventSurprise {
  /**
   * -log2 of the event's probability.
   */
  bits: number;
  /**
   * The symbols that were the most probable: at most 5, most probable first.
   */
  expected: ExpectedSymbol[];
  /**
   * The symbols of the event that had no probability.
   */
  unexpected: string[];
}
/**
 * A symbol that is missing.
 */
export interface MissingSymbol {
  /**
   * The symbol.
   */
  symbol: string;
  /**
   * The probability that a sequence with the same other symbols holds it.
   */
  probability: number;
}
/**
 * A symbol that comes too often.
 */
export interface ExcessSymbol {
  /**
   * The symbol.
   */
  symbol: string;
  /**
   * How often it comes.
   */
  count: number;
  /**
   * How often it comes in sequences with the same other symbols, on average.
   */
  expected: number;
}
/**
 * Records of which the symbols are asked.
 */
export interface AskedRecords {
  /**
   * The records, oldest first. 50,000 at most, unless the server was set up otherwise.
   */
  records: Gdf[];
}
/**
 * The last observation as the processor understood it. All members are empty if nothing was observed since the last clear.
 */
export interface Cognition {
  /**
   * The command of the record.
   */
  command: string;
  emotives: Emotives;
  metadata: Metadata;
  numbers?: Numbers;
  /**
   * The processors and manipulatives that the record came through.
   *
   * Items: One of them.
   */
  path: string[];
  predictions: Predictions;
  /**
   * The strings, in the order in which they came.
   */
  strings: Symbol[];
  symbols: Event;
  time?: Seconds;
  /**
   * The identifier of the record.
   */
  unique_id: string;
  /**
   * The vectors, as they came.
   */
  vectors: Vector[];
  working_memory: Sequence;
}
/**
 * Which prediction to explain.
 */
export interface AskPredictionExplanation {
  /**
   * What to predict from in place of working memory. Nothing is observed. No event may be empty.
   */
  sequence?: Symbol[][];
  /**
   * The model's hash, with or without `MODEL|`.
   */
  model: string;
}
/**
 * A prediction, and all values that its numbers are computed from. docs/predictions.md has the formulas.
 */
export interface PredictionExplanation {
  prediction: Prediction;
  /**
   * The memory that it is made from, oldest event first.
   */
  memory: Event[];
  /**
   * What matched with what, in order. No two blocks touch in both sequences.
   */
  blocks: MatchedBlock[];
  /**
   * What is known of each distinct symbol: those of `present` in the order of appearance, then those of memory.
   */
  symbols: SymbolTerms[];
  /**
   * F: the sum of the frequencies of all models that match, cut off or not.
   */
  matching_frequencies: number;
  /**
   * N: the number of known symbols.
   */
  known_symbols: number;
  /**
   * The natural logarithm of N.
   */
  ln_known_symbols: number;
  /**
   * The values that the model keeps of each emotive, oldest first.
   */
  emotives: {
    /**
     * The values.
     */
    [k: string]: number[];
  };
  /**
   * The sum of the frequencies of all models.
   */
  total_model_frequencies: number;
  /**
   * The sum over all symbols of how many models hold each; a model counts as often as it was learned.
   */
  total_symbols_in_models_frequencies: number;
}
/**
 * A run of symbols that match.
 */
export interface MatchedBlock {
  /**
   * Where it begins among the symbols of the model, 0 the first.
   */
  model: number;
  /**
   * Where it begins among the symbols of memory, 0 the first.
   */
  memory: number;
  /**
   * The number of its symbols.
   */
  length: number;
}
/**
 * A symbol. Its probability is `frequency` / `total_symbols_in_models_frequencies`.
 */
export interface SymbolTerms {
  symbol: Symbol;
  /**
   * How often it occurs in everything learned; 0 for an unknown symbol.
   */
  frequency: number;
  /**
   * Whether the present of some matching model holds it. Others weigh nothing in `itfdf_similarity`.
   */
  weighs: boolean;
  /**
   * The natural logarithm of its probability; null where that is 0.
   */
  ln_probability: number | null;
  /**
   * The logarithm to the base 2 of its probability; null where that is 0.
   */
  log2_probability: number | null;
  /**
   * The natural logarithm of its share of `present`; null where `present` does not hold it.
   */
  ln_share: number | null;
}
/**
 * Which probability to explain.
 */
export interface AskForecastExplanation {
  symbol: Symbol;
  /**
   * The number of events ahead. 1 if absent.
   */
  horizon?: number;
  /**
   * Whether in one or more of the events up to there, and not in the one there. False if absent.
   */
  within?: boolean;
  /**
   * What to forecast from in place of working memory. Nothing is observed. No event may be empty.
   */
  sequence?: Symbol[][];
}
/**
 * Why a symbol has its probability in a forecast. docs/forecast.md has the rules.
 */
export interface ForecastExplanation {
  symbol: Symbol;
  /**
   * The symbol's probability, as forecast gives it; 0 where it has none.
   */
  probability: number;
  /**
   * The events that are taken into account, oldest first.
   */
  context: Event[];
  /**
   * The number of models heard.
   */
  models: number;
  /**
   * The number of these that predict the symbol.
   */
  support: number;
  /**
   * At most 5 of the models that predict the symbol, strongest first.
   */
  strongest: ModelHash[];
  /**
   * What each rule gives the symbol, in their order.
   */
  rules: RuleTerms[];
  /**
   * The probability of the list before it is corrected: the share, with `followed` (count + prior * share) / (of + prior); within h events 1 - (1 - share)^h.
   */
  mixed: number;
  /**
   * How the list is corrected by what has proved true; null where no symbol has a probability, where an event that was counted holds several symbols, and for a step beyond the next event that agrees with the list within its horizon.
   */
  correction: ForecastCorrection | null;
  /**
   * The step up to the horizon, or with `within` the list of all events up to a nearer one, that gives the symbol more than the list within all of them, corrected, and most: then that is its probability. For the first symbol also one that gives another as much or more, the one at the horizon before it is corrected: then its probability is the next number above, at most 1. Null where there is none, and for a single step.
   */
  likeliest_step: LikelyStep | null;
  /**
   * The symbol's share of the pool: exp(sum of weight times ln probability - normalizer); null where an event that was counted holds several symbols: there the rule of what is alike says how probable each is.
   */
  share: number | null;
  /**
   * The logarithm by which shares sum to 1; null where `share` is.
   */
  normalizer: number | null;
  /**
   * What the weights depend on; null where `share` is.
   */
  situation: ForecastSituation | null;
  /**
   * How often the symbol followed the longest order. It counts for the next event, if ends that sequences share were left out of the record; else null.
   */
  followed: ForecastFollowed | null;
  /**
   * With `within`: the sum of the symbol's probabilities in all steps up to the horizon, added from the nearest. It limits the probability of the list, after any correction. Null for a single step, and where `share` is.
   */
  sum_of_steps: number | null;
}
/**
 * A rule, and what it gives a symbol.
 */
export interface RuleTerms {
  /**
   * Its name.
   */
  name: string;
  /**
   * What it goes by, as a sentence.
   */
  says: string;
  /**
   * Whether it has anything to go by here.
   */
  takes_part: boolean;
  /**
   * Its weight in the pool, an exponent; may be negative.
   */
  weight: number;
  /**
   * What of `given` counts in the pool: smoothed by the mean of the rules order and alike.
   */
  probability: number;
  /**
   * What it gives the symbol.
   */
  given: number;
  /**
   * The weight times (ln probability - the mean of that over all outcomes): above 0 it speaks for the symbol more than for what is expected anyway.
   */
  evidence: number;
}
/**
 * How the first symbol gets a probability that has proved true, and the others what is left.
 */
export interface ForecastCorrection {
  first: Symbol;
  /**
   * p: the probability of the first symbol before the correction.
   */
  mixed: number;
  /**
   * The range of p begins with this probability; null for a step.
   */
  from: number | null;
  /**
   * The range ends below this probability; 1 is within the last; null for a step.
   */
  to: number | null;
  /**
   * u: the number of past forecasts, by weight, whose first symbol was in this range; null for a step.
   */
  forecasts: number | null;
  /**
   * v: the number of these forecasts, by weight, whose first symbol came; null for a step.
   */
  right: number | null;
  /**
   * c: the number of pseudo-forecasts, right as often as they said; null for a step.
   */
  prior: number | null;
  /**
   * q: the probability that the first symbol gets. Within a horizon (v + c p) / (u + c); for the next event p f / (p f + 1 - p), with its factor f. No other becomes greater. For a step beyond the next event what is missing: `within` - `sum_before`, or the next number above where `sum_before` plus that is less than `within`.
   */
  proved: number;
  /**
   * Whether symbols exclude each other: then each other probability is multiplied by (1 - q) / (1 - p).
   */
  exclusive: boolean;
  /**
   * For the next event, what its odds are multiplied by: f is e to the power of the sum of weight times value, which is cut at -20 and 20. Empty for others.
   */
  terms: CorrectionTerm[];
  /**
   * f: what the odds of the next event's first symbol are multiplied by; null for others.
   */
  factor: number | null;
  /**
   * For a step beyond the next event: the probability of the first symbol within all events up to it; null for others.
   */
  within: number | null;
  /**
   * For a step beyond the next event: the sum of the first symbol's probabilities in the steps before it, added from the nearest; null for others.
   */
  sum_before: number | null;
}
/**
 * A term of the correction for the next event.
 */
export interface CorrectionTerm {
  /**
   * Its name.
   */
  name: string;
  /**
   * What its value is, as a phrase.
   */
  says: string;
  /**
   * Its value here.
   */
  value: number;
  /**
   * Its weight; may be negative.
   */
  weight: number;
}
/**
 * What one event ahead, or all up to there, give a symbol.
 */
export interface LikelyStep {
  /**
   * The number of events ahead.
   */
  horizon: number;
  /**
   * The symbol's probability there, as forecast gives it.
   */
  probability: number;
  symbol: Symbol;
  /**
   * Whether in one or more of the events up to `horizon`, and not in the one at it.
   */
  within: boolean;
}
/**
 * What the weights of the rules depend on, besides the horizon.
 */
export interface ForecastSituation {
  /**
   * The number of events behind the last shared one in the models that are heard, on average.
   */
  behind: number;
  /**
   * The greatest number of the latest events that stand somewhere in the same order.
   */
  longest_order: number;
  /**
   * The number of the bucket, 0 to 11.
   */
  bucket: number;
  /**
   * The bucket in words.
   */
  says: string;
}
/**
 * How often a symbol followed the longest order, and what its share is worth beside that.
 */
export interface ForecastFollowed {
  /**
   * How often the symbol followed, in learned sequences.
   */
  count: number;
  /**
   * How often any symbol did.
   */
  of: number;
  /**
   * The number of occurrences that the share is worth.
   */
  prior: number;
}
/**
 * Of which event to explain the surprise.
 */
export interface AskSurpriseExplanation {
  /**
   * The event; it holds one or more symbols.
   *
   * @minItems 1
   */
  event: Symbol[];
  /**
   * What the event comes after in place of working memory. Nothing is observed. No event may be empty.
   */
  sequence?: Symbol[][];
}
/**
 * How unexpected an event is, and why. docs/surprise.md has the rule.
 */
export interface SurpriseExplanation {
  surprise: Surprise;
  /**
   * The events that the forecast takes into account, oldest first.
   */
  context: Event[];
  /**
   * The distinct symbols of the event, in their order.
   */
  symbols: SymbolChance[];
  /**
   * The number of models heard.
   */
  models: number;
  /**
   * The number of known symbols.
   */
  known_symbols: number;
  /**
   * rest / (2 occurrences): the probability of a symbol to which the forecast gives none. A number far beyond everything learned has less.
   */
  unexpected_probability: number;
  /**
   * The factors of the event's probability, in the order in which they are multiplied: the least probable symbol first.
   */
  factors: SurpriseFactor[];
  /**
   * The probability that the rules leave, to be divided by the number of occurrences; 1 when no model is heard.
   */
  rest: number;
  /**
   * How often sequences and symbols occur in all models: the sum of the frequencies of both.
   */
  occurrences: number;
}
/**
 * A symbol of the event.
 */
export interface SymbolChance {
  symbol: Symbol;
  /**
   * The probability that the forecast gives it; 0 for none.
   */
  given: number;
  /**
   * The probability that it begins with as a factor.
   */
  probability: number;
}
/**
 * A symbol, given those of the factors before.
 */
export interface SurpriseFactor {
  symbol: Symbol;
  /**
   * The probability that it begins with.
   */
  prior: number;
  /**
   * What corrects the prior, the lowest level first: P becomes (holding + P) / (places + 1). Empty for an event of one symbol.
   */
  levels: SurpriseLevel[];
  /**
   * What the prior has become.
   */
  factor: number;
}
/**
 * What was counted where the latest events were alike on one level.
 */
export interface SurpriseLevel {
  /**
   * 1 to 16; 16 is the most alike.
   */
  level: number;
  /**
   * How often the next event held all symbols of the factors before.
   */
  places: number;
  /**
   * How often the next event held this symbol, too.
   */
  holding: number;
}
/**
 * A session at a glance.
 */
export interface Session {
  /**
   * Its name.
   */
  name: string;
  /**
   * How many events its working memory holds.
   */
  events: number;
  /**
   * How many symbols its working memory holds.
   */
  symbols: number;
  /**
   * Its time: how many observations it has taken.
   */
  time: number;
  /**
   * When it last observed a record, in seconds since 1970; null if it never has.
   */
  last_observed: number | null;
}
/**
 * The gateway runs.
 */
export interface Alive {
  /**
   * Always `okay`.
   */
  status: "okay";
}
/**
 * An agent and its genome.
 */
export interface Connection {
  /**
   * The name of the agent.
   */
  agent_name: string;
  /**
   * `failed`: a processor that had to be asked for its genes did not answer.
   */
  connection: "okay" | "failed";
  /**
   * The genome's name for the agent.
   */
  genie: string;
  genome: Genome;
  rights?: KeyRights;
  /**
   * Always `okay`.
   */
  status: "okay";
}
/**
 * The description of an agent: its processors, and which of them send predictions to which others.
 */
export interface Genome {
  /**
   * The genome's name for the agent.
   */
  agent: string;
  /**
   * For people.
   */
  description?: unknown;
  /**
   * The graph, as Cytoscape.js has it.
   */
  elements: {
    /**
     * The processors and the manipulatives between them.
     */
    nodes: GenomeNode[];
    /**
     * For programs that draw the graph; has no effect.
     */
    edges?: unknown;
    [k: string]: unknown;
  };
  /**
   * For programs that draw the graph; has no effect.
   */
  style?: unknown;
  [k: string]: unknown;
}
/**
 * A node of the graph.
 */
export interface GenomeNode {
  /**
   * A processor or a manipulative.
   */
  data: Primitive | Manipulative;
  [k: string]: unknown;
}
/**
 * A processor. Its other members may be genes under their names in genomes: the genes of a new processor.
 */
export interface Primitive {
  /**
   * Says that the node is a processor.
   */
  type: "primitive";
  id: Identifier;
  name: Identifier;
  /**
   * The identifiers of the processor's manipulatives, in the order in which they act. Each once.
   *
   * Items: An identifier.
   */
  manipulatives?: string[];
  jurisdiction?: Jurisdiction;
  location_hint?: LocationHint;
  /**
   * The URL of the server that has the processor, where it is not this one.
   */
  endpoint?: string;
  /**
   * Whether the symbols of an event are sorted by code point.
   */
  sort?: true | false | "sorting" | "not sorting";
  /**
   * Has no effect.
   */
  always_update_frequencies?: boolean;
  /**
   * Has no effect.
   */
  auto_learn_algorithm?: "basic";
  /**
   * What makes autolearning learn: the length of working memory, or the entropy of the predictions.
   */
  auto_learn_metric?: "wm_size" | "entropy";
  /**
   * How a vector becomes symbols. CVC: the nearest learned vectors and the vector itself. DVC: the fewest learned vectors that add up to it.
   */
  classifier?: "CVC" | "DVC";
  /**
   * Has no effect.
   */
  clustering_cluster_threshold?: number;
  /**
   * Has no effect.
   */
  clustering_fuzziness?: number;
  /**
   * Has no effect.
   */
  clustering_intercluster_threshold?: number;
  /**
   * Has no effect.
   */
  clustering_pair_similarity_maximum?: number;
  /**
   * Has no effect.
   */
  enable_genome_snapshots?: true | false | "genome snapshots enabled" | "genome snapshots disabled";
  /**
   * Has no effect.
   */
  enable_hyper_clustering?: true | false | "hyper_clustering enabled" | "hyper_clustering disabled";
  /**
   * Has no effect.
   */
  enable_predictions_kb?: true | false | "prediction_kb enabled" | "prediction_kb disabled";
  /**
   * Has no effect.
   */
  enable_snapshots?: true | false | "WM snapshots enabled" | "WM snapshots disabled";
  /**
   * How many of its newest events a memory keeps as its history (GET history); 0 for none. Listed only where it differs from its default.
   */
  history?: number;
  /**
   * Maximum number of models: learning beyond it forgets the least frequent others, the oldest of equals first, at most 100 at a time; 0 for no limit. Listed only where it differs from its default.
   */
  max_models?: number;
  /**
   * Maximum number of predictions in an answer.
   */
  max_predictions?: number;
  /**
   * How long working memory may be, in symbols or events as wm_resolution says; 0 for no limit.
   */
  max_sequence_length?: number;
  /**
   * How many of the nearest learned vectors CVC adds to an event.
   */
  near_vector_count?: number;
  /**
   * How many values a model keeps of each emotive.
   */
  persistence?: number;
  /**
   * Predicts only on every n-th observation since the last learning or clear.
   */
  predict_on_nth_event?: number;
  /**
   * The metric that sorts predictions, the highest first.
   */
  prediction_sort_metric?:
    | "confidence"
    | "confluence"
    | "entropy"
    | "evidence"
    | "fragmentation"
    | "grand_hamiltonian"
    | "hamiltonian"
    | "itfdf_similarity"
    | "potential"
    | "similarity"
    | "snr"
    | "number_of_blocks";
  /**
   * The limit for prediction_threshold_metric, in its unit.
   */
  prediction_threshold?: number;
  /**
   * Whether predictions at or above the limit are kept, or those at or below it.
   */
  prediction_threshold_direction?: true | false | "greater than" | "less than";
  /**
   * The metric that is compared with prediction_threshold.
   */
  prediction_threshold_metric?:
    | "confidence"
    | "confluence"
    | "entropy"
    | "evidence"
    | "fragmentation"
    | "grand_hamiltonian"
    | "hamiltonian"
    | "itfdf_similarity"
    | "potential"
    | "similarity"
    | "snr"
    | "number_of_blocks";
  /**
   * Has no effect.
   */
  quiescence?: number;
  /**
   * The similarity that a model needs to become a prediction.
   */
  recall_threshold?: number;
  /**
   * Maximum number of learned vectors that DVC adds up.
   */
  search_depth?: number;
  /**
   * Seconds without a change after which a session ends; 0 for never. Listed only where it differs from its default.
   */
  session_ttl?: number;
  /**
   * The entropy in bits above which auto_learn_metric `entropy` learns.
   */
  smoothness?: number;
  /**
   * Has no effect.
   */
  snapshot_gen_predictions?:
    true | false | "prediction generation on snapshot load enabled" | "prediction generation on snapshot load disabled";
  /**
   * Has no effect.
   */
  snapshot_sync_keys?: string;
  /**
   * What working memory keeps when autolearning by wm_size has learned it. clear: the last event. rolling: as many events as stay below max_sequence_length. Listed only where it differs from its default.
   */
  wm_mode?: "clear" | "rolling";
  /**
   * Whether max_sequence_length counts symbols or events.
   */
  wm_resolution?: "symbol" | "event";
  [k: string]: unknown;
}
/**
 * Sends parts of a processor's predictions to other processors, which observe them.
 */
export interface Manipulative {
  /**
   * Says that the node is a manipulative.
   */
  type: "manipulative";
  id: Identifier;
  /**
   * The only manipulative there is.
   */
  name: "abstraction";
  /**
   * The only type there is.
   */
  mtype: "output";
  /**
   * The identifier of the processor that it belongs to.
   */
  primitive: string;
  /**
   * What it sends, and where to.
   */
  genes: {
    /**
     * What it sends.
     */
    field: {
      /**
       * The parts of a prediction, in order. One or more, each once.
       *
       * @minItems 1
       *
       * Items: A part of a prediction. `classification`: the last event of future, or of present if there is no future.
       */
      value: ("name" | "past" | "present" | "future" | "missing" | "extras" | "matches" | "classification")[];
      [k: string]: unknown;
    };
    /**
     * Where it sends to.
     */
    primitives: {
      /**
       * The identifiers of processors, in order, each once.
       *
       * Items: An identifier.
       */
      value: string[];
      [k: string]: unknown;
    };
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * What the key of the request allows. A key that the deployment configures has the role admin.
 */
export interface KeyRights {
  /**
   * What the key may do. Each role once.
   *
   * @minItems 1
   */
  roles: Role[];
  /**
   * The identifiers of the only processors that the key opens. Not with the role admin.
   *
   * @minItems 1
   * @maxItems 32
   *
   * Items: The identifier of a processor.
   */
  processors?: string[];
  /**
   * The only sessions that the key opens: names, or beginnings of names with `*` behind. Not with the role admin.
   *
   * @minItems 1
   * @maxItems 32
   *
   * Items: A name: 1 to 128 bytes of UTF-8, without control characters, and not `.` or `..`.
   */
  sessions?: string[];
}
/**
 * Where a new processor is placed. It stays there.
 */
export interface PlacedProcessor {
  /**
   * The processor's identifier.
   */
  id: string;
  location_hint?: LocationHint;
  jurisdiction?: Jurisdiction;
}
/**
 * What a hotswap would do.
 */
export interface GenomeChange {
  /**
   * The processors that would come.
   *
   * Items: The identifier of a processor.
   */
  added: string[];
  /**
   * The processors that would stay, with their memory and genes.
   *
   * Items: The identifier of a processor.
   */
  kept: string[];
  /**
   * The processors that would go out of service.
   *
   * Items: The identifier of a processor.
   */
  retired: string[];
  /**
   * The processors whose data would be deleted.
   *
   * Items: The identifier of a processor.
   */
  purged: string[];
  /**
   * Where new processors would be placed.
   */
  placed: PlacedProcessor[];
  /**
   * The processors that would stay under another name.
   *
   * Items: A processor under another name.
   */
  renamed: {
    /**
     * The processor's identifier.
     */
    id: string;
    /**
     * The friendly name until now.
     */
    from: string;
    /**
     * The friendly name from then on.
     */
    to: string;
  }[];
}
/**
 * The rights of a new key.
 */
export interface NewKey {
  /**
   * What the owner calls the key: 1 to 128 bytes of UTF-8, without control characters, and not `.` or `..`.
   */
  name: string;
  /**
   * What the key may do. Each role once.
   *
   * @minItems 1
   */
  roles: Role[];
  /**
   * The identifiers of the only processors that the key opens. Not with the role admin.
   *
   * @minItems 1
   * @maxItems 32
   *
   * Items: The identifier of a processor.
   */
  processors?: string[];
  /**
   * The only sessions that the key opens: names, or beginnings of names with `*` behind. Not with the role admin.
   *
   * @minItems 1
   * @maxItems 32
   *
   * Items: A name: 1 to 128 bytes of UTF-8, without control characters, and not `.` or `..`.
   */
  sessions?: string[];
  /**
   * From when on the key is not accepted, in seconds since 1970. In the future, when the key is made.
   */
  expires?: number;
  /**
   * How many requests the key may make in a minute, counted where they arrive.
   */
  per_minute?: number;
}
/**
 * A new key, whose text no later answer has.
 */
export interface CreatedKey {
  /**
   * The key's identifier, 16 hex digits.
   */
  id: string;
  /**
   * When the key was made, in seconds since 1970.
   */
  created: number;
  /**
   * What the owner calls the key: 1 to 128 bytes of UTF-8, without control characters, and not `.` or `..`.
   */
  name: string;
  /**
   * What the key may do. Each role once.
   *
   * @minItems 1
   */
  roles: Role[];
  /**
   * The identifiers of the only processors that the key opens. Not with the role admin.
   *
   * @minItems 1
   * @maxItems 32
   *
   * Items: The identifier of a processor.
   */
  processors?: string[];
  /**
   * The only sessions that the key opens: names, or beginnings of names with `*` behind. Not with the role admin.
   *
   * @minItems 1
   * @maxItems 32
   *
   * Items: A name: 1 to 128 bytes of UTF-8, without control characters, and not `.` or `..`.
   */
  sessions?: string[];
  /**
   * From when on the key is not accepted, in seconds since 1970. In the future, when the key is made.
   */
  expires?: number;
  /**
   * How many requests the key may make in a minute, counted where they arrive.
   */
  per_minute?: number;
  /**
   * The key, as a client sends it.
   */
  key: string;
}
/**
 * An issued key, without its secret.
 */
export interface IssuedKey {
  /**
   * The key's identifier, 16 hex digits.
   */
  id: string;
  /**
   * When the key was made, in seconds since 1970.
   */
  created: number;
  /**
   * What the owner calls the key: 1 to 128 bytes of UTF-8, without control characters, and not `.` or `..`.
   */
  name: string;
  /**
   * What the key may do. Each role once.
   *
   * @minItems 1
   */
  roles: Role[];
  /**
   * The identifiers of the only processors that the key opens. Not with the role admin.
   *
   * @minItems 1
   * @maxItems 32
   *
   * Items: The identifier of a processor.
   */
  processors?: string[];
  /**
   * The only sessions that the key opens: names, or beginnings of names with `*` behind. Not with the role admin.
   *
   * @minItems 1
   * @maxItems 32
   *
   * Items: A name: 1 to 128 bytes of UTF-8, without control characters, and not `.` or `..`.
   */
  sessions?: string[];
  /**
   * From when on the key is not accepted, in seconds since 1970. In the future, when the key is made.
   */
  expires?: number;
  /**
   * How many requests the key may make in a minute, counted where they arrive.
   */
  per_minute?: number;
}
/**
 * Routes by name.
 */
export interface MqttRoutes {
  [k: string]: MqttRoute;
}
/**
 * Which messages become records, and of which memory.
 */
export interface MqttRoute {
  /**
   * The topic filter: `+` is any one level, `#` at the end is all further levels. Noema's own topics, `noema/...`, are never routed.
   */
  topic: string;
  /**
   * The identifier or name of the processor. `{1}` stands for the first level of the topic, and so on.
   */
  processor: string;
  /**
   * The session, with levels as in processor. Absent: the processor's own memory.
   */
  session?: string;
  /**
   * The members of the JSON payload that become symbols `member=value`: texts, booleans and numbers. `a.b` is the member b of the member a, an empty text the whole payload.
   *
   * @maxItems 100
   *
   * Items: A member of the payload.
   */
  strings?: string[];
  /**
   * The members of the JSON payload that become numbers, each for the encoder of the member's name. For the whole payload, an empty text, that is the route's name.
   *
   * @maxItems 100
   *
   * Items: A member of the payload.
   */
  numbers?: string[];
  /**
   * The member of the JSON payload that says when the event happened: epoch seconds, or RFC 3339 text. Absent: events happen when they arrive.
   */
  time?: string;
  /**
   * Whether to learn after each record.
   */
  learn: boolean;
}
/**
 * Which messages become records, and of which memory.
 */
export interface NewMqttRoute {
  /**
   * The topic filter: `+` is any one level, `#` at the end is all further levels. Noema's own topics, `noema/...`, are never routed.
   */
  topic: string;
  /**
   * The identifier or name of the processor. `{1}` stands for the first level of the topic, and so on.
   */
  processor: string;
  /**
   * The session, with levels as in processor. Absent: the processor's own memory.
   */
  session?: string;
  /**
   * The members of the JSON payload that become symbols `member=value`: texts, booleans and numbers. `a.b` is the member b of the member a, an empty text the whole payload.
   *
   * @maxItems 100
   *
   * Items: A member of the payload.
   */
  strings?: string[];
  /**
   * The members of the JSON payload that become numbers, each for the encoder of the member's name. For the whole payload, an empty text, that is the route's name.
   *
   * @maxItems 100
   *
   * Items: A member of the payload.
   */
  numbers?: string[];
  /**
   * The member of the JSON payload that says when the event happened: epoch seconds, or RFC 3339 text. Absent: events happen when they arrive.
   */
  time?: string;
  /**
   * Whether to learn after each record.
   */
  learn?: boolean;
}
/**
 * The requests that a server remembers because they failed, were refused or were slow.
 */
export interface RecentRequests {
  /**
   * The requests, newest first: at most 100 of each kind.
   */
  requests: RecentRequest[];
  /**
   * Since when the server remembers: when its first request came, ISO 8601 in UTC.
   */
  since: string;
}
/**
 * A request that failed, was refused or was slow. Members have the names that they have in the log.
 */
export interface RecentRequest {
  /**
   * `failed`: status 500 or more. `key-refused`: it had no accepted key. `refused`: status 400 to 499. `slow`: it was answered, but took as long as NOEMA_SLOW_MS says.
   */
  event: "failed" | "key-refused" | "refused" | "slow";
  /**
   * Why it failed: the sentence that its client was sent. Null where the sentence may quote the request.
   */
  message: string | null;
  /**
   * From the arrival of the request until its answer began.
   */
  milliseconds: number;
  /**
   * Methods and path as in this document, or the method of a service. Null if there is none, or its key was not accepted.
   */
  operation: string | null;
  /**
   * The processor's identifier. Null if the request is about none, or about one that there is not.
   */
  processor: string | null;
  /**
   * The identifier of the request, as in the header X-Request-Id.
   */
  request_id: string;
  /**
   * The HTTP status.
   */
  status: number;
  /**
   * When the answer began, ISO 8601 in UTC.
   */
  time: string;
}
/**
 * How much a processor has learned, and how full it is.
 */
export interface ProcessorUsage {
  /**
   * The identifier.
   */
  id: string;
  /**
   * The gene max_models: the most models; 0 for no limit.
   */
  max_models: number | null;
  /**
   * Bytes of memory for models, symbols and vectors. Null if it is not in memory.
   */
  memory_bytes: number | null;
  /**
   * Bytes that memory_bytes may be where no other processor shares the memory.
   */
  memory_limit_bytes: number | null;
  /**
   * The number of models.
   */
  models: number | null;
  /**
   * The friendly name.
   */
  name: string;
  /**
   * The greater share of memory and storage, in percent.
   */
  percent_full: number | null;
  /**
   * The number of sessions that are stored.
   */
  sessions: number | null;
  /**
   * Whether it answered.
   */
  status: "okay" | "unused" | "failed";
  /**
   * Bytes of storage. Null if it is served elsewhere or unused.
   */
  storage_bytes: number | null;
  /**
   * Bytes of storage that one Durable Object may have on Cloudflare.
   */
  storage_limit_bytes: number;
  /**
   * The number of symbols in models.
   */
  symbols: number | null;
  /**
   * The number of learned vectors.
   */
  vectors: number | null;
}
/**
 * What a processor has told others.
 */
export interface ToldOthers {
  /**
   * Since when it counts, in epoch seconds: when its object began. Null if it did not answer or is unused.
   */
  counted_since: number | null;
  /**
   * The identifier.
   */
  id: string;
  /**
   * Each manipulative with each processor that observes it.
   */
  links: Link[];
  /**
   * The friendly name.
   */
  name: string;
  /**
   * Whether it answered.
   */
  status: "okay" | "unused" | "failed";
  /**
   * How many events wait to be delivered. Null if it did not answer.
   */
  waiting: number | null;
  /**
   * The identifier of the processor that the first of them is for. Null if none waits.
   */
  waits_for: string | null;
}
/**
 * A manipulative, and one of the processors that observe what it sends.
 */
export interface Link {
  /**
   * The identifier of the manipulative.
   */
  manipulative: string;
  /**
   * The identifier of the processor that observes.
   */
  processor: string;
  /**
   * How many events it was delivered.
   */
  delivered: number;
  /**
   * How many events were given up, because it refused them for good or had left the agent.
   */
  given_up: number;
}
/**
 * The processor answers.
 */
export interface ProcessorAlive {
  /**
   * Always `okay`.
   */
  message: "okay";
  /**
   * Always `okay`.
   */
  status: "okay";
}
/**
 * The processor's flags, counters and sizes.
 */
export interface Status {
  /**
   * Whether the processor learns by itself.
   */
  AUTOLEARN: boolean;
  /**
   * Always false.
   */
  HYPOTHESIZED: boolean;
  /**
   * Whether the processor predicts.
   */
  PREDICT: boolean;
  /**
   * Whether the processor ignores observations.
   */
  SLEEPING: boolean;
  /**
   * Always false.
   */
  SNAPSHOT: boolean;
  emotives: Emotives;
  /**
   * The hash of the model that was learned last; empty for none.
   */
  last_learned_model_name: string;
  /**
   * How many models there are, as `{KB| objects: <number>}`.
   */
  models_kb: string;
  /**
   * The processor's friendly name.
   */
  name: string;
  /**
   * The limits of which nine tenths or more are used, by name; absent if there is none.
   *
   * @minItems 1
   *
   * Items: A limit that is nearly reached.
   */
  near_limits?: {
    /**
     * What is limited: knowledge_bytes, sessions, storage_bytes, working_memory_bytes or working_memory_symbols.
     */
    limit: string;
    /**
     * How much there may be.
     */
    most: number;
    /**
     * How much there is.
     */
    used: number;
  }[];
  /**
   * How many observations there were since the last learn, clear or sleep.
   */
  num_observe_call: number;
  /**
   * How many symbols working memory holds.
   */
  size_WM: number;
  /**
   * The target class; empty for none.
   */
  target: string;
  /**
   * How many observations the processor has taken.
   */
  time: number;
  /**
   * How many components a vector has; -1 until one is learned.
   */
  vector_dimensionality: number;
  /**
   * How many vectors there are, as `{KB| objects: <number>}`.
   */
  vectors_kb: string;
}
/**
 * Version, build and memory use.
 */
export interface Info {
  /**
   * When the server's program was built, as ISO 8601.
   */
  build_date: string;
  /**
   * The build.
   */
  build_number: string;
  /**
   * The gene classifier: how vectors become symbols.
   */
  classifier: string;
  /**
   * The processor's identifier.
   */
  id: string;
  /**
   * How much memory the processor's models, symbols and vectors hold, in bytes.
   */
  memory_bytes: number;
  /**
   * How much memory they may hold, in bytes.
   */
  memory_limit_bytes: number;
  /**
   * The processor's friendly name.
   */
  name: string;
  /**
   * The parts over which the models are spread; absent where they are not split.
   *
   * @minItems 2
   *
   * Items: A part of the models.
   */
  parts?: {
    /**
     * Bytes of memory that it uses; 0 while it is not in memory.
     */
    memory_bytes: number;
    /**
     * How many models it has.
     */
    models: number;
  }[];
  /**
   * How many observations the processor has taken.
   */
  time: number;
  /**
   * The version of Noema.
   */
  version: string;
}
/**
 * How much to add.
 */
export interface Increment {
  /**
   * What to add to the gene recall_threshold, which must stay from 0 to 1. May be negative.
   */
  increment: number;
}
/**
 * All genes.
 */
export interface AllGenes {
  genes: Genes;
}
/**
 * The genes by name. The defaults are those of a new processor whose genome says nothing else.
 */
export interface Genes {
  /**
   * Whether the symbols of an event are sorted by code point.
   */
  SORT: "sorting" | "not sorting";
  /**
   * Has no effect.
   */
  always_update_frequencies: boolean;
  /**
   * Has no effect.
   */
  auto_learn_algorithm: "basic";
  /**
   * What makes autolearning learn: the length of working memory, or the entropy of the predictions.
   */
  auto_learn_metric: "wm_size" | "entropy";
  /**
   * How a vector becomes symbols. CVC: the nearest learned vectors and the vector itself. DVC: the fewest learned vectors that add up to it.
   */
  classifier: "CVC" | "DVC";
  /**
   * Has no effect.
   */
  clustering_cluster_threshold: number;
  /**
   * Has no effect.
   */
  clustering_fuzziness: number;
  /**
   * Has no effect.
   */
  clustering_intercluster_threshold: number;
  /**
   * Has no effect.
   */
  clustering_pair_similarity_maximum: number;
  /**
   * Has no effect.
   */
  enable_genome_snapshots: "genome snapshots enabled" | "genome snapshots disabled";
  /**
   * Has no effect.
   */
  enable_hyper_clustering: "hyper_clustering enabled" | "hyper_clustering disabled";
  /**
   * Has no effect.
   */
  enable_predictions_kb: "prediction_kb enabled" | "prediction_kb disabled";
  /**
   * Has no effect.
   */
  enable_snapshots: "WM snapshots enabled" | "WM snapshots disabled";
  /**
   * How many of its newest events a memory keeps as its history (GET history); 0 for none. Listed only where it differs from its default.
   */
  history?: number;
  /**
   * Maximum number of models: learning beyond it forgets the least frequent others, the oldest of equals first, at most 100 at a time; 0 for no limit. Listed only where it differs from its default.
   */
  max_models?: number;
  /**
   * Maximum number of predictions in an answer.
   */
  max_predictions: number;
  /**
   * How long working memory may be, in symbols or events as wm_resolution says; 0 for no limit.
   */
  max_sequence_length: number;
  /**
   * How many of the nearest learned vectors CVC adds to an event.
   */
  near_vector_count: number;
  /**
   * How many values a model keeps of each emotive.
   */
  persistence: number;
  /**
   * Predicts only on every n-th observation since the last learning or clear.
   */
  predict_on_nth_event: number;
  /**
   * The metric that sorts predictions, the highest first.
   */
  prediction_sort_metric:
    | "confidence"
    | "confluence"
    | "entropy"
    | "evidence"
    | "fragmentation"
    | "grand_hamiltonian"
    | "hamiltonian"
    | "itfdf_similarity"
    | "potential"
    | "similarity"
    | "snr"
    | "number_of_blocks";
  /**
   * The limit for prediction_threshold_metric, in its unit.
   */
  prediction_threshold: number;
  /**
   * Whether predictions at or above the limit are kept, or those at or below it.
   */
  prediction_threshold_direction: "greater than" | "less than";
  /**
   * The metric that is compared with prediction_threshold.
   */
  prediction_threshold_metric:
    | "confidence"
    | "confluence"
    | "entropy"
    | "evidence"
    | "fragmentation"
    | "grand_hamiltonian"
    | "hamiltonian"
    | "itfdf_similarity"
    | "potential"
    | "similarity"
    | "snr"
    | "number_of_blocks";
  /**
   * Has no effect.
   */
  quiescence: number;
  /**
   * The similarity that a model needs to become a prediction.
   */
  recall_threshold: number;
  /**
   * Maximum number of learned vectors that DVC adds up.
   */
  search_depth: number;
  /**
   * Seconds without a change after which a session ends; 0 for never. Listed only where it differs from its default.
   */
  session_ttl?: number;
  /**
   * The entropy in bits above which auto_learn_metric `entropy` learns.
   */
  smoothness: number;
  /**
   * Has no effect.
   */
  snapshot_gen_predictions:
    "prediction generation on snapshot load enabled" | "prediction generation on snapshot load disabled";
  /**
   * Has no effect.
   */
  snapshot_sync_keys: string;
  /**
   * What working memory keeps when autolearning by wm_size has learned it. clear: the last event. rolling: as many events as stay below max_sequence_length. Listed only where it differs from its default.
   */
  wm_mode?: "clear" | "rolling";
  /**
   * Whether max_sequence_length counts symbols or events.
   */
  wm_resolution: "symbol" | "event";
}
/**
 * New values of genes by name. All are changed, or none.
 */
export interface GeneChanges {
  /**
   * Whether the symbols of an event are sorted by code point.
   */
  SORT?: true | false | "sorting" | "not sorting";
  /**
   * Has no effect.
   */
  always_update_frequencies?: boolean;
  /**
   * Has no effect.
   */
  auto_learn_algorithm?: "basic";
  /**
   * What makes autolearning learn: the length of working memory, or the entropy of the predictions.
   */
  auto_learn_metric?: "wm_size" | "entropy";
  /**
   * How a vector becomes symbols. CVC: the nearest learned vectors and the vector itself. DVC: the fewest learned vectors that add up to it.
   */
  classifier?: "CVC" | "DVC";
  /**
   * Has no effect.
   */
  clustering_cluster_threshold?: number;
  /**
   * Has no effect.
   */
  clustering_fuzziness?: number;
  /**
   * Has no effect.
   */
  clustering_intercluster_threshold?: number;
  /**
   * Has no effect.
   */
  clustering_pair_similarity_maximum?: number;
  /**
   * Has no effect.
   */
  enable_genome_snapshots?: true | false | "genome snapshots enabled" | "genome snapshots disabled";
  /**
   * Has no effect.
   */
  enable_hyper_clustering?: true | false | "hyper_clustering enabled" | "hyper_clustering disabled";
  /**
   * Has no effect.
   */
  enable_predictions_kb?: true | false | "prediction_kb enabled" | "prediction_kb disabled";
  /**
   * Has no effect.
   */
  enable_snapshots?: true | false | "WM snapshots enabled" | "WM snapshots disabled";
  /**
   * How many of its newest events a memory keeps as its history (GET history); 0 for none. Listed only where it differs from its default.
   */
  history?: number;
  /**
   * Maximum number of models: learning beyond it forgets the least frequent others, the oldest of equals first, at most 100 at a time; 0 for no limit. Listed only where it differs from its default.
   */
  max_models?: number;
  /**
   * Maximum number of predictions in an answer.
   */
  max_predictions?: number;
  /**
   * How long working memory may be, in symbols or events as wm_resolution says; 0 for no limit.
   */
  max_sequence_length?: number;
  /**
   * How many of the nearest learned vectors CVC adds to an event.
   */
  near_vector_count?: number;
  /**
   * How many values a model keeps of each emotive.
   */
  persistence?: number;
  /**
   * Predicts only on every n-th observation since the last learning or clear.
   */
  predict_on_nth_event?: number;
  /**
   * The metric that sorts predictions, the highest first.
   */
  prediction_sort_metric?:
    | "confidence"
    | "confluence"
    | "entropy"
    | "evidence"
    | "fragmentation"
    | "grand_hamiltonian"
    | "hamiltonian"
    | "itfdf_similarity"
    | "potential"
    | "similarity"
    | "snr"
    | "number_of_blocks";
  /**
   * The limit for prediction_threshold_metric, in its unit.
   */
  prediction_threshold?: number;
  /**
   * Whether predictions at or above the limit are kept, or those at or below it.
   */
  prediction_threshold_direction?: true | false | "greater than" | "less than";
  /**
   * The metric that is compared with prediction_threshold.
   */
  prediction_threshold_metric?:
    | "confidence"
    | "confluence"
    | "entropy"
    | "evidence"
    | "fragmentation"
    | "grand_hamiltonian"
    | "hamiltonian"
    | "itfdf_similarity"
    | "potential"
    | "similarity"
    | "snr"
    | "number_of_blocks";
  /**
   * Has no effect.
   */
  quiescence?: number;
  /**
   * The similarity that a model needs to become a prediction.
   */
  recall_threshold?: number;
  /**
   * Maximum number of learned vectors that DVC adds up.
   */
  search_depth?: number;
  /**
   * Seconds without a change after which a session ends; 0 for never. Listed only where it differs from its default.
   */
  session_ttl?: number;
  /**
   * The entropy in bits above which auto_learn_metric `entropy` learns.
   */
  smoothness?: number;
  /**
   * Has no effect.
   */
  snapshot_gen_predictions?:
    true | false | "prediction generation on snapshot load enabled" | "prediction generation on snapshot load disabled";
  /**
   * Has no effect.
   */
  snapshot_sync_keys?: string;
  /**
   * What working memory keeps when autolearning by wm_size has learned it. clear: the last event. rolling: as many events as stay below max_sequence_length. Listed only where it differs from its default.
   */
  wm_mode?: "clear" | "rolling";
  /**
   * Whether max_sequence_length counts symbols or events.
   */
  wm_resolution?: "symbol" | "event";
}
/**
 * Encoders by name: that of the numbers that they turn into symbols, or one of their own where they read the time.
 */
export interface Encoders {
  [k: string]: Encoder;
}
/**
 * Alerts by name.
 */
export interface Alerts {
  [k: string]: Alert;
}
/**
 * An alert, without its secret.
 */
export interface Alert {
  when: AlertCondition;
  /**
   * Where it is delivered; null for an alert without deliveries.
   */
  url: string | null;
  /**
   * The number of deliveries that wait.
   */
  waiting: number;
  /**
   * The threshold, in bits, that an alert of a number of events a day has chosen; null for others, and before it has seen 30 events.
   */
  threshold: number | null;
  /**
   * How deliveries are written.
   */
  format: "standard" | "slack" | "ntfy" | "text";
  /**
   * The last attempt to deliver; null before the first.
   */
  last_delivery: AlertDelivery | null;
}
/**
 * A threshold that follows what is observed, so that about a given number of events a day exceed it.
 */
export interface DailyCondition {
  /**
   * The number of events a day, by the time of the events.
   */
  per_day: number;
}
/**
 * The probability of a symbol above which an alert fires.
 */
export interface ForecastCondition {
  /**
   * The symbol, at most 4096 characters.
   */
  symbol: string;
  /**
   * The probability.
   */
  above: number;
  /**
   * The number of next events among which the symbol may be.
   */
  horizon?: number;
}
/**
 * An attempt to deliver.
 */
export interface AlertDelivery {
  /**
   * Why it failed, in a sentence; null when it was delivered.
   */
  failure: string | null;
  /**
   * How it ended.
   */
  outcome: "delivered" | "failed";
  /**
   * The HTTP status; null when there was no answer.
   */
  status: number | null;
  /**
   * When it ended, in seconds since 1970.
   */
  time: number;
}
/**
 * An alert to set.
 */
export interface NewAlert {
  when: AlertCondition;
  /**
   * Where it is delivered: https, of a host in `NOEMA_ALERT_HOSTS`, at most 2048 characters. If absent, nothing is delivered.
   */
  url?: string;
  /**
   * How deliveries are written; standard if absent.
   */
  format?: "standard" | "slack" | "ntfy" | "text";
  /**
   * Signs what is delivered: `whsec_` and the base64 of 24 to 64 bytes. Generated if absent.
   */
  secret?: string;
}
/**
 * The alert is set.
 */
export interface SetAlert {
  /**
   * The generated secret, which no later answer has; absent if the caller gave one, or for an alert without deliveries.
   */
  secret?: string;
}
/**
 * A delivery that is queued.
 */
export interface QueuedDelivery {
  /**
   * What its header `webhook-id` will be.
   */
  webhook_id: string;
}
/**
 * Events of one memory that passed one alert close together.
 */
export interface Incident {
  /**
   * Greater is newer; never used again.
   */
  id: number;
  /**
   * The alert's name when it began.
   */
  alert: string;
  /**
   * The session; null for the processor's own memory.
   */
  session: string | null;
  /**
   * A person's verdict; null before it.
   */
  verdict: ("normal" | "fault" | "ignored") | null;
  /**
   * What a person noted.
   */
  note: string;
  /**
   * How many events passed the alert.
   */
  events: number;
  /**
   * When the first of them happened, in seconds since 1970.
   */
  from: number;
  /**
   * When the last of them happened, in seconds since 1970.
   */
  to: number;
  /**
   * The time of the memory at the first of them.
   */
  interval: number;
  /**
   * The bits of the worst of them.
   */
  bits: number;
  /**
   * The symbols of the worst with their parts of its bits, most first: at most 20.
   */
  causes: Cause[];
  /**
   * What was expected in its place: at most 5, most probable first.
   */
  expected: ExpectedSymbol[];
}
/**
 * A symbol, and its part of the bits of an event.
 */
export interface Cause {
  /**
   * The symbol.
   */
  symbol: string;
  /**
   * -log2 of its factor in the probability of the event.
   */
  bits: number;
}
/**
 * An incident with its evidence.
 */
export interface IncidentWithEvidence {
  /**
   * Greater is newer; never used again.
   */
  id: number;
  /**
   * The alert's name when it began.
   */
  alert: string;
  /**
   * The session; null for the processor's own memory.
   */
  session: string | null;
  /**
   * A person's verdict; null before it.
   */
  verdict: ("normal" | "fault" | "ignored") | null;
  /**
   * What a person noted.
   */
  note: string;
  /**
   * How many events passed the alert.
   */
  events: number;
  /**
   * When the first of them happened, in seconds since 1970.
   */
  from: number;
  /**
   * When the last of them happened, in seconds since 1970.
   */
  to: number;
  /**
   * The time of the memory at the first of them.
   */
  interval: number;
  /**
   * The bits of the worst of them.
   */
  bits: number;
  /**
   * The symbols of the worst with their parts of its bits, most first: at most 20.
   */
  causes: Cause[];
  /**
   * What was expected in its place: at most 5, most probable first.
   */
  expected: ExpectedSymbol[];
  /**
   * Events before it, its first and its worst, in order.
   */
  evidence: SeenEvent[];
}
/**
 * An event of a memory, kept to look at.
 */
export interface SeenEvent {
  /**
   * The time of the memory; null where only the order of events is known.
   */
  interval: number | null;
  /**
   * When it happened, in seconds since 1970; null where only the order is known.
   */
  time: number | null;
  /**
   * How unexpected it was; null where that was not computed.
   */
  bits: number | null;
  /**
   * Its symbols.
   */
  symbols: string[];
}
/**
 * What an incident was.
 */
export interface Judgement {
  /**
   * What the incident was; null to withdraw a verdict.
   */
  verdict: ("normal" | "fault" | "ignored") | null;
  /**
   * A note, at most 1,000 characters; the one before stays when absent.
   */
  note?: string;
}
/**
 * The verdict is kept.
 */
export interface Judged {
  /**
   * The model that was learned; null for none.
   */
  learned: ModelLabel | null;
}
/**
 * An event of the history of a memory.
 */
export interface HistoryEvent {
  /**
   * The time of the memory.
   */
  interval: number;
  /**
   * When it happened, in seconds since 1970.
   */
  time: number;
  /**
   * How unexpected it was; null where that was not computed.
   */
  bits: number | null;
  /**
   * Its symbols.
   */
  symbols: string[];
  /**
   * The numbers of its record, by name.
   */
  numbers: {
    [k: string]: number;
  };
}
/**
 * A memory at a glance.
 */
export interface Device {
  /**
   * The session; null for the processor's own memory.
   */
  session: string | null;
  /**
   * How many of its incidents have no verdict.
   */
  incidents: number;
  /**
   * When it last observed a record, in seconds since 1970.
   */
  last_observed: number;
  /**
   * Whether an alert says that it has gone silent.
   */
  silent: boolean;
  /**
   * The worst event of its newest incident; null where none is kept.
   */
  last_surprise: LastSurprise | null;
  /**
   * The identifier of the processor.
   */
  processor: string;
}
/**
 * The newest incident of a memory.
 */
export interface LastSurprise {
  /**
   * The bits of its worst event.
   */
  bits: number;
  /**
   * When its last event happened, in seconds since 1970.
   */
  time: number;
}
/**
 * A learned model.
 */
export interface Model {
  /**
   * The values of each emotive by name, oldest first.
   */
  emotives: {
    /**
     * Values.
     *
     * Items: Any finite double.
     */
    [k: string]: number[];
  };
  /**
   * How often the model was learned.
   */
  frequency: number;
  /**
   * How many symbols the sequence has.
   */
  length: number;
  /**
   * The metadata of each event, one object per event.
   */
  metadata: Metadata[];
  name: ModelHash;
  sequence: Sequence;
  /**
   * Always empty: models are not linked here.
   *
   * @maxItems 0
   */
  predecessor_model: ModelHash[];
}
/**
 * What to replace in a model. Members that are absent stay as they are.
 */
export interface ModelChange {
  /**
   * The new events, oldest first; one or more. They give the model a new name.
   *
   * @minItems 1
   */
  sequence?: Symbol[][];
  /**
   * How often the model counts as learned.
   */
  frequency?: number;
  /**
   * The values of each emotive by name, oldest first. The gene persistence says how many are kept.
   */
  emotives?: {
    /**
     * The values; a number alone is a list of one.
     */
    [k: string]: number[] | number;
  };
  /**
   * The metadata of each event, one object per event.
   */
  metadata?: Metadata[];
  /**
   * Follows from the rest and has no effect, so that a model can be sent back as it was read.
   */
  length?: unknown;
  /**
   * Follows from the rest and has no effect, so that a model can be sent back as it was read.
   */
  name?: unknown;
  /**
   * Follows from the rest and has no effect, so that a model can be sent back as it was read.
   */
  predecessor_model?: unknown;
}
/**
 * A model to add.
 */
export interface ModelToAdd {
  /**
   * The events, oldest first; one or more.
   *
   * @minItems 1
   */
  sequence: Symbol[][];
  /**
   * A vector to store as a learned one; null or an empty list for none.
   */
  vector?: Vector | null;
  /**
   * How often the model counts as learned. 1 if absent.
   */
  frequency?: number | null;
  /**
   * The values of each emotive by name.
   */
  emotives?: {
    /**
     * The values; a number alone is a list of one.
     */
    [k: string]: number[] | number;
  } | null;
  /**
   * The metadata of each event.
   */
  metadata?: Metadata[] | null;
}
/**
 * The model that was added.
 */
export interface Added {
  name: ModelHash;
}
/**
 * What to forget; nothing when both numbers are absent.
 */
export interface Forgetting {
  /**
   * Models that were learned fewer times than this.
   */
  frequency_below?: number;
  /**
   * Then the least frequent of the others, of equals the oldest, until that number is left.
   */
  keep_at_most?: number;
  /**
   * Whether only to count them.
   */
  dry_run?: boolean;
}
/**
 * What was forgotten.
 */
export interface Forgotten {
  /**
   * How many models, or how many it would be.
   */
  models: number;
}
/**
 * The models that were found.
 */
export interface FoundModels {
  /**
   * Their names.
   */
  model_list: ModelHash[];
}
/**
 * A page of models.
 */
export interface ModelPage {
  /**
   * How many rows of the search come before the page.
   */
  first: number;
  /**
   * The cursor of the page that follows; null when there is none.
   */
  next: string | null;
  /**
   * The cursor of the page before; null when there is none.
   */
  previous: string | null;
  /**
   * How many rows the search finds.
   */
  total: number;
  /**
   * The models of the page, in the order asked for.
   */
  models: ListedModel[];
}
/**
 * A model in a list. GET model has its emotives and metadata.
 */
export interface ListedModel {
  /**
   * How often the model was learned.
   */
  frequency: number;
  /**
   * When it was learned last, in whole seconds since 1970; null when it was not noted.
   */
  learned_at: number | null;
  /**
   * How many symbols the sequence has.
   */
  length: number;
  name: ModelHash;
  /**
   * When it was learned first: smaller is older.
   */
  order: number;
  sequence: Sequence;
}
/**
 * A symbol and its counters.
 */
export interface SymbolRecord {
  /**
   * The counters of a symbol.
   */
  features: {
    /**
     * How often the symbol occurs in learned models; a model learned again counts again.
     */
    frequency: number;
    /**
     * The same, but a model counts once however often it holds the symbol.
     */
    model_member_frequency: number;
  };
  name: Symbol;
}
/**
 * A learned vector.
 */
export interface VectorRecord {
  /**
   * The SHA-1 of the components as 40 hex digits.
   */
  hash: string;
  /**
   * The Euclidean norm.
   */
  length: number;
  name: VectorLabel;
  vector: Vector;
  /**
   * When it was learned: smaller is older. Only with `order=true` in the query.
   */
  order?: number;
}
/**
 * The answer to a request that failed.
 */
export interface Failure {
  /**
   * The first segment of the path, or the identifier of the processor.
   */
  id: string;
  /**
   * The processor's time; 0 when no processor was asked.
   */
  interval: number;
  /**
   * A sentence: what was wrong, and what is accepted.
   */
  message: string;
  /**
   * Always `failed`.
   */
  status: "failed";
  /**
   * When the answer was made, in whole seconds since 1970; -1 in some failures.
   */
  time_stamp: number;
}
/**
 * A page of symbols.
 */
export interface SymbolPage {
  /**
   * How many rows of the search come before the page.
   */
  first: number;
  /**
   * The cursor of the page that follows; null when there is none.
   */
  next: string | null;
  /**
   * The cursor of the page before; null when there is none.
   */
  previous: string | null;
  /**
   * How many rows the search finds.
   */
  total: number;
  /**
   * The symbols of the page, in the order asked for.
   */
  symbols: SymbolRecord[];
}
/**
 * A page of vectors.
 */
export interface VectorPage {
  /**
   * How many rows of the search come before the page.
   */
  first: number;
  /**
   * The cursor of the page that follows; null when there is none.
   */
  next: string | null;
  /**
   * The cursor of the page before; null when there is none.
   */
  previous: string | null;
  /**
   * How many rows the search finds.
   */
  total: number;
  /**
   * The vectors of the page, in the order asked for.
   */
  vectors: ListedVector[];
}
/**
 * A learned vector in a list. GET vector has its components.
 */
export interface ListedVector {
  /**
   * Its counters as a symbol; 0 where no model holds it.
   */
  features: {
    /**
     * How often it occurs in learned models; a model learned again counts again.
     */
    frequency: number;
    /**
     * The same, but a model counts once however often it holds it.
     */
    model_member_frequency: number;
  };
  /**
   * The SHA-1 of the components as 40 hex digits.
   */
  hash: string;
  /**
   * The Euclidean norm.
   */
  length: number;
  name: VectorLabel;
  /**
   * When it was learned: smaller is older.
   */
  order: number;
}
/**
 * The models that the removal of symbols has changed; without the member if there are none.
 */
export interface ChangedModels {
  /**
   * The new name of each model by its old name.
   */
  models?: {
    /**
     * A hash, or `deleted` if no symbol was left.
     */
    [k: string]: string;
  };
}
/**
 * The form of the answer.
 */
export interface AskKnowledgeBase {
  /**
   * Whether to answer with a list of records. false if absent.
   */
  lines?: boolean;
}
/**
 * All that a processor has learned.
 */
export interface KnowledgeBase {
  metadata: Totals;
  /**
   * The models by name, sorted.
   */
  models_kb: {
    [k: string]: ModelRecord;
  };
  /**
   * The symbols by name, sorted.
   */
  symbols_kb: {
    [k: string]: SymbolRecord;
  };
  /**
   * The vectors by hash, sorted.
   */
  vectors_kb: {
    [k: string]: VectorRecord;
  };
}
/**
 * The totals of the counters.
 */
export interface Totals {
  /**
   * The sum of all models' frequencies.
   */
  total_model_frequencies: number;
  /**
   * The sum of the symbols' frequencies.
   */
  total_symbol_frequencies: number;
  /**
   * The sum of the symbols' model_member_frequency.
   */
  total_symbols_in_models_frequencies: number;
  /**
   * What past forecasts tell, which docs/forecast.md explains: a list for the next event, for the horizons 2 and 3, 4 to 6, and 7 to 10; no list at all where the knowledge is still to be graded. Only with `order=true` in the query.
   *
   * @maxItems 10
   */
  forecast_record?: number[][];
}
/**
 * A model in a knowledge base.
 */
export interface ModelRecord {
  /**
   * The values of each emotive by name, oldest first.
   */
  emotives: {
    /**
     * Values.
     *
     * Items: Any finite double.
     */
    [k: string]: number[];
  };
  /**
   * How often the model was learned.
   */
  frequency: number;
  /**
   * How many symbols the sequence has.
   */
  length: number;
  /**
   * The metadata of each event, one object per event.
   */
  metadata: Metadata[];
  name: ModelHash;
  sequence: Sequence;
  /**
   * When it was learned: smaller is older. Only with `order=true` in the query.
   */
  order?: number;
}
/**
 * A knowledge base as get_kb returns it. Counters may be missing: they are computed from the models.
 */
export interface KnowledgeBaseToLoad {
  /**
   * Totals, which are computed again, and what past forecasts tell.
   */
  metadata?: {
    /**
     * What past forecasts tell, which docs/forecast.md explains: a list for the next event, for the horizons 2 and 3, 4 to 6, and 7 to 10; no list at all where the knowledge is still to be graded. Only with `order=true` in the query.
     *
     * @maxItems 10
     */
    forecast_record?: number[][];
    [k: string]: unknown;
  };
  /**
   * The models by name. Where they have no order, that of the file is their age, oldest first.
   */
  models_kb: {
    [k: string]: ModelToLoad;
  };
  /**
   * The symbols by name. Their counters are computed again.
   */
  symbols_kb?: {
    [k: string]: {
      [k: string]: unknown;
    };
  };
  /**
   * The vectors by hash. Where they have no order, oldest first.
   */
  vectors_kb?: {
    [k: string]: VectorToLoad;
  };
  [k: string]: unknown;
}
/**
 * A model in a file. Its key must be the name of its sequence.
 */
export interface ModelToLoad {
  /**
   * The values of each emotive by name, oldest first. The gene persistence says how many are kept.
   */
  emotives?: {
    /**
     * The values; a number alone is a list of one.
     */
    [k: string]: number[] | number;
  };
  /**
   * How often the model was learned. 1 if absent.
   */
  frequency?: number;
  /**
   * The metadata of each event, one object per event.
   */
  metadata?: Metadata[];
  /**
   * The name, as the key says it.
   */
  name?: string;
  /**
   * When it was learned: smaller is older. Every record of a kind has another one, or none has any.
   */
  order?: number;
  /**
   * The events, oldest first; one or more.
   *
   * @minItems 1
   */
  sequence: Symbol[][];
  [k: string]: unknown;
}
/**
 * A vector in a file. Its key must be the hash of its components.
 */
export interface VectorToLoad {
  /**
   * The hash, as the key says it.
   */
  hash?: string;
  /**
   * The name, as the key says it.
   */
  name?: string;
  /**
   * When it was learned: smaller is older. Every record of a kind has another one, or none has any.
   */
  order?: number;
  /**
   * The components, one or more.
   *
   * @minItems 1
   *
   * Items: Any finite double.
   */
  vector: number[];
  [k: string]: unknown;
}
