/**
 * The request by which the process that started the runtime announces its stop. It is sent at the start, and its body
 * ends at the stop, so it works even if the runtime was also told to end and accepts no more requests. No other client
 * can send it.
 */

import { areEqual } from "./keys/constant-time";
import { REQUEST_ID_HEADER } from "./watching/request-id";
import type { WatchingEnv } from "./watching/watched-request";

/** The path of the request, which also needs the identifier of the start. */
const STOP_PATH = "/stop";

/** Whether a request is the one that announces the stop. Costs other requests only a check of their method. */
export function isStop(request: Request, { NOEMA_START_ID: startId }: WatchingEnv): boolean {
  if (request.method !== "PUT" || !startId || !request.url.endsWith(STOP_PATH)) return false;
  const encoder = new TextEncoder();
  const given = encoder.encode(request.headers.get(REQUEST_ID_HEADER) ?? "");
  const expected = encoder.encode(startId);
  return given.length === expected.length && areEqual(given, expected);
}

/**
 * Waits for the stop.
 *
 * @param request its body ends at the stop
 * @param stop the work to do at the stop
 * @returns the answer once the work is done; also, without doing it, if the sender was lost
 */
export async function answerStop(request: Request, stop: () => Promise<void>): Promise<Response> {
  try {
    await request.arrayBuffer();
  } catch {
    // The process that started the runtime was killed. The runtime keeps serving.
    return new Response(null, { status: 204 });
  }
  await stop();
  return new Response(null, { status: 204 });
}
