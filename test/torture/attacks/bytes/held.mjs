/**
 * Fills what a processor keeps, one kind after the other, with a key that may do no more than that: up to the bound, and on. Each kind has one,
 * workerd takes no more memory than it allows, and every way out answers.
 */

/** About as much as a row holds. */
const LARGE = 1_900_000;

/** A memory of 12 MB is in the heap as text, as rows and as what was received; V8 collects late. */
const GROWTH_MEBIBYTES = 450;

let made = 0;

/** A text that is like no other. */
function fresh(length = LARGE) {
  made++;
  return `${made} `.padEnd(length, "x");
}

/** Fills the memory of one session with records, and tries each way out. */
const filled = (record) => async (target) => {
  const key = await target.keyOf(["observe"], ["s"]);
  const fill = () => target.fill(800, () => target.call("POST", "sessions/s/observe", { data: record() }, key));
  const { taken, status, text } = await fill();
  target.figure("taken, then refused", `${taken}, ${status} ${text?.slice(0, 200)}`);
  const says = status === 413 && /clear/.test(text ?? "");
  target.expect(says, "the refusal says how to go on", `${status} ${text}`);
  await target.succeed("GET", "sessions/s/status");
  await target.succeed("GET", "sessions/s/time");
  await target.succeed("POST", "sessions/s/working-memory/clear", undefined, key);
  await target.succeed("POST", "sessions/s/observe", { data: record() }, key);
  await fill();
  await target.succeed("DELETE", "sessions/s");
  await fill();
  await target.succeed("POST", "sleeping/start");
  await target.succeed("POST", "sleeping/stop");
  await target.succeed("POST", "clear-all-memory");
  await target.succeed("POST", "sessions/s/observe", { data: record() }, key);
};

const symbols = filled(() => ({ strings: [fresh()] }));

const metadata = filled(() => ({ strings: ["a"], metadata: { text: fresh(LARGE / 2) } }));

const vectors = filled(() => ({ vectors: [Array.from({ length: 20_000 }, () => Math.random())] }));

const emotives = filled(() => ({
  emotives: Object.fromEntries(Array.from({ length: 100 }, () => [fresh(1000), 1])),
}));

/** Last observations that are in no memory any more: of many sessions, each with one. Then every list of these. */
async function sessions(target) {
  const { others, sizes } = target;
  const key = await target.keyOf(["observe", "learn"]);
  for (let at = 0; at < sizes.sessions; at++) {
    const data = { strings: ["a"], unique_id: fresh() };
    await target.succeed("POST", `sessions/s${at}/observe`, { data }, key);
  }
  for (const path of ["sessions?limit=500", "sessions?limit=1000", "/devices?limit=10000", "status"]) {
    others.longest();
    const began = performance.now();
    await target.succeed("GET", path);
    const times = [performance.now() - began, others.longest().clock].map((ms) => ms.toFixed(0));
    target.figure(`${path}: time, others wait at most (ms)`, times.join(", "));
  }
  await target.succeed("POST", "clear-all-memory");
}

async function blacklist(target) {
  const key = await target.keyOf(["manage"]);
  const add = () => target.call("POST", "blacklisted-symbols/add", [fresh()], key);
  const { taken, status, text } = await target.fill(70, add);
  target.figure("taken, then refused", `${taken}, ${status} ${text?.slice(0, 200)}`);
  const { message } = JSON.parse(await target.succeed("GET", "list-blacklisted-symbols", undefined, key));
  await target.succeed("DELETE", "blacklisted-symbols/remove", message.slice(0, 1), key);
  const { status: again } = await add();
  target.expect(again === 200, `what was removed makes no room: ${again}`);
  await target.succeed("POST", "clear-all-memory");
}

/** Symbols that are learned: their texts stay in the heap. */
async function learned(target) {
  const key = await target.keyOf(["observe", "learn"], ["s"]);
  const learn = async () => {
    const observe = () => target.call("POST", "sessions/s/observe", { data: { strings: [fresh(LARGE / 2)] } }, key);
    await observe();
    await observe();
    const answer = await target.call("POST", "sessions/s/learn", undefined, key);
    if (answer.status !== 200) await target.succeed("POST", "sessions/s/working-memory/clear", undefined, key);
    return answer;
  };
  const { taken, status, text } = await target.fill(100, learn);
  target.figure("models, then refused", `${taken}, ${status} ${text?.slice(0, 200)}`);
  await target.succeed("POST", "clear-all-memory");
  const { status: again } = await learn();
  target.expect(again === 200, `a clear makes no room: ${again}`);
}

/** The attacks of this file. */
export const held = Object.entries({ symbols, metadata, vectors, emotives, sessions, blacklist, learned }).map(
  ([name, attack]) => ({ name, attack, growth: GROWTH_MEBIBYTES }),
);
