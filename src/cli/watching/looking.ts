/** A snapshot of a memory and its predictions, as a line or a screen. */

import { getPredictions, getWorkingMemory, type Memory } from "../../client";
import { sequenceText } from "../terminal/events";
import type { Output } from "../terminal/output";

const FIELDS = ["name", "past", "potential", "present", "future"] as const;

const POTENTIAL_WIDTH = 11;

/** A memory and its predictions at one moment. */
export type Look = Awaited<ReturnType<typeof lookAt>>;

/** Fetches a memory and its best predictions. @param top number of predictions, from 1 */
export async function lookAt(memory: Memory, top: number, signal: AbortSignal) {
  const [workingMemory, predictions] = await Promise.all([
    getWorkingMemory(memory, { signal }),
    getPredictions(memory, { top, fields: [...FIELDS] }, { signal }),
  ]);
  return { working_memory: workingMemory, predictions };
}

/** The memory and the best prediction on one line. @param shown the words for a symbol; the symbol itself if absent */
export function lineOf(
  { working_memory: memory, predictions: [best] }: Look,
  shown?: (symbol: string) => string,
): string {
  const lanes = [best?.past, best?.present, best?.future].map((lane) => sequenceText(lane ?? [], shown));
  const predicted =
    best === undefined ? "no predictions" : `past ${lanes[0]} | present ${lanes[1]} | future ${lanes[2]}`;
  return `memory ${sequenceText(memory, shown)} | ${predicted}`;
}

/** Three lanes, with a prediction on each line. @param title the line above them @param shown as in {@link lineOf} */
export function screenOf(
  { working_memory: memory, predictions }: Look,
  title: string,
  output: Output,
  shown?: (symbol: string) => string,
): string {
  const { colors, width } = output;
  const lane = Math.max(8, Math.floor((width - POTENTIAL_WIDTH - 6) / 3));
  const rows = predictions.map(({ past, present, future, potential }) => [
    (potential ?? 0).toFixed(3),
    colors.dim(sequenceText(past ?? [], shown)),
    colors.bold(sequenceText(present ?? [], shown)),
    colors.green(sequenceText(future ?? [], shown)),
  ]);
  const lanes = output.table(["potential", "past", "present", "future"], rows, [POTENTIAL_WIDTH, lane, lane, lane]);
  return [
    colors.dim(cut(title, width)),
    `memory  ${lastEvents(sequenceText(memory, shown), width - "memory  ".length)}`,
    "",
    predictions.length === 0 ? "No predictions." : lanes,
  ].join("\n");
}

/** As much of the beginning as fits. A longer line would wrap and scroll the screen. @param width in columns */
function cut(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join("")}…`;
}

/** As much of the end as fits, because the latest events are there. @param width in columns */
function lastEvents(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `…${characters.slice(1 - width).join("")}`;
}
