/** The steps that read all that there is at the end of a plan. */

const SESSIONS = ["s1", "d1"];

/** What is read of every memory, and of every processor. */
const READINGS = ["GET working-memory", "GET time", "POST predictions", "GET cognition-data"];
const OF_PROCESSOR = ["GET get_kb", "GET list-blacklisted-symbols", "GET all-genes", "GET status"];

/** Which memories hold paths of other processors, which the model does not know. */
const HEARS = new Set(["p2", "p3"]);

/** Of an agent of three processors that tell each other. */
export function readings() {
  return ["p1", "p2", "p3"].flatMap((processor) =>
    ["", ...SESSIONS].flatMap((session) => {
      const calls = session === "" ? [...READINGS, ...OF_PROCESSOR] : READINGS;
      return calls
        .filter((call) => call !== "GET cognition-data" || !HEARS.has(processor))
        .map((call) => ({ id: `end of ${processor}/${session}`, client: "end", processor, session, call, pause: 0 }));
    }),
  );
}

const WATCHED_READINGS = [...READINGS, "GET percept-data", "GET history", "POST forecast", "GET incidents"];
const OF_WATCHED = ["GET get_kb?order=true", "GET encoders", "GET alerts", "GET sessions", ...OF_PROCESSOR.slice(1)];

/** The steps that read something of memories and of processors. */
export function ofProcessors(processors, sessions, calls, ofProcessor) {
  return processors.flatMap((processor) =>
    sessions.flatMap((session) =>
      (session === "" ? [...calls, ...ofProcessor] : calls).map((call) => ({
        id: `end of ${processor}/${session}`,
        processor,
        session,
        call,
        client: "end",
        pause: 0,
      })),
    ),
  );
}

/** A call to each processor of such an agent. */
export const wakingCalls = () => ofProcessors(["p1", "p2"], [""], ["GET status"], []);

/** Of an agent of two processors, with all that goes on around observing. */
export function watchedReadings() {
  const all = ofProcessors(["p1", "p2"], ["", ...SESSIONS, "s2"], WATCHED_READINGS, OF_WATCHED);
  const devices = { id: "end", processor: "p1", session: "", call: "GET devices", path: "/devices" };
  return [...all, { ...devices, client: "end", pause: 0 }];
}

/** Of processors that are split, and of one that tells the first what it predicts. @param {boolean} [isTelling] see splitIn */
export function splitReadings(isTelling = false) {
  const calls = ["GET working-memory", "POST predictions", "POST forecast", "GET cognition-data", "GET history"];
  const ofProcessor = ["GET get_kb?order=true", ...OF_PROCESSOR.slice(1)];
  return [
    ...ofProcessors(["p1", "p2"], ["", ...SESSIONS, "s2"], calls, ofProcessor),
    ...ofProcessors(["p3"], ["", "s1"], calls.slice(0, 2), ofProcessor.slice(0, 1)),
    ...(isTelling ? ofProcessors(["p5"], ["", "s1"], calls.slice(0, 1), []) : []),
  ];
}

/** Of an agent that is restored or whose genome changes: what backups hold. */
export function keptReadings() {
  const calls = ["GET time", "GET cognition-data", "POST forecast"];
  return ofProcessors(["p1", "p2", "p3", "p4"], ["", ...SESSIONS], calls, [...OF_WATCHED, "GET incidents"]);
}
