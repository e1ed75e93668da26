/** The conformance examples, played over HTTP on the bundle that is deployed, as `npm start` serves it. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { EXAMPLES } from "../support/conformance/examples";
import { Player } from "../support/conformance/player";
import { Server } from "../support/server/server";
import abstraction from "./genomes/abstraction.json";
import simple from "./genomes/simple.json";

/** The genome that every server begins with. */
const DEFAULT_GENOME = "simple";

let server: Server;
let player: Player;

beforeAll(async () => {
  server = await Server.start();
  player = await Player.begin(server);
});

afterAll(() => server.discard());

describe("examples", () => {
  beforeEach(() => player.reset());

  for (const example of EXAMPLES.filter(({ genome }) => genome === DEFAULT_GENOME)) {
    test(example.id, () => player.play(example));
  }
});

describe("examples in a session", () => {
  beforeEach(() => player.reset());

  for (const example of EXAMPLES.filter(({ genome }) => genome === DEFAULT_GENOME)) {
    test(example.id, () => player.play(example, "a%20b%2F%C3%BC"));
  }
});

describe("examples on another genome, brought by a hotswap", () => {
  /** Begins with a genome's own processors, which have lived through nothing. */
  async function begin(genome: object): Promise<void> {
    for (const next of [simple, genome]) {
      const { json } = await server.send({ method: "POST", path: "/genome/hotswap?purge=true", body: next });
      expect(json.status, json.message).toBe("okay");
    }
  }

  for (const example of EXAMPLES.filter(({ genome }) => genome !== DEFAULT_GENOME)) {
    test(example.id, async () => {
      expect(example.genome).toBe("abstraction");
      await begin(abstraction);
      await player.play(example);
    });
  }
});
