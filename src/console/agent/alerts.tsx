/** The alerts of a processor: its webhooks, what triggers each, and how the last delivery went. */

import { useSignal } from "@preact/signals";
import { deleteAlert, listAlerts, type Schemas, testAlert } from "../../client";
import { useAnswer } from "../parts/answer";
import { DataTable } from "../parts/data-table";
import { ConfirmDialog } from "../parts/dialog";
import { Failure } from "../parts/failure";
import { moment } from "../parts/figures";
import { Section } from "../parts/section";
import { goTo, place } from "../place";
import type { KnownProcessor } from "../server";
import { AlertForm, SecretDialog } from "./alert-form";

/** A delivery ends when the webhook answers, and the server sends no event for that: so poll. */
const POLL_MS = 3_000;

interface Row {
  readonly name: string;
  readonly alert: Schemas.Alert;
}

export function Alerts({ known: { processor, name: processorName } }: { readonly known: KnownProcessor }) {
  const alerts = useAnswer((signal) => listAlerts(processor, { signal }), [processor], POLL_MS);
  const deleting = useSignal<string | undefined>(undefined);
  const secret = useSignal<Secret | undefined>(undefined);
  const said = useSignal("");
  const error = useSignal<unknown>(undefined);
  const { edit } = place.value.query;
  const edited = edit === undefined ? undefined : alerts.value?.[edit];
  const open = (name: string | undefined) => goTo({ query: { edit: name } });
  const rows: Row[] = Object.entries(alerts.value ?? {}).map(([name, alert]) => ({ name, alert }));

  const test = async (name: string) => {
    error.value = undefined;
    said.value = "";
    try {
      const { webhook_id } = await testAlert(processor, name);
      said.value = `A test for ${name} is on its way: its webhook-id is ${webhook_id}.`;
    } catch (reason) {
      error.value = reason;
    }
    await alerts.again();
  };

  return (
    <Section
      title={`The alerts of ${processorName}`}
      actions={
        <button type="button" onClick={() => open("")}>
          Add an alert
        </button>
      }
    >
      <Failure error={alerts.error ?? error.value} />
      <AlertsTable
        rows={rows}
        nothing={
          alerts.value === undefined
            ? "…"
            : "There are no alerts yet. Add one for surprising events: each becomes an incident."
        }
        onTest={(name) => void test(name)}
        onEdit={open}
        onDelete={(name) => {
          deleting.value = name;
        }}
      />
      <p class="said" role="status">
        {said.value}
      </p>
      {alerts.value !== undefined && edit !== undefined && (edit === "" || edited !== undefined) && (
        <AlertForm
          processor={processor}
          name={edit}
          alert={edited}
          onDone={async (name, made) => {
            if (made !== undefined) secret.value = { name, secret: made };
            await alerts.again();
          }}
          onClose={() => open(undefined)}
        />
      )}
      {secret.value !== undefined && edit === undefined && (
        <SecretDialog
          {...secret.value}
          onClose={() => {
            secret.value = undefined;
          }}
        />
      )}
      {deleting.value !== undefined && (
        <ConfirmDialog
          title={`Delete the alert ${deleting.value}?`}
          action="Delete"
          isDangerous
          onConfirm={async () => {
            await deleteAlert(processor, deleting.value ?? "");
            await alerts.again();
          }}
          onClose={() => {
            deleting.value = undefined;
          }}
        >
          <p>What it has not delivered yet is dropped.</p>
        </ConfirmDialog>
      )}
    </Section>
  );
}

interface Secret {
  /** The alert's name. */
  readonly name: string;
  readonly secret: string;
}

function AlertsTable({
  rows,
  nothing,
  onTest,
  onEdit,
  onDelete,
}: {
  readonly rows: readonly Row[];
  readonly nothing: string;
  readonly onTest: (name: string) => void;
  readonly onEdit: (name: string) => void;
  readonly onDelete: (name: string) => void;
}) {
  return (
    <DataTable
      caption="Alerts of this processor, and how the last delivery went"
      rows={rows}
      keyOf={({ name }) => name}
      nothing={nothing}
      columns={[
        { name: "name", title: "Name", isRowHeader: true, cell: ({ name }) => name },
        { name: "when", title: "Condition", cell: ({ alert }) => conditionOf(alert.when) },
        {
          name: "url",
          title: "To",
          cell: ({ alert }) => <span class="url">{alert.url ?? "no address: shown in the console only"}</span>,
        },
        { name: "last", title: "Last delivery", cell: ({ alert }) => <LastDelivery last={alert.last_delivery} /> },
        { name: "waiting", title: "Waiting", isNumber: true, cell: ({ alert }) => alert.waiting },
        {
          name: "actions",
          title: "Actions",
          isNumber: true,
          isPlain: true,
          cell: ({ name }) => (
            <span class="actions">
              <button type="button" aria-label={`Test ${name}`} onClick={() => onTest(name)}>
                Test
              </button>
              <button type="button" aria-label={`Edit ${name}`} onClick={() => onEdit(name)}>
                Edit
              </button>
              <button type="button" aria-label={`Delete ${name}`} onClick={() => onDelete(name)}>
                Delete
              </button>
            </span>
          ),
        },
      ]}
    />
  );
}

function conditionOf(when: Schemas.AlertCondition): string {
  if ("surprise_above" in when) return `surprises of more than ${when.surprise_above} bits`;
  if ("learned" in when) return "each model that is learned";
  if ("surprise" in when) return `the most surprising events, about ${when.surprise.per_day} a day`;
  if ("silent_for" in when) {
    return when.silent_for === "expected"
      ? "a device that is silent for longer than usual"
      : `a device that is silent for ${when.silent_for} s`;
  }
  const { symbol, above, horizon = 1 } = when.forecast;
  const events = horizon === 1 ? "the next event" : `one of the next ${horizon} events`;
  return `${symbol} in ${events}, when its probability rises above ${above}`;
}

function LastDelivery({ last }: { readonly last: Schemas.AlertDelivery | null }) {
  if (last === null) return <span class="soft">none yet</span>;
  const at = new Date(last.time * 1000);
  const isBad = last.outcome === "failed";
  return (
    <span class={isBad ? "bad" : "good"}>
      {isBad ? "✕ failed " : "✓ delivered "}
      <time dateTime={at.toISOString()} title={at.toISOString()}>
        {moment(at.getTime())}
      </time>
      {last.status !== null && ` (HTTP ${last.status})`}
      {last.failure !== null && `: ${last.failure}`}
    </span>
  );
}
