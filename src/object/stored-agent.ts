/**
 * Owns one agent's genome: keeps it, and brings the processors to what it says. A new genome is written together with the list of
 * what is to be done for it; from then on it is the genome, and whatever interrupts the doing, it is gone on with: by the next who
 * asks, or by the alarm.
 */

import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { ProvisioningService } from "../gen/noema/v1/provisioning_service_pb";
import { Fault } from "../processor/ports/fault";
import type { GenomeKeeper, GenomeReading } from "../rpc/services/agent-service";
import { type Action, GenomeTable } from "../store/tables/genome-table";
import { excerpt } from "../text/excerpt";
import { type Absent, genomeChange } from "./genome/change";
import { Genome } from "./genome/genome";
import { Turns } from "./serial-queue";

/** How many processors are worked on at once. */
const AT_ONCE = 16;

/** When an interrupted change of genomes is gone on with, in milliseconds. */
const RESUME_MS = 2_000;

/** An agent that has no genome yet. */
const NONE_ABSENT: Absent = { retired: new Set(), waiting: new Set() };

/** What an agent needs besides its storage. */
export interface AgentParts {
  /** The name under which the deployment knows the agent; an object that lost it reads it from its storage. */
  name: string | undefined;
  /** The genome that an agent of this name begins with; `undefined` when there is no agent of this name. */
  firstGenome(name: string): string | undefined;
  /** The way to a processor of the agent. */
  processor(agent: string, id: string): Transport;
  /** Why no processor may be served at an address; `undefined` when one may. */
  endpointRefusal(endpoint: string): string | undefined;
}

/** A genome in place or on its way. */
interface Current {
  readonly name: string;
  readonly revision: number;
  readonly json: string;
  /** Understood when it is first needed: most who ask need the text alone. */
  genome?: Genome;
}

/** The genome in one object's storage, and the way to its processors. */
export class StoredAgent implements GenomeKeeper {
  readonly #storage: DurableObjectStorage;
  readonly #table: GenomeTable;
  readonly #parts: AgentParts;
  readonly #turns = new Turns();
  #current: Current | undefined;
  #settled = false;

  constructor(storage: DurableObjectStorage, parts: AgentParts) {
    this.#storage = storage;
    this.#table = new GenomeTable(storage.sql);
    this.#parts = parts;
  }

  async genome(wanted = ""): Promise<GenomeReading> {
    this.#open();
    if (!this.#settled) await this.#turns.take(() => this.#settle());
    if (wanted !== "") await this.#admit(wanted);
    const { json, revision } = this.#open();
    return { json, revision, tuned: [...this.#table.tuned()] };
  }

  async hotswap(json: string, purge: boolean): Promise<number> {
    this.#open();
    const next = new Genome(json);
    this.#checkEndpoints(next);
    return this.#turns.take(async () => {
      await this.#settle();
      const { name, revision } = this.#open();
      const { steps, tuned } = genomeChange(this.#understood(), next, this.#absent(), purge);
      this.#begin({ name, revision: revision + 1, json, genome: next }, steps, tuned);
      await this.#settle();
      return revision + 1;
    });
  }

  noteTuned(id: string): void {
    this.#open();
    this.#storage.transactionSync(() => this.#table.putTuned(id));
  }

  async endpointOf(id: string): Promise<string | undefined> {
    await this.#admit(id);
    return this.#understood().primitive(id)?.endpoint;
  }

  /** Goes on with what was interrupted; for the alarm. */
  async resume(): Promise<void> {
    if (this.#table.read() === undefined) return;
    try {
      await this.genome();
    } catch {
      // Whoever asks for the genome meanwhile is told the reason; a defect is in the log of the object that has it.
      await this.#storage.setAlarm(Date.now() + RESUME_MS);
    }
  }

  /** The genome, the first one when there was none. @throws ConnectError `NotFound` when there is no such agent */
  #open(): Current {
    this.#current ??= this.#storage.transactionSync(() => this.#table.read()) ?? this.#first();
    return this.#current;
  }

  #understood(): Genome {
    const current = this.#open();
    current.genome ??= new Genome(current.json);
    return current.genome;
  }

  /** The genome that the agent begins with. */
  #first(): Current {
    const name = this.#parts.name ?? "";
    const json = this.#parts.firstGenome(name);
    if (json === undefined) throw new ConnectError(`there is no agent "${name}" in this deployment`, Code.NotFound);
    const genome = new Genome(json);
    this.#begin({ name, revision: 1, json, genome }, genomeChange(undefined, genome, NONE_ABSENT, false).steps, []);
    return this.#open();
  }

