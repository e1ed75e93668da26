/** The context of a call on the unary path: what Connect promises a service, made only when the service asks for it. */

import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { type ContextValues, createContextValues, type HandlerContext } from "@connectrpc/connect";

/** A call that came as bytes: it has no headers, and a deadline is kept by the caller alone. */
export class UnaryContext implements HandlerContext {
  readonly method: DescMethod;
  readonly protocolName = "connect";
  readonly requestMethod = "POST";
  readonly url: string;
  #signal: AbortSignal | undefined;
  #requestHeader: Headers | undefined;
  #responseHeader: Headers | undefined;
  #responseTrailer: Headers | undefined;
  #values: ContextValues | undefined;

  /** @param path the path of the method */
  constructor(method: DescMethod, path: string) {
    this.method = method;
    this.url = `https://object${path}`;
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

  /** Headers that a service sets do not travel on the unary path. */
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
