/** KeyService: the keys that an agent has issued. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { type IssuedKeySchema, KeyService } from "../../gen/noema/v1/key_service_pb";
import { withConnectErrors } from "./agent-service";
import type { Registrar } from "./serve";

/** The rights of a key. */
export interface KeyRights {
  /** The name that its owner gave it. */
  readonly name: string;
  /** The words of its roles. */
  readonly roles: readonly string[];
  /** The identifiers of the only processors that it opens; empty for all. */
  readonly processors: readonly string[];
  /** The only sessions that it opens; empty for all. */
  readonly sessions: readonly string[];
  /** Seconds since 1970; `undefined` for never. */
  readonly expires?: number | undefined;
  /** Requests a minute; `undefined` for no limit. */
  readonly perMinute?: number | undefined;
}

/** A key as kept by its agent. */
export interface KeptKey extends KeyRights {
  readonly id: string;
  /** SHA-256 of the secret. */
  readonly secretSha256: Uint8Array;
  /** When it was created, in whole seconds since 1970. */
  readonly created: number;
}

/** Owns the keys that one agent has issued. */
export interface KeyHost {
  /**
   * Stores a new key.
   *
   * @param secretSha256 SHA-256 of its secret, 32 bytes
   * @param askedWith the identifier of the caller's key; empty for a configured one
   * @throws Fault `over-limit` if the agent already has the maximum number of keys
   */
  create(rights: KeyRights, secretSha256: Uint8Array, askedWith: string): Promise<KeptKey>;
  /**
   * Removes a key.
   *
   * @param askedWith as for {@link create}
   * @returns whether it existed
   */
  delete(id: string, askedWith: string): Promise<boolean>;
  /** The revision of the keys, which grows with every change; 0 if there never was one. Writes nothing. */
  revision(): number;
  /** All keys, in the order of creation. */
  all(): readonly KeptKey[];
}

/** Registers the service. */
export function registerKeys(registrar: Registrar, host: KeyHost): void {
  const { method } = KeyService;
  const service: ServiceImpl<typeof KeyService> = {
    createKey: ({ rights, secretSha256, askedWith }) =>
      withConnectErrors(method.createKey, async () => {
        if (rights === undefined) throw new Error("a new key has no rights");
        return { key: messageOf(await host.create(rights, secretSha256, askedWith)) };
      }),
    getKeys: ({ knownRevision }) =>
      withConnectErrors(method.getKeys, async () => {
        const revision = host.revision();
        return revision === knownRevision ? { revision } : { revision, keys: host.all().map(messageOf) };
      }),
    deleteKey: ({ id, askedWith }) =>
      withConnectErrors(method.deleteKey, async () => ({ deleted: await host.delete(id, askedWith) })),
  };
  registrar.service(KeyService, service);
}

function messageOf({ id, secretSha256, created, ...rights }: KeptKey): MessageInitShape<typeof IssuedKeySchema> {
  const { name, roles, processors, sessions, expires, perMinute } = rights;
  return {
    id,
    secretSha256,
    created,
    rights: {
      name,
      roles: [...roles],
      processors: [...processors],
      sessions: [...sessions],
      ...(expires !== undefined && { expires }),
      ...(perMinute !== undefined && { perMinute }),
    },
  };
}
