import { describe, expect, it } from "vitest";
import { InspectionService } from "../../../src/gen/noema/v1/inspection_service_pb";
import { okay, P1, STAMP, TestGateway, timeless } from "../../support/gateway/test-gateway";

const { getInfo, getStatus } = InspectionService.method;

describe("signs of life", () => {
  it.each(["/agent/ping", "/gaius-api/ping"])("of the gateway at %s call no object", async (path) => {
    const gateway = new TestGateway();
    expect((await gateway.ask("GET", path)).text).toBe('{"status":"okay"}');
    expect(gateway.calls).toEqual([]);
  });

  it("of a processor", async () => {
    expect((await new TestGateway().ask("GET", "/P1/ping")).text).toBe('{"message":"okay","status":"okay"}');
  });
});

describe("what a processor reports about itself", () => {
  it("is its time, as a string", async () => {
    expect(timeless((await new TestGateway().ask("GET", "/P1/time")).text)).toBe(okay('"7"'));
  });

  it("is its name and the debug record", async () => {
    const gateway = new TestGateway();
    gateway.answer(getInfo, {
      stamp: STAMP,
      name: "P1",
      classifier: "CVC",
      version: "0.1.0",
      buildDate: "2026-01-02T03:04:05Z",
      buildNumber: "12",
      memoryBytes: 65536,
      memoryLimitBytes: 1e8,
    });
    expect(timeless((await gateway.ask("GET", "/P1/name")).text)).toBe(okay('"P1"'));
    expect(timeless((await gateway.ask("GET", "/P1/info")).text)).toBe(
      okay(
        `{"build_date":"2026-01-02T03:04:05Z","build_number":"12","classifier":"CVC","id":"${P1}","memory_bytes":65536,` +
          '"memory_limit_bytes":100000000,"name":"P1","time":7,"version":"0.1.0"}',
      ),
    );
  });

  it("is its status, with exactly the members of the contract", async () => {
    const gateway = new TestGateway();
    gateway.answer(getStatus, {
      stamp: STAMP,
      status: {
        name: "P1",
        predict: true,
        autolearn: false,
        sleeping: false,
        emotives: [
          { name: "b", value: 2 },
          { name: "a", value: 0.5 },
        ],
        lastLearnedModelName: "7d06",
        models: 3,
        vectors: 2,
        numObserveCall: 4,
        workingMemorySize: 5,
        target: "cat",
        vectorDimensionality: -1,
      },
    });
    expect(timeless((await gateway.ask("GET", "/P1/status")).text)).toBe(
      okay(
        '{"AUTOLEARN":false,"HYPOTHESIZED":false,"PREDICT":true,"SLEEPING":false,"SNAPSHOT":false,' +
          '"emotives":{"a":0.5,"b":2},"last_learned_model_name":"7d06","models_kb":"{KB| objects: 3}","name":"P1",' +
          '"num_observe_call":4,"size_WM":5,"target":"cat","time":7,"vector_dimensionality":-1,' +
          '"vectors_kb":"{KB| objects: 2}"}',
      ),
    );
  });

  it("names the limits that are near, and has no such member where none is", async () => {
    const gateway = new TestGateway();
    const nearLimits = [{ limit: "sessions", most: 10, used: 9 }];
    gateway.answer(getStatus, { stamp: STAMP, status: { name: "P1", nearLimits } });
    expect((await gateway.ask("GET", "/P1/status")).text).toContain(
      '"name":"P1","near_limits":[{"limit":"sessions","most":10,"used":9}],"num_observe_call"',
    );
  });
});
