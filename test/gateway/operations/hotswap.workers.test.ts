/** Hotswaps seen from outside: over HTTP, through gateways of several isolates that know the agent from before. */

import { env } from "cloudflare:test";
import { afterEach, describe, expect, test } from "vitest";
import { createGateway, type Gateway } from "../../../src/gateway/gateway";
import { createTransports } from "../../../src/rpc/transport/transports";
import { forgetAgent, fresh } from "../../support/object/agents";
import { genomeText, primitive } from "../../support/object/genomes";

afterEach(forgetAgent);

/** A gateway as another isolate would have it: it knows only what it was told itself. */
function gatewayOfItsOwn(): Gateway {
  return createGateway({ NOEMA_LOCAL: "true" }, createTransports(env));
}

async function ask(gateway: Gateway, call: string, body?: string) {
  const [method = "", path = ""] = call.split(" ");
  const init: RequestInit = { method, headers: { "x-api-key": "ABCD-1234" } };
  if (body !== undefined) init.body = body;
  const response = await gateway(new Request(`http://127.0.0.1${path}`, init));
  const text = await response.text();
  return { status: response.status, text, json: JSON.parse(text) as Record<string, unknown> };
}

const GDF = '{"data":{"strings":["hello"]}}';

async function memoryOf(gateway: Gateway, word: string): Promise<unknown> {
  return (await ask(gateway, `GET /${word}/working-memory`)).json.message;
}

describe("a hotswap over HTTP", () => {
  test.each([
    "/genome/hotswap",
    "/agent/genome/hotswap",
    "/p46b6b076c/genome/hotswap",
    "/P1/genome/hotswap",
  ])("at %s replaces the genome, and connect returns it letter by letter, without white space", async (path) => {
    const gateway = gatewayOfItsOwn();
    const data = JSON.stringify(primitive(fresh("p")));
    const genome = `{"z":1e-1,"agent":"other","elements":{"nodes":[{"data":${data}}]},"10":"a b"}`;
    const spaced = genome.replace('"z":1e-1,', ' "z" :\t1e-1, ').replace('"elements":{', '\n  "elements": {\r\n');
    const answer = await ask(gateway, `POST ${path}`, ` ${spaced} `);
    expect([answer.status, answer.json.message, answer.json.status]).toEqual([200, "hotswapped-genome", "okay"]);
    const connected = await ask(gateway, "GET /connect");
    expect(connected.text).toContain(`"genie":"other","genome":${genome},"status"`);
    expect(connected.json.connection).toBe("okay");
  });

  test("takes a genome in data too", async () => {
    const [gateway, id] = [gatewayOfItsOwn(), fresh("p")];
    expect((await ask(gateway, "POST /agent/genome/hotswap", `{"data": ${genomeText(primitive(id))} }`)).status).toBe(
      200,
    );
    expect((await ask(gateway, `GET /${id}/ping`)).status).toBe(200);
  });

  test.each([
    ["POST /nobody/genome/hotswap", genomeText(), 404, "there is no processor"],
    ["POST /genome/hotswap", "5", 400, "the body must be a genome"],
    ["POST /genome/hotswap", "{", 400, "JSON"],
    ["POST /genome/hotswap", '{"data":{"agent":"a"}}', 400, "data.elements must be an object {nodes: [...]}"],
    [
      "POST /genome/hotswap",
      genomeText(primitive("p", { persistence: 0 })),
      400,
      "persistence must be a whole number of 1",
    ],
    ["POST /genome/hotswap?purge=maybe", genomeText(), 400, 'the query\'s purge must be true or false, got "maybe"'],
    ["GET /genome/hotswap", undefined, 405, "POST"],
  ])("is refused: %s %s", async (call, body, status, said) => {
    const gateway = gatewayOfItsOwn();
    const before = await ask(gateway, "GET /connect");
    const answer = await ask(gateway, call, body);
    expect([answer.status, answer.json.status]).toEqual([status, "failed"]);
    expect(answer.json.message).toContain(said);
    expect((await ask(gateway, "GET /connect")).text).toBe(before.text);
  });
});

describe("the next request, in an isolate that knows the genome from before,", () => {
  test("finds a processor gone, and one that came", async () => {
    const [here, there, goes, comes] = [gatewayOfItsOwn(), gatewayOfItsOwn(), fresh("goes"), fresh("comes")] as const;
    await ask(here, "POST /genome/hotswap", genomeText(primitive(goes)));
    expect((await ask(there, `POST /${goes}/observe`, GDF)).status).toBe(200);
    await ask(here, "POST /genome/hotswap", genomeText(primitive(comes)));
    expect((await ask(there, `POST /${goes}/observe`, GDF)).status).toBe(404);
    expect((await ask(there, `POST /${comes}/observe`, GDF)).status).toBe(200);
  });

  test("finds a name where it moved to, though the processor that had it stays", async () => {
    const [here, there, a, b] = [gatewayOfItsOwn(), gatewayOfItsOwn(), fresh("a"), fresh("b")] as const;
    await ask(here, "POST /genome/hotswap", genomeText(primitive(a, { name: "P1" }), primitive(b, { name: "P2" })));
    await ask(there, "POST /P1/observe", GDF);
    await ask(here, "POST /genome/hotswap", genomeText(primitive(a, { name: "P2" }), primitive(b, { name: "P1" })));
    await ask(there, "POST /P1/observe", GDF);
    await ask(there, "POST /P1/observe", GDF);
    expect(await memoryOf(here, a)).toEqual([["hello"]]);
    expect(await memoryOf(here, b)).toEqual([["hello"], ["hello"]]);
  });

  test("is refused for a name that no processor has any more", async () => {
    const [here, there, a] = [gatewayOfItsOwn(), gatewayOfItsOwn(), fresh("a")] as const;
    await ask(here, "POST /genome/hotswap", genomeText(primitive(a, { name: "P1" })));
    expect((await ask(there, "GET /P1/ping")).status).toBe(200);
    await ask(here, "POST /genome/hotswap", genomeText(primitive(a, { name: "P2" })));
    expect((await ask(there, "GET /P1/ping")).status).toBe(404);
    expect((await ask(there, `GET /${a}/ping`)).status).toBe(200);
  });

  test("sees genes that were changed since, in the genome", async () => {
    const [here, there, a] = [gatewayOfItsOwn(), gatewayOfItsOwn(), fresh("a")] as const;
    await ask(here, "POST /genome/hotswap", genomeText(primitive(a, { persistence: 5 })));
    await ask(there, "GET /connect");
    await ask(here, `POST /${a}/genes/change`, '{"data":{"persistence":9}}');
    expect((await ask(there, "GET /connect")).text).toContain('"persistence":9');
  });

  test("sees a gene that has its default again, where the node says something else", async () => {
    const [gateway, a] = [gatewayOfItsOwn(), fresh("a")] as const;
    const node = (text: string) => JSON.parse(text).genome.elements.nodes[0].data;
    await ask(gateway, "POST /genome/hotswap", genomeText(primitive(a, { max_models: 50 })));
    expect(node((await ask(gateway, "GET /connect")).text).max_models).toBe(50);
    await ask(gateway, `POST /${a}/genes/change`, '{"data":{"max_models":0}}');
    expect(node((await ask(gateway, "GET /connect")).text).max_models).toBe(0);
    await ask(gateway, "POST /genome/hotswap", genomeText(primitive(a, { max_models: 20 })));
    const after = await ask(gateway, "GET /connect");
    expect(node(after.text)).toEqual(primitive(a, { max_models: 0 }));
    expect((await ask(gateway, `GET /${a}/all-genes`)).text).not.toContain("max_models");
  });
});
