/** AlertService: the webhooks of a processor. A secret is shown only in the answer to the call that generated it. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { type AlertSchema, AlertService } from "../../gen/noema/v1/alert_service_pb";
import type { StoredAlert } from "../../processor/ports/alert";
import { Fault } from "../../processor/ports/fault";
import { conditionFrom, conditionRecord, formatFrom } from "../../processor/verbs/alerts/alert-record";
import type { Serve } from "../../rpc/services/serve";
import { SECRET_PREFIX } from "../../text/alert-secret";

const { method } = AlertService;

/** Bytes of a generated secret. */
const SECRET_BYTES = 32;

/** What the service needs from the object. */
export interface AlertHost {
  /** Why deliveries to an address are refused, as the end of a sentence about it; `undefined` when they are allowed. */
  urlRefusal(url: string): string | undefined;
  /** Notes that an alert was set or removed. Called before the transaction ends. */
  alertChanged(name: string): void;
}

/** Implements the service with the processor's verbs. */
export function alertService(serve: Serve, host: AlertHost): ServiceImpl<typeof AlertService> {
  return {
    getAlerts: serve(method.getAlerts, ({ alerts }, { name }) => ({
      alerts: alerts.getAlerts(name).map((alert) => shown(alert, alerts.thresholdOf(alert))),
    })),
    putAlert: serve(method.putAlert, ({ alerts }, { name, when, url, secret: given, format }) => {
      const refusal = url === "" ? undefined : host.urlRefusal(url);
      if (refusal !== undefined) throw new Fault("invalid", `the url of the alert is refused: ${refusal}`);
      const isMade = given === "" && url !== "";
      const secret = isMade ? newSecret() : given;
      alerts.putAlert({ name, when: conditionFrom(when), url, secret, format: formatFrom(format) });
      host.alertChanged(name);
      return isMade ? { secret } : {};
    }),
    deleteAlert: serve(method.deleteAlert, ({ alerts }, { name }) => {
      alerts.deleteAlert(name);
      host.alertChanged(name);
      return {};
    }),
    testAlert: serve(method.testAlert, ({ alerts }, { name }) => ({ webhookId: alerts.testAlert(name) })),
  };
}

/** An alert without its secret. */
function shown(
  { name, when, url, last, waiting, format }: StoredAlert,
  threshold: number | undefined,
): MessageInitShape<typeof AlertSchema> {
  const chosen = threshold === undefined ? {} : { threshold };
  const alert = { name, when: conditionRecord(when), url, waiting, format, ...chosen };
  if (last === undefined) return alert;
  const { at, status, failure = "" } = last;
  return { ...alert, lastDelivery: { time: at / 1000, failure, ...(status === undefined ? {} : { status }) } };
}

function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return SECRET_PREFIX + btoa(String.fromCharCode(...bytes));
}
