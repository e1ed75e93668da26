/** The client inside a Worker that has Noema as a service binding. */

import { SELF } from "cloudflare:test";
import { expect, test, vi } from "vitest";
import * as client from "../../src/client";
import { fresh } from "../support/object/agents";

/** A connection through the binding; `agent` calls are not told apart here. */
function connected(): client.Noema {
  return client.connect({
    address: "http://127.0.0.1:8787",
    key: "ABCD-1234",
    fetch: (url, init) => SELF.fetch(url, init),
  });
}

/** A new agent's genome with one processor. */
function genomeOf(...ids: readonly string[]): client.Schemas.Genome {
  return { agent: "simple", elements: { nodes: ids.map((id) => ({ data: { type: "primitive", id, name: id } })) } };
}

test("observes, learns, predicts, and carries the knowledge to another processor as a stream", async () => {
  const noema = connected();
  const [from, to] = [fresh("p"), fresh("p")];
  await client.hotswapGenome(noema, genomeOf(from, to));
  const p1 = client.processor(noema, from);
  const p2 = client.processor(noema, to);
  await client.observeSequence(p1, { sequence: [{ strings: ["hello"] }, { strings: ["world"] }], learn: true });
  const progress: client.Progress[] = [];
  const onProgress = (one: client.Progress) => progress.push(one);
  await client.loadKnowledgeBase(p2, await client.exportKnowledgeBase(p1), { onProgress });
  expect(progress.at(-1)).toMatchObject({ records: 3 });
  await client.observe(p2, { strings: ["hello"] });
  expect(await client.getPredictions(p2, { fields: ["future"] })).toEqual([{ future: [["world"]] }]);
});

test("streams", async () => {
  const noema = connected();
  const id = fresh("p");
  await client.hotswapGenome(noema, genomeOf(id));
  const memory = client.session(client.processor(noema, id), "device 7");
  const heard: client.StreamEvent[] = [];
  // The objects of this project are wrapped, and a wrapper imports the Worker anew before it passes a message on: the
  // first frame can overtake the subscription, which never happens in workerd itself.
  const link = await new Promise<client.Stream>((resolve) => {
    const opened = client.stream(memory, {
      source: "s",
      onEvent: (event) => heard.push(event),
      onOpen: () => resolve(opened),
    });
  });
  await link.observe([{ strings: ["hello"] }, { strings: ["world"] }], { learn: true });
  const predictions = { fields: ["future"] } as const;
  expect(await link.observe({ strings: ["hello"] }, { predictions, brief: true })).toEqual({
    interval: 3,
    predictions: [{ future: [["world"]] }],
    redelivered: false,
  });
  const expected = ["observed", "observed", "learned", "observed"].map((event) => [event, "device 7"]);
  await vi.waitFor(() => expect(heard.map(({ event, session }) => [event, session])).toEqual(expected), {
    timeout: 60_000,
  });
  await link.close();
});

test("throws what the server says", async () => {
  const noema = connected();
  const id = fresh("p");
  await client.hotswapGenome(noema, genomeOf(id));
  const call = client.observe(client.processor(noema, id), { strings: [7] } as never);
  await expect(call).rejects.toMatchObject({
    name: "NoemaError",
    status: 400,
    message: "data.strings[0] must be a string, got 7",
  });
});
