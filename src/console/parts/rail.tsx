/**
 * The list of views: on the left of a screen, and at the bottom of a phone, where the last of five buttons opens the
 * others.
 */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { linkTo, place, type View } from "../place";
import { type Agent, currentProcessor, leave } from "../server";
import { Icon, type IconName, MARK_PATH } from "./icon";

const DOCS_PATH = "/docs/guides";

/** A view in the list. */
interface Item {
  readonly text: string;
  readonly icon: IconName;
  /** Where it leads. */
  readonly to: View;
  /** The views that mark it as the current one. */
  readonly views: readonly View[];
}

/** The views in a phone's bar. *Why* is in no list: predictions link to it, and it is about a device. */
const PHONE_VIEWS: readonly Item[] = [
  { text: "Home", icon: "home", to: "home", views: ["home"] },
  { text: "Incidents", icon: "incidents", to: "incidents", views: ["incidents"] },
  { text: "Devices", icon: "devices", to: "now", views: ["now", "why"] },
  { text: "Knowledge", icon: "knowledge", to: "knowledge", views: ["knowledge"] },
];

const OTHER_VIEWS: readonly Item[] = [
  { text: "Agent", icon: "agent", to: "agent", views: ["agent"] },
  { text: "Operate", icon: "operate", to: "operate", views: ["operate"] },
];

export function Rail({ agent }: { readonly agent: Agent }) {
  return (
    <header class="rail">
      <button type="button" class="skip" onClick={skip}>
        Skip to the view
      </button>
      <div class="who">
        <a class="name" href={linkTo({ view: "home" })}>
          <img src={MARK_PATH} alt="" width="20" height="20" /> Noema
        </a>
        <p class="agent-name" title={agent.name}>
          {agent.name}
        </p>
      </div>
      <nav aria-label="Views">
        <ul>
          {PHONE_VIEWS.map((item) => (
            <ViewLink key={item.to} item={item} />
          ))}
        </ul>
        <More />
      </nav>
    </header>
  );
}

function ViewLink({ item: { text, icon, to, views } }: { readonly item: Item }) {
  const isCurrent = views.includes(place.value.view);
  return (
    <li>
      <a
        href={linkTo({ view: to, processor: currentProcessor.value?.id })}
        aria-current={isCurrent ? "page" : undefined}
      >
        <Icon name={icon} /> {text}
      </a>
    </li>
  );
}

/** The views that a phone shows only on request; a wide screen always does. */
function More() {
  const isOpen = useSignal(false);
  const { view } = place.value;
  useEffect(() => {
    isOpen.value = false;
  }, [view]);
  const press = (event: KeyboardEvent) => {
    if (event.key === "Escape") isOpen.value = false;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what the button inside opened.
    <div class={`more ${isOpen.value ? "open" : ""}`} onKeyDown={press}>
      <button
        type="button"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Icon name="more" /> More
      </button>
      <ul>
        {OTHER_VIEWS.map((item) => (
          <ViewLink key={item.to} item={item} />
        ))}
        <li>
          <a href={DOCS_PATH}>
            <Icon name="docs" /> Docs
          </a>
        </li>
        <li>
          <button type="button" onClick={leave}>
            <Icon name="leave" /> Forget the key
          </button>
        </li>
      </ul>
    </div>
  );
}

/** A button, because a link would replace the fragment, which holds the current place. */
function skip(): void {
  document.getElementById("view")?.focus();
}
