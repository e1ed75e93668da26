/** Views whose code is loaded when they are opened, so that the console's first view appears soon. */

import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { Failure } from "./failure";

const NOT_LOADED = "This view could not be loaded. If the server was updated, reload the page.";

/** Lines of the placeholder that is shown until the code is loaded. */
const SHAPE = [1, 2, 3, 4, 5];

/** A component whose code is loaded when it is first shown. */
export type LaterType<Props> = ComponentType<Props> & {
  /** Loads the code in advance. A failure is reported when the component is shown. */
  readonly preload: () => void;
};

/**
 * A component that loads another component when it is first shown, and then renders it.
 *
 * @param load imports the component; called again after a failure
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): LaterType<Props> {
  let loaded: ComponentType<Props> | undefined;
  const preload = () => {
    load().then(
      (component) => {
        loaded = component;
      },
      () => undefined,
    );
  };
  return Object.assign(Later, { preload });

  function Later(props: Props) {
    const isLoaded = useSignal(loaded !== undefined);
    const error = useSignal<unknown>(undefined);
    const ask = () => {
      error.value = undefined;
      load().then(
        (component) => {
          loaded = component;
          isLoaded.value = true;
        },
        () => {
          error.value = NOT_LOADED;
        },
      );
    };
    useEffect(() => {
      if (!isLoaded.value) ask();
    }, []);
    if (isLoaded.value && loaded !== undefined) {
      const Loaded = loaded;
      return <Loaded {...props} />;
    }
    return error.value === undefined ? <Coming /> : <Failure error={error.value} onRetry={ask} />;
  }
}

/** A placeholder while the code loads. */
export function Coming() {
  return (
    <div class="coming" aria-busy="true">
      {SHAPE.map((line) => (
        <span key={line} />
      ))}
    </div>
  );
}
