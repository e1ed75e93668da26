/**
 * What predictions of a processor in 10 to 1,000 parts would take: calls, latency, rows and dollars, simulated with a seed. The first lines
 * say what is assumed.
 */

import { percentile, printTable } from "./table.mjs";

const PARTS = [10, 64, 100, 1_000];
const PREDICTIONS = 2_000;
const FEW_PREDICTIONS = 50;

/**
 * Prints the table.
 *
 * @param load loads a module of TypeScript of this folder
 * @param _large is of no use here
 * @param short simulates few predictions
 */
export async function run(load, _large, short) {
  const { ASSUMED, simulate } = await load("split-simulation");
  console.log(JSON.stringify(ASSUMED));
  const rows = PARTS.map((parts) => rowOf(simulate(parts, short ? FEW_PREDICTIONS : PREDICTIONS), ASSUMED.learnRows));
  const columns = [
    "parts",
    "calls",
    "levels",
    "p50 ms",
    "p99 ms",
    "calls alone, p50",
    "p99",
    "rows of a learn",
    "$ calls",
    "$ awake",
  ];
  printTable("one prediction; dollars of a million; simulated, seed 1", columns, rows);
}

function rowOf({ parts, calls, levels, times, callTimes, callDollars, wakeDollars }, learnRows) {
  return [
    String(parts),
    String(calls),
    String(levels),
    ...[times, callTimes].flatMap((list) => [0.5, 0.99].map((share) => percentile(list, share).toFixed(1))),
    String(learnRows),
    callDollars.toFixed(2),
    wakeDollars.toFixed(2),
  ];
}
