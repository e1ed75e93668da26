import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { GeneService } from "../../../src/gen/noema/v1/gene_service_pb";
import { ModeService } from "../../../src/gen/noema/v1/mode_service_pb";
import { okay, P1, STAMP, TestGateway, timeless } from "../../support/gateway/test-gateway";

const { setPredicting, setAutolearning, setSleeping, setTargetClass } = ModeService.method;
const { getGenes, changeGenes, incrementRecallThreshold } = GeneService.method;

describe("switches", () => {
  it.each([
    ["predicting/start", setPredicting, true, "activated-predictions"],
    ["predicting/stop", setPredicting, false, "deactivated-predictions"],
    ["autolearning/start", setAutolearning, true, "activated-autolearn"],
    ["autolearning/stop", setAutolearning, false, "deactivated-autolearn"],
    ["sleeping/start", setSleeping, true, "asleep"],
    ["sleeping/stop", setSleeping, false, "awake"],
  ] as const)("%s", async (path, rpc, on, message) => {
    const gateway = new TestGateway();
    expect(timeless((await gateway.ask("POST", `/P1/${path}`)).text)).toBe(okay(`"${message}"`));
    expect(gateway.lastOf(rpc)).toMatchObject({ on });
    expect(gateway.calls.length).toBe(2);
  });

  it("set and clear the target class", async () => {
    const gateway = new TestGateway();
    for (const body of [{ data: "cat" }, '"cat"']) {
      expect(timeless((await gateway.ask("POST", "/P1/set-target-class", { body })).text)).toBe(
        okay('"set-target-class"'),
      );
      expect(gateway.lastOf(setTargetClass)).toMatchObject({ target: "cat" });
    }
    expect(timeless((await gateway.ask("POST", "/P1/clear-target-class")).text)).toBe(okay('"cleared-target-class"'));
    expect(gateway.lastOf(setTargetClass)).toMatchObject({ target: "" });
  });

  it.each([
    [undefined, "the body must be a string, got nothing"],
    ["{}", "the body must be a string, got an empty object"],
    ['{"data":["cat"]}', "data must be a string, got a list"],
  ])("refuse the target class %s", async (body, message) => {
    const answer = await new TestGateway().ask("POST", "/P1/set-target-class", body === undefined ? {} : { body });
    expect([answer.status, answer.json.message]).toEqual([400, message]);
  });
});

