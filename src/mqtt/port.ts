/**
 * What the MQTT endpoint needs from the gateway: keys, rights, and calls of processors. Implemented by the gateway,
 * which owns keys, rights and all JSON of the interface.
 */

import type { Asked } from "./topics";

/** The refusal of a message or of a connection. */
export class Refused extends Error {
  override readonly name = "Refused";
  /** A reason code of MQTT 5. */
  readonly code: number;
  /** Whether a repetition would be refused too. */
  readonly isFinal: boolean;

  constructor(code: number, message: string, isFinal = true) {
    super(message);
    this.code = code;
    this.isFinal = isFinal;
  }
}

/** A valid key. */
export interface Holder {
  /** A reference to the key, always the same and not secret. */
  readonly keyRef: string;
}

/** Prefix of references to issued keys, which may be removed while a connection is open. */
export const ISSUED = "key:";

/** A message, checked and ready for a memory. */
export interface Publication {
  /** The processor's identifier. */
  readonly processorId: string;
  /** Empty for the processor's own memory. */
  readonly session: string;
  /** Its effect there, which only the gateway understands. */
  readonly work: unknown;
  /** Approximate size in bytes. */
  readonly bytes: number;
}

/** A publication with its number. */
export interface Numbered {
  readonly publication: Publication;
  /** 0 for none. */
  readonly number: number;
}

/** The outcome of publications. */
export interface Taken {
  /** In order; a final {@link Refused} for one that will never be accepted, else nothing. */
  readonly outcomes: readonly (Refused | undefined)[];
  /** Why the remaining ones, if any, were not accepted now. */
  readonly later?: Refused | undefined;
}

/** A processor of the agent. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** The gateway, as needed by one agent's endpoint. */
export interface MqttPort {
  /**
   * The key in a password.
   *
   * @param host the host that the client connected to
   * @throws Refused 0x86 or 0x87 when it is not an accepted key, 0x97 when it has made too many calls, 0x88 when it
   *   cannot be checked now
   */
  admit(host: string, password: string): Promise<Holder>;
  /**
   * The key in its current state; `undefined` if it is no longer valid. @throws Refused when that cannot be found out
   */
  holder(keyRef: string): Promise<Holder | undefined>;
  /** Those of the keys that are still valid, from a new query. @throws Refused when that cannot be found out */
  validOf(keyRefs: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Checks a message: its topic, the rights of the key, its payload.
   *
   * @throws Refused
   */
  prepare(holder: Holder, topic: string, payload: Uint8Array): Promise<Publication>;
  /** Notes that the agent's routes have changed: from now on, messages are prepared by the new ones. */
  routesChanged(): void;
  /**
   * Passes messages to a processor, in order.
   *
   * @param source the client session that the numbers belong to; empty for none
   * @throws Refused that is not final when the outcome is unknown
   */
  take(processorId: string, source: string, messages: readonly Numbered[], holder: Holder): Promise<Taken>;
  /**
   * The last number of a source that a memory accepted. From then on it accepts none below `number`.
   *
   * @throws Refused when the memory cannot be asked
   */
  settle(processorId: string, session: string, source: string, number: number): Promise<number>;
  /** Notes that sources have ended. Never rejects. */
  endSources(processorIds: readonly string[], sources: readonly string[]): Promise<void>;
  /**
   * The processors of subscriptions.
   *
   * @param asked what the subscriptions ask for
   * @returns for each of these its processors, or a final {@link Refused}: 0x87 when the key may not get any of it,
   *   0x8f when there is no such processor
   * @throws Refused when that cannot be found out
   */
  heard(holder: Holder, asked: readonly Asked[]): Promise<(readonly Named[] | Refused)[]>;
  /** Whether a key may get the events of a memory. @param session empty for the processor's own memory */
  mayHear(holder: Holder, processorId: string, session: string): boolean;
  /** The name of a processor; `undefined` if unknown. */
  nameOf(processorId: string): Promise<string | undefined>;
  /**
   * Sets the kinds of events that the endpoint wants.
   *
   * @param revision greater than in all earlier calls, or the call changes nothing
   * @returns the revision of the kinds that are in force now
   * @throws Refused when the processor cannot be reached
   */
  watch(processorId: string, events: readonly string[], revision: number): Promise<number>;
  /** The forecast of a memory as an event's JSON. @throws Refused */
  forecast(processorId: string, session: string): Promise<string>;
  /** The newest open incident of a memory as an event's JSON; empty for none. @throws Refused */
  incident(processorId: string, session: string): Promise<string>;
  /** The first sessions of a processor by name. @throws Refused */
  sessions(processorId: string, most: number): Promise<string[]>;
}
