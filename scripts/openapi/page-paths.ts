/** The pages without a key, as the OpenAPI document has them. */

import type { Json } from "./reference/entry";

const ETAG = { ETag: { description: "Changes with the answer.", schema: { type: "string" } } };

const UNCHANGED = { description: "The answer is the one whose entity tag If-None-Match names." };

/** @param tag the tag of the operations */
export function pagePaths(tag: string): { readonly [path: string]: Json } {
  return {
    "/": page(tag, {
      operationId: "getFrontPage",
      summary: "Returns a page for people, or its JSON for programs",
      content: {
        "application/json": {
          schema: { $ref: "#/components/schemas/FrontPage" },
          example: {
            links: {
              console: "/console",
              docs: "/docs",
              health: "/health",
              openapi: "/openapi.json",
              ping: "/agent/ping",
            },
            name: "Noema",
            version: "1.0.0",
          },
        },
        "text/html": { schema: { type: "string", description: "A page to read." } },
      },
    }),
    "/docs": page(tag, {
      operationId: "getReference",
      summary: "Returns the reference, a page to read and to try",
      content: { "text/html": { schema: { type: "string", description: "A page to read." } } },
    }),
    "/openapi.json": page(tag, {
      operationId: "getOpenApi",
      summary: "Returns this document",
      content: {
        "application/json": { schema: { type: "object", description: "An OpenAPI document, version 3.1." } },
      },
    }),
    "/health": health(tag),
  };
}

function page(
  tag: string,
  { operationId, summary, content }: { operationId: string; summary: string; content: Json },
): Json {
  return {
    get: {
      operationId,
      summary,
      tags: [tag],
      security: [],
      responses: { 200: { description: "The page.", headers: ETAG, content }, 304: UNCHANGED },
    },
  };
}

function health(tag: string): Json {
  const example = (status: string) => ({
    "application/json": { schema: { $ref: "#/components/schemas/Health" }, example: { status } },
  });
  return {
    get: {
      operationId: "getHealth",
      summary: "Says whether storage works",
      tags: [tag],
      security: [],
      responses: {
        200: { description: "Storage works.", content: example("okay") },
        503: { description: "Storage does not work. The server's log says more.", content: example("failed") },
      },
    },
  };
}
