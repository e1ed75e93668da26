/** Genomes that replace one another in a running agent: processors that stay, come, leave and come back, and interruptions. */

import { abortAllDurableObjects, env, runInDurableObject } from "cloudflare:test";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, describe, expect, test } from "vitest";
import { genomeChange } from "../../src/object/genome/change";
import { Genome } from "../../src/object/genome/genome";
import { GenomeTable } from "../../src/store/tables/genome-table";
import { AGENT, FIRST, forgetAgent, fresh, hotswap, memoryOf, observe, processor } from "../support/object/agents";
import { agentNamed } from "../support/object/clients";
import { genomeText, primitive } from "../support/object/genomes";

afterEach(forgetAgent);

const persistence = (value: number) => ({ name: "persistence", value: { value: { case: "number" as const, value } } });

async function persistenceOf(id: string): Promise<string | undefined> {
  return (await processor(id).genes.getGenes({ name: "persistence" })).genes[0]?.text;
}

async function codeOf(call: Promise<unknown>): Promise<Code | "okay"> {
  return call.then(
    () => "okay" as const,
    (reason: unknown) => ConnectError.from(reason).code,
  );
}

const isInService = async (id: string) => (await codeOf(processor(id).inspection.ping({}))) === "okay";

function tuned(): Promise<string[]> {
  return agentNamed(AGENT)
    .getGenome({})
    .then((answer) => answer.tuned);
}

describe("a hotswap", () => {
  test("makes new processors with their genes, and returns the genome byte for byte", async () => {
    const [a, b] = [fresh("a"), fresh("b")];
    const genome = ` ${genomeText(primitive(a, { persistence: 7 }), primitive(b))}\n`.replace(":7", ":  7e0");
    await hotswap(genome);
    expect((await agentNamed(AGENT).getGenome({})).genomeJson).toBe(genome);
    expect(await persistenceOf(a)).toBe("7");
    expect(await persistenceOf(b)).toBe("5");
    await abortAllDurableObjects();
    expect((await agentNamed(AGENT).getGenome({})).genomeJson).toBe(genome);
  });

  test("counts revisions, and does not send a genome that the caller knows", async () => {
    const { revision, genomeJson } = await agentNamed(AGENT).getGenome({});
    expect(genomeJson).not.toBe("");
    expect((await agentNamed(AGENT).getGenome({ knownRevision: revision })).genomeJson).toBe("");
    expect(await agentNamed(AGENT).hotswap({ genomeJson: genomeText() })).toMatchObject({ revision: revision + 1 });
    expect((await agentNamed(AGENT).getGenome({ knownRevision: revision })).genomeJson).toBe(genomeText());
  });

  test("leaves memory, genes and models to the processors that stay, under their new names", async () => {
    const [stays, goes] = [fresh("stays"), fresh("goes")];
    await hotswap(genomeText(primitive(stays), primitive(goes)));
    await observe(stays, "hello");
    await processor(stays).genes.changeGenes({ changes: [persistence(9)] });
    await hotswap(genomeText(primitive(stays, { name: "renamed", persistence: 3 })));
    expect(await memoryOf(stays)).toEqual([["hello"]]);
    expect(await persistenceOf(stays)).toBe("9");
    expect((await processor(stays).inspection.getInfo({})).name).toBe("renamed");
    await abortAllDurableObjects();
    expect((await processor(stays).inspection.getInfo({})).name).toBe("renamed");
  });

  test("takes processors that leave out of service, and keeps their data for when they come back", async () => {
    const goes = fresh("goes");
    await hotswap(genomeText(primitive(goes)));
    await observe(goes, "hello");
    await hotswap(genomeText());
    expect(await codeOf(observe(goes, "lost"))).toBe(Code.FailedPrecondition);
    await hotswap(genomeText(primitive(goes)));
    expect(await memoryOf(goes)).toEqual([["hello"]]);
  });

  test("deletes the data of processors that leave when asked to, and of those that left before", async () => {
    const [first, second] = [fresh("first"), fresh("second")];
    await hotswap(genomeText(primitive(first), primitive(second)));
    for (const id of [first, second]) await observe(id, "hello");
    await hotswap(genomeText(primitive(second)));
    await hotswap(genomeText(), true);
    await hotswap(genomeText(primitive(first), primitive(second)));
    for (const id of [first, second]) expect(await memoryOf(id)).toEqual([]);
  });

  test("changes nothing when the genome is refused", async () => {
    const stays = fresh("stays");
    const genome = genomeText(primitive(stays));
    await hotswap(genome);
    const [wrong, other] = [genomeText(primitive(fresh("new"), { persistence: 0 })), fresh("other")];
    expect(await codeOf(hotswap(wrong))).toBe(Code.InvalidArgument);
    expect(await codeOf(hotswap(genomeText(primitive(other), primitive(other))))).toBe(Code.InvalidArgument);
    expect((await agentNamed(AGENT).getGenome({})).genomeJson).toBe(genome);
    expect([await isInService(stays), await isInService(other)]).toEqual([true, false]);
  });

  test("can run among others: each is applied whole", async () => {
    const ids = Array.from({ length: 5 }, () => fresh("p"));
    await Promise.all(ids.map((id) => hotswap(genomeText(primitive(id)))));
    const { genomeJson } = await agentNamed(AGENT).getGenome({});
    const inService: boolean[] = [];
    for (const id of ids) inService.push(await isInService(id));
    expect(inService).toEqual(ids.map((id) => genomeJson.includes(id)));
    expect(inService.filter(Boolean).length).toBe(1);
  });
});

