/**
 * Answers GET /backup: writes an agent, or one of its processors, line by line as the pages come, without ever holding
 * all of it.
 */

import {
  AgentRestoreService,
  BackupSection,
  BackupService,
  type ReadBackupResponse,
} from "../../gen/noema/v1/backup_service_pb";
import { RouteService } from "../../gen/noema/v1/route_service_pb";
import { yieldToEventLoop } from "../../rpc/transport/yield-to-event-loop";
import { excerpt } from "../../text/excerpt";
import type { Primitive } from "../agents/topology";
import { describe, noteAll, refuseUnknown } from "../decode/value";
import { epochSeconds } from "../encode/envelope";
import { holdBack, type Pieces } from "../knowledge-base/export";
import { Refusal } from "../refusal";
import type { Answer, Query, RequestContext } from "../request-context";
import { LineWriter, VERSION } from "./line";

/** The media type of JSON objects, one a line. */
export const LINES_TYPE = "application/x-ndjson";

/**
 * Answers with the lines of an agent; with `processor=<id>` in the query, only of that processor.
 *
 * @throws Refusal 404 for an unknown processor, 400 for one on another server, 413 when a line would be too large
 */
export async function backup(context: RequestContext): Promise<Answer> {
  const body = await context.body();
  noteAll(body);
  refuseUnknown(body);
  const only = processorIn(context.query);
  return await holdBack(only === undefined ? wholeAgent(context) : oneProcessor(context, only), context.brokeOff);
}

/** The processor that a query names; `undefined` for none. @throws Refusal 400 when it names two, or an empty one */
export function processorIn({ processor }: Query): string | undefined {
  if (processor === undefined || (typeof processor === "string" && processor !== "")) return processor;
  throw new Refusal(400, `the query's processor must be the id or name of one processor, got ${describe(processor)}`);
}

/** @throws Refusal 400 when a processor is on another server */
export function assertHere({ id, endpoint }: Primitive): void {
  if (endpoint === "") return;
  throw new Refusal(
    400,
    `the processor ${excerpt(id)} is served elsewhere, so its knowledge can be neither backed up nor restored here; ` +
      "ask where it is served",
  );
}

async function* wholeAgent({ agent }: RequestContext): Pieces {
  const { json, topology } = await agent.genome();
  const { ids } = await agent.ask(AgentRestoreService.method.listUnused, {});
  const { routes } = await agent.ask(RouteService.method.getRoutes, {});
  const unused = new Set(ids);
  const writer = new LineWriter();
  yield await start(writer, "");
  yield await writer.lineOf({ record: { case: "agent", value: { name: agent.name, genomeJson: json, routes } } });
  for (const processor of topology.primitives) {
    if (processor.endpoint !== "") continue;
    const { id, name } = processor;
    if (unused.has(id)) yield await writer.lineOf({ record: { case: "processor", value: { id, name, unused: true } } });
    else yield* linesOf(agent, processor, writer);
  }
  yield await writer.end();
}

async function* oneProcessor({ agent }: RequestContext, idOrName: string): Pieces {
  const processor = await agent.find(idOrName);
  assertHere(processor);
  const writer = new LineWriter();
  yield await start(writer, processor.id);
  yield* linesOf(agent, processor, writer);
  yield await writer.end();
}

function start(writer: LineWriter, processor: string): Promise<string> {
  return writer.lineOf({
    record: { case: "backup", value: { version: VERSION, createdAt: epochSeconds(), processor } },
  });
}

/** The lines of one processor, page by page, all showing the moment of the first page. */
async function* linesOf(agent: RequestContext["agent"], { id }: Primitive, writer: LineWriter): Pieces {
  const snapshot = crypto.randomUUID();
  let section = BackupSection.PROCESSOR;
  let after = "";
  while (section !== BackupSection.UNSPECIFIED) {
    const asked = { section, after, snapshot };
    const page: ReadBackupResponse = await agent.call(id, BackupService.method.readBackup, asked);
    let piece = "";
    for (const record of page.records) piece += await writer.line(record);
    yield piece;
    section = page.nextSection;
    after = page.nextAfter;
    await yieldToEventLoop();
  }
}
