/** BackupService and AgentRestoreService: copying a processor, and restoring it and its agent. */

import type { DescMethod, MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { GenomeChangeSchema } from "../../gen/noema/v1/agent_service_pb";
import type { BackupRecord } from "../../gen/noema/v1/backup_pb";
import {
  AgentRestoreService,
  BackupSection,
  BackupService,
  type ReadBackupResponseSchema,
} from "../../gen/noema/v1/backup_service_pb";
import type { ProvisionRequest } from "../../gen/noema/v1/provisioning_service_pb";
import type { Route } from "../../mqtt/routes";
import { Fault } from "../../processor/ports/fault";
import type { Processor } from "../../processor/processor";
import type { Place } from "../../text/placement";
import { methodPath } from "../transport/unary";
import { type PlainStamp, toConnectError } from "./connect-error";
import { routeIn } from "./route-service";
import type { ProcessorHost, Serve } from "./serve";

const { method } = BackupService;
const agentMethod = AgentRestoreService.method;

/** Restores one processor. */
export interface Restorer {
  /** Begins a restore, and drops what was staged before. @throws Fault `conflict` when that waits for a decision */
  begin(restoreId: string): void;
  /**
   * Stages records, all or none.
   *
   * @param firstLine the line number of the first record
   * @throws Fault `conflict` when the restore is not in progress, or one that names the wrong line
   */
  stage(restoreId: string, firstLine: number, records: readonly BackupRecord[]): void;
  /**
   * Checks everything staged, and refuses all calls from then on.
   *
   * @throws Fault when it cannot be applied; nothing has changed
   */
  seal(restoreId: string, agent: string, wanted: ProvisionRequest): Promise<void>;
  /** Replaces the processor by what is sealed; if nothing is, changes only its name and manipulatives. */
  apply(wanted: ProvisionRequest): void;
  /** Drops what is staged, unless the agent has decided otherwise. */
  drop(restoreId: string): Promise<void>;
  /**
   * Checks what is staged, and replaces the processor by it.
   *
   * @throws Fault when it cannot be applied; nothing has changed
   */
  restoreAlone(restoreId: string): Promise<PlainStamp>;
}

const SECTIONS = {
  [BackupSection.PROCESSOR]: "processor",
  [BackupSection.SESSIONS]: "sessions",
  [BackupSection.INCIDENTS]: "incidents",
  [BackupSection.MODELS]: "models",
  [BackupSection.VECTORS]: "vectors",
} as const;

const SECTION_NUMBERS = {
  processor: BackupSection.PROCESSOR,
  sessions: BackupSection.SESSIONS,
  incidents: BackupSection.INCIDENTS,
  models: BackupSection.MODELS,
  vectors: BackupSection.VECTORS,
} as const;

/** Implements the service with the processor to read, its host, and its restorer. */
export function backupService(
  serve: Serve,
  host: Pick<ProcessorHost, "incidentsEnded">,
  restorer: Restorer,
): ServiceImpl<typeof BackupService> {
  const readPage = serve(method.readBackup, (processor, { section, after, snapshot }) =>
    pageOf(processor, section, after, snapshot),
  );
  return {
    readBackup: async (request, context) => {
      // A backup has the rows of incidents, and not what deleted sessions know of them.
      if (request.section === BackupSection.PROCESSOR) await host.incidentsEnded?.();
      return readPage(request, context);
    },
    beginRestore: ({ restoreId }) => done(method.beginRestore, () => restorer.begin(restoreId)),
    stageRestore: ({ restoreId, firstLine, records }) =>
      done(method.stageRestore, () => restorer.stage(restoreId, firstLine, records)),
    sealRestore: ({ restoreId, agent, identity }) =>
      done(method.sealRestore, () => restorer.seal(restoreId, agent, given(identity))),
    applyRestore: ({ identity }) => done(method.applyRestore, () => restorer.apply(given(identity))),
    dropRestore: ({ restoreId }) => done(method.dropRestore, () => restorer.drop(restoreId)),
    restoreAlone: ({ restoreId }) =>
      withConnectErrors(method.restoreAlone, async () => ({ stamp: await restorer.restoreAlone(restoreId) })),
  };
}

function pageOf(
  processor: Processor,
  section: BackupSection,
  after: string,
  snapshot: string,
): MessageInitShape<typeof ReadBackupResponseSchema> {
  const asked = section === BackupSection.UNSPECIFIED ? undefined : SECTIONS[section];
  if (asked === undefined) throw new Fault("invalid", `the section must be one of 1 to 5, got ${section}`);
  const { records, next } = processor.readBackup({ section: asked, after, snapshot });
  if (next === undefined) return { records, nextSection: BackupSection.UNSPECIFIED };
  return { records, nextSection: SECTION_NUMBERS[next.section], nextAfter: next.after };
}

function given(identity: ProvisionRequest | undefined): ProvisionRequest {
  if (identity === undefined) throw new Fault("invalid", "identity is missing: it says what the processor is to be");
  return identity;
}

/** A processor of a genome to be restored. */
export interface PlannedRestore {
  id: string;
  place: Place;
  /** Whether its object has no data yet. */
  isNew: boolean;
}

/** Restores one agent. */
export interface AgentRestorer {
  /**
   * Describes what a restore with this genome would do, and changes nothing.
   *
   * @returns the processors of this deployment, in the genome's order, and the identifiers of those on other servers
   * @throws Fault `invalid` when the text is not a genome that this agent can have
   */
  planRestore(json: string): Promise<{ processors: PlannedRestore[]; elsewhere: string[] }>;
  /**
   * Replaces the genome, the routes, and every processor by what is staged for it. When this resolves, the restore is
   * final.
   *
   * @param staged the processors with staged data; the others must be new
   * @throws Fault `invalid` or `conflict`, or a processor's refusal; nothing has changed
   */
  commitRestore(
    restoreId: string,
    json: string,
    staged: readonly string[],
    routes: readonly Route[],
  ): Promise<MessageInitShape<typeof GenomeChangeSchema>>;
  /** The identifiers of the processors that were never called. */
  unused(): Promise<string[]>;
  /**
   * Tells whether a restore is still open. If it is decided and includes the processor, the processor is restored when
   * this resolves.
   */
  settleRestore(restoreId: string, id: string): Promise<boolean>;
}

/** Implements the service with the owner of the genome. */
export function agentRestoreService(restorer: AgentRestorer): ServiceImpl<typeof AgentRestoreService> {
  return {
    planRestore: ({ genomeJson }) =>
      withConnectErrors(agentMethod.planRestore, async () => {
        const { processors, elsewhere } = await restorer.planRestore(genomeJson);
        const planned = processors.map(({ id, place, isNew }) => ({ id, place: { id, ...place }, isNew }));
        return { processors: planned, elsewhere };
      }),
    commitRestore: ({ restoreId, genomeJson, staged, routes }) =>
      withConnectErrors(agentMethod.commitRestore, async () => ({
        change: await restorer.commitRestore(restoreId, genomeJson, staged, routes.map(routeIn)),
      })),
    listUnused: () => withConnectErrors(agentMethod.listUnused, async () => ({ ids: await restorer.unused() })),
    settleRestore: ({ restoreId, id }) =>
      withConnectErrors(agentMethod.settleRestore, async () => ({
        isOpen: await restorer.settleRestore(restoreId, id),
      })),
  };
}

function done(rpc: DescMethod, work: () => Promise<void> | void): Promise<Record<string, never>> {
  return withConnectErrors(rpc, async () => {
    await work();
    return {};
  });
}

async function withConnectErrors<Reply>(rpc: DescMethod, answer: () => Promise<Reply>): Promise<Reply> {
  try {
    return await answer();
  } catch (error) {
    throw toConnectError(error, methodPath(rpc));
  }
}
