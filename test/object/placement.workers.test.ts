/**
 * Where processors and agents live, inside workerd. workerd ignores hints and has no jurisdictions; agents in a jurisdiction are tested over
 * namespaces that only seem to have some.
 */

import { abortAllDurableObjects, env, runInDurableObject } from "cloudflare:test";
import { createClient, type Transport } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RosterService } from "../../src/gen/noema/v1/provisioning_service_pb";
import { firstGenome } from "../../src/object/genome/default";
import { StoredAgent } from "../../src/object/stored-agent";
import { createTransports } from "../../src/rpc/transport/transports";
import { AGENT, FIRST, forgetAgent, fresh, hotswap, memoryOf, observe, symbol, teach } from "../support/object/agents";
import { agentNamed } from "../support/object/clients";
import { genomeText, manipulative, primitive } from "../support/object/genomes";

afterEach(forgetAgent);

const placed = async () => (await agentNamed(AGENT).getGenome({})).placed.map(({ $typeName, ...place }) => place);

describe("a processor", () => {
  test("is placed by the first genome that has it, as a dry run says before", async () => {
    const [near, far] = [fresh("near"), fresh("far")];
    const genomeJson = genomeText(primitive(near), primitive(far, { location_hint: "oc" }));
    const expected = { id: far, locationHint: "oc", jurisdiction: "" };
    expect((await agentNamed(AGENT).previewHotswap({ genomeJson })).change?.placed).toMatchObject([expected]);
    expect(await placed()).toEqual([]);
    expect((await agentNamed(AGENT).hotswap({ genomeJson })).change?.placed).toMatchObject([expected]);
    await observe(far, "hello");
    await abortAllDurableObjects();
    expect(await placed()).toEqual([expected]);
    expect((await agentNamed(AGENT).getGenome({})).genomeJson).toBe(genomeJson);
    expect((await agentNamed(AGENT).hotswap({ genomeJson })).change?.placed).toEqual([]);
    expect(await memoryOf(far)).toEqual([["hello"]]);
  });

  test("stays where it was made: a genome that says otherwise is refused, by dry runs too, and changes nothing", async () => {
    const id = fresh("p");
    await hotswap(genomeText(primitive(id, { location_hint: "oc" })));
    const genomeJson = genomeText(primitive(id, { location_hint: "sam" }));
    const sentence = `the genome's processor "${id}" has the location_hint "sam", and was made with the location_hint "oc"`;
    await expect(agentNamed(AGENT).previewHotswap({ genomeJson })).rejects.toThrow(sentence);
    await expect(hotswap(genomeJson)).rejects.toThrow(sentence);
    await expect(hotswap(genomeText(primitive(FIRST, { location_hint: "sam" })))).rejects.toThrow("no location_hint");
    expect(await placed()).toEqual([{ id, locationHint: "oc", jurisdiction: "" }]);
  });

  test("keeps its place while its data is kept, and may have another once it is purged", async () => {
    const id = fresh("p");
    await hotswap(genomeText(primitive(id, { location_hint: "oc" })));
    await hotswap(genomeText());
    await abortAllDurableObjects();
    await expect(hotswap(genomeText(primitive(id)))).rejects.toThrow('"oc"');
    await hotswap(genomeText(), true);
    await hotswap(genomeText(primitive(id, { location_hint: "sam" })));
    expect(await placed()).toEqual([{ id, locationHint: "sam", jurisdiction: "" }]);
  });

  test("hears others from where it was placed, and its agent tells who asks", async () => {
    const [teller, hearer] = [fresh("teller"), fresh("hearer")];
    await hotswap(
      genomeText(
        primitive(teller, { manipulatives: ["m"], sort: false }),
        primitive(hearer, { location_hint: "afr", sort: false }),
        manipulative("m", teller, [hearer]),
      ),
    );
    const model = await teach(teller, "a", "b");
    await observe(teller, "a");
    expect(await memoryOf(hearer)).toEqual([[symbol(teller, model, "name", model)]]);
    const roster = createClient(RosterService, createTransports(env).agent(AGENT));
    expect(await roster.findProcessor({ id: hearer })).toMatchObject({ found: true, locationHint: "afr" });
  });

  test("cannot be in a jurisdiction here: workerd has none", async () => {
    await expect(hotswap(genomeText(primitive(fresh("p"), { jurisdiction: "eu" })))).rejects.toThrow(
      'the genome\'s elements.nodes[0].data.jurisdiction is "eu"; the platform refuses it: Jurisdiction restrictions are not implemented in workerd.',
    );
  });
});

