/**
 * MQTT sessions that are kept outlive the server: it is killed between two packets of a message, and each message has
 * its effect as its quality of service says.
 */

import { expect, onTestFinished, test } from "vitest";
import { type Hello, packet, publish, pubrel, TYPE, text, two } from "../support/mqtt/packets.mjs";
import { RawClient } from "../support/mqtt/raw-client";
import { ask, PROCESSOR } from "../support/server/processor-calls";
import { Server } from "../support/server/server";

const ID = PROCESSOR.slice(1);

const topic = (verb: string) => `noema/${ID}/sessions/kept/${verb}`;

test.each([
  4, 5,
] as const)("with protocol level %d, kills between any two packets lose nothing and double nothing", async (version) => {
  let server = await Server.start();
  onTestFinished(() => server.discard());
  const hello: Hello = { version, clientId: "kept", isClean: false, expiry: 3600 };
  let { client, isPresent } = await RawClient.connected(server.address, hello);
  expect(isPresent).toBe(false);
  const crash = async () => {
    await server.kill();
    server = await Server.start(server.stateDir);
    ({ client, isPresent } = await RawClient.connected(server.address, hello));
    expect(isPresent).toBe(true);
  };
  const type = async () => (await client.next()).type;
  // Killed when PUBREC has come: PUBREL finishes it.
  client.send(publish(version, topic("observe"), "a", 2, 1));
  expect(await type()).toBe(TYPE.pubrec);
  await crash();
  client.send(pubrel(1));
  expect(await type()).toBe(TYPE.pubcomp);
  // Killed while it is on its way, whatever it has done: sent again, it has its effect once. And learn, and a new one.
  const packets = [
    publish(version, topic("observe"), "b", 2, 2),
    publish(version, topic("learn"), "", 2, 3),
    publish(version, topic("observe"), "c", 1, 4),
    publish(version, topic("observe"), "d", 2, 5),
  ];
  client.send(...packets);
  await crash();
  client.send(
    publish(version, topic("observe"), "b", 2, 2, true),
    publish(version, topic("learn"), "", 2, 3, true),
    publish(version, topic("observe"), "c", 1, 4, true),
    publish(version, topic("observe"), "d", 2, 5, true),
  );
  expect([await type(), await type(), await type(), await type()]).toEqual([
    TYPE.pubrec,
    TYPE.pubrec,
    TYPE.puback,
    TYPE.pubrec,
  ]);
  client.send(pubrel(2), pubrel(3), pubrel(5));
  expect([await type(), await type(), await type()]).toEqual([TYPE.pubcomp, TYPE.pubcomp, TYPE.pubcomp]);
  expect(await ask(server, "GET sessions/kept/working-memory")).toEqual([["c"], ["d"]]);
  expect(await ask(server, "GET sessions/kept/time")).toBe("4");
  // What is for the client waits for it, over kills too.
  const properties = version === 5 ? [0] : [];
  client.send(packet(0x82, two(9), properties, text(topic("observed")), [2]));
  expect(await type()).toBe(TYPE.suback);
  client.send(packet(0xe0));
  await client.rest();
  await ask(server, "POST sessions/kept/observe", { data: { strings: ["e"] } });
  await ask(server, "POST sessions/kept/observe", { data: { strings: ["f"] } });
  await crash();
  const first = await client.next();
  const second = await client.next();
  expect([first.type, second.type]).toEqual([TYPE.publish, TYPE.publish]);
  expect(first.body.toString()).toContain('"symbols":["e"]');
  expect(second.body.toString()).toContain('"symbols":["f"]');
  const id = first.body.readUInt16BE(2 + first.body.readUInt16BE(0));
  client.send(packet(0x50, two(id)));
  expect(await type()).toBe(TYPE.pubrel);
  await crash();
  const again = [await client.next(), await client.next()];
  expect(again.map((each) => each.type)).toEqual([TYPE.pubrel, TYPE.publish]);
  client.send(packet(0x70, two(id)));
  client.drop();
}, 300_000);
