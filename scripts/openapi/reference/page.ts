/** The parts of the reference that belong to no single row: the situation before each example, the failures that all rows share, and all entries. */

import { absentReference } from "./absent";
import { alertReference } from "./alerts";
import { backupReference } from "./backup";
import { coreReference } from "./core";
import { encoderReference } from "./encoders";
import type { Call, Json, Reference } from "./entry";
import { explanationReference } from "./explanations";
import { incidentReference } from "./incidents";
import { inspectionReference } from "./inspection";
import { keyReference } from "./keys";
import { knowledgeReference } from "./knowledge";
import { listReference } from "./lists";
import { modeReference } from "./mode";
import { modelReference } from "./model";
import { mqttRouteReference } from "./mqtt-routes";
import { watchingReference } from "./watching";

/** All entries, by row. */
export const reference: Reference = {
  ...coreReference,
  ...explanationReference,
  ...inspectionReference,
  ...keyReference,
  ...watchingReference,
  ...backupReference,
  ...mqttRouteReference,
  ...modeReference,
  ...encoderReference,
  ...alertReference,
  ...incidentReference,
  ...modelReference,
  ...knowledgeReference,
  ...listReference,
  ...absentReference,
};

/** The calls that a new processor has answered before each example. */
export const situation: readonly Call[] = [
  {
    method: "POST",
    path: "/p46b6b076c/observe",
    body: { data: { strings: ["morning", "coffee"], emotives: { joy: 0.5 } } },
  },
  { method: "POST", path: "/p46b6b076c/observe", body: { data: { strings: ["bus"] } } },
  { method: "POST", path: "/p46b6b076c/learn" },
  { method: "POST", path: "/p46b6b076c/observe", body: { data: { strings: ["coffee", "morning"] } } },
];

/** A failure that any operation may answer with. */
export interface Failure {
  /** The HTTP status. */
  readonly status: number;
  /** Its name in the OpenAPI document, in Pascal case. */
  readonly name: string;
  /**
   * Which operations answer with it: every one, those that keep an answer under an idempotency
   * key, those that a key may not open, or those whose entries name it. `path`: no operation does, because none was found.
   */
  readonly scope: "every" | "named" | "path" | "repeatable" | "rights";
  /** When it happens, as Markdown. */
  readonly when: string;
  readonly example?: {
    readonly request: Call;
    /** Whether the request has no key. */
    readonly keyless?: true;
    readonly response: Json;
  };
}

/** The failures by HTTP status. */
export const failures: readonly Failure[] = [
  {
    status: 400,
    name: "BadRequest",
    scope: "every",
    when: "The body is not JSON, or a value in it is not accepted. The message names the value and says what is accepted.",
    example: {
      request: { method: "POST", path: "/p46b6b076c/observe", body: { data: { strings: ["bus", 7] } } },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: "data.strings[1] must be a string, got 7",
        status: "failed",
        time_stamp: 1795250628,
      },
    },
  },
  {
    status: 403,
    name: "Forbidden",
    scope: "rights",
    when: "The key lacks a role that the operation needs, or does not open the processor or the session. The message names the role.",
  },
  {
    status: 404,
    name: "NotFound",
    scope: "every",
    when: "There is no such path, the agent has no such processor, or the host names no agent.",
    example: {
      request: { method: "GET", path: "/p1/status" },
      response: {
        id: "p1",
        interval: 0,
        message: 'there is no processor "p1"; the path must begin with the id or the name of one',
        status: "failed",
        time_stamp: 1795250628,
      },
    },
  },
  {
    status: 405,
    name: "MethodNotAllowed",
    scope: "path",
    when: "The path is right and the method is not. The header `Allow` lists the methods.",
    example: {
      request: { method: "GET", path: "/p46b6b076c/learn" },
      response: {
        id: "p46b6b076c",
        interval: 3,
        message: 'the method GET is not known at "/p46b6b076c/learn"; accepted: POST',
        status: "failed",
        time_stamp: 1795250628,
      },
    },
  },
  {
    status: 409,
    name: "Conflict",
    scope: "named",
    when: "Something else overtook the request: a load began while another one was under way, or the knowledge base changed again and again during an export.",
  },
  { status: 413, name: "TooLarge", scope: "every", when: "The body, an event or a file is too large." },
  {
    status: 422,
    name: "OtherRequest",
    scope: "repeatable",
    when: "The header `Idempotency-Key` holds a key that came with another request before.",
  },
  {
    status: 426,
    name: "NoWebSocket",
    scope: "named",
    when: "The request asks for a stream, and is not the beginning of a WebSocket.",
  },
  {
    status: 429,
    name: "TooMany",
    scope: "every",
    when: "The key has reached its maximum of requests per minute; then the header `Retry-After` says when to try again. Or the processor has its maximum of sessions, or the agent its maximum of keys, and the request would make another one.",
  },
  {
    status: 500,
    name: "NoKeyOrDefect",
    scope: "every",
    when: "The key is missing or wrong, or the service has a defect. The service logs defects.",
    example: {
      request: { method: "GET", path: "/p46b6b076c/time" },
      keyless: true,
      response: {
        id: "p46b6b076c",
        interval: 0,
        message: "the request header X-API-KEY is missing; it must hold an accepted API key",
        status: "failed",
        time_stamp: 1795250628,
      },
    },
  },
  {
    status: 503,
    name: "Unavailable",
    scope: "every",
    when: "The processor is overloaded, cannot be reached, or has no memory left to learn; or an issued key cannot be checked, because its agent cannot be reached.",
  },
];
