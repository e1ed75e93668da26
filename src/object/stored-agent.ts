/**
 * Owns one agent's genome, and brings the agent's processors in line with it. A new genome is stored together with the
 * steps that lead to it, one for each processor, and is the agent's genome from then on. If the steps are interrupted,
 * the next call or the alarm resumes them (docs/decisions/015).
 */

import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { BackupService } from "../gen/noema/v1/backup_service_pb";
import { ProvisioningService, RosterService } from "../gen/noema/v1/provisioning_service_pb";
import type { Route } from "../mqtt/routes";
import { Fault } from "../processor/ports/fault";
import type { AgentHost, GenomeReading, HotswapOutcome, ProcessorLocation } from "../rpc/services/agent-service";
import type { AgentRestorer, PlannedRestore } from "../rpc/services/backup-service";
import { yieldToEventLoop } from "../rpc/transport/yield-to-event-loop";
import { setAlarm } from "../store/database/database";
import { type Action, GenomeTable } from "../store/tables/genome-table";
import { excerpt } from "../text/excerpt";
import { ANYWHERE, type Place } from "../text/placement";
import { type Absent, assertSameParts, genomeChange, type HotswapResult, hotswapResult } from "./genome/change";
import { Genome } from "./genome/genome";
import { type GenomeRules, newGenome } from "./genome/new-genome";
import { type KnownPlaces, newlyPlaced, placesWith } from "./genome/placement";
import { dropAll, identityOf, sealAll } from "./restore/sealing";
import { SerialQueue } from "./serial-queue";

/** Length from which a genome counts as large, in UTF-16 units. */
const LARGE_GENOME_UNITS = 256 * 1024;

/** Maximum number of concurrent steps. */
const MAX_CONCURRENT_STEPS = 16;

/** When the alarm resumes an interrupted change of genomes, in milliseconds from now. */
const RESUME_MS = 2_000;

/** The steps of processors that stay or come. */
const STAYING_ACTIONS: ReadonlySet<Action> = new Set(["provision", "restore"]);

/** The absent processors of an agent without a genome. */
const NONE_ABSENT: Absent = { retired: new Set(), waiting: new Set() };

/** What an agent needs in addition to its storage. */
export interface AgentParts {
  /** The agent's name in the deployment; `undefined` if the object does not know it and has to read it from storage. */
  name: string | undefined;
  /** The first genome of an agent of this name; `undefined` when the deployment has no such agent. */
  firstGenome(name: string): string | undefined;
  /** The transport to a processor of the agent in this deployment. */
  processor(agent: string, id: string, place: Place): Transport;
  /** The transport to the object of this name outside any jurisdiction. */
  unrestricted(agent: string): Transport;
  /**
   * Reads the routes of a restore.
   *
   * @returns replaces the agent's routes by these, in the caller's transaction
   * @throws Fault when a route is wrong
   */
  replacingRoutes(routes: readonly Route[]): () => void;
  /** The rules for a new genome. */
  rules: GenomeRules;
}

/** The agent's genome. */
interface Current {
  readonly name: string;
  readonly revision: number;
  readonly json: string;
  /** The places of the processors that have one. */
  readonly places: ReadonlyMap<string, Place>;
  /** Parsed when first needed, because most callers need only the text. */
  genome?: Genome;
}

/** The genome in one object's storage, and the transports to its processors. */
export class StoredAgent implements AgentHost, AgentRestorer {
  readonly #storage: DurableObjectStorage;
  readonly #table: GenomeTable;
  readonly #parts: AgentParts;
  readonly #changes = new SerialQueue();
  #current: Current | undefined;
  /** Whether no steps are left. False until this object has looked. */
  #isInPlace = false;
  /** Whether the agent is known to live in this deployment's jurisdiction. */
  #isAtHome = false;
  /** The restore whose processors are being sealed. If this object is lost meanwhile, the restore was never decided. */
  #deciding: string | undefined;

  constructor(storage: DurableObjectStorage, parts: AgentParts) {
    this.#storage = storage;
    this.#table = new GenomeTable(storage.sql);
    this.#parts = parts;
  }

