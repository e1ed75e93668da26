/** What tests of the client's streams share: a server of their own for each test, and streams that end with it. */

import { afterEach, beforeEach, onTestFinished } from "vitest";
import {
  type Connection,
  connect,
  type Processor,
  processor,
  type Stream,
  type StreamOptions,
  stream,
} from "../../../src/client";
import { StreamServer } from "./stream-server";

/** The streams of one file of tests. */
export class TestStreams {
  server!: StreamServer;

  /** Starts a server before each test of the file, and stops it after. */
  constructor() {
    beforeEach(async () => {
      this.server = await StreamServer.start();
    });
    afterEach(() => this.server.stop());
  }

  /** A processor at the server. Pauses between links are short. */
  memory(connection: Partial<Connection> = {}): Processor {
    const address = connection.address ?? this.server.address;
    return processor(connect({ key: "ABCD-1234", firstPause: 1, longestPause: 10, ...connection, address }), "P1");
  }

  /** An open stream, which ends with the test. */
  open(options: StreamOptions = {}, connection: Partial<Connection> = {}): Stream {
    const controller = new AbortController();
    onTestFinished(() => controller.abort());
    return stream(this.memory(connection), { signal: controller.signal, ...options });
  }
}

/** A record with these symbols. */
export const gdf = (...strings: string[]) => ({ strings });

/** Different symbols, in order. */
export const symbols = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `s${from + i}`);

/** Makes a call for each symbol. */
export const observeEach = (link: Stream, names: readonly string[]) => names.map((name) => link.observe(gdf(name)));

/** Lets some time pass. */
export const sleep = (ms: number) => new Promise((later) => setTimeout(later, ms));
