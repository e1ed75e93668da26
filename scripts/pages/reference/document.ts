/** The OpenAPI document as the reference reads it: its operations one by one, with their example. Knows no HTML. */

import type { Example, Json, Schema } from "../../openapi/reference/entry";
import { entryOf, sections } from "../../openapi/sections";

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: "header" | "path" | "query";
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: string;
}

interface Media {
  readonly schema: Schema;
  readonly example?: Json;
}

/** An answer, or a reference to one that many operations share. */
export interface Answer {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: { readonly [type: string]: Media };
}

/** One operation, as the document has it. */
interface Documented {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly [string, ...string[]];
  readonly deprecated?: true;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required: boolean; readonly content: { readonly [type: string]: Media } };
  readonly responses: { readonly [status: string]: Answer };
  readonly "x-roles"?: readonly string[];
  readonly "x-strict"?: true;
  readonly "x-session-of"?: string;
  /** Set where the answer is a WebSocket. */
  readonly "x-stream"?: true;
  /** Where it stands what a WebSocket carries. */
  readonly externalDocs?: { readonly url: string; readonly description: string };
  readonly security?: readonly object[];
}

/** One operation with everything that its section of the reference shows. */
export interface ReferenceOperation extends Omit<Documented, "parameters"> {
  readonly method: string;
  readonly path: string;
  /** Its path in sessions, where it is served there, too. */
  readonly sessionPath?: string;
  readonly parameters: readonly Parameter[];
  /** Absent where the table has no row: the pages without a key. */
  readonly example?: Example;
}

/** The parts of the document that the reference reads. */
export interface Document {
  readonly info: { readonly description: string; readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: { readonly [path: string]: { readonly [member: string]: unknown } };
  readonly components: {
    readonly schemas: { readonly [name: string]: Schema };
    readonly parameters: { readonly [name: string]: Parameter };
    readonly responses: { readonly [name: string]: Answer };
  };
}

/** The last part of a reference within the document, such as the name of a schema. */
export function nameIn(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

/** All operations in the order of the document. One that is served in sessions, too, comes once. */
export function operationsOf(document: Document): ReferenceOperation[] {
  const places = Object.entries(document.paths).flatMap(([path, { parameters, ...methods }]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...(operation as Documented),
      path,
      method: method.toUpperCase(),
      own: ((parameters ?? []) as { readonly $ref: string }[]).concat(
        ((operation as Documented).parameters ?? []) as { readonly $ref: string }[],
      ),
    })),
  );
  const inSessions = new Map(places.map((place) => [place["x-session-of"], place.path]));
  const examples = exampleByOperation();
  return places
    .filter((place) => place["x-session-of"] === undefined)
    .map(({ own, ...place }) => {
      const sessionPath = inSessions.get(place.operationId);
      const example = examples.get(place.operationId);
      return {
        ...place,
        parameters: own.map((parameter) => resolved(document, parameter)),
        ...(sessionPath === undefined ? {} : { sessionPath }),
        ...(example === undefined ? {} : { example }),
      };
    });
}

function resolved({ components }: Document, parameter: Parameter | { readonly $ref: string }): Parameter {
  if (!("$ref" in parameter)) return parameter;
  const shared = components.parameters[nameIn(parameter.$ref)];
  if (shared === undefined) throw new Error(`the document has no parameter ${parameter.$ref}`);
  return shared;
}

/** The example of each row: all its methods take and answer the same. */
function exampleByOperation(): Map<string, Example> {
  return new Map(
    sections.flatMap(({ rows }) =>
      rows.flatMap((row) => {
        const { operationId, example } = entryOf(row);
        return operationId.map((name, at) => {
          const method = row.methods[at] ?? example.request.method;
          return [name, { ...example, request: { ...example.request, method } }] as const;
        });
      }),
    ),
  );
}
