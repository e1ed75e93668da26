import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it, vi } from "vitest";
import { liveGenome } from "../../../src/gateway/operations/live-genome";
import { AgentService } from "../../../src/gen/noema/v1/agent_service_pb";
import { GeneService, GetGenesResponseSchema } from "../../../src/gen/noema/v1/gene_service_pb";
import { GENOME, P1, STAMP, TestGateway } from "../../support/gateway/test-gateway";

const { getGenes } = GeneService.method;

function geneOf(name: string, value: boolean | number | string) {
  const kind = { boolean: "flag", number: "number", string: "text" }[typeof value as "string"];
  return { name, value: { value: { case: kind, value } }, text: String(value) };
}

function textOf(value: string) {
  return { value: { case: "text", value } };
}

function genesOf(settings: Record<string, boolean | number | string>) {
  const genes = Object.entries(settings).map(([name, value]) => geneOf(name, value));
  return create(GetGenesResponseSchema, { stamp: STAMP, genes: genes as never }).genes;
}

describe("connect", () => {
  it.each(["/connect", `/${P1}/connect`, "/P1/connect"])("gives the genome at %s", async (path) => {
    const gateway = new TestGateway();
    const answer = await gateway.ask("GET", path);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(
      `{"agent_name":"simple","connection":"okay","genie":"simple","genome":${GENOME},"status":"okay"}`,
    );
  });

  it("says what the key allows when asked, and refuses to guess", async () => {
    const gateway = new TestGateway();
    const asked = await gateway.ask("GET", "/connect?rights=true");
    expect(asked.text).toContain(`"genome":${GENOME},"rights":{"roles":["admin"]},"status"`);
    expect((await gateway.ask("GET", "/P1/connect?rights=true")).text).toBe(asked.text);
    expect((await gateway.ask("GET", "/connect?rights=false")).json).not.toHaveProperty("rights");
    const refused = await gateway.ask("GET", "/connect?rights=roles");
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("rights must be true or false")]);
  });

  it("is 404 for a processor that the agent does not have", async () => {
    expect((await new TestGateway().ask("GET", "/agent/connect")).status).toBe(404);
  });

  it("reads the genome again every time", async () => {
    const gateway = new TestGateway();
    await gateway.ask("GET", "/connect");
    gateway.answer(AgentService.method.getGenome, { genomeJson: '{"agent":"b","elements":{"nodes":[]}}' });
    expect((await gateway.ask("GET", "/connect")).json.genie).toBe("b");
  });

  it("shows live genes", async () => {
    const gateway = new TestGateway();
    gateway.answer(AgentService.method.getGenome, { genomeJson: GENOME, tuned: [P1] });
    gateway.answer(getGenes, { stamp: STAMP, genes: genesOf({ SORT: "not sorting" }) });
    expect((await gateway.ask("GET", "/connect")).text).toContain(GENOME.replace('"sort":true', '"sort":false'));
  });

  it("adds a changed gene that the node does not set, as an older processor prints it, and no other gene", async () => {
    const gateway = new TestGateway();
    gateway.answer(AgentService.method.getGenome, { genomeJson: GENOME, tuned: [P1] });
    const genes = genesOf({ enable_snapshots: "WM snapshots enabled", persistence: 5, prediction_sort_metric: "snr" });
    for (const gene of genes) gene.tuned = gene.name !== "persistence";
    gateway.answer(getGenes, { stamp: STAMP, genes });
    const added = '"type":"primitive","enable_snapshots":"WM snapshots enabled","prediction_sort_metric":"snr"}';
    expect((await gateway.ask("GET", "/connect")).text).toContain(GENOME.replace('"type":"primitive"}', added));
  });

  it("shows a gene as the processor says that a genome holds it", async () => {
    const gateway = new TestGateway();
    gateway.answer(AgentService.method.getGenome, { genomeJson: GENOME, tuned: [P1] });
    const on = { value: { case: "flag", value: true } } as const;
    const genes = [
      { ...geneOf("SORT", "in order"), genomeName: "sort", genomeValue: on },
      { ...geneOf("new_switch", "in use"), tuned: true, genomeName: "newSwitch", genomeValue: on },
    ];
    gateway.answer(getGenes, { stamp: STAMP, genes: genes as never });
    const changed = GENOME.replace('"type":"primitive"}', '"type":"primitive","newSwitch":true}');
    expect((await gateway.ask("GET", "/connect")).text).toContain(changed);
  });

  it.each([
    [
      "a processor",
      (gene: object) => ({ ...gene, genomeName: "snapshot_sync_keys", genomeValue: textOf("x enabled") }),
    ],
    ["an older processor", (gene: object) => gene],
  ])("shows a text gene of %s as text, even when it reads like the word of a switch", async (_, fill) => {
    const gateway = new TestGateway();
    gateway.answer(AgentService.method.getGenome, { genomeJson: GENOME, tuned: [P1] });
    const gene = fill({ ...geneOf("snapshot_sync_keys", "x enabled"), tuned: true });
    gateway.answer(getGenes, { stamp: STAMP, genes: [gene] as never });
    const added = '"type":"primitive","snapshot_sync_keys":"x enabled"}';
    expect((await gateway.ask("GET", "/connect")).text).toContain(GENOME.replace('"type":"primitive"}', added));
  });

  it("does not ask a processor whose genes the genome shows already", async () => {
    const gateway = new TestGateway();
    gateway.answer(AgentService.method.getGenome, { genomeJson: GENOME, tuned: ["p-of-another-genome"] });
    await gateway.ask("GET", "/connect");
    expect(gateway.lastOf(getGenes)).toBeUndefined();
  });

  it("says that the connection failed when a processor cannot be reached, and still returns the genome", async () => {
    const gateway = new TestGateway();
    gateway.answer(AgentService.method.getGenome, { genomeJson: GENOME, tuned: [P1] });
    gateway.fail(getGenes, Code.Unavailable, "gone");
    const answer = await gateway.ask("GET", "/connect");
    expect([answer.status, answer.json.connection, answer.json.status]).toEqual([200, "failed", "okay"]);
    expect(answer.text).toContain(GENOME);
  });

  it("does not hide a defect", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const gateway = new TestGateway();
    gateway.answer(AgentService.method.getGenome, { genomeJson: GENOME, tuned: [P1] });
    gateway.fail(getGenes, Code.Internal, "defect");
    expect((await gateway.ask("GET", "/connect")).status).toBe(500);
    vi.restoreAllMocks();
  });

  it("asks many processors, a limited number at the same time", async () => {
    const nodes = Array.from({ length: 100 }, (_, i) => ({
      data: { type: "primitive", id: `p${i}`, name: `P${i}`, quiescence: 0 },
    }));
    const gateway = new TestGateway();
    const genomeJson = JSON.stringify({ agent: "many", elements: { nodes } });
    gateway.answer(AgentService.method.getGenome, { genomeJson, tuned: nodes.map(({ data }) => data.id) });
    let open = 0;
    let most = 0;
    gateway.answerWith(getGenes, async (_, to) => {
      if (to === "simple/p7") throw new ConnectError("gone", Code.Unavailable);
      open += 1;
      most = Math.max(most, open);
      // Long enough for all that may be asked meanwhile, on a busy machine, too.
      await new Promise((resolve) => setTimeout(resolve, 20));
      open -= 1;
      return create(GetGenesResponseSchema, { stamp: STAMP, genes: genesOf({ quiescence: Number(to.slice(8)) }) });
    });
    const answer = await gateway.ask("GET", "/connect");
    const genome = answer.json.genome as { elements: { nodes: { data: { quiescence: number } }[] } };
    expect(genome.elements.nodes.map(({ data }) => data.quiescence)).toEqual(nodes.map((_, i) => (i === 7 ? 0 : i)));
    expect(most).toBe(32);
    expect(answer.json.connection).toBe("failed");
  });
});

