/**
 * Replaces one processor by what a restore has staged. A restore of a whole agent is sealed first: from then on, the
 * processor refuses all calls until its agent has decided, so that no call sees the agent partly restored.
 */

import type { BackupRecord } from "../../gen/noema/v1/backup_pb";
import type { ProvisionRequest } from "../../gen/noema/v1/provisioning_service_pb";
import type { GeneChange } from "../../gen/plain";
import { Fault } from "../../processor/ports/fault";
import type { Restorer } from "../../rpc/services/backup-service";
import type { PlainStamp } from "../../rpc/services/connect-error";
import type { RestoreRow } from "../../store/tables/restore-table";
import { RestoreStaging } from "./restore-staging";

/** Idle time after which staged data is dropped, in milliseconds. */
const ABANDONED_MS = 3_600_000;

/** When the alarm asks the agent about a sealed restore, in milliseconds from now. */
const SEALED_MS = 5_000;

/** The identity that a processor is to have. */
export type WantedIdentity = Pick<ProvisionRequest, "agent" | "id" | "name" | "outlets" | "parts"> & {
  genes: GeneChange[];
};

/** The processor that is restored. */
export interface RestoredProcessor {
  /**
   * Replaces the processor in one transaction, and opens it to check that this works.
   *
   * @param change writes the replacement
   * @param wanted its new identity; unchanged if absent
   * @param rehearsal whether to roll everything back at the end
   */
  replace(change: () => void, wanted: WantedIdentity | undefined, rehearsal: boolean): PlainStamp;
  /** Changes the name and manipulatives of a processor, if they differ. */
  provision(wanted: WantedIdentity): void;
  /** Notes that its genes differ from those of its node. */
  noteTuned(): Promise<void>;
  /** Whether the object is or was a processor. */
  isKnown(): boolean;
  /** Deletes the storage of an object that was never a processor. */
  forget(): Promise<void>;
  /** Resolves when no event is on its way to another processor. */
  settleEvents(): Promise<void>;
  /** Makes sure that {@link ProcessorRestore.wake} is called at this time or earlier, epoch milliseconds. */
  wakeBy(at: number): void;
  /** Lets others be served. */
  letOthersIn(): Promise<void>;
  /** Rows may be left to be deleted. */
  deletionDue(): void;
  /** Queries the agent for its decision. @returns whether it is still open */
  askAgent(agent: string, restoreId: string, id: string): Promise<boolean>;
}

/** The restore of one processor. */
export class ProcessorRestore implements Restorer {
  readonly #staging: RestoreStaging;
  readonly #processor: RestoredProcessor;
  readonly #now: () => number;
  /** Whether the agent has to decide; `undefined` until this life of the object has looked. */
  #isSealed: boolean | undefined;
  #settling: Promise<void> | undefined;

  /**
   * @param mostSessions maximum number of sessions of the processor
   * @param now the time in milliseconds since 1970
   */
  constructor(
    storage: DurableObjectStorage,
    processor: RestoredProcessor,
    mostSessions: number,
    now = () => Date.now(),
  ) {
    this.#staging = new RestoreStaging(storage, mostSessions, now);
    this.#now = now;
    this.#processor = processor;
  }

  /** Whether a restore waits for the agent's decision, so that the processor must refuse all calls. */
  get isSealed(): boolean {
    this.#isSealed ??= this.#isSealedIn(this.#staging.read());
    return this.#isSealed;
  }

  begin(restoreId: string): void {
    this.#staging.begin(restoreId);
    this.#processor.deletionDue();
    this.#processor.wakeBy(this.#now() + ABANDONED_MS);
  }

  stage(restoreId: string, firstLine: number, records: readonly BackupRecord[]): void {
    this.#staging.stage(restoreId, firstLine, records);
  }

  async seal(restoreId: string, agent: string, wanted: WantedIdentity): Promise<void> {
    await this.#pack(restoreId);
    this.#processor.replace(() => this.#staging.takeOver(restoreId, wanted.genes), wanted, true);
    this.#staging.seal(restoreId, agent);
    this.#isSealed = true;
    this.#processor.wakeBy(this.#now() + SEALED_MS);
    // An event in transit belongs to what is replaced: its target is sealed too, and must not observe it afterwards.
    await this.#processor.settleEvents();
  }

  apply(wanted: WantedIdentity): void {
    const row = this.#staging.read();
    if (row === undefined || row.agent === "") this.#processor.provision(wanted);
    else this.#processor.replace(() => this.#staging.takeOver(row.restoreId, wanted.genes), wanted, false);
    this.#isSealed = false;
  }

  async restoreAlone(restoreId: string): Promise<PlainStamp> {
    await this.#pack(restoreId);
    await this.#processor.noteTuned();
    return this.#processor.replace(() => this.#staging.takeOver(restoreId, []), undefined, false);
  }

  async drop(restoreId: string): Promise<void> {
    const row = this.#staging.read();
    if (row?.restoreId !== restoreId) return;
    if (this.isSealed) return this.settle().catch(() => undefined);
    await this.#dropStaged();
  }

  /**
   * Resolves when the agent has decided about a sealed restore and the decision has been applied.
   *
   * @throws Fault `unavailable` while it has not decided
   */
  settle(): Promise<void> {
    this.#settling ??= this.#settle().finally(() => {
      this.#settling = undefined;
    });
    return this.#settling;
  }

  /** Called by the alarm: asks about a sealed restore, and drops an abandoned one. */
  async wake(): Promise<void> {
    const row = this.#staging.read();
    if (row === undefined) return;
    if (this.isSealed) await this.settle().catch(() => undefined);
    else if (row.touchedAt + ABANDONED_MS <= this.#now()) await this.#dropStaged();
    // The clock was set back since: the hour starts over.
    else if (row.touchedAt > this.#now()) this.#staging.touch(row.restoreId);
  }

  /** When it needs to be woken, epoch milliseconds; `undefined` when nothing is staged. */
  nextWake(): number | undefined {
    const row = this.#staging.read();
    if (row === undefined) return undefined;
    const now = this.#now();
    return this.#isSealedIn(row) ? now + SEALED_MS : Math.min(row.touchedAt, now) + ABANDONED_MS;
  }

  /** Others are served between the pieces. */
  async #pack(restoreId: string): Promise<void> {
    while (this.#staging.packSome(restoreId)) await this.#processor.letOthersIn();
  }

  async #settle(): Promise<void> {
    const row = this.#staging.read();
    if (row === undefined || !this.#isSealedIn(row)) return;
    const { id } = JSON.parse(row.settings) as { id: string };
    if (await this.#processor.askAgent(row.agent, row.restoreId, id)) throw beingRestored();
    // What the agent has committed is applied by now, so what is still sealed was given up.
    if (this.#isSealed && this.#staging.read()?.restoreId === row.restoreId) await this.#dropStaged();
  }

  async #dropStaged(): Promise<void> {
    this.#staging.drop();
    this.#isSealed = false;
    if (this.#processor.isKnown()) this.#processor.deletionDue();
    else await this.#processor.forget();
  }

  #isSealedIn(row: RestoreRow | undefined): boolean {
    return row !== undefined && row.agent !== "";
  }
}

function beingRestored(): Fault {
  return new Fault("unavailable", "this processor is being restored; try again in a moment");
}