/** What to store an agent of a deployment in a jurisdiction in: an object of another name stands for the one in the jurisdiction. */
function agentIn<T>(jurisdiction: string, work: (agent: StoredAgent) => Promise<T>): Promise<T> {
  const object = env.AGENTS.getByName(`${AGENT} in ${jurisdiction}`) as DurableObjectStub;
  return runInDurableObject(object, (_, { storage }) => {
    const transports = createTransports(env);
    const agent = new StoredAgent(storage, {
      name: AGENT,
      firstGenome,
      processor: (name, id, place): Transport =>
        transports.processor(name, `${id} in ${place.jurisdiction || jurisdiction}`, {
          endpoint: "",
          place: { ...place, jurisdiction: "" },
        }),
      unrestricted: (name) => transports.agent(name, ""),
      replacingRoutes: () => () => {},
      rules: {
        mostParts: 64,
        mostDeliveries: 256,
        endpointRefusal: () => undefined,
        jurisdiction,
        jurisdictionRefusal: () => undefined,
      },
    });
    return work(agent);
  });
}

describe("an agent", () => {
  const jurisdictions = ["eu", "us"];

  beforeEach(async () => {
    for (const jurisdiction of jurisdictions) {
      await runInDurableObject(
        env.AGENTS.getByName(`${AGENT} in ${jurisdiction}`) as DurableObjectStub,
        (_, { storage }) => storage.deleteAll(),
      );
    }
  });

  test("of a deployment in a jurisdiction lives there, and the others of its name say so", async () => {
    const { json } = await agentIn("eu", (agent) => agent.genome());
    expect(JSON.parse(json).agent).toBe(AGENT);
    await agentIn("eu", (agent) => agent.noteTuned(FIRST));
    expect((await agentIn("eu", (agent) => agent.genome())).tuned).toEqual([FIRST]);
    const sentence = (said: string) =>
      `the agent "simple" lives in the jurisdiction "eu", and the variable NOEMA_JURISDICTION ${said}; an agent cannot move: set the variable as it was when the agent began`;
    await expect(agentNamed(AGENT).getGenome({})).rejects.toThrow(sentence("is not set"));
    await expect(agentNamed(AGENT).hotswap({ genomeJson: genomeText() })).rejects.toThrow(sentence("is not set"));
    await abortAllDurableObjects();
    await expect(agentNamed(AGENT).previewHotswap({ genomeJson: genomeText() })).rejects.toThrow(
      sentence("is not set"),
    );
    await expect(agentIn("us", (agent) => agent.genome())).rejects.toThrow(sentence('is "us"'));
  });

  test("that was made in none is not made anew in a jurisdiction, and lives on", async () => {
    await agentNamed(AGENT).getGenome({});
    await observe(FIRST, "hello");
    const sentence =
      'the agent "simple" lives in no jurisdiction, and the variable NOEMA_JURISDICTION is "eu"; an agent cannot move';
    await expect(agentIn("eu", (agent) => agent.genome())).rejects.toThrow(sentence);
    await expect(agentIn("eu", (agent) => agent.locate(FIRST))).rejects.toThrow(sentence);
    expect((await memoryOf(FIRST)).at(-1)).toEqual(["hello"]);
  });

  test("may place a processor in a jurisdiction of its own only where the deployment has none", async () => {
    const genome = genomeText(primitive(fresh("p"), { jurisdiction: "us" }));
    await expect(agentIn("eu", (agent) => agent.hotswap(genome, false))).rejects.toThrow(
      'jurisdiction must be "eu", the jurisdiction of this deployment (NOEMA_JURISDICTION), got "us"',
    );
  });
});

test("a processor in a jurisdiction is called there, by its agent and by what tells it", async () => {
  const id = fresh("p");
  await agentIn("", async (agent) => {
    const { change } = await agent.hotswap(genomeText(primitive(id, { jurisdiction: "us" })), false);
    expect(change.placed).toEqual([{ id, locationHint: "", jurisdiction: "us" }]);
    expect(await agent.locate(id)).toEqual({ endpoint: "", locationHint: "", jurisdiction: "us" });
  });
  expect(await memoryOf(`${id} in us`)).toEqual([]);
});
