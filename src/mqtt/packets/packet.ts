/**
 * The packets of MQTT 3.1.1 and 5, as a server reads and writes them, and the reason codes that it gives. Knows no
 * bytes.
 */

/** The protocol level that CONNECT names: 4 is MQTT 3.1.1. */
export type Version = 4 | 5;

/** How often a message may come: at most once, at least once, exactly once. */
export type Qos = 0 | 1 | 2;

/** Reason codes of MQTT 5 (2.4) that this server gives or understands. */
export const REASON = {
  success: 0x00,
  withWill: 0x04,
  noSubscription: 0x11,
  unspecified: 0x80,
  malformed: 0x81,
  protocolError: 0x82,
  implementationSpecific: 0x83,
  unsupportedVersion: 0x84,
  badIdentifier: 0x85,
  badPassword: 0x86,
  notAuthorized: 0x87,
  serverUnavailable: 0x88,
  serverBusy: 0x89,
  shuttingDown: 0x8b,
  badAuthMethod: 0x8c,
  keepAliveTimeout: 0x8d,
  sessionTakenOver: 0x8e,
  badFilter: 0x8f,
  badTopic: 0x90,
  identifierInUse: 0x91,
  unknownIdentifier: 0x92,
  receiveMaximum: 0x93,
  badAlias: 0x94,
  tooLarge: 0x95,
  quota: 0x97,
  administrative: 0x98,
  badPayload: 0x99,
  noSharedSubscriptions: 0x9e,
  connectionRate: 0x9f,
} as const;

/** A packet that ends its connection. Its message is a sentence for the client. */
export class ProtocolFault extends Error {
  override readonly name = "ProtocolFault";
  /** One of {@link REASON}. */
  readonly code: number;
  /** The level that a wrong CONNECT has named; 0 if it could not be read. */
  readonly level: number;

  constructor(code: number, message: string, level = 0) {
    super(message);
    this.code = code;
    this.level = level;
  }
}

/** What is to be published when a client is lost. */
export interface Will {
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly qos: Qos;
  /** Seconds without the client after which it is published. */
  readonly delayS: number;
}

/** The first packet of a client. */
export interface Connect {
  readonly type: "connect";
  readonly version: Version;
  readonly clientId: string;
  /** Whether to discard the state of an earlier connection. */
  readonly isClean: boolean;
  /** In seconds; 0 for none. */
  readonly keepAliveS: number;
  readonly password: Uint8Array | undefined;
  readonly will: Will | undefined;
  /** Seconds for which the session is kept after the connection. */
  readonly expiryS: number;
  /** Maximum number of unacknowledged messages of QoS 1 and 2 that the client accepts. */
  readonly receiveMaximum: number;
  /** Maximum size of a packet that the client accepts, in bytes. */
  readonly maximumPacketSize: number;
  /** Whether the client wants reason strings. */
  readonly wantsReasons: boolean;
  /** The method of enhanced authentication; `undefined` for none. */
  readonly authMethod: string | undefined;
}

/** A message, from or to a client. */
export interface Publish {
  readonly type: "publish";
  /** Empty if an alias replaces it. */
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly qos: Qos;
  readonly isRepeated: boolean;
  readonly isRetained: boolean;
  /** The packet identifier; 0 with QoS 0. */
  readonly id: number;
  /** The alias of the topic; `undefined` for none. */
  readonly alias?: number | undefined;
  /** The identifiers of the matching subscriptions; only to a client. */
  readonly subscriptionIds?: readonly number[];
}

/** The packets that acknowledge a message. */
export type AckType = "puback" | "pubrec" | "pubrel" | "pubcomp";

/** Acknowledges a message. */
export interface Ack {
  readonly type: AckType;
  readonly id: number;
  readonly code: number;
}

/** One topic filter of SUBSCRIBE. */
export interface Wish {
  readonly filter: string;
  readonly qos: Qos;
  readonly isNoLocal: boolean;
  readonly isRetainAsPublished: boolean;
  /** 0: send what is retained; 1: only for a new subscription; 2: never. */
  readonly retainHandling: 0 | 1 | 2;
}

/** Asks for messages. */
export interface Subscribe {
  readonly type: "subscribe";
  readonly id: number;
  readonly wishes: readonly Wish[];
  /** The client's identifier for these subscriptions; `undefined` for none. */
  readonly subscriptionId: number | undefined;
}

/** Asks for no more messages. */
export interface Unsubscribe {
  readonly type: "unsubscribe";
  readonly id: number;
  readonly filters: readonly string[];
}

/** The last packet of a client. */
export interface Disconnect {
  readonly type: "disconnect";
  readonly code: number;
  /** The new expiry of the session, in seconds; `undefined` for no change. */
  readonly expiryS: number | undefined;
}

/** Keeps the connection alive. */
export interface Pingreq {
  readonly type: "pingreq";
}

/** What a client may send after CONNECT. */
export type ClientPacket = Publish | Ack | Subscribe | Unsubscribe | Disconnect | Pingreq;
