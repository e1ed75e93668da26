/**
 * The server half of the unary path: calls services written for Connect with the bytes of one message, and
 * replies with bytes. It gives the same codes, messages and details as the library's own handlers, without
 * HTTP. It serves no streams.
 */

import type { DescMethod, DescMethodUnary, DescService } from "@bufbuild/protobuf";
import {
  Code,
  ConnectError,
  type ContextValues,
  createContextValues,
  createServiceImplSpec,
  type HandlerContext,
  type MethodImplSpec,
  type ServiceImpl,
} from "@connectrpc/connect";
import { errorToJson } from "@connectrpc/connect/protocol-connect";
import { type Carried, messageFromCarried, messageToBytes, messageToCarried } from "./message-bytes";
import { type Idempotency, methodPath, type UnaryCall, type UnaryReply } from "./unary";

/** A method that takes one message and returns one. */
type UnarySpec = Extract<MethodImplSpec, { kind: "unary" }>;

/** Converts anything that a service threw into the caller's error. @param path the method, for the log */
type ErrorConverter = (error: unknown, path: string) => ConnectError;

/** The unary methods of a service, by their paths. */
type UnaryMethods = ReadonlyMap<string, DescMethodUnary>;

/** Those of each service. All objects of the isolate serve the same. */
const known = new WeakMap<DescService, UnaryMethods>();

function unaryMethodsOf(service: DescService): UnaryMethods {
  let methods = known.get(service);
  if (methods === undefined) {
    const unary = service.methods.filter((method): method is DescMethodUnary => method.methodKind === "unary");
    methods = new Map(unary.map((method) => [methodPath(method), method]));
    known.set(service, methods);
  }
  return methods;
}

/** Answers calls of registered services. */
export class UnaryServer {
  readonly #services = new Map<UnaryMethods, (method: DescMethodUnary) => UnarySpec>();
  /** The methods that were called. An object has many, and is often created for one call. */
  readonly #called = new Map<string, UnarySpec>();
  readonly #toConnectError: ErrorConverter;

  constructor(toConnectError: ErrorConverter) {
    this.#toConnectError = toConnectError;
  }

  /** Adds the unary methods of a service. A method without an implementation answers `Unimplemented`. */
  service<Service extends DescService>(service: Service, implementation: Partial<ServiceImpl<Service>>): this {
    const specOf = (method: DescMethodUnary) => {
      const { methods } = createServiceImplSpec({ ...service, methods: [method] }, implementation as object);
      return methods[method.localName] as UnarySpec;
    };
    this.#services.set(unaryMethodsOf(service), specOf);
    return this;
  }

  #specOf(path: string): UnarySpec | undefined {
    const called = this.#called.get(path);
    if (called !== undefined) return called;
    for (const [methods, specOf] of this.#services) {
      const method = methods.get(path);
      if (method === undefined) continue;
      const spec = specOf(method);
      this.#called.set(path, spec);
      return spec;
    }
    return undefined;
  }

  /**
   * Answers one call, synchronously if the service does. Never throws: an error is a reply.
   *
   * @param path the method, for example `/noema.v1.MemoryService/Observe`
   * @param body the request message
   * @param call the caller's other parameters; none if absent
   */
  call(path: string, body: Carried, call?: UnaryCall): UnaryReply | Promise<UnaryReply> {
    const spec = this.#specOf(path);
    if (spec === undefined) {
      return errorReply(new ConnectError(`there is no unary method ${path}`, Code.Unimplemented));
    }
    const { input, output } = spec.method;
    // A caller of an earlier release reads a text as an error.
    const toReply = typeof body === "string" ? messageToCarried : messageToBytes;
    try {
      const answer = spec.impl(messageFromCarried(input, body), new UnaryContext(spec.method, call));
      if (!(answer instanceof Promise)) return toReply(output, answer);
      return answer.then((message) => toReply(output, message)).catch((error: unknown) => this.#fail(error, path));
    } catch (error) {
      return this.#fail(error, path);
    }
  }

  #fail(error: unknown, path: string): UnaryReply {
    return errorReply(this.#toConnectError(error, path));
  }
}

/** The reply that carries an error. */
export function errorReply(error: ConnectError): UnaryReply {
  return JSON.stringify(errorToJson(error, undefined));
}

/**
 * What Connect promises a service about its call. Each part is created when the service first asks for it. A call on
 * the unary path has no headers, and only its caller enforces a deadline.
 */
export class UnaryContext implements HandlerContext {
  readonly method: DescMethod;
  /** The session of the call; empty for the processor's own memory. */
  readonly session: string;
  /** Set if the client may repeat the call. */
  readonly idempotency: Idempotency | undefined;
  readonly protocolName = "connect";
  readonly requestMethod = "POST";
  #signal: AbortSignal | undefined;
  #requestHeader: Headers | undefined;
  #responseHeader: Headers | undefined;
  #responseTrailer: Headers | undefined;
  #values: ContextValues | undefined;

  /** @param call the caller's other parameters; none if absent */
  constructor(method: DescMethod, call?: UnaryCall) {
    this.method = method;
    this.session = call?.session ?? "";
    this.idempotency = call?.idempotency;
  }

  /** It is never resolved. */
  get url(): string {
    return `https://object${methodPath(this.method)}`;
  }

  get service(): DescService {
    return this.method.parent;
  }

  /** Never aborted: a verb runs to its end without waiting. */
  get signal(): AbortSignal {
    this.#signal ??= new AbortController().signal;
    return this.#signal;
  }

  timeoutMs(): undefined {
    return undefined;
  }

  get requestHeader(): Headers {
    this.#requestHeader ??= new Headers();
    return this.#requestHeader;
  }

  /** The unary path drops the headers that a service sets. */
  get responseHeader(): Headers {
    this.#responseHeader ??= new Headers();
    return this.#responseHeader;
  }

  /** As {@link responseHeader}. */
  get responseTrailer(): Headers {
    this.#responseTrailer ??= new Headers();
    return this.#responseTrailer;
  }

  get values(): ContextValues {
    this.#values ??= createContextValues();
    return this.#values;
  }
}
