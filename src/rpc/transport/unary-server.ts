/**
 * The server half of the unary path: services as Connect has them, called with the bytes of one message and answering with
 * bytes. Same codes, messages and details as the library's own handlers, without HTTP. Streams go over HTTP.
 */

import type { DescMessage, DescService, MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createServiceImplSpec, type MethodImplSpec, type ServiceImpl } from "@connectrpc/connect";
import { errorToJson } from "@connectrpc/connect/protocol-connect";
import type { Registrar } from "../services/host";
import { travelling } from "../services/serve";
import { messageFromBytes, messageToBytes } from "./message-bytes";
import { methodPath } from "./method-path";
import type { UnaryReply } from "./unary";
import { UnaryContext } from "./unary-context";

/** A method that takes one message and gives one. */
type UnarySpec = Extract<MethodImplSpec, { kind: "unary" }>;

/** Answers calls of registered services. */
export class UnaryServer implements Registrar {
  readonly #methods = new Map<string, UnarySpec>();

  /** Adds the unary methods of a service; those without an implementation answer `Unimplemented`. */
  service<Service extends DescService>(service: Service, implementation: Partial<ServiceImpl<Service>>): this {
    for (const spec of Object.values(createServiceImplSpec(service, implementation).methods)) {
      if (spec.kind === "unary") this.#methods.set(methodPath(spec.method), spec);
    }
    return this;
  }

  /**
   * Answers one call, at once when the service does. Never throws: an error is a reply.
   *
   * @param path the method, for example `/noema.v1.MemoryService/Observe`
   * @param body the bytes of the request message
   */
  call(path: string, body: Uint8Array): UnaryReply | Promise<UnaryReply> {
    const spec = this.#methods.get(path);
    if (spec === undefined) {
      return failed(path, new ConnectError(`there is no unary method ${path}`, Code.Unimplemented));
    }
    const { input, output } = spec.method;
    try {
      const answer = spec.impl(messageFromBytes(input, body), new UnaryContext(spec.method, path));
      if (!(answer instanceof Promise)) return answered(output, answer);
      return answer.then((message) => answered(output, message)).catch((error: unknown) => failed(path, error));
    } catch (error) {
      return failed(path, error);
    }
  }
}

function answered<Output extends DescMessage>(output: Output, message: MessageInitShape<Output>): UnaryReply {
  return messageToBytes(output, message);
}

/**
 * The reply to a call that failed before a service saw it.
 *
 * @param path the method, for the log
 */
export function failed(path: string, error: unknown): UnaryReply {
  const travels = travelling(error, path, () => undefined);
  return JSON.stringify(errorToJson(travels, undefined));
}
