/** What Home Assistant gets for each memory: discovery messages, and the state that the sensors show. */

import { createHash } from "node:crypto";
import { OWN_LEVEL, type Place, topicLevel } from "../../mqtt/topics";

/** What the sensors of a memory show. */
export interface SensorState {
  /** The surprise of the memory's last event, in bits; `null` before the first event. */
  readonly surprise: number | null;
  /** The most probable next symbol; `null` if nothing is known. */
  readonly next: string | null;
  /** The probability of `next`. */
  readonly probability: number | null;
  /** Whether the memory has an open incident. */
  readonly problem: "OFF" | "ON";
}

/** The state before the first event. */
export const UNKNOWN_STATE: SensorState = { surprise: null, next: null, probability: null, problem: "OFF" };

/** A message to the broker. */
export interface Outgoing {
  readonly topic: string;
  readonly payload: string;
  readonly isRetained: boolean;
}

/** The topic from which a memory's sensors read their state. */
export function stateTopic({ processor, session }: Place): string {
  const memory = session === null ? [] : ["sessions", topicLevel(session)];
  return [OWN_LEVEL, topicLevel(processor), ...memory, "home-assistant"].join("/");
}

/** The topic on which a bridge says whether it is online. @param client the bridge's client identifier */
export function availabilityTopic(client: string): string {
  return `${OWN_LEVEL}/bridge/${client}`;
}

/** Home Assistant refuses longer states. */
const MAX_STATE_CHARACTERS = 255;

const SENSORS = [
  {
    component: "sensor",
    object: "surprise",
    config: {
      name: "Surprise",
      unit_of_measurement: "bit",
      state_class: "measurement",
      suggested_display_precision: 1,
      icon: "mdi:alert-octagram",
    },
    template: "{{ value_json.surprise }}",
  },
  {
    component: "sensor",
    object: "next",
    config: { name: "Next", icon: "mdi:crystal-ball" },
    template: `{{ value_json.next[:${MAX_STATE_CHARACTERS}] if value_json.next is not none else none }}`,
  },
  {
    component: "sensor",
    object: "probability",
    config: {
      name: "Probability of next",
      unit_of_measurement: "%",
      state_class: "measurement",
      suggested_display_precision: 0,
    },
    template: "{{ value_json.probability * 100 if value_json.probability is not none else none }}",
  },
  {
    component: "binary_sensor",
    object: "problem",
    config: { name: "Problem", device_class: "problem" },
    template: "{{ value_json.problem }}",
  },
] as const;

/**
 * The discovery messages of a memory's sensors. They are retained, so that Home Assistant finds them after a restart.
 *
 * @param prefix Home Assistant's discovery prefix, usually `homeassistant`
 * @param client the bridge's client identifier
 */
export function discoveryOf(place: Place, prefix: string, client: string): Outgoing[] {
  const { processor, session } = place;
  const name = session === null ? processor : `${processor} ${session}`;
  const node = `noema_${createHash("sha256")
    .update(JSON.stringify([processor, session]))
    .digest("hex")
    .slice(0, 16)}`;
  const device = { identifiers: [node], name: `Noema ${name}`, manufacturer: "Noema", model: "Memory" };
  return SENSORS.map(({ component, object, config, template }) => ({
    topic: `${prefix}/${component}/${node}/${object}/config`,
    payload: JSON.stringify({
      ...config,
      unique_id: `${node}_${object}`,
      // Home Assistant 2026.4 and later ignore object_id, its former name.
      default_entity_id: `${component}.${node}_${object}`,
      state_topic: stateTopic(place),
      value_template: template,
      availability_topic: availabilityTopic(client),
      device,
      origin: { name: "Noema" },
    }),
    isRetained: true,
  }));
}
