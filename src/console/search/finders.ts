/** The sources of the console's search: devices, models and symbols of the server, and pages of its documentation. */

import { searchIn } from "../../../scripts/pages/search/engine";
import { SEARCH_PATH, type SearchData, SHOWN_IN_CONSOLE } from "../../../scripts/pages/search/entry";
import { listDevices, listModels, listSymbols, MAX_LISTED_DEVICES, type Schemas } from "../../client";
import { linkTo } from "../place";
import { may } from "../rights";
import type { Agent, KnownProcessor } from "../server";

/** What was found. */
export interface Hit {
  /** The kind of result. */
  readonly kind: "device" | "model" | "symbol" | "docs";
  readonly name: string;
  /** More about the result; may be empty. */
  readonly text: string;
  /** The link: a fragment of the console, or a path on this server. */
  readonly to: string;
}

/** Maximum number each of devices, models and symbols. */
const MAX_OF_A_KIND = 5;

/** A hash is searched for from this many hexadecimal digits on; a shorter text may be a word. */
const HASH = /^[0-9a-f]{4,40}$/i;

/** Searches one agent for a typed text. Reads devices and pages once, at the first search. */
export class Finders {
  readonly #agent: Agent;
  #devices: Promise<readonly Schemas.Device[]> | undefined;
  #pages: Promise<ReturnType<typeof searchIn>> | undefined;

  constructor(agent: Agent) {
    this.#agent = agent;
  }

  /**
   * The results for a text: one promise for each kind. A kind that cannot be queried, or whose query fails, has no
   * hits.
   *
   * @param processor whose models and symbols to search
   */
  find(text: string, processor: KnownProcessor | undefined, signal: AbortSignal): readonly Promise<readonly Hit[]>[] {
    const mayKnow = processor !== undefined && may({ of: "processor", processor: processor.id }, "read", "manage");
    const all = [
      this.#devicesFor(text),
      ...(mayKnow ? [symbolsFor(text, processor, signal), modelsFor(text, processor, signal)] : []),
      this.#pagesFor(text),
    ];
    return all.map((hits) => hits.catch(() => []));
  }

  async #devicesFor(text: string): Promise<readonly Hit[]> {
    this.#devices ??= listDevices(this.#agent.noema, { limit: MAX_LISTED_DEVICES });
    const devices = await this.#devices;
    const wanted = text.toLowerCase();
    const named = devices.map((device) => {
      const processor = this.#agent.processors.find(({ id }) => id === device.processor)?.name ?? device.processor;
      return { device, processor, name: device.session ?? processor };
    });
    const found = named.filter(({ name }) => name.toLowerCase().includes(wanted));
    const first = found.filter(({ name }) => name.toLowerCase().startsWith(wanted));
    return [...new Set([...first, ...found])].slice(0, MAX_OF_A_KIND).map(({ device, processor, name }) => ({
      kind: "device",
      name,
      text: device.session === null ? "its own memory" : processor,
      to: linkTo({ view: "now", processor: device.processor, session: device.session ?? undefined }),
    }));
  }

  async #pagesFor(text: string): Promise<readonly Hit[]> {
    this.#pages ??= loadedPages();
    try {
      const found = (await this.#pages)(text).slice(0, SHOWN_IN_CONSOLE);
      return found.map((entry) => ({ kind: "docs", name: entry.name, text: entry.kind, to: entry.id }));
    } catch (error) {
      this.#pages = undefined;
      throw error;
    }
  }
}

async function loadedPages(): Promise<ReturnType<typeof searchIn>> {
  const response = await fetch(SEARCH_PATH);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return searchIn((await response.json()) as SearchData);
}

async function symbolsFor(text: string, { id, processor }: KnownProcessor, signal: AbortSignal) {
  const { symbols } = await listSymbols(processor, { name: text, limit: MAX_OF_A_KIND }, { signal });
  return symbols.map(({ name, features: { model_member_frequency: models } }): Hit => {
    const query = { by: "name", search: name };
    const to = linkTo({ view: "knowledge", processor: id, path: ["symbols"], query });
    return { kind: "symbol", name, text: `in ${models} ${models === 1 ? "model" : "models"}`, to };
  });
}

async function modelsFor(text: string, { id, processor }: KnownProcessor, signal: AbortSignal) {
  const hash = text.replace(/^MODEL\|/i, "");
  const query = HASH.test(hash) ? { name: hash.toLowerCase() } : { symbols: [text] };
  const { models } = await listModels(processor, { ...query, limit: MAX_OF_A_KIND }, { signal });
  return models.map(({ name, length, frequency }): Hit => {
    const to = linkTo({ view: "knowledge", processor: id, path: ["models", name] });
    return { kind: "model", name: name.slice(0, 8), text: `${length} symbols, learned ${frequency} ×`, to };
  });
}
