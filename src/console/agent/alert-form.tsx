/** Adds or replaces an alert, and shows the server's secret once. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { MAX_HORIZON, type Processor, type Schemas, setAlert } from "../../client";
import { CopyButton } from "../parts/copy-button";
import { ConfirmDialog, Dialog } from "../parts/dialog";
import { Choice, numberIn, TextField } from "../parts/fields";

type Kind = "daily" | "forecast" | "learned" | "silent" | "surprise";

export function AlertForm({
  processor,
  name,
  alert,
  onDone,
  onClose,
}: {
  readonly processor: Processor;
  /** The alert to replace; empty for a new one. */
  readonly name: string;
  /** Its current definition. */
  readonly alert: Schemas.Alert | undefined;
  /**
   * Called when the alert is saved.
   *
   * @param secret the secret that the server made; `undefined` when the user gave one
   */
  readonly onDone: (name: string, secret: string | undefined) => Promise<void>;
  readonly onClose: () => void;
}) {
  const form = useAlertForm(name, alert);
  const put = async () => {
    const { secret } = await setAlert(processor, form.name.value, alertIn(form));
    await onDone(form.name.value, secret);
  };
  const { kind } = form;
  return (
    <ConfirmDialog
      title={name === "" ? "Add an alert" : `Edit the alert ${name}`}
      action={name === "" ? "Add" : "Replace"}
      onConfirm={put}
      onClose={onClose}
    >
      <div class="fields">
        <TextField label="Name" value={form.name} isFixed={name !== ""} isRequired />
        <Choice
          label="Condition"
          value={kind}
          choices={[
            ["forecast", "A symbol that becomes likely"],
            ["surprise", "A surprising event"],
            ["daily", "A number of the most surprising events a day"],
            ["silent", "A device that goes silent"],
            ["learned", "Each model that is learned"],
          ]}
        />
        {kind.value === "forecast" && (
          <>
            <TextField label="Symbol" value={form.symbol} isRequired />
            <div class="row">
              <TextField label="Probability above, 0 to 1" value={form.above} isNumber isRequired />
              <TextField
                label={`In one of the next events, 1 to ${MAX_HORIZON}`}
                value={form.horizon}
                isNumber
                isRequired
              />
            </div>
          </>
        )}
        {kind.value === "surprise" && <TextField label="Bits, more than" value={form.bits} isNumber isRequired />}
        {kind.value === "daily" && <TextField label="Events a day, about" value={form.perDay} isNumber isRequired />}
        {kind.value === "silent" && (
          <TextField
            label="Silent for"
            hint="Seconds, or expected: longer than usual."
            value={form.silentFor}
            isRequired
          />
        )}
        <TextField
          label="Address to deliver to"
          hint="https, on a host that the server allows. Empty: its incidents are shown in the console only."
          value={form.url}
        />
        {form.url.value !== "" && (
          <TextField
            label="Secret that signs deliveries"
            hint="As in whsec_…. Empty: the server makes one."
            value={form.secret}
          />
        )}
        {name !== "" && <p class="facts">It gets a new secret; the old one stops working.</p>}
      </div>
    </ConfirmDialog>
  );
}

/** The typed values, initially those of the alert. */
function useAlertForm(name: string, alert: Schemas.Alert | undefined) {
  const when = alert?.when;
  const forecast = when !== undefined && "forecast" in when ? when.forecast : undefined;
  const bits = when !== undefined && "surprise_above" in when ? when.surprise_above : undefined;
  const perDay = perDayOf(when);
  const silentFor = when !== undefined && "silent_for" in when ? when.silent_for : undefined;
  return {
    name: useSignal(name),
    kind: useSignal<Kind>(kindOf(when)),
    symbol: useSignal(forecast?.symbol ?? ""),
    above: useSignal(String(forecast?.above ?? 0.5)),
    horizon: useSignal(String(forecast?.horizon ?? 1)),
    bits: useSignal(String(bits ?? 8)),
    perDay: useSignal(String(perDay ?? 3)),
    silentFor: useSignal(String(silentFor ?? "expected")),
    format: alert?.format ?? "standard",
    url: useSignal(alert?.url ?? ""),
    secret: useSignal(""),
  };
}

/** The rate in events per day that an alert asks for, if it has one. */
function perDayOf(when: Schemas.AlertCondition | undefined): number | undefined {
  return when !== undefined && "surprise" in when ? when.surprise.per_day : undefined;
}

function kindOf(when: Schemas.AlertCondition | undefined): Kind {
  if (when === undefined || "forecast" in when) return "forecast";
  if ("silent_for" in when) return "silent";
  if ("surprise" in when) return "daily";
  return "learned" in when ? "learned" : "surprise";
}

/** @throws Error that names the field that is not a number */
function alertIn({
  kind,
  symbol,
  above,
  horizon,
  bits,
  perDay,
  silentFor,
  format,
  url,
  secret,
}: ReturnType<typeof useAlertForm>): Schemas.NewAlert {
  const rest = {
    format,
    ...(url.value === "" ? {} : { url: url.value }),
    ...(secret.value === "" ? {} : { secret: secret.value }),
  };
  switch (kind.value) {
    case "learned":
      return { when: { learned: true }, ...rest };
    case "surprise":
      return { when: { surprise_above: numberIn("Bits", bits.value) }, ...rest };
    case "daily":
      return { when: { surprise: { per_day: numberIn("Events a day", perDay.value) } }, ...rest };
    case "silent": {
      const typed = silentFor.value.trim();
      const after = typed === "expected" ? typed : numberIn("Silent for", typed);
      return { when: { silent_for: after }, ...rest };
    }
    case "forecast": {
      const forecast = {
        symbol: symbol.value,
        above: numberIn("Probability", above.value),
        horizon: numberIn("Events", horizon.value),
      };
      return { when: { forecast }, ...rest };
    }
  }
}

/** Shows a secret. Once the dialog is closed, the secret cannot be shown again. */
export function SecretDialog({
  name,
  secret,
  onClose,
}: {
  /** The alert's name. */
  readonly name: string;
  readonly secret: string;
  readonly onClose: () => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog title={`The secret of ${name}`} onClose={onClose}>
      <p>Keep it now: it is shown this once. With it, the receiver checks that a delivery comes from here.</p>
      <div class="row">
        <input ref={field} type="text" readOnly aria-label="The secret" value={secret} />
        <CopyButton text={secret} onRefused={() => field.current?.select()} />
      </div>
      <div class="row end">
        <button type="button" onClick={onClose}>
          I have kept it
        </button>
      </div>
    </Dialog>
  );
}