  /** @throws Fault `invalid` when a processor is served where none may be */
  #checkEndpoints(genome: Genome): void {
    for (const { id, endpoint } of genome.primitives) {
      const refusal = endpoint === "" ? undefined : this.#parts.endpointRefusal(endpoint);
      if (refusal === undefined) continue;
      throw new Fault(
        "invalid",
        `the genome's processor ${excerpt(id)} has the endpoint ${excerpt(endpoint)}; ${refusal}`,
      );
    }
  }

  /** From here on this is the genome, whatever happens. */
  #begin(next: Current, steps: ReadonlyMap<string, Action>, tuned: readonly string[]): void {
    this.#storage.transactionSync(() => {
      this.#table.put(next, steps);
      for (const id of tuned) this.#table.putTuned(id);
    });
    // In the same turn as the transaction, so that both last or neither does.
    const isSettled = [...steps.values()].every((action) => action === "admit");
    if (!isSettled) void this.#storage.setAlarm(Date.now() + RESUME_MS);
    this.#current = next;
    this.#settled = isSettled;
  }

  #absent(): Absent {
    return { retired: this.#table.retired(), waiting: this.#table.waiting() };
  }

  /** Puts a processor in service that waits for being wanted. @param word its identifier or friendly name */
  async #admit(word: string): Promise<void> {
    const id = this.#understood().find(word)?.id;
    if (id === undefined || !this.#table.isToBeAdmitted(id)) return;
    // In turn with changes of genomes: meanwhile it may have left.
    await this.#turns.take(async () => {
      if (this.#table.isToBeAdmitted(id)) await this.#takeSome([[id, "admit"]]);
    });
  }

  /** Does what is still to be done. Doing a thing twice, after an interruption, does no harm. */
  async #settle(): Promise<void> {
    if (this.#settled) return;
    const steps = [...this.#table.steps()];
    // Those that go, go last: what is told to them is then no longer told.
    const ordered = [
      ...steps.filter(([, action]) => action === "provision"),
      ...steps.filter(([, action]) => action !== "provision"),
    ];
    for (let at = 0; at < ordered.length; at += AT_ONCE) {
      await this.#takeSome(ordered.slice(at, at + AT_ONCE));
    }
    await this.#storage.deleteAlarm();
    this.#settled = true;
  }

  /** Does some of it, and notes what was done. @throws ConnectError when one of them could not be done */
  async #takeSome(steps: readonly [string, Action][]): Promise<void> {
    const outcomes = await Promise.allSettled(steps.map(([id, action]) => this.#take(id, action)));
    this.#storage.transactionSync(() => {
      for (const [at, [id, action]] of steps.entries()) {
        if (outcomes[at]?.status === "fulfilled") this.#table.done(id, action);
      }
    });
    const failure = outcomes.find((outcome) => outcome.status === "rejected");
    if (failure !== undefined) throw failure.reason;
  }

  async #take(id: string, action: Action): Promise<void> {
    const { name } = this.#open();
    const provisioning = createClient(ProvisioningService, this.#parts.processor(name, id));
    const node = this.#understood().primitive(id);
    if ((action === "provision" || action === "admit") && node !== undefined) {
      const { genes, name: called } = node;
      const outlets = this.#understood().outletsOf(node);
      await provisioning.provision({ id, name: called, genes: [...genes], agent: name, outlets });
      return;
    }
    try {
      await provisioning.retire({ purge: action === "purge" });
    } catch (error) {
      // One that is out of service already needs nothing more.
      if (!(error instanceof ConnectError && error.code === Code.FailedPrecondition)) throw error;
    }
  }
}
