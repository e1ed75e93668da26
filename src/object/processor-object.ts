/**
 * The Durable Object of one processor: hands calls to the services of the processor in its storage, and has the events
 * for other processors delivered before it answers. Every public method here can be called from the Worker.
 */

import { DurableObject } from "cloudflare:workers";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { version } from "../../package.json";
import { AlertService } from "../gen/noema/v1/alert_service_pb";
import { AgentRestoreService, BackupService } from "../gen/noema/v1/backup_service_pb";
import { MemoryService, ObserveResponseSchema } from "../gen/noema/v1/memory_service_pb";
import { ProvisioningService, RosterService } from "../gen/noema/v1/provisioning_service_pb";
import { PublicationService } from "../gen/noema/v1/publication_service_pb";
import type { Activity } from "../processor/ports/activity";
import { backupService } from "../rpc/services/backup-service";
import { toConnectError } from "../rpc/services/connect-error";
import type { Build } from "../rpc/services/inspection-service";
import { registerProcessor } from "../rpc/services/processor-services";
import { provisioningService } from "../rpc/services/provisioning-service";
import { serveOn } from "../rpc/services/serve";
import { liveObjectsOf } from "../rpc/transport/live-objects";
import { type Carried, messageToBytes, sizeOfCarried } from "../rpc/transport/message-bytes";
import { answerPipe, pipedPathIn } from "../rpc/transport/pipe";
import { hasRoom } from "../rpc/transport/storage-failure";
import { placeIn, type StreamPlace } from "../rpc/transport/stream-upgrade";
import { callPart, createTransports, PART, type Transports, type TransportsEnv } from "../rpc/transport/transports";
import { isErrorReply, methodPath, type UnaryCall, type UnaryReply } from "../rpc/transport/unary";
import { errorReply, UnaryServer } from "../rpc/transport/unary-server";
import { yieldToEventLoop } from "../rpc/transport/yield-to-event-loop";
import { Database } from "../store/database/database";
import type { OutboxEvent } from "../store/tables/outbox-table";
import { PublicationTable } from "../store/tables/publication-table";
import { type Budgets, type BudgetsEnv, budgetsOf } from "../text/budgets";
import { type AlertEnv, alertUrlRefusal } from "./alerts/alert-address";
import { AlertDeliveries } from "./alerts/alert-deliveries";
import { sender } from "./alerts/alert-delivery";
import { alertService } from "./alerts/alert-service";
import { alertCounts, outboxes } from "./counts/counts";
import { Deletions } from "./deletions";
import { kernels, thread } from "./isolate";
import { KnowledgeGrading } from "./knowledge-grading";
import { EventWatch } from "./mqtt/event-watch";
import { publicationService } from "./mqtt/publication-service";
import { ObjectAlarm } from "./object-alarm";
import { Outbox } from "./outbox";
import { relay } from "./outbox-relay";
import { FanOut } from "./parts/fan-out";
import type { PartDelivery, PartFamily, PartObject, PartOutcome } from "./parts/messages";
import { PartHost } from "./parts/part-host";
import { ProcessorRestore, type WantedIdentity } from "./restore/processor-restore";
import { SessionSweep } from "./session-sweep";
import { SilenceWatch } from "./silence-watch";
import { StoredProcessor } from "./stored-processor";
import { type Arrivals, hideOthers } from "./streams/arrivals";
import { openedWithRoom } from "./streams/broken-streams";
import { KeyWatch, validKeys } from "./streams/key-watch";
import { LastCalls } from "./streams/last-calls";
import { CLOSE } from "./streams/link";
import type { StreamCodec } from "./streams/stream-codec";
import { eventText, Streams } from "./streams/streams";
import { Gathering } from "./turns/gathering";
import { type Take, Turns } from "./turns/turns";

/** Set by the bundler: the time of the build, ISO 8601. */
declare const NOEMA_BUILD_DATE: string | undefined;

/** Set by the bundler: the build number. */
declare const NOEMA_BUILD_NUMBER: string | undefined;

/** The build of this bundle. Date and number are zero if the bundler did not set them. */
const BUILD: Build = {
  version,
  date: typeof NOEMA_BUILD_DATE === "string" ? NOEMA_BUILD_DATE : "1970-01-01T00:00:00.000Z",
  number: typeof NOEMA_BUILD_NUMBER === "string" ? NOEMA_BUILD_NUMBER : "0",
};

