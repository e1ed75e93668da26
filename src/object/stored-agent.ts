/**
 * Owns one agent's genome, and brings the agent's processors in line with it. A new genome is stored together with the steps that lead to
 * it, one per processor. From then on it is the agent's genome. If the steps are interrupted, the next call or the alarm resumes them.
 */

import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { ProvisioningService } from "../gen/noema/v1/provisioning_service_pb";
import type { AgentHost, GenomeReading, HotswapOutcome } from "../rpc/services/agent-service";
import { yieldToEventLoop } from "../rpc/transport/yield-to-event-loop";
import { type Action, GenomeTable } from "../store/tables/genome-table";
import type { Budgets } from "../text/budgets";
import { type Absent, type GenomeDifference, genomeChange, genomeDifference } from "./genome/change";
import { Genome } from "./genome/genome";
import { newGenome } from "./genome/new-genome";
import { SerialQueue } from "./serial-queue";

/** A genome of this length, in UTF-16 units, is large. */
const LARGE_GENOME_UNITS = 256 * 1024;

/** How many steps are done at the same time. */
const MAX_CONCURRENT_STEPS = 16;

/** When the alarm resumes an interrupted change of genomes, in milliseconds. */
const RESUME_MS = 2_000;

/** The absent processors of an agent without a genome. */
const NONE_ABSENT: Absent = { retired: new Set(), waiting: new Set() };

/** What an agent needs besides its storage. */
export interface AgentParts {
  /** The agent's name in the deployment; `undefined` for an object that does not know its name and reads it from its storage. */
  name: string | undefined;
  /** The genome that an agent of this name begins with; `undefined` when the deployment has no agent of this name. */
  firstGenome(name: string): string | undefined;
  /** The transport to a processor of the agent in this deployment. */
  processor(agent: string, id: string): Transport;
  /** Why an address may not serve a processor; `undefined` when it may. */
  endpointRefusal(endpoint: string): string | undefined;
  /** How many deliveries one observe may cause is one of them. */
  budgets: Budgets;
}

/** The agent's genome. */
interface Current {
  readonly name: string;
  readonly revision: number;
  readonly json: string;
  /** Parsed when it is first needed: most callers need the text only. */
  genome?: Genome;
}

/** The genome in one object's storage, and the transports to its processors. */
export class StoredAgent implements AgentHost {
  readonly #storage: DurableObjectStorage;
  readonly #table: GenomeTable;
  readonly #parts: AgentParts;
  readonly #changes = new SerialQueue();
  #current: Current | undefined;
  /** Whether no steps are left to do. False until this object has looked. */
  #isInPlace = false;

  constructor(storage: DurableObjectStorage, parts: AgentParts) {
    this.#storage = storage;
    this.#table = new GenomeTable(storage.sql);
    this.#parts = parts;
  }