describe("a live genome", () => {
  const genome =
    '{ "z":1, "elements":{"nodes":[{"data":{"recall_threshold":1e-1,"10":"x","sort":true,"sources":["observables"],' +
    '"id":"p1","type":"primitive","max_predictions":100,"classifier":"CVC","enable_snapshots":false,"always_update_frequencies":0}},' +
    '{"data":{"id":"m1","type":"manipulative","recall_threshold":0.1}}]},"style":[] }';

  it("is the genome to the byte while nothing has changed", () => {
    const same = genesOf({
      SORT: "sorting",
      recall_threshold: 0.1,
      max_predictions: 100,
      enable_snapshots: "WM snapshots disabled",
    });
    expect(liveGenome(genome, new Map([["p1", same]]))).toBe(genome);
    expect(liveGenome(genome, new Map())).toBe(genome);
  });

  it("shows changed genes in place, in the genome's types, and changes nothing else", () => {
    const live = genesOf({
      SORT: "not sorting",
      always_update_frequencies: true,
      classifier: "DVC",
      enable_snapshots: "WM snapshots enabled",
      max_predictions: 7,
      recall_threshold: 0.25,
      sources: "never a gene of the node's kind",
      wm_resolution: "event",
    }).filter(({ name }) => name !== "sources");
    expect(
      liveGenome(
        genome,
        new Map([
          ["p1", live],
          ["m1", live],
          ["p2", live],
        ]),
      ),
    ).toBe(
      genome
        .replace("1e-1", "0.25")
        .replace('"sort":true', '"sort":false')
        .replace("100", "7")
        .replace("CVC", "DVC")
        .replace('"enable_snapshots":false', '"enable_snapshots":true')
        .replace('"always_update_frequencies":0', '"always_update_frequencies":true'),
    );
  });
});
