/** The issued keys of the agent and their rights. The text of a new key is shown here, once and nowhere else. */

import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { deleteKey, listKeys, ROLES, type Schemas } from "../../client";
import { currentKey } from "../key";
import { useAnswer } from "../parts/answer";
import { CopyButton } from "../parts/copy-button";
import { type Column, DataTable } from "../parts/data-table";
import { ConfirmDialog } from "../parts/dialog";
import { Failure } from "../parts/failure";
import { day, whole } from "../parts/figures";
import { Section } from "../parts/section";
import { goTo } from "../place";
import type { Agent } from "../server";

type Key = Schemas.IssuedKey;

/** The newest key, until the user confirms that it is saved or leaves the view. Only in the page's memory. */
export const newKey = signal<Schemas.CreatedKey | undefined>(undefined);

/** The identifier of the issued key with which the page was opened; `undefined` for a configured key. */
function ownId(): string | undefined {
  return /^noema_([0-9a-f]{16})_/.exec(currentKey())?.[1];
}

export function KeysPart({ agent }: { readonly agent: Agent }) {
  const keys = useAnswer((signal) => listKeys(agent.noema, { signal }), [agent]);
  const revoking = useSignal<Key | undefined>(undefined);
  const said = useSignal("");
  const told = useRef<HTMLParagraphElement>(null);
  const revoke = async (key: Key) => {
    await deleteKey(agent.noema, key.id);
    if (newKey.value?.id === key.id) newKey.value = undefined;
    said.value = `Revoked ${key.name}. After 30 seconds at most, it is refused everywhere.`;
    await keys.again();
  };
  const closed = () => {
    const isRevoked = said.value !== "";
    revoking.value = undefined;
    // The clicked button disappeared with its row.
    if (isRevoked) setTimeout(() => told.current?.focus());
  };
  return (
    <>
      <NewKeyShown />
      <Section
        title="Keys"
        actions={
          <button type="button" onClick={() => goTo({ path: ["keys", "new"], query: {} })}>
            Make a key
          </button>
        }
      >
        <Failure error={keys.error} />
        <p class="facts">
          Keys that the deployment configures are not among them. When a key was last used is not known.
        </p>
        <p class="said" role="status" tabIndex={-1} ref={told}>
          {said.value}
        </p>
        {keys.value !== undefined && (
          <div class="keys">
            <DataTable
              caption="Issued keys, oldest first"
              columns={columnsFor(agent, (key) => {
                said.value = "";
                revoking.value = key;
              })}
              rows={keys.value}
              keyOf={({ id }) => id}
              nothing="No key has been issued yet. Give each device a key of its own with as few rights as it needs."
            />
          </div>
        )}
      </Section>
      <RoleWords />
      {revoking.value !== undefined && <RevokeDialog target={revoking.value} onConfirm={revoke} onClose={closed} />}
    </>
  );
}

function columnsFor(agent: Agent, onRevoke: (key: Key) => void): readonly Column<Key>[] {
  const names = new Map(agent.processors.map(({ id, name }) => [id, name]));
  return [
    {
      name: "name",
      title: "Name",
      isRowHeader: true,
      cell: ({ id, name }) => (
        <>
          <b>{name}</b>{" "}
          <small>
            <code>{id}</code> {id === ownId() && "(opened this page)"}
          </small>
        </>
      ),
    },
    { name: "roles", title: "Roles", cell: ({ roles }) => roles.join(", ") },
    { name: "limits", title: "Limited to", cell: (key) => <Limits limited={key} names={names} /> },
    {
      name: "valid",
      title: "Made, expires",
      cell: ({ created, expires }) => (
        <>
          <Day seconds={created} />
          <Expiry seconds={expires} />
        </>
      ),
    },
    {
      name: "revoke",
      title: "Revoke",
      isNumber: true,
      isPlain: true,
      cell: (key) => (
        <button type="button" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
          Revoke
        </button>
      ),
    },
  ];
}

function Limits({
  limited: { processors, sessions, per_minute: perMinute },
  names,
}: {
  readonly limited: Key;
  readonly names: ReadonlyMap<string, string>;
}) {
  const limits = [
    processors && `processors ${processors.map((id) => names.get(id) ?? id).join(", ")}`,
    sessions && `sessions ${sessions.join(", ")}`,
    perMinute !== undefined && `${whole(perMinute)} requests a minute`,
  ].filter((limit) => typeof limit === "string");
  return limits.length === 0 ? <span class="nothing">no limit</span> : limits.join("; ");
}

function Day({ seconds }: { readonly seconds: number }) {
  return (
    <time dateTime={new Date(seconds * 1000).toISOString()} title={String(seconds)}>
      {day(seconds * 1000)}
    </time>
  );
}

function Expiry({ seconds }: { readonly seconds: number | undefined }) {
  if (seconds === undefined) return <small> never expires</small>;
  const isOver = seconds * 1000 <= Date.now();
  return (
    <small>
      {" "}
      {isOver ? <b>expired</b> : "expires"} <Day seconds={seconds} />
    </small>
  );
}

/** Shows the new key, once. */
function NewKeyShown() {
  const key = newKey.value;
  const text = useRef<HTMLInputElement>(null);
  useEffect(() => {
    text.current?.focus();
    text.current?.select();
    return () => {
      newKey.value = undefined;
    };
  }, []);
  if (key === undefined) return null;
  return (
    <section class="new-key" aria-labelledby="new-key">
      <h2 id="new-key">The key of {key.name}</h2>
      <p>Copy it now: it cannot be shown again, not even here.</p>
      <div class="row">
        <input type="text" readOnly aria-label={`The key of ${key.name}`} value={key.key} ref={text} />
        <CopyButton text={key.key} onRefused={() => text.current?.select()} />
        <button
          type="button"
          onClick={() => {
            newKey.value = undefined;
            document.getElementById("view")?.focus();
          }}
        >
          I have kept it
        </button>
      </div>
    </section>
  );
}

function RevokeDialog({
  target,
  onConfirm,
  onClose,
}: {
  readonly target: Key;
  readonly onConfirm: (key: Key) => Promise<void>;
  readonly onClose: () => void;
}) {
  return (
    <ConfirmDialog
      title={`Revoke ${target.name}?`}
      action="Revoke it"
      isDangerous
      onConfirm={() => onConfirm(target)}
      onClose={onClose}
    >
      <p>
        The key <code>{target.id}</code> is deleted. Within 30 seconds it is accepted nowhere, and streams that were
        opened with it end. This cannot be undone: the device needs another key.
      </p>
      {target.id === ownId() && <p>It is the key with which you have opened this page.</p>}
    </ConfirmDialog>
  );
}

/** Lists what each role may do. */
export function RoleWords() {
  return (
    <Section title="What a role allows">
      <dl class="roles">
        {ROLES.map(({ role, meaning }) => (
          <div key={role}>
            <dt>{role}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p class="facts">
        None includes another, but admin has all of them. <a href="/docs/guides/keys">Keys</a> names the operations.
      </p>
    </Section>
  );
}
