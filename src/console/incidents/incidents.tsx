/** The view *Incidents*: unusual events for the user to judge. */

import { place } from "../place";
import type { Agent } from "../server";
import { IncidentList } from "./incident-list";
import { IncidentPage } from "./incident-page";

export function Incidents({ agent }: { readonly agent: Agent }) {
  const [processor, id] = place.value.path;
  if (processor === undefined || id === undefined) return <IncidentList agent={agent} />;
  return <IncidentPage key={`${processor}/${id}`} agent={agent} processor={processor} id={Number(id)} />;
}
