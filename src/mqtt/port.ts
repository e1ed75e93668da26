/**
 * What the endpoint of MQTT needs of the gateway: who a client is, what it may do, and the calls of processors. The
 * gateway implements it, because it owns keys, rights and all JSON of the interface.
 */

import type { Asked, EventName } from "./topics";

/** A message or a connection that is refused. */
export class Refused extends Error {
  override readonly name = "Refused";
  /** A reason code of MQTT 5. */
  readonly code: number;
  /** Whether the same would be refused again. */
  readonly isFinal: boolean;

  constructor(code: number, message: string, isFinal = true) {
    super(message);
    this.code = code;
    this.isFinal = isFinal;
  }
}

/** A key that is valid, as the gateway knows it. */
export interface Holder {
  /** The same for the same key, and no secret. */
  readonly keyRef: string;
}

/** How the references of keys begin that were issued, and so may be removed while a connection is open. */
export const ISSUED = "key:";

/** A message, checked and ready for a memory. */
export interface Publication {
  /** The processor's identifier. */
  readonly processorId: string;
  /** Empty for the processor's own memory. */
  readonly session: string;
  /** What it does there; only the gateway knows it. */
  readonly work: unknown;
  /** About how many bytes it has. */
  readonly bytes: number;
}

/** A publication with its number. */
export interface Numbered {
  readonly publication: Publication;
  /** 0 for none. */
  readonly number: number;
}

/** What became of publications. */
export interface Taken {
  /** In order; a {@link Refused} that is final for one that will never be taken, else nothing. */
  readonly outcomes: readonly (Refused | undefined)[];
  /** Why the rest, if there is one, was not taken now. */
  readonly later?: Refused | undefined;
}

/** A processor of the agent. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** The gateway, as one agent's endpoint needs it. */
export interface MqttPort {
  /**
   * The key that a password is.
   *
   * @param host the host that the client has called
   * @throws Refused 0x86 or 0x87 when it is no accepted key, 0x97 when it has made too many calls, 0x88 when it cannot be
   *   checked now
   */
  admit(host: string, password: string): Promise<Holder>;
  /** The key again, as it is now; `undefined` when it is not valid any more. @throws Refused when that cannot be found out */
  holder(keyRef: string): Promise<Holder | undefined>;
  /** Which of some keys are valid now, asked anew. @throws Refused when that cannot be found out */
  validOf(keyRefs: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Checks a message: its topic, what the key may do, its payload.
   *
   * @throws Refused
   */
  prepare(holder: Holder, topic: string, payload: Uint8Array): Promise<Publication>;
  /**
   * Has messages take effect, in order.
   *
   * @param source the client session whose numbers these are; empty for none
   * @throws Refused that is not final when it is not known what has happened
   */
  take(processorId: string, source: string, messages: readonly Numbered[], holder: Holder): Promise<Taken>;
  /**
   * Which number of a source a memory took last. It takes none below `number` from then on.
   *
   * @throws Refused when the memory cannot be asked
   */
  settle(processorId: string, session: string, source: string, number: number): Promise<number>;
  /** Says that sources have ended. Never rejects. */
  endSources(processorIds: readonly string[], sources: readonly string[]): Promise<void>;
  /**
   * The processors that are meant.
   *
   * @param asked what subscriptions ask for
   * @returns for each of these its processors, or a final {@link Refused}: 0x87 when the key may hear nothing of it, 0x8f
   *   when there is no such processor
   * @throws Refused when that cannot be found out
   */
  heard(holder: Holder, asked: readonly Asked[]): Promise<(readonly Named[] | Refused)[]>;
  /** Whether a key may hear of a memory. @param session empty for the processor's own memory */
  mayHear(holder: Holder, processorId: string, session: string): boolean;
  /** The name of a processor; `undefined` for one that is not known. */
  nameOf(processorId: string): Promise<string | undefined>;
  /** Says which events the endpoint wants to hear of. @throws Refused when the processor cannot be told */
  watch(processorId: string, events: readonly string[]): Promise<void>;
  /** The forecast of a memory as an event's JSON. @throws Refused */
  forecast(processorId: string, session: string): Promise<string>;
  /** The newest open incident of a memory as an event's JSON; empty when there is none. @throws Refused */
  incident(processorId: string, session: string): Promise<string>;
  /** The first sessions of a processor by name. @throws Refused */
  sessions(processorId: string, most: number): Promise<string[]>;
}

/** The events that a processor reports; forecasts are made from them. */
export const TOLD_EVENTS: readonly EventName[] = ["observed", "learned", "surprise", "incident"];
