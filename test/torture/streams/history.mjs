/** What a server has stored of what devices sent, and what it must have stored. Reads the server, and no client's counters. */

/** The symbols of frame `k` of a device; each record has its own. */
export function symbolsOf(device, k, record) {
  return [`d${device}`, `f${k}-${record}`];
}

/**
 * How many records frame `k` of a device has, and whether it learns. The first device of each memory learns now and then.
 *
 * @returns {{ observe: { strings: string[] }[], learn?: true }}
 */
export function frameOf(device, k, isTeacher) {
  const records = k % 10 === 0 ? 3 : 1;
  const observe = Array.from({ length: records }, (_, record) => ({ strings: symbolsOf(device, k, record) }));
  return isTeacher && k % 10 === 0 ? { observe, learn: true } : { observe };
}

/** Every event that a memory has had: those of the models that were learned from it, in the order of learning, and those that it holds. */
async function eventsOf(client, path, models, devices) {
  const own = new Set(devices.map((device) => `d${device}`));
  const learned = models.filter(({ sequence }) => sequence.some((event) => event.some((symbol) => own.has(symbol))));
  const holds = await client.askAt("GET", `${path}/working-memory`);
  return { learned: learned.flatMap(({ sequence }) => sequence), holds };
}

/**
 * Holds what the server has of one memory against what its devices sent.
 *
 * @param {import("../client.mjs").Client} client
 * @param {string} path of the memory, such as /p1/sessions/s
 * @param {{ sequence: string[][] }[]} models of the processor, in the order of learning
 * @param {number[]} devices that sent to it @param {number} frames how many each sent
 * @param {import("../report.mjs").Report} report
 */
export async function judge(client, path, models, devices, frames, report) {
  const { learned, holds } = await eventsOf(client, path, models, devices);
  const events = [...learned, ...holds];
  const next = new Map(devices.map((device) => [`d${device}`, expected(device, frames)]));
  for (const event of events) {
    const [device = "", what] = event;
    const { value } = next.get(device)?.next() ?? {};
    if (value === what) continue;
    report.fail("an event is lost, doubled or out of order", `${path}: ${device} has ${what}, expected ${value}`);
    return;
  }
  for (const [device, rest] of next) {
    const { value, done } = rest.next();
    report.expect(done, "events are lost", `${path}: ${device} has nothing from ${value} on`);
  }
  const time = Number(await client.askAt("GET", `${path}/time`));
  report.expect(
    time === events.length,
    "the time of a memory is not its number of records",
    `${path}: ${time}, ${events.length}`,
  );
  const { num_observe_call } = await client.askAt("GET", `${path}/status`);
  report.expect(
    num_observe_call === holds.length,
    "num_observe_call is not what was observed since the last learn",
    `${path}: ${num_observe_call}, ${holds.length}`,
  );
  const { strings } = await client.askAt("GET", `${path}/percept-data`);
  const last = events.at(-1);
  report.expect(
    String(strings) === String(last),
    "percept-data is not the last record",
    `${path}: ${strings}, ${last}`,
  );
  report.count("events in models", learned.length);
  report.count("events in working memories", holds.length);
}

function* expected(device, frames) {
  for (let k = 1; k <= frames; k++) {
    for (let record = 0; record < frameOf(device, k, false).observe.length; record++)
      yield symbolsOf(device, k, record)[1];
  }
}