/** Number of frames of streams after which the runtime reads what others have sent. */
const FRAMES_A_TURN = 1024;

/** The bindings and variables that a processor uses. */
type ProcessorEnv = TransportsEnv & BudgetsEnv & AlertEnv;

/** One processor. The object's name is `<agent>/<processor id>`. The Worker's class implements the JSON of streams. */
export abstract class ProcessorObject extends DurableObject<ProcessorEnv> {
  readonly #stored: StoredProcessor;
  readonly #streams: Streams;
  readonly #mqtt: EventWatch;
  readonly #keyWatch: KeyWatch;
  readonly #alarm: ObjectAlarm;
  readonly #outbox: Outbox;
  readonly #sessions: SessionSweep;
  readonly #silence: SilenceWatch;
  readonly #restore: ProcessorRestore;
  readonly #alerts: AlertDeliveries;
  readonly #grading: KnowledgeGrading;
  readonly #deletions: Deletions;
  readonly #calls = new LastCalls();
  /** Number of frames of streams since the runtime last read what others have sent. */
  #frames = 0;
  readonly #turns = new Turns(thread, () => this.arrivals);
  /** Its name among the live objects; `undefined` if these are not counted. */
  readonly #liveName: string | undefined;
  readonly #gathering = new Gathering(() => {
    if (this.#liveName !== undefined) liveObjectsOf(this.env)?.forgetComing(this.#liveName);
  });
  readonly #fanOut: FanOut;
  /** The part of a split processor, if this object is one. */
  readonly #part: PartHost;
  /** Created for the first call. Dropped with the processor, because it takes as much of the heap as a small one. */
  #server: UnaryServer | undefined;
  #hasAnswered = false;
  /** Whether an alarm is set after which the sessions are checked. */
  #watchesSessions = false;

  constructor(ctx: DurableObjectState, env: ProcessorEnv) {
    super(ctx, env);
    const transports = createTransports(env);
    const budgets = budgetsOf(env);
    const { name } = ctx.id;
    this.#liveName = name === undefined || liveObjectsOf(env) === undefined ? undefined : `processor ${name}`;
    this.#fanOut = new FanOut((family, delivery) =>
      callPart(env, family, delivery.part, (object: PartObject) => object.part(family, delivery)),
    );
    this.#part = new PartHost({ objectId: ctx.id.toString(), kernels, fanOut: this.#fanOut });
    this.#stored = this.#storedOf(ctx, budgets, transports);
    const carry = async (event: OutboxEvent, most: number) => {
      // The events belong to what a restore is about to replace, so the queue waits for the decision.
      if (this.#restore.isSealed) throw new Error("a processor that is being restored sends nothing");
      const sender = this.#stored.identity();
      return sender === undefined ? undefined : relay(event, sender, transports, most);
    };
    this.#alarm = new ObjectAlarm(ctx.storage);
    this.#outbox = new Outbox(ctx.storage, this.#alarm, carry, budgets.deliveries, ctx.id.toString());
    this.#sessions = new SessionSweep(this.#stored);
    this.#alarm.add(this.#sessions);
    const isSealed = () => this.#restore.isSealed;
    this.#silence = new SilenceWatch({ stored: this.#stored, alarm: this.#alarm, isSealed });
    this.#alarm.add(this.#silence);
    this.#restore = this.#restoreOf(ctx.storage, budgets.sessions, transports);
    this.#alarm.add(this.#restore);
    this.#alerts = new AlertDeliveries({
      storage: ctx.storage,
      alarm: this.#alarm,
      objectId: ctx.id.toString(),
      send: sender(env),
      // Waiting notices belong to what a restore is about to replace.
      speaker: () => (this.#stored.isInService && !this.#restore.isSealed ? this.#stored.identity()?.id : undefined),
    });
    const take: Take = (caller, work) => this.#turns.take(caller, work);
    this.#grading = new KnowledgeGrading(this.#stored, this.#alarm, take);
    this.#alarm.add(this.#grading);
    this.#deletions = new Deletions(this.#stored, this.#alarm, take);
    this.#alarm.add(this.#deletions);
    this.#streams = this.#streamsOf(ctx);
    this.#mqtt = this.#mqttOf(transports);
    this.#keyWatch = new KeyWatch(
      () => this.#streams.links(),
      () => validKeys(transports.agent(this.#stored.identity()?.agent ?? "")),
    );
    this.#alarm.add(this.#keyWatch);
    // Pings are free this way, and wake no object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  /** Reads and writes the JSON of streams. */
  protected abstract readonly codec: StreamCodec;

  /** Decides when to let the runtime read what has arrived from others. */
  protected abstract readonly arrivals: Arrivals;

  /** Opens a stream, or a pipe. The gateway sends requests for streams, and the agent's MQTT endpoint for pipes. */
  override fetch(request: Request): Response | Promise<Response> {
    const piped = pipedPathIn(request);
    if (piped !== undefined) return answerPipe((body, call) => this.unary(piped, body, call));
    const place = placeIn(request);
    if (place === undefined) return new Response(null, { status: 404 });
    const open = () => this.#openStream(place);
    return this.#streams.haveBroken ? openedWithRoom(hasRoom(this.env.DISK), open) : open();
  }

  #openStream(place: StreamPlace): Response {
    try {
      this.#assertCalled(place.calledName);
      if (this.#restore.isSealed) throw new ConnectError("the processor is being restored", Code.Unavailable);
      const response = this.#streams.open(place);
      const next = this.#keyWatch.nextWake();
      if (next !== undefined) this.#alarm.ringBy(next);
      return response;
    } catch (error) {
      return new Response(errorReply(toConnectError(error, "/stream")), { status: 500 });
    }
  }

  /**
   * Closes all streams, because the server is stopping. Then ends the object once it has answered its calls: otherwise
   * the runtime would wait for clients that vanished, and 10 s for each that never sent anything.
   */
  async endStreams(): Promise<void> {
    this.#streams.endAll(CLOSE.stopping, "the server stops");
    this.#calls.whenOver(() => this.ctx.abort("the server stops"));
  }

  /** Handles a message to a part, and carries others on. The object then is a part of a split processor. */
  async part(family: PartFamily, delivery: PartDelivery): Promise<PartOutcome[]> {
    // Check the name and not storage: reading storage would create a database that a part does not need.
    if (this.ctx.id.name?.startsWith(PART) === false) throw new Error("this object is a processor, and no part of one");
    return this.#part.take(family, delivery);
  }

  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> | undefined {
    this.#noteLive();
    this.#alarm.lookAtClock();
    this.#frames += 1;
    if (this.arrivals.come() && hideOthers()) this.#look();
    else if (this.#frames >= FRAMES_A_TURN) this.#pause();
    return this.#streams.take(socket, message);
  }

  override webSocketClose(socket: WebSocket): void {
    this.#streams.closed(socket);
  }

  override webSocketError(socket: WebSocket): void {
    this.#streams.closed(socket);
  }

  /**
   * Answers one call of a service.
   *
   * @param path the method, for example `/noema.v1.MemoryService/Observe`
   * @param body the request message
   * @param call the caller's other parameters; none if absent
   */
  unary(path: string, body: Carried, call?: UnaryCall): UnaryReply | Promise<UnaryReply> {
    const flow = () => `${call?.session ?? ""} ${path}`;
    const bytes = sizeOfCarried(body);
    const caller = { keyId: call?.keyId ?? "", flow, bytes };
    const work = () => this.#turns.take(caller, () => this.#answer(path, body, call));
    const mayWait = path === OBSERVE && bytes <= MAX_GATHERED_BYTES;
    const coming = this.#coming();
    return this.#calls.note(this.#gathering.run(mayWait ? coming : 0, work));
  }

  /** Notes the arrival of a call. @returns how many others are known to be on their way */
  #coming(): number {
    if (this.#liveName === undefined) return 0;
    return liveObjectsOf(this.env)?.arrived(this.#liveName) ?? 0;
  }

  #answer(path: string, body: Carried, call: UnaryCall | undefined): UnaryReply | Promise<UnaryReply> {
    this.#alarm.lookAtClock();
    try {
      if (this.#restore.isSealed && !RESTORING.has(path)) return this.#afterRestore(path, body, call);
      this.#assertCalled(call?.calledName);
    } catch (error) {
      return errorReply(toConnectError(error, path));
    }
    const before = this.#outbox.recordings;
    this.#server ??= this.#serve();
    const reply = this.#server.call(path, body, call);
    const isRepeatable = call?.idempotency !== undefined;
    if (reply instanceof Promise && this.#stored.isSplit)
      return this.#answerLater(reply, { before, path, isRepeatable });
    if (this.#outbox.recordings === before && !this.#mayOweEvents() && !(isRepeatable && this.#tellsOthers())) {
      return this.#alarm.settling?.then(() => reply) ?? reply;
    }
    // A kept answer must be the same each time, so it carries no count. Its repetitions also come after all deliveries.
    const counted = !isRepeatable && path === OBSERVE;
    return this.#outbox
      .deliver()
      .then(async (deliveries) => (counted ? withDeliveries(await reply, deliveries) : reply));
  }

  /** Answers a call of a split processor, which may have waited for the parts. */
  async #answerLater(
    waiting: Promise<UnaryReply>,
    { before, path, isRepeatable }: { before: number; path: string; isRepeatable: boolean },
  ): Promise<UnaryReply> {
    const reply = await waiting;
    const owes = this.#outbox.recordings !== before || this.#mayOweEvents() || (isRepeatable && this.#tellsOthers());
    if (!owes) {
      await this.#alarm.settling;
      return reply;
    }
    const deliveries = await this.#outbox.deliver();
    return !isRepeatable && path === OBSERVE ? withDeliveries(reply, deliveries) : reply;
  }

  /** Delivers the events that other processors have not observed yet, and deletes expired sessions. */
  override async alarm(): Promise<void> {
    // The next alarm may not be for sessions: a session that begins later must ask for one.
    this.#watchesSessions = false;
    if (this.#stored.identity() !== undefined) return this.#alarm.ring();
    // An object that is not a processor yet holds nothing but what a restore stages.
    this.#alarm.forget();
    await Promise.all([this.#restore.wake(), this.#deletions.wake()]);
    for (const next of [this.#restore.nextWake(), this.#deletions.nextWake()]) {
      if (next !== undefined) this.#alarm.ringBy(next);
    }
  }

  /** Answers a call once the agent has decided about a restore; refuses it until then. */
  async #afterRestore(path: string, body: Carried, call: UnaryCall | undefined): Promise<UnaryReply> {
    try {
      await this.#restore.settle();
    } catch (error) {
      return errorReply(toConnectError(error, path));
    }
    return this.#answer(path, body, call);
  }

  #storedOf(ctx: DurableObjectState, budgets: Budgets, transports: Transports): StoredProcessor {
    const listener = {
      eventsRecorded: (count: number, most: number | undefined) => this.#outbox.recorded(count, most),
      noticesQueued: (count: number, dropped: number) => this.#alerts.queued(count, dropped),
      noteTuned: async (agent: string, id: string) => {
        await createClient(RosterService, transports.agent(agent)).noteTuned({ id });
      },
      sessionChanged: () => this.#watchSessions(),
      sessionTtlChanged: () => {
        const next = this.#sessions.nextWake();
        if (next !== undefined) this.#alarm.ringBy(next);
      },
      silenceChanged: () => this.#silence.changed(),
      arrived: (session: string, silentAt: number | undefined) => this.#silence.arrived(session, silentAt),
      retired: () => {
        this.#streams.endAll(CLOSE.gone, "the processor is gone");
        alertCounts.waiting.delete(ctx.id.toString());
      },
      returned: () => {
        this.#alerts.resume();
        this.#silence.changed();
      },
      storageDeleted: () => {
        this.#alarm.forget();
        outboxes.waiting.delete(ctx.id.toString());
        alertCounts.waiting.delete(ctx.id.toString());
        this.#watchesSessions = false;
      },
      deletionDue: () => this.#deletions.isDue(),
      endIncidents: () => this.#deletions.endIncidents(),
      gradingDue: () => this.#grading.isDue(),
      grade: () => this.#grading.grade(),
      processorReleased: () => {
        this.#server = undefined;
      },
      heapBytes: () => this.#silence.heapBytes,
      isListening: () => this.#streams.isWatched || this.#mqtt.isWatching,
      wantsSurprise: (session: string) => this.#streams.wantsSurprise(session) || this.#mqtt.wants("surprise"),
      notify: (activities: readonly Activity[]) => this.#tell(activities),
    };
    return new StoredProcessor(ctx.storage, {
      objectId: ctx.id.toString(),
      kernels,
      budgets,
      listener,
      isSealed: () => this.#restore.isSealed,
      outbox: () => this.#outbox,
      caller: () => this.#turns.caller,
      takeApart: (...pieces) => this.#turns.takeApart(...pieces),
      split: {
        fanOut: this.#fanOut,
        jurisdiction: ctx.id.jurisdiction ?? "",
        take: (caller, work) => this.#turns.take(caller, work),
      },
    });
  }

  #restoreOf(storage: DurableObjectStorage, mostSessions: number, transports: Transports): ProcessorRestore {
    const stored = this.#stored;
    const processor = {
      replace: (change: () => void, wanted: WantedIdentity | undefined, rehearsal: boolean) => {
        const stamp = stored.replace(change, wanted, rehearsal);
        if (rehearsal) return stamp;
        this.#streams.endAll(CLOSE.gone, "the processor was restored");
        this.#alerts.replaced();
        this.#silence.changed();
        return stamp;
      },
      provision: ({ id, name, genes, agent, outlets, parts }: WantedIdentity) => {
        const manipulatives = outlets.map(({ manipulative, fields, targets }) => ({
          id: manipulative,
          fields,
          targets,
        }));
        stored.provision(id, name, genes, { agent, manipulatives, parts: Math.max(1, parts) });
      },
      noteTuned: async () => stored.beforeTuning(),
      isKnown: () => stored.identity() !== undefined,
      forget: () => stored.forget(),
      settleEvents: async () => {
        await this.#outbox.deliver();
      },
      wakeBy: (at: number) => this.#alarm.ringBy(at),
      letOthersIn: yieldToEventLoop,
      deletionDue: () => {
        if (this.#stored.hasDiscarded) this.#deletions.isDue();
      },
      askAgent: async (agent: string, restoreId: string, id: string) => {
        const { isOpen } = await createClient(AgentRestoreService, transports.agent(agent)).settleRestore({
          restoreId,
          id,
        });
        return isOpen;
      },
    };
    return new ProcessorRestore(storage, processor, mostSessions);
  }

  #mqttOf(transports: Transports): EventWatch {
    const table = () => (this.#stored.isInService ? this.#published() : undefined);
    return new EventWatch(table, (events) => {
      const { agent = "", id = "" } = this.#stored.identity() ?? {};
      return transports.mqtt(agent).tell(id, events);
    });
  }

  /** The object's table for MQTT. Only a processor in service has its tables. */
  #published(): PublicationTable {
    return new PublicationTable(new Database(this.ctx.storage.sql, () => this.#stored.assertKnown()));
  }

  #tell(activities: readonly Activity[]): void {
    this.#streams.tell(activities);
    if (!this.#mqtt.isWatching) return;
    for (const activity of activities) {
      // The newest open incident is retained, so a verdict may change that message.
      const kind = activity.kind === "judged" ? "incident" : activity.kind;
      if (!this.#mqtt.wants(kind)) continue;
      const text = eventText(this.codec, activity);
      if (text !== undefined) this.#mqtt.tell({ kind, session: activity.session, text });
    }
  }

  #streamsOf(ctx: DurableObjectState): Streams {
    return new Streams({
      objectId: ctx.id.toString(),
      sockets: ctx,
      processor: this.#stored,
      turns: this.#turns,
      serveOne: () => void ctx.blockConcurrencyWhile(() => this.#turns.serveOne()),
      codec: () => this.codec,
      isSealed: () => this.#restore.isSealed,
      delivered: (verb) => this.#delivered(verb),
    });
  }

  /** Any alarm will do: when it rings, the sessions report when they need the next. */
  #watchSessions(): void {
    if (this.#watchesSessions) return;
    this.#watchesSessions = true;
    const failed = (error: unknown) => {
      this.#watchesSessions = false;
      console.error(`no alarm could be set for the end of sessions: ${error}`);
    };
    this.#alarm.ringSome(() => this.#sessions.nextWake()).catch(failed);
  }

  /** @throws ConnectError `FailedPrecondition` when the caller used a name that the processor does not have */
  #assertCalled(name: string | undefined): void {
    if (name === undefined || name === this.#stored.identity()?.name) return;
    throw new ConnectError("this processor has another name now", Code.FailedPrecondition);
  }

  /** Runs a verb, and has its events delivered to other processors. */
  #delivered<Reply>(verb: () => Reply): { reply: Reply; after: Promise<unknown> | undefined } {
    const before = this.#outbox.recordings;
    const owed = () =>
      this.#outbox.recordings !== before || this.#mayOweEvents() ? this.#outbox.deliver() : this.#alarm.settling;
    const reply = verb();
    if (!(reply instanceof Promise)) return { reply, after: owed() };
    // The events for others are unknown until the parts have answered. The reply carries any failure.
    return {
      reply,
      after: reply.then(
        async () => void (await owed()),
        () => undefined,
      ),
    };
  }

  /** Lets the runtime read once: while frames are there, it reads no other socket, even of a single busy stream. */
  #pause(): void {
    this.#frames = 0;
    void this.ctx.blockConcurrencyWhile(yieldToEventLoop);
  }

  /** Nothing else runs in this object meanwhile, so that the messages of each stream keep their order. */
  #look(): void {
    this.#frames = 0;
    void this.ctx.blockConcurrencyWhile(async () => thread.looked(await this.arrivals.look()));
  }

  /** Messages of streams bypass the gateway, which counts live objects. */
  #noteLive(): void {
    const live = liveObjectsOf(this.env);
    if (live === undefined) return;
    const identity = this.#stored.identity();
    // A purged object may still hear of a socket. It is not a processor any more.
    if (identity !== undefined) live.wasLive(`processor ${identity.agent}/${identity.id}`);
  }

  #serve(): UnaryServer {
    const server = new UnaryServer(toConnectError);
    registerProcessor(server, this.#stored, BUILD);
    server.service(
      AlertService,
      alertService(serveOn(this.#stored), {
        urlRefusal: (url) => alertUrlRefusal(url, this.env),
        alertChanged: (name) => this.#alerts.changed(name),
      }),
    );
    server.service(BackupService, backupService(serveOn(this.#stored), this.#stored, this.#restore));
    server.service(
      PublicationService,
      publicationService({
        processor: this.#stored,
        numbers: this.#published(),
        abort: (reason) => this.ctx.abort(reason),
        workedMs: () => thread.underWayMs,
        watchedChanged: () => this.#mqtt.changed(),
      }),
    );
    return server.service(ProvisioningService, provisioningService(this.#stored));
  }

  /**
   * Whether an earlier life of the object may have left events undelivered. True at most once in the object's life, for
   * its first call, which then waits for the delivery.
   */
  #mayOweEvents(): boolean {
    if (this.#hasAnswered) return false;
    const identity = this.#stored.identity();
    if (identity === undefined) return false;
    this.#hasAnswered = true;
    return this.#tellsOthers();
  }

  /** Whether other processors observe this one. */
  #tellsOthers(): boolean {
    return (this.#stored.identity()?.manipulatives.length ?? 0) > 0;
  }
}

/** The calls that a processor answers during a restore. */
const RESTORING: ReadonlySet<string> = new Set(
  Object.values(BackupService.method)
    .filter(({ name }) => name !== "ReadBackup")
    .map(methodPath),
);

const OBSERVE = methodPath(MemoryService.method.observe);

/** Larger records do not wait for others, in bytes. */
const MAX_GATHERED_BYTES = 16_384;

/**
 * The reply to an observe, with the number of deliveries that it caused. Concatenated bytes of messages are merged by
 * protobuf.
 */
function withDeliveries(reply: UnaryReply, deliveries: number): UnaryReply {
  if (deliveries === 0 || isErrorReply(reply)) return reply;
  const more = messageToBytes(ObserveResponseSchema, { deliveries });
  if (typeof reply === "string") return reply + String.fromCharCode(...more);
  const merged = new Uint8Array(reply.length + more.length);
  merged.set(reply);
  merged.set(more, reply.length);
  return merged;
}
