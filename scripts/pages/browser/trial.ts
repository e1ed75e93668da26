/** The form to try an operation: it is made from the operation's section when the reader asks for it. */

import { currentKey, isKept, setKey } from "../../../src/console/key";
import { curlOf, type Outcome, send, type TriedCall } from "./call";
import { button, element } from "./element";

/** Puts a button beside the examples of every operation that can be tried. */
export function addTrials(): void {
  for (const section of document.querySelectorAll<HTMLElement>("section.operation")) {
    const open = button("Try it", { class: "try", "aria-expanded": "false" }, () => {
      const form = section.querySelector<HTMLFormElement>("form") ?? formOf(section);
      const isOpening = !form.isConnected || form.hidden;
      if (!form.isConnected) open.after(form);
      form.hidden = !isOpening;
      open.setAttribute("aria-expanded", String(isOpening));
      if (isOpening) form.dispatchEvent(new Event("shown"));
    });
    section.querySelector(".snippets")?.after(open);
  }
}

/** An input of the form, with what it fills. */
interface Field {
  readonly name: string;
  readonly place: "header" | "path" | "query" | "session";
  readonly input: HTMLInputElement;
}

/** What the form reads from the section of its operation. */
interface Template {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly sessionPath: string | undefined;
  /** The body of the example; `undefined` when the operation takes none. */
  readonly body: string | undefined;
}

function templateOf(section: HTMLElement): Template {
  const textOf = (selector: string) => section.querySelector(selector)?.textContent ?? "";
  const method = textOf("h3 em");
  const { body, sessionPath } = section.dataset;
  // Browsers refuse to send a body with GET.
  const sent = method === "GET" ? undefined : body;
  return { id: section.id, method, path: textOf("h3 code"), sessionPath, body: sent };
}

function labelled(label: string, input: HTMLElement, about = ""): HTMLElement {
  const parts = about === "" ? [] : [element("small", {}, about)];
  return element("label", {}, element("span", { class: "name" }, label), input, ...parts);
}

function textInput(value: string): HTMLInputElement {
  return element("input", { type: "text", value, autocomplete: "off", spellcheck: "false" });
}

function fieldsOf(section: HTMLElement, { sessionPath }: Template): Field[] {
  const lists = [...section.querySelectorAll<HTMLElement>("ul[data-in]")];
  const fields = lists.flatMap((list) =>
    [...list.querySelectorAll<HTMLElement>(":scope > li")].map((item) => ({
      name: item.querySelector("b")?.textContent ?? "",
      place: list.dataset.in as Field["place"],
      input: textInput(item.dataset.example ?? ""),
    })),
  );
  const session: Field[] =
    sessionPath === undefined ? [] : [{ name: "session", place: "session", input: textInput("") }];
  return [
    ...fields.filter(({ place }) => place === "path"),
    ...session,
    ...fields.filter(({ place }) => place !== "path"),
  ];
}

const ABOUT: { readonly [place in Field["place"]]: string } = {
  header: "header, optional",
  path: "",
  query: "query, optional",
  session: "optional: the processor's own memory if empty",
};

/** The request that the form describes. */
function callOf(
  { method, path, sessionPath }: Template,
  fields: readonly Field[],
  body: string | undefined,
): TriedCall {
  const filled = fields.map(({ name, place, input }) => ({ name, place, value: input.value }));
  const session = filled.find(({ place }) => place === "session")?.value ?? "";
  const pattern = session === "" ? path : (sessionPath ?? path);
  const target = pattern.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(
      filled.find((field) => field.name === name && (field.place === "path" || field.place === "session"))?.value ?? "",
    ),
  );
  const given = filled.filter(({ value }) => value !== "");
  const query = new URLSearchParams(
    given.filter(({ place }) => place === "query").map(({ name, value }) => [name, value]),
  );
  const headers = given.filter(({ place }) => place === "header").map(({ name, value }) => [name, value]);
  return {
    method,
    path: `${target}${query.size === 0 ? "" : `?${query}`}`,
    headers: Object.fromEntries(headers),
    ...(body === undefined || body.trim() === "" ? {} : { body }),
  };
}

interface KeyFields {
  readonly key: HTMLInputElement;
  readonly keep: HTMLInputElement;
}

function keyFields(): KeyFields {
  const key = element("input", { type: "password", autocomplete: "off", spellcheck: "false" });
  const keep = element("input", { type: "checkbox" });
  for (const input of [key, keep]) input.addEventListener("input", () => setKey(key.value, keep.checked));
  return { key, keep };
}

/** Where the form shows the request and the answer. */
interface Display {
  readonly request: HTMLElement;
  readonly status: HTMLElement;
  readonly answer: HTMLElement;
}

function formOf(section: HTMLElement): HTMLFormElement {
  const template = templateOf(section);
  const fields = fieldsOf(section, template);
  const { key, keep } = keyFields();
  const body =
    template.body === undefined
      ? undefined
      : element(
          "textarea",
          { rows: String(Math.min(12, template.body.split("\n").length + 1)), spellcheck: "false" },
          template.body,
        );
  const display = { request: element("code"), status: element("p", { role: "status" }), answer: element("code") };
  const sendButton = element("button", { type: "submit" }, "Send");
  const stopButton = button("Stop", { hidden: true }, () => {});
  const answer = element("pre", { hidden: true }, display.answer);
  const form = element(
    "form",
    { "aria-label": `Try ${template.method} ${template.path}` },
    labelled("key", key, "stays in this page"),
    element("label", { class: "check" }, keep, "Keep the key until this tab is closed"),
    ...fields.map(({ name, place, input }) => labelled(name, input, ABOUT[place])),
    ...(body === undefined ? [] : [labelled("body", body)]),
    element("h4", {}, "Request"),
    element("pre", {}, display.request),
    element("p", { class: "send" }, sendButton, stopButton),
    display.status,
    answer,
  );
  const call = () => callOf(template, fields, body?.value);
  const showRequest = () => {
    display.request.textContent = curlOf(call(), key.value !== "");
  };
  form.addEventListener("input", showRequest);
  form.addEventListener("shown", () => {
    key.value = currentKey();
    keep.checked = isKept();
    showRequest();
    form.querySelector("input")?.focus();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const stop = new AbortController();
    stopButton.onclick = () => stop.abort();
    sendButton.disabled = true;
    stopButton.hidden = false;
    display.status.textContent = "Waiting for the answer …";
    void tried(call(), key.value, stop.signal, display).then(() => {
      answer.hidden = display.answer.textContent === "";
      sendButton.disabled = false;
      stopButton.hidden = true;
    });
  });
  return form;
}

/** Sends the request and shows what came of it. */
async function tried(call: TriedCall, key: string, signal: AbortSignal, { status, answer }: Display): Promise<void> {
  try {
    const outcome = await send(call, key, signal);
    status.textContent = sentence(outcome);
    status.className = outcome.status < 400 ? "good" : "bad";
    answer.textContent = [outcome.headers, outcome.text].filter((part) => part !== "").join("\n\n");
  } catch (error) {
    status.className = "bad";
    status.textContent = signal.aborted
      ? "Stopped. It may have taken effect."
      : `There is no answer: ${(error as Error).message}`;
    answer.textContent = "";
  }
}

function sentence({ status, statusText, milliseconds, text }: Outcome): string {
  const time = milliseconds < 10 ? milliseconds.toFixed(1) : milliseconds.toFixed(0);
  const failed = status === 500 && text.includes("X-API-KEY") ? " Is the key right?" : "";
  return `HTTP ${status} ${statusText}, after ${time} ms.${failed}`;
}
