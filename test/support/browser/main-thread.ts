/** What the main thread of a page works, by the browser's own trace: processor time, which a busy machine does not make longer. */

import type { Page } from "playwright-core";

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time in microseconds; absent where the browser does not say. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The processor time of each task of the page's main thread while something is done, in milliseconds. */
export async function tasksDuring(page: Page, act: () => Promise<void>): Promise<number[]> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const completed = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.start", { traceConfig: { includedCategories: ["toplevel"] } });
  await act();
  await session.send("Tracing.end");
  await completed;
  await session.detach();
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const isMain = ({ name, args }: TraceEvent) => name === "thread_name" && args?.name === "CrRendererMain";
  const main = new Set(events.filter(isMain).map(threadOf));
  return events
    .filter((event) => event.name.endsWith("RunTask") && main.has(threadOf(event)))
    .map(({ tdur = 0 }) => tdur / 1000);
}
