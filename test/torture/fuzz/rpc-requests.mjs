/** Calls of every method of the public services, right and wrong, in every encoding that clients use. Sends nothing. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fromJson, ScalarType, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { ROOT } from "../../../scripts/project.mjs";
import { anyBody, anyText, anyValue } from "./values.mjs";

const GENERATED = "src/gen/noema/v1";
const DEPTH = 3;

/** Every service that is generated from proto/. */
export async function services(load) {
  const files = readdirSync(join(ROOT, GENERATED)).filter((file) => file.endsWith("_service_pb.ts"));
  const modules = await Promise.all(files.map((file) => load(`/${GENERATED}/${file}`)));
  return modules.flatMap((module) => Object.values(module).filter(({ kind }) => kind === "service"));
}

function scalarJson(scalar) {
  if (scalar === ScalarType.STRING) return anyText;
  if (scalar === ScalarType.BOOL) return fc.boolean();
  if (scalar === ScalarType.BYTES) return fc.base64String({ maxLength: 20 });
  if (scalar === ScalarType.DOUBLE || scalar === ScalarType.FLOAT) {
    return fc.oneof(fc.integer({ min: -2, max: 5 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
  }
  return fc.nat({ max: 5 });
}

function fieldJson(field, depth) {
  const one = () => {
    if (field.message !== undefined) return messageJson(field.message, depth - 1);
    if (field.enum !== undefined) return fc.constantFrom(...field.enum.values.map(({ name }) => name));
    return scalarJson(field.scalar);
  };
  if (field.fieldKind === "list") return fc.array(one(), { maxLength: 3 });
  if (field.fieldKind === "map") return fc.dictionary(fc.constantFrom("a", "b"), one(), { maxKeys: 2 });
  return one();
}

/** Proto's JSON of a message, of each oneof at most one member. */
function messageJson(message, depth) {
  if (depth === 0) return fc.constant({});
  const fields = message.fields.map((field) => [field.jsonName, fieldJson(field, depth)]);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] }).map((value) => {
    for (const { fields: members } of message.oneofs) {
      const given = members.filter(({ jsonName }) => jsonName in value);
      for (const { jsonName } of given.slice(1)) delete value[jsonName];
    }
    return value;
  });
}

/** Bytes of a message; those of its JSON when it has no binary form, which is as good as any. */
function binaryOf(message, json) {
  try {
    return toBinary(message, fromJson(message, json));
  } catch {
    return Buffer.from(JSON.stringify(json));
  }
}

/** The same bytes, cut short, or with one of them changed. */
function spoiledBytes(bytes, place, by) {
  if (bytes.length === 0 || by % 4 === 0) return Buffer.concat([bytes, Buffer.from([by])]);
  const at = place % bytes.length;
  if (by % 4 === 1) return bytes.subarray(0, at);
  const changed = Buffer.from(bytes);
  changed[at] = by;
  return changed;
}

/** A length-prefixed frame as gRPC-Web has it. */
function framed(bytes, flags = 0, length = bytes.length) {
  const head = Buffer.alloc(5);
  head[0] = flags;
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, bytes]);
}

/** A body for every encoding: of a right message, of a spoiled one, or of anything. */
function bodiesOf(method) {
  const right = messageJson(method.input, DEPTH);
  const json = fc.oneof(
    { weight: 3, arbitrary: right.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: anyValue.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: anyBody },
  );
  const rightBytes = right.map((value) => Buffer.from(binaryOf(method.input, value)));
  const bytes = fc.oneof(
    { weight: 3, arbitrary: rightBytes },
    { weight: 2, arbitrary: fc.tuple(rightBytes, fc.nat(), fc.nat({ max: 255 })).map((args) => spoiledBytes(...args)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)) },
  );
  return { json, bytes };
}

const POST = (type, extra = {}) => ({ method: "POST", headers: { "content-type": type, ...extra } });

/**
 * A call of a method.
 *
 * @param {string} path of the method, such as /noema.v1.MemoryService/Observe
 * @returns an arbitrary of what the client sends
 */
function callsOf(path, method) {
  const { json, bytes } = bodiesOf(method);
  const frames = fc
    .tuple(bytes, fc.constantFrom(0, 0, 0, 0, 1, 2, 128), fc.constantFrom(0, 0, 0, 1, -1, 1000))
    .map(([body, flags, more]) => framed(body, flags, Math.max(0, body.length + more)));
  const get = fc
    .tuple(json, bytes, fc.constantFrom("json", "proto", "xml", ""), fc.constantFrom("", "&base64=1"))
    .map(([text, binary, encoding, base64]) => {
      const raw = encoding === "json" ? Buffer.from(text ?? "") : binary;
      const message = base64 === "" ? encodeURIComponent(raw.toString("latin1")) : raw.toString("base64url");
      return {
        method: "GET",
        path: `${path}?connect=v1&encoding=${encoding}${base64}&message=${message}`,
        headers: {},
      };
    });
  const posted = (request, body) => body.map((value) => ({ ...request, path, body: value }));
  return fc.oneof(
    posted(POST("application/json"), json),
    posted(POST("application/json", { "connect-timeout-ms": "x" }), json),
    posted(POST("application/proto"), bytes),
    posted(POST("application/proto", { "content-encoding": "gzip" }), bytes),
    posted(POST("application/grpc-web+proto"), frames),
    posted(
      POST("application/grpc-web-text"),
      frames.map((frame) => frame.toString("base64")),
    ),
    posted(POST("application/connect+json"), frames),
    posted(POST("text/plain"), json),
    get,
  );
}

/**
 * Calls of all methods of some services.
 *
 * @returns {Map<string, import("fast-check").Arbitrary<object>>} by path
 */
export function rpcRequests(all) {
  const methods = all.flatMap((service) =>
    service.methods.map((method) => [`/${service.typeName}/${method.name}`, method]),
  );
  return new Map(
    methods.map(([path, method]) => [
      path,
      fc
        .tuple(callsOf(path, method), fc.constantFrom("p1", "p1", "p1", "p1", "p1", "P1", "nobody", "%zz", ""))
        .map(([call, processor]) => ({
          ...call,
          headers: { ...call.headers, ...(processor === "" ? {} : { "x-processor-id": processor }) },
          hasKey: true,
          row: path,
        })),
    ]),
  );
}