  async genome(wanted = ""): Promise<GenomeReading> {
    this.#open();
    if (!this.#isInPlace) await this.#changes.run(() => this.#finishSteps());
    if (wanted !== "") await this.#admit(wanted);
    const { json, revision } = this.#open();
    return { json, revision, tuned: [...this.#table.tuned()] };
  }

  async hotswap(json: string, purge: boolean): Promise<HotswapOutcome> {
    this.#open();
    // To read a large genome, to check it and to compare it take some hundred milliseconds each. Others get a turn between them.
    const pause = () => (json.length > LARGE_GENOME_UNITS ? yieldToEventLoop() : undefined);
    await pause();
    const next = newGenome(json, this.#parts.endpointRefusal, this.#parts.budgets.deliveries);
    await pause();
    return this.#changes.run(async () => {
      await this.#finishSteps();
      const { name, revision } = this.#open();
      const before = this.#parsed();
      const { steps, tuned } = genomeChange(before, next, this.#absent(), purge);
      this.#begin({ name, revision: revision + 1, json, genome: next }, steps, tuned);
      await this.#finishSteps();
      return { revision: revision + 1, change: genomeDifference(before, next, { steps }) };
    });
  }

  previewHotswap(json: string, purge: boolean): GenomeDifference {
    this.#open();
    const next = newGenome(json, this.#parts.endpointRefusal, this.#parts.budgets.deliveries);
    const { retired, waiting } = this.#absent();
    // A hotswap would first finish the steps that an interrupted one has left.
    for (const [id, action] of this.#table.steps()) if (action === "retire") retired.add(id);
    const before = this.#parsed();
    return genomeDifference(before, next, genomeChange(before, next, { retired, waiting }, purge));
  }

  noteTuned(id: string): void {
    this.#open();
    this.#storage.transactionSync(() => this.#table.putTuned(id));
  }

  async endpointOf(id: string): Promise<string | undefined> {
    await this.#admit(id);
    return this.#parsed().primitive(id)?.endpoint;
  }

  /** For the alarm: resumes the steps that were interrupted. */
  async resume(): Promise<void> {
    if (this.#table.read() === undefined) return;
    try {
      await this.genome();
    } catch {
      // Callers who ask for the genome meanwhile are told the reason. A defect is in the log of the object that has it.
      await this.#storage.setAlarm(Date.now() + RESUME_MS);
    }
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
    this.#begin({ name, revision: 1, json, genome }, genomeChange(undefined, genome, NONE_ABSENT, false).steps, []);
    return this.#open();
  }

  /** Stores a genome and its steps. From here on it is the agent's genome, whatever happens. */
  #begin(next: Current, steps: ReadonlyMap<string, Action>, tuned: readonly string[]): void {
    this.#storage.transactionSync(() => {
      this.#table.put(next, steps);
      for (const id of tuned) this.#table.putTuned(id);
    });
    const isInPlace = [...steps.values()].every((action) => action === "admit");
    // In the same turn as the transaction, so that both are stored or neither is.
    if (!isInPlace) void this.#storage.setAlarm(Date.now() + RESUME_MS);
    this.#current = next;
    this.#isInPlace = isInPlace;
  }

  #absent() {
    return { retired: this.#table.retired(), waiting: this.#table.waiting() };
  }

  /** Puts a processor into service if it has waited for its first caller. */
  async #admit(idOrName: string): Promise<void> {
    const id = this.#parsed().find(idOrName)?.id;
    if (id === undefined || !this.#table.isToBeAdmitted(id)) return;
    // One after the other with changes of genomes, which may drop the processor meanwhile.
    await this.#changes.run(async () => {
      if (this.#table.isToBeAdmitted(id)) await this.#doSteps([[id, "admit"]]);
    });
  }

  /** Does the steps that are left. Doing a step twice, after an interruption, does no harm. */
  async #finishSteps(): Promise<void> {
    if (this.#isInPlace) return;
    const steps = [...this.#table.steps()];
    // Processors that leave come last: by then the others no longer send them events.
    const ordered = [
      ...steps.filter(([, action]) => action === "provision"),
      ...steps.filter(([, action]) => action !== "provision"),
    ];
    for (let at = 0; at < ordered.length; at += MAX_CONCURRENT_STEPS) {
      await this.#doSteps(ordered.slice(at, at + MAX_CONCURRENT_STEPS));
    }
    await this.#storage.deleteAlarm();
    this.#isInPlace = true;
  }

  /** Does some steps at once, and notes which are done. @throws ConnectError of the first that failed */
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
    const { name: agent } = this.#open();
    const provisioning = createClient(ProvisioningService, this.#parts.processor(agent, id));
    const node = this.#parsed().primitive(id);
    if ((action === "provision" || action === "admit") && node !== undefined) {
      const manipulatives = this.#parsed().manipulativesOf(node);
      const outlets = manipulatives.map(({ id: manipulative, ...rest }) => ({ manipulative, ...rest }));
      await provisioning.provision({ id, name: node.name, genes: [...node.genes], agent, outlets });
      return;
    }
    try {
      await provisioning.retire({ purge: action === "purge" });
    } catch (error) {
      // A processor that is out of service already needs nothing more.
      if (!(error instanceof ConnectError && error.code === Code.FailedPrecondition)) throw error;
    }
  }
}