describe("genes that differ from the genome", () => {
  test("are noted before they change, and once", async () => {
    const [changed, other] = [fresh("changed"), fresh("other")];
    await hotswap(genomeText(primitive(changed), primitive(other)));
    expect(await tuned()).toEqual([]);
    await processor(changed).genes.incrementRecallThreshold({ increment: 0.1 });
    expect(await tuned()).toEqual([changed]);
    await abortAllDurableObjects();
    await processor(changed).genes.changeGenes({ changes: [persistence(2)] });
    expect(await tuned()).toEqual([changed]);
  });

  test("do not change when the agent cannot be told", async () => {
    const id = fresh("p");
    await processor(id).provisioning.provision({ id, name: "P", agent: "nobody" });
    expect(await codeOf(processor(id).genes.changeGenes({ changes: [persistence(2)] }))).toBe(Code.NotFound);
    expect(await persistenceOf(id)).toBe("5");
  });

  test("are noted for processors that keep genes which their new nodes do not have", async () => {
    const [same, differs, back] = [fresh("1-same"), fresh("2-differs"), fresh("3-back")];
    await hotswap(genomeText(primitive(same), primitive(differs), primitive(back)));
    await hotswap(genomeText(primitive(same), primitive(differs, { persistence: 9 })));
    expect(await tuned()).toEqual([differs]);
    await hotswap(genomeText(primitive(back)));
    expect(await tuned()).toEqual([differs, back]);
    await hotswap(genomeText(), true);
    expect(await tuned()).toEqual([]);
  });
});

describe("a preview of a hotswap", () => {
  test("says what the hotswap then does, and changes nothing", async () => {
    const [stays, goes, earlier, comes] = ["stays", "goes", "earlier", "comes"].map(fresh) as [
      string,
      string,
      string,
      string,
    ];
    await hotswap(genomeText(primitive(earlier)));
    await hotswap(genomeText(primitive(stays), primitive(goes)));
    await observe(stays, "hello");
    await observe(goes, "hello");
    const before = await agentNamed(AGENT).getGenome({});
    const genomeJson = genomeText(primitive(stays, { name: "renamed" }), primitive(comes));
    for (const purge of [false, true]) {
      const { change } = await agentNamed(AGENT).previewHotswap({ genomeJson, purge });
      expect(change).toMatchObject({
        added: [comes],
        kept: [],
        renamed: [{ id: stays, from: `P of ${stays}`, to: "renamed" }],
        retired: [goes],
      });
      expect(new Set(change?.purged)).toEqual(new Set(purge ? [FIRST, goes, earlier] : []));
      expect(await agentNamed(AGENT).getGenome({})).toEqual(before);
      expect([await isInService(comes), await isInService(goes)]).toEqual([false, true]);
    }
    expect(await memoryOf(goes)).toEqual([["hello"]]);
    const preview = await agentNamed(AGENT).previewHotswap({ genomeJson, purge: true });
    const done = await agentNamed(AGENT).hotswap({ genomeJson, purge: true });
    expect(done.change).toEqual(preview.change);
    expect(await isInService(goes)).toBe(false);
  });

  test("refuses what a hotswap refuses", async () => {
    const other = fresh("p");
    for (const wrong of ["{", genomeText(primitive(other), primitive(other)), genomeText(primitive("."))]) {
      expect(await codeOf(agentNamed(AGENT).previewHotswap({ genomeJson: wrong }))).toBe(Code.InvalidArgument);
    }
  });
});

describe("an id or name that vanishes from paths", () => {
  test.each([
    [primitive(".", { name: "P" }), 'the genome\'s processor "." has the id "."'],
    [primitive("..", { name: "P" }), 'the genome\'s processor ".." has the id ".."'],
    [primitive("p", { name: "." }), 'the genome\'s processor "p" has the name "."'],
    [primitive("p", { name: ".." }), 'the genome\'s processor "p" has the name ".."'],
  ])("is refused", async (node, sentence) => {
    const { genomeJson } = await agentNamed(AGENT).getGenome({});
    await expect(hotswap(genomeText(node))).rejects.toThrow(sentence);
    expect((await agentNamed(AGENT).getGenome({})).genomeJson).toBe(genomeJson);
  });

  test("is opened where it was stored before", async () => {
    const [other] = [fresh("p")];
    await hotswap(genomeText(primitive(other)));
    const stored = genomeText(primitive(".", { name: ".." }), primitive(other));
    await runInDurableObject(env.AGENTS.getByName(AGENT) as DurableObjectStub, (_, { storage }) =>
      storage.transactionSync(() =>
        new GenomeTable(storage.sql).put({ name: AGENT, revision: 9, json: stored, places: new Map() }, new Map()),
      ),
    );
    await abortAllDurableObjects();
    expect((await agentNamed(AGENT).getGenome({ wanted: other })).genomeJson).toBe(stored);
    const { change } = await agentNamed(AGENT).hotswap({ genomeJson: genomeText(primitive(other)) });
    expect(change).toMatchObject({ kept: [other], retired: ["."] });
  });
});

