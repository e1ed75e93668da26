/** The requests of the interface's rows to a served processor, which has something to show for each of them. */

import type { Outgoing } from "../server/http-exchange";
import { ask, PROCESSOR } from "../server/processor-calls";
import type { Server } from "../server/server";
import type { Row } from "./interface-row";

/** What stands in the places of `<name>` in paths and bodies. */
export type Values = { readonly [name: string]: string };

const SYMBOL = "a";
const SESSION = "a%20device";
const ALERT = "an%20alert";
const VECTOR_ID = "VECTOR|35c150a74c97744bec564b4348a394a4059377e2";

/** The host to which alerts of these requests go: start the server with it. Nothing is delivered there. */
export const ALERT_HOSTS = { NOEMA_ALERT_HOSTS: "hooks.example.org" };

/** Gives every row something to show: one model with a vector, a memory that recalls the model, one session, one blacklisted symbol. */
export async function prepareProcessor(server: Server): Promise<Values> {
  await ask(server, "POST clear-all-memory");
  await ask(server, "POST sleeping/stop");
  await ask(server, "POST predicting/start");
  await ask(server, "POST autolearning/stop");
  await ask(server, "POST clear-target-class");
  await ask(server, "POST genes/change", { data: { recall_threshold: 0.1 } });
  await ask(server, "POST observe", { data: { strings: [SYMBOL, "b"], vectors: [[1, 2]], emotives: { joy: 1 } } });
  await ask(server, "POST observe", { data: { strings: ["c"] } });
  const model = String(await ask(server, "POST learn"));
  await ask(server, "POST observe", { data: { strings: [SYMBOL, "b"] } });
  await ask(server, `POST sessions/${SESSION}/observe`, { data: { strings: [SYMBOL] } });
  await ask(server, "PUT encoders/temp", { data: { kind: "step", size: 0.5 } });
  await ask(server, "POST blacklisted-symbols/add", { data: [SYMBOL] });
  const alert = { when: { learned: true }, url: "https://hooks.example.org/noema", secret: `whsec_${"A".repeat(32)}` };
  await ask(server, `PUT alerts/${ALERT}`, { data: alert });
  await ask(server, "POST genes/change", { data: { history: 10 } });
  // In the session, so that both the processor and the session have it.
  await ask(server, "PUT alerts/odd", { data: { when: { surprise_above: 0 } } });
  await ask(server, `POST sessions/${SESSION}/observe`, { data: { strings: ["odd"] } });
  await ask(server, "DELETE alerts/odd");
  await server.okay("PUT /mqtt/routes/lamps", { data: { topic: "lamps/+", processor: "P1" } });
  const [incident] = (await ask(server, "GET incidents?limit=1")) as unknown as { id: number }[];
  return {
    primitive_id: PROCESSOR.slice(1),
    encoder: "temp",
    alert: ALERT,
    incident: String(incident?.id),
    gene: "recall_threshold",
    key: "5f1d7a0c93be2468",
    hash: model.replace("MODEL|", ""),
    model: encodeURIComponent(model),
    session: SESSION,
    route: "lamps",
    symbol: SYMBOL,
    vector_id: VECTOR_ID,
  };
}

/** The request of a row with the values in their places. */
export function requestOf({ method, path, body }: Pick<Row, "body" | "method" | "path">, values: Values): Outgoing {
  const fillIn = (text: string) => text.replace(/<(\w+)>/g, (_, name) => values[name] ?? `no ${name} is known`);
  const text = body === undefined || typeof body === "string" ? body : fillIn(JSON.stringify(body));
  return { method, path: fillIn(path), body: text };
}
