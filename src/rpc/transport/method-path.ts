/** The path that names a method on every transport. */

import type { DescMethod } from "@bufbuild/protobuf";

/** For example `/noema.v1.MemoryService/Observe`. */
export function methodPath(method: DescMethod): string {
  return `/${method.parent.typeName}/${method.name}`;
}
