/** The form for a new key. Leaves checking to the server and shows its errors. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { createKey, ROLES, type Schemas } from "../../client";
import { Failure } from "../parts/failure";
import { Field } from "../parts/fields";
import { Section } from "../parts/section";
import { goTo, linkTo, moveTo } from "../place";
import type { Agent } from "../server";
import { newKey } from "./keys";

export function NewKeyForm({ agent }: { readonly agent: Agent }) {
  const isAdmin = useSignal(false);
  const isBusy = useSignal(false);
  const error = useSignal<unknown>(undefined);
  const name = useRef<HTMLInputElement>(null);
  useEffect(() => name.current?.focus(), []);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    isBusy.value = true;
    error.value = undefined;
    try {
      newKey.value = await createKey(agent.noema, rightsIn(new FormData(event.currentTarget as HTMLFormElement)));
      moveTo({ path: ["keys"], query: {} });
    } catch (reason) {
      error.value = reason;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <Section title="A new key">
      <form class="fields new-key-form" onSubmit={(event) => void submit(event)}>
        <Field label="Name" hint="A name, such as sensor-7.">
          {(ids) => <input {...ids} type="text" name="name" required maxLength={128} autocomplete="off" ref={name} />}
        </Field>
        <RoleChoice
          onAdmin={(has) => {
            isAdmin.value = has;
          }}
        />
        <Places agent={agent} isClosed={isAdmin.value} />
        <Field label="Expires" hint="When it expires. Empty: never.">
          {(ids) => <input {...ids} type="datetime-local" name="expires" />}
        </Field>
        <Field label="Requests a minute" hint="Empty: no limit.">
          {(ids) => <input {...ids} type="number" name="per_minute" min={1} max={1_000_000} step={1} />}
        </Field>
        <Failure error={error.value} />
        <div class="row">
          <button type="submit" disabled={isBusy.value}>
            Make the key
          </button>
          <button type="button" onClick={() => goTo({ path: ["keys"], query: {} })}>
            Cancel
          </button>
        </div>
        <p class="facts">
          A key never changes. To give a device other rights, make another key and revoke the first. See all at{" "}
          <a href={linkTo({ path: ["keys"], query: {} })}>Keys</a>.
        </p>
      </form>
    </Section>
  );
}

function RoleChoice({ onAdmin }: { readonly onAdmin: (has: boolean) => void }) {
  return (
    <fieldset>
      <legend>What it may do</legend>
      {ROLES.map(({ role, meaning }) => (
        <label key={role} class="check">
          <input
            type="checkbox"
            name="roles"
            value={role}
            aria-label={role}
            aria-describedby={`role-${role}`}
            {...(role === "admin" && { onChange: ({ currentTarget }) => onAdmin(currentTarget.checked) })}
          />
          <span>
            <b>{role}</b> <small id={`role-${role}`}>{meaning}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Limits the key to processors and sessions. */
function Places({ agent, isClosed }: { readonly agent: Agent; readonly isClosed: boolean }) {
  return (
    <fieldset disabled={isClosed}>
      <legend>Where</legend>
      {isClosed && <p class="facts">A key with the role admin cannot be limited to processors or sessions.</p>}
      <p class="facts">Processors. None ticked: all of them.</p>
      <div class="places">
        {agent.processors.map(({ id, name }) => (
          <label key={id} class="check" title={id}>
            <input type="checkbox" name="processors" value={id} />
            <span>{name}</span>
          </label>
        ))}
      </div>
      <Field
        label="Sessions"
        hint="One per line; robot-* opens all that begin with robot-. Empty: all, and the processors' own memories."
      >
        {(ids) => <textarea {...ids} name="sessions" rows={3} autocomplete="off" />}
      </Field>
    </fieldset>
  );
}

function rightsIn(form: FormData): Schemas.NewKey {
  const texts = (name: string) => form.getAll(name).map(String);
  const [name = ""] = texts("name");
  const processors = texts("processors");
  const sessions = texts("sessions").flatMap((text) =>
    text
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean),
  );
  const [expires = ""] = texts("expires");
  const [perMinute = ""] = texts("per_minute");
  return {
    name,
    roles: texts("roles") as Schemas.Role[],
    ...(processors.length > 0 && { processors }),
    ...(sessions.length > 0 && { sessions }),
    ...(expires !== "" && { expires: Date.parse(expires) / 1000 }),
    ...(perMinute !== "" && { per_minute: Number(perMinute) }),
  };
}
