/** Edits a model: each member as JSON, checked before it is sent, with the changes in words. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { type Processor, type Schemas, updateModel } from "../../client";
import { ConfirmDialog } from "../parts/dialog";
import { Field } from "../parts/fields";

/** The text of each field. */
interface Draft {
  readonly sequence: string;
  readonly frequency: string;
  readonly emotives: string;
  readonly metadata: string;
}

const MEMBERS = ["sequence", "frequency", "emotives", "metadata"] as const;

type Member = (typeof MEMBERS)[number];

/** A list with an item on each line. */
function lines(items: readonly unknown[]): string {
  return items.length === 0 ? "[]" : `[\n${items.map((item) => `  ${JSON.stringify(item)}`).join(",\n")}\n]`;
}

/** An object with a member on each line. */
function members(object: Schemas.Model["emotives"]): string {
  const each = Object.entries(object).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return each.length === 0 ? "{}" : `{\n${each.join(",\n")}\n}`;
}

function draftOf({ sequence, frequency, emotives, metadata }: Schemas.Model): Draft {
  return {
    sequence: lines(sequence),
    frequency: String(frequency),
    emotives: members(emotives),
    metadata: lines(metadata),
  };
}

/** What is wrong with the text of a member; empty if it may be sent. */
function refusalOf(member: Member, text: string): string {
  if (member === "frequency") {
    const isWhole = /^[1-9]\d*$/.test(text.trim()) && Number.isSafeInteger(Number(text));
    return isWhole ? "" : "It must be a whole number of 1 or more.";
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `It is not JSON: ${error instanceof Error ? error.message : error}.`;
  }
  if (member === "emotives") return isObject(value) ? "" : 'It must be an object of lists, such as {"joy": [0.5]}.';
  if (member === "metadata")
    return Array.isArray(value) && value.every(isObject) ? "" : "It must be a list of objects, one for each event.";
  return isSequence(value) ? "" : 'It must be a list of events, each a list of symbols, such as [["coffee"], ["bus"]].';
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSequence(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((event) => Array.isArray(event) && event.length > 0 && event.every((one) => typeof one === "string"))
  );
}

/** The members that differ from the model, in words. */
function changesOf(model: Schemas.Model, draft: Draft): Member[] {
  const before = draftOf(model);
  return MEMBERS.filter((member) => {
    if (draft[member] === before[member]) return false;
    return refusalOf(member, draft[member]) !== "" || !isSame(draft[member], before[member]);
  });
}

function isSame(one: string, other: string): boolean {
  return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));
}

export function ModelEditor({
  processor,
  model,
  onClose,
  onSaved,
}: {
  readonly processor: Processor;
  readonly model: Schemas.Model;
  readonly onClose: () => void;
  /** Called with the model's new name. */
  readonly onSaved: (name: string) => void;
}) {
  const draft = useSignal(draftOf(model));
  const changes = changesOf(model, draft.value);
  const wrong = changes.filter((member) => refusalOf(member, draft.value[member]) !== "");
  const set = (member: Member) => (text: string) => {
    draft.value = { ...draft.value, [member]: text };
  };
  const save = async () => {
    const [first] = wrong;
    if (first !== undefined) throw new Error(`${first}: ${refusalOf(first, draft.value[first])}`);
    if (changes.length === 0) return;
    const change = Object.fromEntries(changes.map((member) => [member, JSON.parse(draft.value[member])]));
    const name = await updateModel(processor, model.name, change as Schemas.ModelChange);
    if (name === "failed-to-update-model") throw new Error("The model no longer exists.");
    onSaved(name);
  };
  return (
    <ConfirmDialog title="Edit the model" action="Save" onConfirm={save} onClose={onClose}>
      {MEMBERS.map((member) => (
        <MemberField
          key={member}
          member={member}
          text={draft.value[member]}
          refusal={changes.includes(member) ? refusalOf(member, draft.value[member]) : ""}
          onInput={set(member)}
        />
      ))}
      <Said>{sayOf(model, draft.value, changes)}</Said>
    </ConfirmDialog>
  );
}

const TITLES: { readonly [member in Member]: string } = {
  sequence: "Sequence: one event on each line",
  frequency: "How often it counts as learned",
  emotives: "Emotives: values, oldest first",
  metadata: "Metadata: one object for each event",
};

function MemberField({
  member,
  text,
  refusal,
  onInput,
}: {
  readonly member: Member;
  readonly text: string;
  readonly refusal: string;
  readonly onInput: (text: string) => void;
}) {
  const common = {
    value: text,
    spellcheck: false,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onInput(currentTarget.value),
  };
  return (
    <Field label={TITLES[member]} wrong={refusal}>
      {(ids) =>
        member === "frequency" ? (
          <input type="text" inputMode="numeric" autocomplete="off" {...ids} {...common} />
        ) : (
          <textarea rows={member === "sequence" ? Math.min(10, 2 + text.split("\n").length) : 3} {...ids} {...common} />
        )
      }
    </Field>
  );
}

function Said({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="said" role="status">
      {children}
    </p>
  );
}

/** Describes what saving would change. */
function sayOf(model: Schemas.Model, draft: Draft, changes: readonly Member[]): string {
  if (changes.length === 0) return "Nothing is changed yet.";
  const says = changes.map((member) => {
    if (member === "frequency") return `frequency from ${model.frequency} to ${draft.frequency.trim()}`;
    return member === "sequence" ? "another sequence, which gives the model a new name" : `other ${member}`;
  });
  return `Saving changes: ${says.join("; ")}.`;
}