  async genome(wanted = ""): Promise<GenomeReading> {
    await this.#settle();
    this.#open();
    if (!this.#isInPlace) await this.#changes.run(() => this.#finishSteps());
    if (wanted !== "") await this.#admit(wanted);
    const { json, revision, places } = this.#open();
    return { json, revision, places, tuned: [...this.#table.tuned()] };
  }

  async hotswap(json: string, purge: boolean): Promise<HotswapOutcome> {
    await this.#settle();
    this.#open();
    // Reading, checking and comparing a large genome take some hundred milliseconds each. Others get a turn in between.
    const pause = () => (json.length > LARGE_GENOME_UNITS ? yieldToEventLoop() : undefined);
    await pause();
    const { genome: next, wished } = newGenome(json, this.#parts.rules);
    await pause();
    return this.#changes.run(async () => {
      await this.#finishSteps();
      const { name, revision } = this.#open();
      const before = this.#parsed();
      const absent = this.#absent();
      const known = this.#known(absent);
      const placed = newlyPlaced(known, next, wished);
      assertSameParts(before, next, absent.waiting);
      const { steps, tuned } = genomeChange(before, next, absent, purge);
      const places = placesWith(known, next, placed, steps);
      this.#begin({ name, revision: revision + 1, json, genome: next, places }, steps, tuned);
      await this.#finishSteps();
      return { revision: revision + 1, change: hotswapResult(before, next, { steps }, placed) };
    });
  }

  async previewHotswap(json: string, purge: boolean): Promise<HotswapResult> {
    await this.#settle();
    this.#open();
    const { genome: next, wished } = newGenome(json, this.#parts.rules);
    const absent = this.#absent();
    // A hotswap would first finish the steps left by an interrupted one.
    for (const [id, action] of this.#table.steps()) if (action === "retire") absent.retired.add(id);
    const before = this.#parsed();
    const placed = newlyPlaced(this.#known(absent), next, wished);
    assertSameParts(before, next, absent.waiting);
    return hotswapResult(before, next, genomeChange(before, next, absent, purge), placed);
  }

  async planRestore(json: string): Promise<{ processors: PlannedRestore[]; elsewhere: string[] }> {
    await this.#settle();
    this.#open();
    const plan = this.#planOf(json);
    const nodes = [...plan.genome.primitives];
    const processors = nodes
      .filter(({ endpoint }) => endpoint === "")
      .map(({ id }) => ({ id, place: plan.places.get(id) ?? ANYWHERE, isNew: plan.isNew(id) }));
    return { processors, elsewhere: nodes.filter(({ endpoint }) => endpoint !== "").map(({ id }) => id) };
  }

  async commitRestore(
    restoreId: string,
    json: string,
    staged: readonly string[],
    routes: readonly Route[],
  ): Promise<HotswapResult> {
    await this.#settle();
    this.#open();
    const replaceRoutes = this.#parts.replacingRoutes(routes);
    return this.#changes.run(async () => {
      await this.#finishSteps();
      const before = this.#parsed();
      const { genome, places, steps, isNew } = this.#planOf(json);
      for (const id of staged) steps.set(id, "restore");
      for (const { id, endpoint } of genome.primitives) {
        if (endpoint === "" && !isNew(id) && !staged.includes(id)) throw notStaged(id);
      }
      const { name, revision } = this.#open();
      const next = { name, revision: revision + 1, json, genome, places };
      await this.#seal(restoreId, staged, next, steps, replaceRoutes);
      // It is decided: whatever fails from here on, each processor is restored before it answers.
      await this.#finishSteps().catch(() => undefined);
      return hotswapResult(before, genome, { steps });
    });
  }

  async unused(): Promise<string[]> {
    await this.genome();
    return [...this.#table.waiting()];
  }

  async settleRestore(restoreId: string, id: string): Promise<boolean> {
    if (this.#deciding === restoreId) return true;
    if (this.#table.read() === undefined || this.#table.steps().get(id) !== "restore") return false;
    await this.#changes.run(async () => {
      if (this.#table.steps().get(id) === "restore") await this.#doSteps([[id, "restore"]]);
    });
    return false;
  }

  /**
   * Seals what is staged for the processors, and then commits the restore: stores the genome with the steps that
   * restore them, and the routes.
   */
  async #seal(
    restoreId: string,
    staged: readonly string[],
    next: Current & { readonly genome: Genome },
    steps: ReadonlyMap<string, Action>,
    replaceRoutes: () => void,
  ): Promise<void> {
    const { name: agent, places } = next;
    const processors = staged.map((id) => {
      const transport = this.#parts.processor(agent, id, places.get(id) ?? ANYWHERE);
      return { identity: identityOf(next, id), backup: createClient(BackupService, transport) };
    });
    this.#deciding = restoreId;
    try {
      await sealAll({ restoreId, agent }, processors, MAX_CONCURRENT_STEPS);
      this.#begin(next, steps, staged, replaceRoutes);
    } catch (error) {
      this.#deciding = undefined;
      await dropAll(restoreId, processors);
      throw error;
    } finally {
      this.#deciding = undefined;
    }
  }

  /** The changes that a restore's genome would make. @throws Fault `invalid` when the agent cannot have it */
  #planOf(json: string) {
    const { genome, wished } = newGenome(json, this.#parts.rules);
    const absent = this.#absent();
    const known = this.#known(absent);
    const { steps } = genomeChange(this.#parsed(), genome, absent, false);
    const places = placesWith(known, genome, newlyPlaced(known, genome, wished), steps);
    const isNew = (id: string) => {
      const isThere = this.#parsed().primitive(id)?.endpoint === "" && !absent.waiting.has(id);
      return !isThere && !absent.retired.has(id);
    };
    return { genome, places, steps, isNew };
  }

  async noteTuned(id: string): Promise<void> {
    await this.#settle();
    this.#open();
    this.#storage.transactionSync(() => this.#table.putTuned(id));
  }

  async locate(id: string): Promise<ProcessorLocation | undefined> {
    await this.#settle();
    await this.#admit(id);
    const node = this.#parsed().primitive(id);
    return node && { endpoint: node.endpoint, ...this.#placeOf(id) };
  }

  noteJurisdiction(jurisdiction: string): void {
    const home = this.#home();
    if (home === jurisdiction) return;
    if (home !== undefined) throw livesElsewhere(this.#parts.name ?? "", home, jurisdiction);
    this.#storage.transactionSync(() => this.#table.putJurisdiction(jurisdiction));
  }

  /**
   * Makes sure that the agent exists. Resolves to its name.
   *
   * @throws ConnectError when there is no such agent, or it lives elsewhere
   */
  async opened(): Promise<string> {
    await this.#settle();
    return this.#open().name;
  }

  /** Called by the alarm: resumes interrupted steps. */
  async resume(): Promise<void> {
    if (this.#table.read() === undefined) return;
    try {
      await this.genome();
    } catch {
      // Calls for the genome meanwhile get the error. A defect is logged by the object that has it.
      setAlarm(this.#storage, Date.now() + RESUME_MS);
    }
  }

  /**
   * Makes sure that the agent of this name lives in the deployment's jurisdiction. In every jurisdiction the same name
   * means another object, so after a change of the jurisdiction the agent would look new. The object outside any
   * jurisdiction knows where the agent lives.
   *
   * @throws ConnectError `FailedPrecondition` when the agent lives elsewhere
   */
  async #settle(): Promise<void> {
    if (this.#isAtHome) return;
    const { name = "", rules } = this.#parts;
    const { jurisdiction } = rules;
    const home = this.#home();
    if (home !== undefined && home !== jurisdiction) throw livesElsewhere(name, home, jurisdiction);
    if (home === undefined && jurisdiction !== "" && this.#parts.firstGenome(name) !== undefined) {
      await createClient(RosterService, this.#parts.unrestricted(name)).noteJurisdiction({ jurisdiction });
    }
    this.#isAtHome = true;
  }

  #home(): string | undefined {
    return this.#storage.transactionSync(() => this.#table.jurisdiction());
  }

  #known({ retired }: Absent): KnownPlaces {
    return { genome: this.#parsed(), retired, places: this.#open().places };
  }

  #placeOf(id: string): Place {
    return this.#open().places.get(id) ?? ANYWHERE;
  }

  /** The stored genome, or else the first one. @throws ConnectError `NotFound` when there is no such agent */
  #open(): Current {
    this.#current ??= this.#storage.transactionSync(() => this.#table.read()) ?? this.#first();
    return this.#current;
  }

  #parsed(): Genome {
    const current = this.#open();
    current.genome ??= new Genome(current.json);
    return current.genome;
  }

  /** Stores the genome that the agent begins with. */
  #first(): Current {
    const name = this.#parts.name ?? "";
    const json = this.#parts.firstGenome(name);
    if (json === undefined) throw new ConnectError(`there is no agent "${name}" in this deployment`, Code.NotFound);
    const genome = new Genome(json);
    const places = new Map<string, Place>();
    this.#begin(
      { name, revision: 1, json, genome, places },
      genomeChange(undefined, genome, NONE_ABSENT, false).steps,
      [],
    );
    return this.#open();
  }

  /**
   * Stores a genome and its steps. From here on it is the agent's genome in any case.
   *
   * @param storeMore stores what belongs to the same decision
   */
  #begin(next: Current, steps: ReadonlyMap<string, Action>, tuned: readonly string[], storeMore = () => {}): void {
    const { jurisdiction } = this.#parts.rules;
    this.#storage.transactionSync(() => {
      this.#table.put(next, steps);
      if (next.revision === 1 && jurisdiction !== "") this.#table.putJurisdiction(jurisdiction);
      for (const id of tuned) this.#table.putTuned(id);
      storeMore();
    });
    const isInPlace = [...steps.values()].every((action) => action === "admit");
    // In the same turn as the transaction, so that either both are stored or neither is.
    if (!isInPlace) setAlarm(this.#storage, Date.now() + RESUME_MS);
    this.#current = next;
    this.#isInPlace = isInPlace;
  }

  #absent() {
    return { retired: this.#table.retired(), waiting: this.#table.waiting() };
  }

  /** Puts a processor into service if it is waiting for its first call. */
  async #admit(idOrName: string): Promise<void> {
    const id = this.#parsed().find(idOrName)?.id;
    if (id === undefined || !this.#table.isToBeAdmitted(id)) return;
    // Serialized with changes of genomes, which may drop the processor meanwhile.
    await this.#changes.run(async () => {
      if (this.#table.isToBeAdmitted(id)) await this.#doSteps([[id, "admit"]]);
    });
  }

  /** Does the remaining steps. Repeating a step after an interruption does no harm. */
  async #finishSteps(): Promise<void> {
    if (this.#isInPlace) return;
    const steps = [...this.#table.steps()];
    // Processors that leave come last: by then the others have stopped sending them events.
    const ordered = [
      ...steps.filter(([, action]) => STAYING_ACTIONS.has(action)),
      ...steps.filter(([, action]) => !STAYING_ACTIONS.has(action)),
    ];
    for (let at = 0; at < ordered.length; at += MAX_CONCURRENT_STEPS) {
      await this.#doSteps(ordered.slice(at, at + MAX_CONCURRENT_STEPS));
    }
    await this.#storage.deleteAlarm();
    this.#isInPlace = true;
  }

  /** Does some steps concurrently, and notes which are done. @throws ConnectError of the first that failed */
  async #doSteps(steps: readonly [string, Action][]): Promise<void> {
    const outcomes = await Promise.allSettled(steps.map(([id, action]) => this.#doStep(id, action)));
    this.#storage.transactionSync(() => {
      for (const [at, [id, action]] of steps.entries()) {
        if (outcomes[at]?.status === "fulfilled") this.#table.done(id, action);
      }
    });
    const failure = outcomes.find((outcome) => outcome.status === "rejected");
    if (failure !== undefined) throw failure.reason;
  }

  async #doStep(id: string, action: Action): Promise<void> {
    const current = this.#open();
    const transport = this.#parts.processor(current.name, id, this.#placeOf(id));
    const provisioning = createClient(ProvisioningService, transport);
    const stays = this.#parsed().primitive(id) !== undefined;
    if (stays && (action === "provision" || action === "admit")) {
      await provisioning.provision(identityOf({ ...current, genome: this.#parsed() }, id));
      return;
    }
    if (stays && action === "restore") {
      const identity = identityOf({ ...current, genome: this.#parsed() }, id);
      await createClient(BackupService, transport).applyRestore({ identity });
      return;
    }
    try {
      await provisioning.retire({ purge: action === "purge" });
    } catch (error) {
      // A processor already out of service needs nothing more.
      if (!(error instanceof ConnectError && error.code === Code.FailedPrecondition)) throw error;
    }
  }
}

function notStaged(id: string): Fault {
  return new Fault("invalid", `the backup has no line of the processor ${excerpt(id)}, which its genome has`);
}

/**
 * @param home where the agent lives; empty for no jurisdiction
 * @param asked where the deployment expects it; likewise
 */
function livesElsewhere(name: string, home: string, asked: string): ConnectError {
  const homeText = home === "" ? "in no jurisdiction" : `in the jurisdiction ${excerpt(home)}`;
  const setting = asked === "" ? "is not set" : `is ${excerpt(asked)}`;
  return new ConnectError(
    `the agent ${excerpt(name)} lives ${homeText}, and the variable NOEMA_JURISDICTION ${setting}; an agent cannot ` +
      "move: set the variable as it was when the agent began",
    Code.FailedPrecondition,
  );
}
