/** A whole knowledge base on its way to a processor and back, in pieces: neither end ever has to hold a million models as one text. */

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { LOCAL_KEY } from "../../scripts/settings.mjs";
import { PROCESSOR } from "./client.mjs";

const HEADERS = { "x-api-key": LOCAL_KEY, "content-type": "application/json" };
/** What stands before the models in an answer of get_kb, behind some counters. */
const BEFORE_MODELS = '"models_kb":';
/** The counters are shorter. */
const MOST_BEFORE = 4096;

/** Sends the pieces of a knowledge base one after the other. Throws when load_kb refuses it. */
export async function loadKnowledge(address, { pieces }) {
  const body = Readable.toWeb(Readable.from(pieces.map((piece) => Buffer.from(piece))));
  const request = { method: "POST", headers: HEADERS, body, duplex: "half" };
  const response = await fetch(`${address}/${PROCESSOR}/load_kb`, request);
  const answer = await response.text();
  if (!response.ok) throw new Error(`load_kb answered ${response.status}: ${answer}`);
}

/** Reads the knowledge base. Throws when its models are not, to the byte, those that were loaded. */
export async function readKnowledge(address, { models }) {
  const response = await fetch(`${address}/${PROCESSOR}/get_kb`, { headers: HEADERS });
  const hash = createHash("sha256");
  let left = models.bytes;
  let head = Buffer.alloc(0);
  let start = -1;
  for await (const chunk of response.body) {
    // What comes behind the models is read and not looked at.
    if (left === 0) continue;
    let part = Buffer.from(chunk);
    if (start < 0) {
      head = Buffer.concat([head, part]);
      start = head.indexOf(BEFORE_MODELS);
      if (start < 0 && head.length > MOST_BEFORE) throw new Error(`get_kb gives no models: ${head}`);
      part = start < 0 ? Buffer.alloc(0) : head.subarray(start + BEFORE_MODELS.length);
    }
    part = part.subarray(0, left);
    left -= part.length;
    hash.update(part);
  }
  if (left > 0 || hash.digest("hex") !== models.digest) {
    throw new Error("get_kb does not give back the models that were loaded");
  }
}
