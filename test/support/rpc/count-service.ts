/** A service with a stream, described at run time: the contract of processors has none yet, and transports must carry them. */

import { create, createFileRegistry, type DescMethod, type DescMethodServerStreaming } from "@bufbuild/protobuf";
import {
  FileDescriptorProtoSchema,
  file_google_protobuf_wrappers,
  type UInt32Value,
  UInt32ValueSchema,
} from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ConnectRouter, type Transport } from "@connectrpc/connect";

const WRAPPERS = "google/protobuf/wrappers.proto";
const UINT32 = ".google.protobuf.UInt32Value";

const file = create(FileDescriptorProtoSchema, {
  name: "test/v1/count.proto",
  package: "test.v1",
  syntax: "proto3",
  dependency: [WRAPPERS],
  service: [
    { name: "CountService", method: [{ name: "Count", inputType: UINT32, outputType: UINT32, serverStreaming: true }] },
  ],
});

const registry = createFileRegistry(file, (name) =>
  name === WRAPPERS ? file_google_protobuf_wrappers.proto : undefined,
);

function isServerStreaming(method: DescMethod): method is DescMethodServerStreaming {
  return method.methodKind === "server_streaming";
}

function countMethod(): DescMethodServerStreaming {
  const method = registry.getService("test.v1.CountService")?.method.count;
  if (method === undefined || !isServerStreaming(method)) throw new Error("the service that counts is not described");
  return method;
}

/** Counts from 1 to the number asked for; one that is more than 3 is refused after 3. */
export function registerCount(router: ConnectRouter): void {
  router.rpc(countMethod(), async function* (request: unknown) {
    const { value } = request as UInt32Value;
    for (let count = 1; count <= Math.min(value, 3); count++) yield create(UInt32ValueSchema, { value: count });
    if (value > 3) throw new ConnectError("more than 3", Code.OutOfRange);
  });
}

/** All that the service counts, over a transport. */
export async function countOver(transport: Transport, value: number, counted: number[] = []): Promise<number[]> {
  const requests = (async function* () {
    yield create(UInt32ValueSchema, { value });
  })();
  const { message } = await transport.stream(countMethod(), undefined, undefined, undefined, requests);
  for await (const answer of message) counted.push((answer as UInt32Value).value);
  return counted;
}