describe("a hotswap that is interrupted", () => {
  /** The alarm of an interrupted hotswap rings long after a test, unless the test waits for it. */
  const NO_ALARM_MS = 600_000;

  /** Writes what a hotswap writes first, and no more, as if the object were lost right after. */
  function beginOnly(before: string, after: string, alarmMs: number): Promise<void> {
    return runInDurableObject(env.AGENTS.getByName(AGENT) as DurableObjectStub, (_, { storage }) => {
      const table = new GenomeTable(storage.sql);
      const { steps } = genomeChange(
        new Genome(before),
        new Genome(after),
        { retired: table.retired(), waiting: table.waiting() },
        false,
      );
      const { name = AGENT, revision = 1, places = new Map() } = table.read() ?? {};
      storage.transactionSync(() => table.put({ name, revision: revision + 1, json: after, places }, steps));
      return storage.setAlarm(Date.now() + alarmMs);
    });
  }

  async function expectInPlace(stays: string, goes: string, comes: string): Promise<void> {
    expect(await isInService(goes)).toBe(false);
    expect(await isInService(comes)).toBe(true);
    expect(await memoryOf(stays)).toEqual([["hello"]]);
    expect((await processor(stays).inspection.getInfo({})).name).toBe("renamed");
  }

  async function interrupted(alarmMs = NO_ALARM_MS) {
    const [stays, goes, comes] = [fresh("stays"), fresh("goes"), fresh("comes")] as const;
    const before = genomeText(primitive(stays), primitive(goes));
    const after = genomeText(primitive(stays, { name: "renamed" }), primitive(comes));
    await hotswap(before);
    await observe(stays, "hello");
    await beginOnly(before, after, alarmMs);
    await abortAllDurableObjects();
    return { stays, goes, comes, after };
  }

  test("is previewed as if it were done, and not resumed by that", async () => {
    const { stays, goes, comes } = await interrupted();
    const genomeJson = genomeText(primitive(stays, { name: "renamed" }));
    const { change } = await agentNamed(AGENT).previewHotswap({ genomeJson, purge: true });
    expect(change).toMatchObject({ kept: [stays], renamed: [], retired: [comes] });
    expect(new Set(change?.purged)).toEqual(new Set([FIRST, comes, goes]));
    expect([await isInService(comes), await isInService(goes)]).toEqual([false, true]);
  });

  test("is resumed by the next call for the genome", async () => {
    const { stays, goes, comes, after } = await interrupted();
    expect((await agentNamed(AGENT).getGenome({})).genomeJson).toBe(after);
    await expectInPlace(stays, goes, comes);
  });

  test("is resumed by the alarm, without a call", async () => {
    const { stays, goes, comes } = await interrupted(200);
    await expect.poll(() => isInService(comes), { interval: 50 }).toBe(true);
    await expect.poll(() => isInService(goes), { interval: 50 }).toBe(false);
    await expectInPlace(stays, goes, comes);
  });

  test("is resumed by the next hotswap, which then follows", async () => {
    const { stays, goes, comes } = await interrupted();
    await hotswap(genomeText(primitive(stays), primitive(goes)));
    expect([await isInService(comes), await isInService(goes)]).toEqual([false, true]);
    expect(await memoryOf(stays)).toEqual([["hello"]]);
  });

  test("half-way resumes with the steps that are left", async () => {
    const { stays, goes, comes } = await interrupted();
    await processor(comes).provisioning.provision({ id: comes, name: `P of ${comes}`, agent: AGENT });
    await observe(comes, "early");
    await agentNamed(AGENT).getGenome({});
    await expectInPlace(stays, goes, comes);
    expect(await memoryOf(comes)).toEqual([["early"]]);
  });

  test("by a processor that cannot be put into service says so, remains the genome, and resumes when it can", async () => {
    const [stays, comes] = [fresh("stays"), fresh("comes")];
    await hotswap(genomeText(primitive(stays)));
    await processor(comes).provisioning.provision({ id: "another", name: "P" });
    const after = genomeText(primitive(comes));
    expect(await codeOf(hotswap(after))).toBe(Code.InvalidArgument);
    await processor(comes).provisioning.retire({ purge: true });
    expect((await agentNamed(AGENT).getGenome({})).genomeJson).toBe(after);
    expect([await isInService(stays), await isInService(comes)]).toEqual([false, true]);
  });
});
