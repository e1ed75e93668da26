/** Issued keys as an agent keeps them, and their texts, for tests of the gateway. */

import { create } from "@bufbuild/protobuf";
import { hashOf, keyText } from "../../../src/gateway/keys/new-key";
import { type IssuedKey, IssuedKeySchema, KeyService } from "../../../src/gen/noema/v1/key_service_pb";
import type { TestGateway } from "./test-gateway";

/** What a test says of a key; it has no limits otherwise. */
export interface TestRights {
  readonly roles: readonly string[];
  readonly processors?: readonly string[];
  readonly sessions?: readonly string[];
  readonly expires?: number;
  readonly perMinute?: number;
}

/** A key, as a client sends it and as its agent keeps it. */
export interface TestKey {
  readonly text: string;
  readonly kept: IssuedKey;
}

let made = 0;

/** Makes a key. Its identifier and secret are like no other's. */
export function testKey({ roles, processors = [], sessions = [], ...limits }: TestRights): TestKey {
  made += 1;
  const id = made.toString(16).padStart(16, "0");
  const secret = made.toString(16).padStart(40, "5");
  const rights = {
    name: `key ${made}`,
    roles: [...roles],
    processors: [...processors],
    sessions: [...sessions],
    ...limits,
  };
  return {
    text: keyText({ id, secret }),
    kept: create(IssuedKeySchema, { id, secretSha256: hashOf(secret), created: 1, rights }),
  };
}

let changes = 0;

/** Has an agent keep these keys and no others, from now on. */
export function keep(gateway: TestGateway, agent: string, ...keys: readonly TestKey[]): void {
  changes += 1;
  const revision = changes;
  gateway.answerWith(KeyService.method.getKeys, (_, to) =>
    create(KeyService.method.getKeys.output, to === agent ? { revision, keys: keys.map(({ kept }) => kept) } : {}),
  );
}
