/** Dialogs on the browser's own `<dialog>`: Escape closes them, and the focus goes back to where it was. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Failure } from "./failure";

/** A dialog that is open as long as it is drawn. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  /** Told that somebody closed it: then do not draw it any longer. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  useLayoutEffect(() => {
    const shown = dialog.current;
    const before = document.activeElement;
    shown?.showModal();
    return () => {
      isGone.current = true;
      // A dialog that is taken away does not give back the focus; one that is closed does.
      shown?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  // Who takes it away knows; the event comes later, when somebody may already be elsewhere.
  const closed = () => {
    if (!isGone.current) onClose();
  };
  // Escape says so at once. The event "close" comes a moment after the focus went back: who opens the dialog again in
  // that moment would see it go. A file field within tells of its own "cancel" here, too.
  const cancelled = ({ target, currentTarget }: { target: EventTarget | null; currentTarget: EventTarget }) => {
    if (target === currentTarget) onClose();
  };
  return (
    <dialog ref={dialog} aria-labelledby={id} onCancel={cancelled} onClose={closed}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

/** Asks before something is done. While it is done the dialog waits; if it fails, the dialog says why and stays. */
export function ConfirmDialog({
  title,
  children,
  action,
  isDangerous = false,
  onConfirm,
  onClose,
}: {
  /** The question. */
  readonly title: string;
  /** What would happen, in words. */
  readonly children?: ComponentChildren;
  /** What stands on the button, as in "Delete 3 models". */
  readonly action: string;
  /** Whether it cannot be undone. */
  readonly isDangerous?: boolean;
  /** Does it. The dialog closes when it resolves. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}) {
  const isBusy = useSignal(false);
  const error = useSignal<unknown>(undefined);
  const confirm = async (event: Event) => {
    event.preventDefault();
    isBusy.value = true;
    error.value = undefined;
    try {
      await onConfirm();
      onClose();
    } catch (reason) {
      error.value = reason;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={(event) => void confirm(event)}>
        {children}
        <Failure error={error.value} />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class={isDangerous ? "danger" : ""} disabled={isBusy.value}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
