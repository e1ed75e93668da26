/** Sends a whole knowledge base to a processor and reads it back, in pieces, so that neither end holds a million models as one text. */

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { PROCESSOR } from "../../scripts/project.mjs";
import { HEADERS } from "./client.mjs";

/** Precedes the models in an answer of get_kb, after some counters. */
const BEFORE_MODELS = '"models_kb":';
/** More bytes than the counters take. */
const MAX_BEFORE = 4096;

/** Sends the pieces of a knowledge base one after the other. Throws when load_kb refuses them. */
export async function loadKnowledge(address, { pieces }, processor = PROCESSOR) {
  const body = Readable.toWeb(Readable.from(pieces.map((piece) => Buffer.from(piece))));
  const request = { method: "POST", headers: HEADERS, body, duplex: "half" };
  const response = await fetch(`${address}/${processor}/load_kb`, request);
  const answer = await response.text();
  if (!response.ok) throw new Error(`load_kb answered ${response.status}: ${answer}`);
}

/** Reads the knowledge base. Throws unless its models are, to the byte, the loaded ones. */
export async function readKnowledge(address, { models }) {
  const response = await fetch(`${address}/${PROCESSOR}/get_kb`, { headers: HEADERS });
  const hash = createHash("sha256");
  let left = models.bytes;
  let head = Buffer.alloc(0);
  let start = -1;
  for await (const chunk of response.body) {
    // Reads and ignores what follows the models.
    if (left === 0) continue;
    let part = Buffer.from(chunk);
    if (start < 0) {
      head = Buffer.concat([head, part]);
      start = head.indexOf(BEFORE_MODELS);
      if (start < 0 && head.length > MAX_BEFORE) throw new Error(`get_kb returns no models: ${head}`);
      part = start < 0 ? Buffer.alloc(0) : head.subarray(start + BEFORE_MODELS.length);
    }
    part = part.subarray(0, left);
    left -= part.length;
    hash.update(part);
  }
  if (left > 0 || hash.digest("hex") !== models.digest) {
    throw new Error("get_kb does not return the models that were loaded");
  }
}
