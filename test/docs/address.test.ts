/** The examples of the pages below /docs name the server that serves them. */

import { describe, expect, test } from "vitest";
import { withAddress } from "../../scripts/pages/browser/with-address";

const EXAMPLE = `P=http://127.0.0.1:8787/P1
curl http://kitchen.localhost:8787/connect
docker run -p 127.0.0.1:8787:8787 noema`;

describe("an example that is found", () => {
  test.each([
    ["http://127.0.0.1:8787", "http://127.0.0.1:8787/P1", "http://kitchen.localhost:8787/connect"],
    ["http://127.0.0.1:9000", "http://127.0.0.1:9000/P1", "http://kitchen.localhost:9000/connect"],
    ["http://[::1]:9000", "http://[::1]:9000/P1", "http://kitchen.localhost:9000/connect"],
    ["http://localhost:9000", "http://localhost:9000/P1", "http://kitchen.localhost:9000/connect"],
    ["https://noema.example", "https://noema.example/P1", "https://kitchen.noema.example/connect"],
    ["https://a.noema.example:8443", "https://a.noema.example:8443/P1", "https://kitchen.a.noema.example:8443/connect"],
  ])("at %s names %s and %s, and what is no address of the server stays", (origin, processor, agent) => {
    expect(withAddress(EXAMPLE, origin)).toBe(`P=${processor}\ncurl ${agent}\ndocker run -p 127.0.0.1:8787:8787 noema`);
  });
});
