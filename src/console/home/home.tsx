/** The devices of the agent: every memory that has observed, with what needs a look first. */

import { listDevices, type Schemas } from "../../client";
import { Allowed } from "../parts/allowed";
import { useAnswer } from "../parts/answer";
import type { Column } from "../parts/data-table";
import { DataTable } from "../parts/data-table";
import { Failure } from "../parts/failure";
import { moment, whole } from "../parts/figures";
import { Coming } from "../parts/later";
import { linkTo } from "../place";
import type { Agent } from "../server";

/** As many as the server lists at once. */
const MOST_DEVICES = 10_000;

/** Pause between an answer and the next question, in milliseconds. */
const EVERY_MS = 10_000;

export function Home({ agent }: { readonly agent: Agent }) {
  const { roles } = agent.rights ?? { roles: ["admin"] };
  const mayRead = roles.includes("admin") || roles.includes("read");
  return (
    <Allowed what="list devices" refusal={mayRead ? "" : "that needs the role read"}>
      <Devices agent={agent} />
    </Allowed>
  );
}

function Devices({ agent }: { readonly agent: Agent }) {
  const asked = useAnswer((signal) => listDevices(agent.noema, { limit: MOST_DEVICES }, { signal }), [agent], EVERY_MS);
  const devices = asked.value;
  return (
    <>
      <Failure error={asked.error} onRetry={() => void asked.again()} />
      {devices === undefined ? (
        asked.error === undefined && <Coming />
      ) : (
        <DataTable
          caption="Devices"
          columns={columnsOf(agent)}
          rows={devices}
          keyOf={({ processor, session }) => `${processor} ${session ?? ""}`}
          nothing="Nothing has observed yet."
        />
      )}
    </>
  );
}

function columnsOf({ processors }: Agent): readonly Column<Schemas.Device>[] {
  const nameOf = (id: string) => processors.find((one) => one.id === id)?.name ?? id;
  return [
    {
      name: "name",
      title: "Device",
      isRowHeader: true,
      cell: ({ processor, session }) => (
        <a href={linkTo({ view: "now", processor, session: session ?? undefined })}>{session ?? nameOf(processor)}</a>
      ),
    },
    {
      name: "last",
      title: "Last seen",
      cell: ({ last_observed: seconds }) => moment(seconds * 1000),
    },
    { name: "incidents", title: "Open incidents", isNumber: true, cell: ({ incidents }) => whole(incidents) },
  ];
}