describe("genes", () => {
  it("are read all, sorted, in their types", async () => {
    const gateway = new TestGateway();
    gateway.answer(getGenes, {
      stamp: STAMP,
      genes: [
        { name: "a", value: { value: { case: "number", value: 0.1 } }, text: "0.100000" },
        { name: "SORT", value: { value: { case: "text", value: "sorting" } }, text: "sorting" },
        { name: "b", value: { value: { case: "flag", value: false } }, text: "false" },
      ],
    });
    expect(timeless((await gateway.ask("GET", "/P1/all-genes")).text)).toBe(
      okay('{"genes":{"SORT":"sorting","a":0.1,"b":false}}'),
    );
    expect(gateway.lastOf(getGenes)).toMatchObject({ name: "" });
  });

  it("are read one by one as strings", async () => {
    const gateway = new TestGateway();
    gateway.answer(getGenes, {
      stamp: STAMP,
      genes: [{ name: "recall_threshold", value: { value: { case: "number", value: 0.1 } }, text: "0.100000" }],
    });
    expect(timeless((await gateway.ask("GET", "/P1/gene/recall%5Fthreshold")).text)).toBe(okay('"0.100000"'));
    expect(gateway.lastOf(getGenes)).toMatchObject({ name: "recall_threshold" });
  });

  it("that are not known are okay, with the reason beside the message", async () => {
    const gateway = new TestGateway();
    gateway.answer(getGenes, { stamp: STAMP, refusal: 'there is no gene "x"' });
    const answer = await gateway.ask("GET", "/P1/gene/x");
    expect(answer.status).toBe(200);
    expect(timeless(answer.text)).toBe(
      `{"detail":"there is no gene \\"x\\"","id":"${P1}","interval":7,"message":"faulty-genes-provided","status":"okay","time_stamp":T}`,
    );
  });

  it("are changed by a body with and without data", async () => {
    const gateway = new TestGateway();
    const genes = { SORT: false, recall_threshold: 0.5, classifier: "DVC", ["__proto__"]: 1 };
    for (const body of [`{"data":${JSON.stringify(genes)}}`, JSON.stringify(genes)]) {
      expect(timeless((await gateway.ask("POST", "/P1/genes/change", { body })).text)).toBe(okay('"updated-genes"'));
      expect(gateway.lastOf(changeGenes)).toMatchObject({
        changes: [
          { name: "SORT", value: { value: { case: "flag", value: false } } },
          { name: "recall_threshold", value: { value: { case: "number", value: 0.5 } } },
          { name: "classifier", value: { value: { case: "text", value: "DVC" } } },
          { name: "__proto__", value: { value: { case: "number", value: 1 } } },
        ],
      });
    }
    expect(timeless((await gateway.ask("POST", "/P1/genes/change", { body: { data: {} } })).text)).toBe(
      okay('"updated-genes"'),
    );
  });

  it("that the processor refuses are okay, with the reason", async () => {
    const gateway = new TestGateway();
    gateway.answer(changeGenes, { stamp: STAMP, refusal: "max_predictions must be 1 to 10000, got 0" });
    const answer = await gateway.ask("POST", "/P1/genes/change", { body: { data: { max_predictions: 0 } } });
    expect([answer.status, answer.json.status, answer.json.message, answer.json.detail]).toEqual([
      200,
      "okay",
      "faulty-genes-provided",
      "max_predictions must be 1 to 10000, got 0",
    ]);
  });

  it("whose value no gene can hold are okay, with the reason, and nothing is changed", async () => {
    const gateway = new TestGateway();
    const answer = await gateway.ask("POST", "/P1/genes/change", {
      body: { data: { SORT: true, persistence: null, x: [1] } },
    });
    expect(timeless(answer.text)).toBe(
      `{"detail":"data.persistence must be true, false, a number or a string, got null","id":"${P1}","interval":7,` +
        '"message":"faulty-genes-provided","status":"okay","time_stamp":T}',
    );
    expect(gateway.calls.map(({ rpc }) => rpc)).not.toContain("ChangeGenes");
  });

  it.each([
    [undefined, "the body must be an object {data: {gene: value, ...}}, got nothing"],
    ["{}", "the body must be an object {data: {gene: value, ...}}, got an empty object"],
    ['{"data":[]}', "data must be an object {data: {gene: value, ...}}, got an empty list"],
    [
      '{"data":{"recall_threshold":1e999}}',
      "data.recall_threshold must be a finite number, got a number too large for a double",
    ],
  ])("are not changed by the body %s", async (body, message) => {
    const answer = await new TestGateway().ask("POST", "/P1/genes/change", body === undefined ? {} : { body });
    expect([answer.status, answer.json.message]).toEqual([400, message]);
  });

  it("include recall_threshold, which can be incremented", async () => {
    const gateway = new TestGateway();
    gateway.answer(incrementRecallThreshold, { stamp: STAMP, recallThreshold: 0.2, text: "0.200000" });
    for (const body of [{ increment: 0.1 }, { data: { increment: 0.1 } }]) {
      const answer = await gateway.ask("POST", "/P1/gene/increment-recall-threshold", { body });
      expect(timeless(answer.text)).toBe(okay('"0.200000"'));
      expect(gateway.lastOf(incrementRecallThreshold)).toMatchObject({ increment: 0.1 });
    }
    gateway.fail(incrementRecallThreshold, Code.InvalidArgument, "recall_threshold must be 0 to 1, got 1.1");
    const refused = await gateway.ask("POST", "/P1/gene/increment-recall-threshold", { body: { increment: 1 } });
    expect([refused.status, refused.json.status, refused.json.interval]).toEqual([400, "failed", 7]);
  });

  it.each([
    ["{}", "increment must be a finite number, got nothing"],
    ['{"increment":"0.1"}', 'increment must be a finite number, got "0.1"'],
    ["0.1", "the body must be an object {increment: number}, got 0.1"],
  ])("refuse the increment %s", async (body, message) => {
    const answer = await new TestGateway().ask("POST", "/P1/gene/increment-recall-threshold", { body });
    expect([answer.status, answer.json.message]).toEqual([400, message]);
  });
});
